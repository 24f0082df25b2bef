#!/bin/sh
# Prints the JAVA_HOME of a Java for Spark; gets one from PyPI, as .jdk, where the machine has none.
set -eu
cd "$(dirname "$0")/../.."

if ! home=$(.venv/bin/python -m dbce.engine.spark.java .jdk 2>/dev/null); then
    echo "no Java 17 or newer here; installing one into .venv (35 MB to download) ..." >&2
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[java]' >&2
    home=$(.venv/bin/python -m dbce.engine.spark.java .jdk)
fi
echo "$home"
