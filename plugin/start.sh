#!/bin/sh
# Starts rollbook with these arguments: the program in this plugin's bin, else the one on PATH. It takes this script's place (exec), so that
# the client has it and nothing in between.
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd) || exit 2
for program in "$here/bin/rollbook" "$here/bin/rollbook.exe" "$(command -v rollbook 2>/dev/null)"; do
    if [ -f "$program" ] && [ -x "$program" ]; then
        [ -z "$CLAUDE_PLUGIN_OPTION_ADVENTURE" ] || set -- "$@" --adventure "$CLAUDE_PLUGIN_OPTION_ADVENTURE"
        exec "$program" "$@"
    fi
done
advice="the plugin is here, but the program rollbook is not. Put it on PATH or into $here/bin (docs/install.md says how it is installed), then start Claude Code again"
case "$*" in
    # A session is told once; the other hooks have nothing to add.
    "hook session-start") printf '{"systemMessage": "Rollbook: %s."}\n' "$(printf %s "$advice" | sed 's/[\\"]/\\&/g')" ;;
    "hook "*) ;;
    *) echo "rollbook: $advice." >&2; exit 2 ;;
esac
