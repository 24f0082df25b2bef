#!/bin/sh
# Builds the wheel for every system, and the zip of it for spark-submit's --py-files, into a folder:
# dist.sh [dist]. A wheel with the compiled part is for one system alone: pip wheel --no-deps .
set -eu
cd "$(dirname "$0")/../.."
out=${1:-dist}

# setuptools packs what an earlier build left beside the sources, so it is given a fresh copy.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R dbce setup.py pyproject.toml README.md LICENSE "$copy"

export DBCE_PURE=1
rm -f "$out"/dbce-*.whl "$out"/dbce-*.zip
.venv/bin/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$out" "$copy"
# A wheel is a zip with the package on top; Spark puts it on Python's path only under this name.
for wheel in "$out"/dbce-*.whl; do
    name=${wheel##*/}
    version=${name#dbce-}
    cp "$wheel" "$out/dbce-${version%%-*}.zip"
done
