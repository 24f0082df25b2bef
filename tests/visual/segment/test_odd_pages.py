"""Pages that are large, nested deeply, or of frames: each costs what it holds, and stops nothing."""

import pytest

from dbce.visual import Rect
from dbce.visual.segment import SEGMENTERS, PaperOptions, PublishedOptions, segment
from dbce.visual.segment import boxes as geometry
from dbce.visual.segment.bom import REACH, merge_siblings
from dbce.visual.segment.boxes import Boxes, Node, Numbers
from tests.gate import first
from tests.visual.pages import PLAIN, box, page


@pytest.mark.parametrize("name", SEGMENTERS)
def test_400_elements_in_one_another_are_no_problem(name: str) -> None:
    inner = box("p", (0, 0, 1000, 2000), "deep")
    for _ in range(400):
        inner = box("div", (0, 0, 1000, 2000), inner, box("p", (0, 0, 1000, 1900), "beside"))
    assert segment(page(inner), name).terminal


@pytest.mark.parametrize("name", SEGMENTERS)
def test_a_page_of_frames_is_segmented(name: str) -> None:
    frames = [box("frame", (300, y, 700, 400)) for y in (0, 400)]
    left, right = box("frame", (0, 0, 300, 800)), box("frameset", (300, 0, 700, 800), *frames)
    assert segment(page(left, right, root="frameset", size=(1000, 800)), name).terminal


def test_the_frames_are_blocks_of_the_thesis_bom() -> None:
    frames = [box("frame", (500 * n, 0, 500, 800)) for n in range(2)]
    shown = page(*frames, root="frameset", size=(1000, 800))
    found = segment(shown, "bom-paper", PaperOptions(granularity=4))
    assert [block.elements for block in found.terminal] == [(1,), (2,)]


def test_a_block_looks_no_further_than_its_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the work on many siblings that do not merge grows with their number alone."""
    looked_at = []

    def gaps(boxes: Boxes, rect: Rect) -> Numbers:
        looked_at.append(len(boxes.x))
        return original(boxes, rect)

    original = geometry.gaps
    monkeypatch.setattr(geometry, "gaps", gaps)
    far = [Node(Rect(0, 200 * n, 100, 100), [n], "flow") for n in range(3000)]
    left, _ = merge_siblings(far, lambda _: 0.0, PaperOptions())
    assert len(left) == 3000
    assert max(looked_at) == REACH
    assert len(looked_at) <= 3000


@pytest.mark.slow
@pytest.mark.parametrize("name", first(SEGMENTERS, 2))
def test_20000_elements_are_segmented(name: str) -> None:
    """Scattered so that few merge: what a square of their number would make a matter of an hour."""
    scattered = [
        box("p", (150 * (n % 20), 150 * (n // 20), 40 + n % 37, 40 + n % 41), f"item {n}")
        for n in range(20_000)
    ]
    shown = page(*scattered, size=(3000, 150_000))
    assert segment(shown, name).terminal
    options = {"bom-paper": PaperOptions(granularity=0.001), "bom-published": PublishedOptions(1)}
    assert segment(shown, name, options.get(name)).terminal


@pytest.mark.parametrize(
    "way",
    [
        {"direction": "rtl"},
        {"writing_mode": "vertical-rl"},
        {"position": "fixed"},
        {"position": "absolute"},
    ],
    ids=lambda way: "-".join(*way.items()),
)
@pytest.mark.parametrize("name", SEGMENTERS)
def test_whatever_the_direction_or_position_each_text_is_in_a_block(name, way):
    style = PLAIN._replace(**way)
    shown = page(
        box("div", (700, 0, 300, 1500), "menu", style=style),
        box(
            "div",
            (0, 0, 690, 1500),
            box("p", (0, 0, 690, 700), "text", style=style),
            box("p", (0, 700, 690, 800), "more"),
        ),
        box("div", (0, 1600, 1000, 400), "foot", style=style),
    )
    rects = [block.rect for block in segment(shown, name).terminal]
    for text in shown.texts:
        assert any(rect.has_centre_of(*text.rects) for rect in rects)


def test_a_page_without_css_is_cut_between_its_paragraphs() -> None:
    paragraphs = [box("p", (8, 40 * n, 984, 18), "words " * 9) for n in range(50)]
    found = segment(page(*paragraphs), "bom-paper", PaperOptions(granularity=0.05))
    assert len(found.terminal) == 50
