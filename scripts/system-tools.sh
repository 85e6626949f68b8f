#!/bin/sh
# Looks for the programs that some tests drive and pip cannot install: Chromium and PostgreSQL's server. Where Debian's
# packages may be installed without asking (root, or sudo with no password) it installs what is missing, once; where not,
# it says which tests will be skipped, and never fails.
#
#   sh scripts/system-tools.sh FOLDER     FOLDER keeps the mark that an install was tried (rm it to try again)
#   AWALE_NO_APT=1                        look only, install nothing
set -u
folder=${1:?usage: system-tools.sh FOLDER}

missing() {
    found=
    for name in chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$name" >/dev/null 2>&1 && found=1
    done
    [ -n "$found" ] || printf 'chromium '
    for program in "$(command -v initdb 2>/dev/null)" /usr/lib/postgresql/*/bin/initdb; do
        [ -x "$program" ] && return
    done
    printf 'postgresql '
}

# A browser is a quiet guest; PostgreSQL's package starts a server, so a person's machine is left alone.
wanted() {
    for package in $1; do
        [ "$package" = postgresql ] && [ -z "${CI:-}" ] || printf '%s ' "$package"
    done
}

lacking=$(missing)
[ -n "$lacking" ] || exit 0

packages=$(wanted "$lacking")
mark="$folder/.tried-system-tools"
if [ -n "$packages" ] && [ -z "${AWALE_NO_APT:-}" ] && [ ! -e "$mark" ] && command -v apt-get >/dev/null 2>&1; then
    as_root=no
    if [ "$(id -u)" = 0 ]; then
        as_root=
    elif sudo -n true 2>/dev/null; then
        as_root='sudo -n'
    fi
    if [ "$as_root" != no ]; then
        echo "Installing for the tests: $packages..." >&2
        # shellcheck disable=SC2086  # the words are meant to split
        { $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update &&
            $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install \
                $packages fonts-dejavu-core; } </dev/null >"$folder/system-tools.log" 2>&1 ||
            echo "That failed; $folder/system-tools.log says why." >&2
        : >"$mark"
        lacking=$(missing)
    fi
fi

for package in $lacking; do
    case $package in
        chromium) echo "No Chromium here: the browser tests will be skipped (apt-get install chromium)." >&2 ;;
        postgresql) echo "No PostgreSQL server here: its tests will be skipped (apt-get install postgresql)." >&2 ;;
    esac
done
exit 0
