"""Single pages and screenshots of a rendered folder, each read from its own place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from dbce.model import DbceError, UsageError
from dbce.visual.render import RenderedFolder, read_rendered, read_screenshot
from tests.visual.pages import box, page
from tests.visual.stored import write_rendered

if TYPE_CHECKING:
    from pathlib import Path

    from dbce.visual import RenderedPage


def numbered(number: int, *texts: str) -> RenderedPage:
    lines = [box("p", (0, 50 * n, 900, 40), text) for n, text in enumerate(texts)]
    return replace(page(*lines), record_id=f"urn:uuid:{number}", url=f"http://a.example/{number}")


PAGES = [numbered(0, "one", "two"), numbered(1), numbered(2, "three"), numbered(3, "four", "five")]
SHOTS = [f"\x89PNG {n}".encode() for n in range(4)]


@pytest.fixture
def rendered(tmp_path: Path) -> Path:
    write_rendered(tmp_path, PAGES[:3], SHOTS[:3], "one")
    write_rendered(tmp_path, PAGES[3:], SHOTS[3:], "two")
    return tmp_path


def test_each_page_is_what_it_is_in_order(rendered: Path) -> None:
    folder = RenderedFolder(str(rendered))
    in_order = list(read_rendered(str(rendered)))
    assert list(folder.rows) == [one.record_id for one in in_order]
    for one in reversed(in_order):
        found = folder.page(one.record_id)
        assert (found.elements, found.texts) == (one.elements, one.texts)
        assert (found.url, found.size) == (one.url, one.size)


def test_each_screenshot_is_found_by_its_offset_whatever_lies_before_it(rendered: Path) -> None:
    folder = RenderedFolder(str(rendered))
    assert [folder.screenshot(one.record_id) for one in PAGES] == SHOTS
    offset = folder.rows["urn:uuid:1"]["screenshot_offset"]
    stored = rendered / "rendered" / "screenshots" / "one.dbce.warc.gz"
    data = stored.read_bytes()
    stored.write_bytes(b"x" * offset + data[offset:])
    assert read_screenshot(str(rendered), "urn:uuid:2") == SHOTS[2]
    with pytest.raises(DbceError):
        folder.screenshot("urn:uuid:0")


def test_what_is_not_there_is_told_in_a_sentence(rendered: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no rendered page nobody"):
        RenderedFolder(str(rendered)).screenshot("nobody")
    with pytest.raises(UsageError, match="dbce render INPUT --out"):
        RenderedFolder(str(tmp_path / "nowhere"))
