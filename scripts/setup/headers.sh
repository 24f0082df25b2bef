#!/bin/sh
# Gets the C headers of a Python that was installed without them, into .headers, where setup.py looks: headers.sh PYTHON.
# They come from Debian's or Ubuntu's package, which is unpacked and not installed: no rights are needed.
set -eu
cd "$(dirname "$0")/../.."

"$1" -c 'import pathlib, sys, sysconfig
sys.exit(not pathlib.Path(sysconfig.get_path("include"), "Python.h").exists())' && exit 0
package=$("$1" -c 'import sys; print("libpython%d.%d-dev" % sys.version_info[:2])')
command -v apt-get >/dev/null && command -v dpkg >/dev/null || exit 1
echo "$1 has no C headers; unpacking those of $package into .headers ..." >&2
[ "$(id -u)" != 0 ] || apt-get update -qq >&2
rm -rf .headers
mkdir .headers
cd .headers
apt-get download -qq "$package" >&2
dpkg -x ./*.deb .
rm ./*.deb
