"""The Chromium that tests use, what to type where there is none, and what every page of ours is held to."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

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


def is_accessible(page: Page, **options: object) -> None:
    """Holds that axe finds no fault, in light and in dark colours."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    for scheme in ("light", "dark"):
        # Colours that are on their way from one scheme to the other are neither.
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = axe.run(page, **options)
        assert found.response["violations"] == [], f"{scheme}: {found.generate_report()}"


def suits_everybody(page: Page, **options: object) -> None:
    """Holds that it is accessible, and that no phone scrolls sideways."""
    is_accessible(page, **options)
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
