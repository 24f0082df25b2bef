#!/bin/sh
# Installs the wheel of a folder into empty environments of every Python from 3.11 to 3.13 that is found here, and runs
# it there: try_wheels.sh [--versions "3.12 3.13"] [--extras all] [dist]. What it needs comes from the package index.
# Each Python has to print the same texts. With the extra "all" the report is written too.
set -eu
cd "$(dirname "$0")/../.."
unset PYTHONPATH
versions="3.11 3.12 3.13"
extras=
while :; do
    case "${1-}" in
        --versions) versions=$2; shift 2 ;;
        --extras) extras=$2; shift 2 ;;
        *) break ;;
    esac
done
dist=$(cd "${1:-dist}" && pwd)
set -- "$dist"/dbce-*.whl
if [ ! -e "$1" ]; then
    echo "there is no wheel in $dist: type make release" >&2
    exit 2
fi

# find_python VERSION: a Python of this version; names on the PATH may be shims that lead nowhere, so each is asked.
find_python() {
    for python in "python$1" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$1".*/bin/python /usr/bin/python3 python3; do
        if "$python" -c "import sys, venv, ensurepip; sys.exit('%d.%d' % sys.version_info[:2] != '$1')" 2> /dev/null; then
            echo "$python"
            return
        fi
    done
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# install ARGUMENT...: what is installed is used once, so it is not compiled before.
install() {
    "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile "$@"
}

# run: makes the sample, runs dbce on it, and prints the digest of all its texts
run() {
    rm -rf "$folder/work"
    mkdir "$folder/work"
    (
        cd "$folder/work"
        PATH=$folder/venv/bin:$PATH
        dbce sample crawl
        dbce run crawl --out clean --master none
        if [ -n "$extras" ]; then
            dbce report clean
            test -s clean/report.html
        fi
        dbce text clean > texts
    ) > "$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
    test "$(wc -l < "$folder/work/texts")" -gt 50
    sha256sum < "$folder/work/texts" | cut -c 1-16
}

expected=
for version in $versions; do
    python=$(find_python "$version")
    if [ -z "$python" ]; then
        echo "Python $version: not here, not tried"
        continue
    fi
    "$python" -m venv --clear "$folder/venv"
    install --no-index --no-deps --find-links "$dist" dbce
    install --only-binary lxml,numpy,pandas,pyarrow,scipy "dbce${extras:+[$extras]}"
    digest=$(run)
    : "${expected:=$digest}"
    echo "$("$python" --version)${extras:+ with [$extras]}: ran; $(wc -l < "$folder/work/texts") texts, digest $digest"
    if [ "$digest" != "$expected" ]; then
        echo "the texts are not those of the Python before" >&2
        exit 1
    fi
done
if [ -z "$expected" ]; then
    echo "no Python of $versions was found here: nothing was tried" >&2
    exit 1
fi
