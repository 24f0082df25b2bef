#!/bin/sh
# Makes an environment of its own for a tool that our output is held against, and prints its folder:
#   scripts/tools.sh pywb        scripts/tools.sh wacz
# Never in .venv: pywb is GPL and both need surt, which is AGPL. We only start them and talk to them.
set -eu
cd "$(dirname "$0")/.."

case "${1-}" in
    pywb) pinned=pywb==2.10.0 ;;
    wacz) pinned=wacz==0.6.0 ;;
    *) echo "usage: scripts/tools.sh pywb|wacz" >&2; exit 2 ;;
esac
folder=.venv-$1
done=$folder/$pinned.installed

if [ ! -e "$done" ] || ! "$folder/bin/python" -c '' 2>/dev/null; then
    "${PYTHON:-.venv/bin/python}" -m venv --clear "$folder" >&2
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check "$pinned" >&2
    touch "$done"
fi
echo "$PWD/$folder"
