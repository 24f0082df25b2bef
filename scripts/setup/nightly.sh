#!/bin/sh
# One night, as cron or systemd calls it: one line of log on stdout, the exit code of dbce nightly.
#   scripts/setup/nightly.sh [FILE]     FILE has settings, NAME="value" a line, that are not in the environment
# DBCE_INCOMING  the folder, or another input, whose new files are taken
# DBCE_ARCHIVE   the archive folder
# DBCE_OPTIONS   further options of dbce nightly, e.g. --revise list --max-reject-ratio 0.01
# DBCE_SUBMIT    options of spark-submit, e.g. --master yarn; where it is not set, dbce runs by itself
# DBCE           what runs then; .venv/bin/dbce
# What went before the line stays unsaid, unless the night failed: then stderr has all of it.
set -eu
[ $# -eq 0 ] || . "$(realpath "$1")"
cd "$(dirname "$0")/../.."

if [ -z "${DBCE_INCOMING:-}" ] || [ -z "${DBCE_ARCHIVE:-}" ]; then
    echo "nightly.sh: set DBCE_INCOMING and DBCE_ARCHIVE, in the environment or in a file: nightly.sh FILE" >&2
    exit 2
fi
if [ -n "${DBCE_SUBMIT:-}" ]; then
    # shellcheck disable=SC2086 # options are words
    set -- spark-submit $DBCE_SUBMIT jobs/nightly.py
else
    set -- "${DBCE:-.venv/bin/dbce}" nightly
fi

said=$(mktemp)
trap 'rm -f "$said"' EXIT
export PYTHONUNBUFFERED=1 # the last line is the last thing said
code=0
# shellcheck disable=SC2086
"$@" "$DBCE_INCOMING" --archive "$DBCE_ARCHIVE" ${DBCE_OPTIONS:-} >"$said" 2>&1 || code=$?
[ $code -eq 0 ] || cat "$said" >&2
echo "$(date -u +%Y-%m-%dT%H:%M:%SZ) exit=$code $(tail -n 1 "$said")"
exit $code
