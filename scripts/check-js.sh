#!/bin/sh
# Check the types of the web pages' modules (JSDoc, read by TypeScript). npm installs the compiler once, into the ignored
# folder node_modules, with the accessibility checker that the browser tests use.
#
#   AWALE_SKIP_JS=1     leave this check out
set -u
cd "$(dirname "$0")/.." || exit 1
if [ -n "${AWALE_SKIP_JS:-}" ]; then
    echo "AWALE_SKIP_JS is set: the types of the JavaScript modules are not checked." >&2
    exit 0
fi
if [ ! -x node_modules/.bin/tsc ]; then
    if ! command -v npm >/dev/null 2>&1; then
        echo "npm is missing: it installs the TypeScript compiler that checks the JavaScript modules." >&2
        echo "Install Node.js with npm (apt-get install npm), or set AWALE_SKIP_JS=1 to leave this check out." >&2
        exit 1
    fi
    npm install --loglevel=error --no-save --no-package-lock --no-audit --no-fund typescript@5 axe-core@4 >/dev/null || {
        echo "npm could not install TypeScript, which checks the JavaScript modules (AWALE_SKIP_JS=1 leaves this check out)." >&2
        exit 1
    }
fi
exec node_modules/.bin/tsc -p tsconfig.json
