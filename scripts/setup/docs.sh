#!/bin/sh
# Builds the site of the documentation: its pages to FOLDER/site-src, and of them FOLDER/site.
#   scripts/setup/docs.sh [FOLDER]      without, build
# A page that is in no menu, or a link that leads nowhere, stops it.
set -eu
cd "$(dirname "$0")/../.."
folder=${1:-$PWD/build}

"${PYTHON:-.venv/bin/python}" -m scripts.setup.site "$folder/site-src"
# What becomes of the theme later on does not concern those who build the site.
NO_MKDOCS_2_WARNING=1 SITE_PAGES="$folder/site-src" \
    "$(scripts/setup/tools.sh docs)/bin/mkdocs" build --quiet --strict --site-dir "$folder/site"
