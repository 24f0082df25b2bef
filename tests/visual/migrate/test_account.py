"""Comparison of looks: a page that did not change is found equal, whatever it holds."""

from dbce.visual import Block, Rect, Segmentation
from dbce.visual.measure import BlockCounts
from dbce.visual.migrate.account import LaidOutPage, LookComparison, compare_looks
from tests.visual.annotate.blocks.drawn import PNG
from tests.visual.measure.pages import element, rendered

PAGE = Rect(0, 0, 1000, 2000)


def shown(*rects: Rect) -> LaidOutPage:
    """A page of one element without a word, cut into blocks."""
    page = rendered([element("/html/frameset", None, -1)], [])
    blocks = tuple(
        Block(0 if n else -1, rect, (0,), "", "", 1.0) for n, rect in enumerate((PAGE, *rects))
    )
    return LaidOutPage(page, Segmentation("dbce", page.record_id, blocks), PNG)


def test_a_page_of_frames_that_did_not_change_is_equal() -> None:
    looks = compare_looks(shown(PAGE), shown(PAGE))
    assert (looks.quality, looks.blocks.false_alarms, looks.changed_pixels) == (1, 0, 0)
    assert looks.is_good


def test_a_page_of_frames_that_is_cut_otherwise_is_not() -> None:
    halves = Rect(0, 0, 500, 2000), Rect(500, 0, 500, 2000)
    assert not compare_looks(shown(halves[0]), shown(halves[1])).is_good


def test_a_share_is_never_more_than_all() -> None:
    counts = BlockCounts(1, 4, 5, missed=0, false_alarms=0, gold=5, computed=9)
    assert counts.quality == 10
    assert LookComparison(counts, 0.0, 100, 100).quality == 1
