"""What is known of a page before it is migrated: its blocks, and what of them is content."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.visual import Block, Rect, Segmentation
from dbce.visual.html5.known import Known, Unit
from tests.visual.pages import box, page

if TYPE_CHECKING:
    from pathlib import Path


def numbered(found):
    """The page as a run would have numbered its texts."""
    from dataclasses import replace

    texts = tuple(text._replace(node=n) for n, text in enumerate(found.texts))
    return replace(found, texts=texts)


LINKS = box("div", (0, 0, 1000, 100), box("a", (0, 0, 500, 50), "home and away"))
ESSAY = box("div", (0, 200, 1000, 1000), "an essay of some words")
PAGE = numbered(page(LINKS, ESSAY))


def blocks(*places: tuple[int, Rect, int]) -> Segmentation:
    found = [Block(-1, Rect(0, 0, 1000, 2000), (0,), "flow", "", 10)]
    found += [Block(parent, rect, (n,), "flow", "section", 1) for parent, rect, n in places]
    return Segmentation("dbce", PAGE.record_id, tuple(found))


def test_a_section_of_content_is_an_article_and_one_of_links_is_not(tmp_path: Path) -> None:
    known = Known(str(tmp_path), Unit("x.parquet", {}, None))
    found = blocks((0, Rect(0, 0, 1000, 100), 1), (0, Rect(0, 200, 1000, 1000), 3))
    _, links, essay = known.labelled(PAGE, found)
    assert (links.role, links.content) == ("section", 0)
    assert (essay.role, essay.content) == ("article", len("an essay of some words"))
    assert essay.xpaths == ("/html[1]/body[1]/div[2]",)


def test_a_section_that_holds_a_block_stays_one(tmp_path: Path) -> None:
    known = Known(str(tmp_path), Unit("x.parquet", {}, None))
    rect = Rect(0, 200, 1000, 1000)
    _, outer, inner = known.labelled(PAGE, blocks((0, rect, 3), (1, rect, 3)))
    assert (outer.role, inner.role) == ("section", "article")


def test_a_page_that_is_one_block_is_cut_finer(tmp_path: Path) -> None:
    known = Known(str(tmp_path), Unit("x.parquet", {}, None))
    whole = page(box("div", (0, 0, 1000, 2000), "all in one"))
    assert "level=2" in known.segmentation(whole).algorithm
