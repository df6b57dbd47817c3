#!/bin/sh
# page.sh WEB COMMAND...: runs Node on the page's sources, or says why not (77) where Node or its packages are not there.
cd "$1" || exit 1
shift
command -v node >/dev/null || { echo "Node is not installed: ./dev page installs it"; exit 77; }
[ -d node_modules ] || { echo "the page's packages are not installed: ./dev page installs them"; exit 77; }
exec node "$@"
