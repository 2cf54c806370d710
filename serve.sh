#!/bin/sh
# Serves the Lockhouse with the program as it was built last. It builds nothing, because a build can take longer than a client
# waits; and the server takes this script's place (exec), so that the client has it and nothing in between.
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd) || exit 2
target=${CARGO_TARGET_DIR:-$here/target}
for program in "$target/release/rollbook" "$target/debug/rollbook"; do
    if [ -x "$program" ]; then
        if [ -n "$(find "$here/src" "$here/crates" "$here/migrations" "$here/Cargo.toml" "$here/Cargo.lock" -newer "$program" 2>/dev/null | head -n 1)" ]; then
            echo "rollbook: $program is older than its sources; run: cargo build --release" >&2
        fi
        exec "$program" serve --adventure "$here/adventures/lockhouse" "$@"
    fi
done
echo "rollbook: the server is not built yet. Run this in $here, then connect again: cargo build --release" >&2
exit 2
