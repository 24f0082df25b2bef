#!/bin/sh
# Makes .venv with the first suitable Python: $PYTHON if given, else python3.13, 3.12, 3.11, python3.
# An environment that works is left as it is.
set -eu
cd "$(dirname "$0")/../.."

# A name on the PATH may be a shim that leads nowhere, and Debian ships a Python without ensurepip: so each candidate
# is asked. Its headers, which compiling needs, are another package of Debian's, and are fetched.
suits() {
    "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null &&
        scripts/setup/headers.sh "$1"
}

if .venv/bin/python -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    exit 0
fi
for python in ${PYTHON:-python3.13 python3.12 python3.11 python3}; do
    if suits "$python"; then
        echo "making .venv with $("$python" --version) ..."
        # The pip of Python 3.11 and older cannot tell which versions fit together: a newer one.
        exec "$python" -m venv --clear --upgrade-deps .venv
    fi
done
cat >&2 <<END
dbce needs Python 3.11 or newer with its modules venv and ensurepip and C headers; looked for: ${PYTHON:-python3.13 python3.12 python3.11 python3}.
Install one (Debian, Ubuntu: the packages python3-venv and python3-dev) or name yours: make ${MAKECMDGOALS:-demo} PYTHON=/path/to/python3
END
exit 1
