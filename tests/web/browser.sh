#!/bin/sh
# browser.sh [WORD...]: runs the tests in a browser, or says why not (77) where something is missing.
cd "$(dirname "$0")" || exit 1
skip() {
    echo "$1: ./dev page --test installs it"
    exit 77
}
command -v node >/dev/null || skip "Node is not installed"
[ "$(node -p 'Number(process.versions.node.split(".")[0]) >= 18')" = true ] || skip "Node is older than 18"
[ -x "${CHROMIUM:-/usr/bin/chromium}" ] || skip "Chromium is not installed"
[ -d ../../web/node_modules/playwright-core ] || skip "playwright-core is not installed"
exec node run.mjs "$@"
