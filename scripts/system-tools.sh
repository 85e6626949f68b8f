#!/bin/sh
# Find the programs that some tests need and pip cannot install: Chromium, a JDK and the PostgreSQL server. Install missing
# ones with apt-get, once, if that is possible without a password (root, or sudo without one). Otherwise print which tests will
# be skipped. Never fails.
#
#   sh scripts/system-tools.sh FOLDER     FOLDER/.tried-system-tools records the attempt; remove it to try again
#   AWALE_NO_APT=1                        install nothing
set -u
folder=${1:?usage: system-tools.sh FOLDER}

missing() {
    found=
    for name in chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$name" >/dev/null 2>&1 && found=1
    done
    [ -n "$found" ] || printf 'chromium '
    command -v javac >/dev/null 2>&1 || printf 'default-jdk-headless '
    for program in "$(command -v initdb 2>/dev/null)" /usr/lib/postgresql/*/bin/initdb; do
        [ -x "$program" ] && return
    done
    printf 'postgresql '
}

# The PostgreSQL package starts a server, so it is installed on CI machines only.
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
        echo "Installing packages for the tests: $packages..." >&2
        # shellcheck disable=SC2086  # word splitting is intended
        { $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update &&
            $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install \
                $packages fonts-dejavu-core; } </dev/null >"$folder/system-tools.log" 2>&1 ||
            echo "The installation failed; see $folder/system-tools.log." >&2
        : >"$mark"
        lacking=$(missing)
    fi
fi

for package in $lacking; do
    case $package in
        chromium) echo "Chromium is missing: the browser tests will be skipped (apt-get install chromium)." >&2 ;;
        default-jdk-headless) echo "A JDK is missing: the test of the Java player will be skipped (apt-get install default-jdk-headless)." >&2 ;;
        postgresql) echo "The PostgreSQL server is missing: its tests will be skipped (apt-get install postgresql)." >&2 ;;
    esac
done
exit 0
