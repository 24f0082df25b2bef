#!/bin/sh
# Prints the path of a Chromium for the browser tests. Where the machine has none it gets one: the system's
# package where there are rights for it (root), else Playwright's own, into .chromium. Where neither can be
# had it prints nothing and says what to type; the tests that need it are skipped with the same words.
set -eu
cd "$(dirname "$0")/../.."

# What cannot even tell its version lacks libraries, or is the stub of a package that is not there.
suits() { "$1" --version >/dev/null 2>&1; }

find_chromium() {
    for name in ${CHROMIUM:-chromium chromium-browser google-chrome google-chrome-stable}; do
        if path=$(command -v "$name") && suits "$path"; then
            echo "$path"
            return 0
        fi
    done
    return 1
}

install_package() {
    [ "$(id -u)" = 0 ] || return 1
    if command -v apt-get >/dev/null; then
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y chromium fonts-liberation
    elif command -v dnf >/dev/null; then
        dnf install -q -y chromium
    elif command -v apk >/dev/null; then
        apk add -q chromium
    else
        return 1
    fi
}

playwrights() {
    export PLAYWRIGHT_BROWSERS_PATH="$PWD/.chromium"
    path=$(.venv/bin/python -c 'from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)') || return 1
    if ! suits "$path"; then
        echo "installing Chromium into .chromium (170 MB to download) ..." >&2
        .venv/bin/python -m playwright install --no-shell chromium >&2 || return 1
    fi
    suits "$path" && echo "$path"
}

if find_chromium; then
    exit 0
fi
if [ -z "${CHROMIUM:-}" ]; then
    echo "no Chromium here; installing the system's ..." >&2
    if install_package >&2 && find_chromium; then
        exit 0
    fi
    if playwrights; then
        exit 0
    fi
fi
echo "No Chromium can be had: the browser tests are skipped. As root type: apt-get install chromium" >&2
echo "or: .venv/bin/python -m playwright install --with-deps chromium; or set CHROMIUM to one." >&2
