# Read by the scripts of this folder. The same sources, program and plug-ins give the same bytes.
set -euo pipefail
umask 022
cd "$(dirname "${BASH_SOURCE[0]}")/.."
REPOSITORY=$PWD
VERSION=$(sed -n 's/^ *static let version = "\(.*\)"$/\1/p' Sources/jisui/Main.swift)
# The time of every packed file: that of the last commit.
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export LC_ALL=C.UTF-8 TZ=UTC
DIST=${DIST:-$PWD/.build-package/dist}
WORK=$PWD/.build-package
ARCHITECTURE=$(dpkg --print-architecture)
mkdir -p "$DIST"

# Fails unless the program to pack has a version: check_version VERSION. A program from BUILT may be older than the tree.
check_version() {
    local found
    found=$("$JISUI" --version)
    [ "$found" = "$1" ] || { echo "$JISUI is version $found, not $1" >&2; return 1; }
}

# Installs the program, plug-ins, completions and manual: install_built ROOT PREFIX
install_built() {
    make --no-print-directory install-built DESTDIR="$1" PREFIX="$2" JISUI="$JISUI" PLUGINS="$PLUGINS" >/dev/null
}

# Packs a folder as a tar file on standard output: pack PARENT NAME
pack() {
    tar -C "$1" --create --format=gnu --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner "$2"
}
