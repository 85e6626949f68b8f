#!/bin/sh
# Checks the types of the web page's modules (JSDoc, read by TypeScript). npm fetches the compiler once into the ignored
# folder node_modules; without npm or network it says so and lets the rest of the checks go on.
set -u
cd "$(dirname "$0")/.." || exit 1
if [ ! -x node_modules/.bin/tsc ]; then
    if ! command -v npm >/dev/null 2>&1; then
        echo "No npm here: the types of the page's modules are not checked." >&2
        exit 0
    fi
    npm install --silent --no-save --no-package-lock --no-audit --no-fund typescript@5 axe-core@4 >/dev/null 2>&1 || {
        echo "npm could not fetch TypeScript: the types of the page's modules are not checked." >&2
        exit 0
    }
fi
exec node_modules/.bin/tsc -p tsconfig.json
