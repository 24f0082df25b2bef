"""The page of a history, as a colleague opens it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import dbce
from dbce.history import as_html
from tests.browser import suits_everybody
from tests.history import harbour

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_it_is_accessible_and_fits_a_phone(page: Page, tmp_path: Path) -> None:
    out = harbour.run(tmp_path)
    for topic in ("tower", "gate", "pier"):
        html = as_html(dbce.text_history(str(out), f"{harbour.HOST}/{topic}"))
        file = tmp_path / f"{topic}.html"
        file.write_text(html, encoding="utf-8")
        page.goto(file.as_uri())
        suits_everybody(page)
