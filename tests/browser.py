"""The Chromium that tests use, and what to type where there is none."""

from __future__ import annotations

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

NONE = (
    "there is no Chromium: as root type apt-get install chromium, or else "
    ".venv/bin/python -m playwright install --with-deps chromium; or set CHROMIUM to one"
)


def chromium() -> str | None:
    """The Chromium of the environment's CHROMIUM, which `make test` sets, else that of this machine."""
    named = os.environ.get("CHROMIUM")
    found = (shutil.which(name) for name in ([named] if named else NAMES))
    return next((path for path in found if path), None)
