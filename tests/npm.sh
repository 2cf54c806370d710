# Sourced by the scripts here that need npm: installs it where it is missing, and packages into a folder that is kept.

# install_packages FOLDER PACKAGE@VERSION…
install_packages() {
    local folder=$1
    shift
    mkdir -p "$folder"
    if ! command -v npm >/dev/null; then
        [ "$(id -u)" = 0 ] || { echo 'npm is missing. Install it (Debian: apt-get install npm) and run this again.'; exit 1; }
        (apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends npm) >"$folder/apt.log" 2>&1 ||
            { tail "$folder/apt.log"; exit 1; }
    fi
    if [ "$(cat "$folder/installed" 2>/dev/null)" != "$*" ]; then
        echo '{"private": true}' >"$folder/package.json"
        npm install --prefix "$folder" --no-save --no-audit --no-fund --loglevel=error "$@"
        echo "$*" >"$folder/installed"
    fi
}
