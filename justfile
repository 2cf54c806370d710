# The everyday commands; `just` lists them.

default:
    @just --list

# What must hold before a change is sent: format and lints.
check:
    cargo fmt --check
    cargo clippy --locked --workspace --all-targets -- -D warnings

# Every test; words after it choose some.
test *words:
    cargo test {{words}}

# The laws over 5,000 sequences each, everything else, ten failovers of PostgreSQL, and the demo as it is released.
full: && demo
    ROLLBOOK_CASES=5000 cargo test
    cargo test --test all -- --ignored promoted_again_and_again

# Dice and rules from any bytes, for so many seconds each.
fuzz seconds="60":
    fuzz/run {{seconds}}

# Advisories, licences, bans and sources of the dependencies (`cargo install cargo-deny`).
deny:
    cargo deny check

# Plays a scene through a real server that is killed twice.
demo:
    cargo run --release -- demo

# The benchmarks, in release.
bench *names:
    cargo bench {{names}}

# Snapshots of the schemas, written anew; read the difference.
snapshots:
    INSTA_UPDATE=always cargo test --test all -- surface schema
