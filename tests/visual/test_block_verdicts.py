"""Blocks meet verdicts: shares of content, templates, and the map of a site."""

import pyarrow.parquet as pq
import pytest

from dbce.cli import main
from dbce.visual import Block, Rect
from dbce.visual.block_verdicts import block_places, shares_of, templates
from tests.browser import NONE, chromium
from tests.visual.pages import box, numbered, page


def block(parent, rect, *elements):
    return Block(parent, Rect(*rect), elements, "flow", "", 1.0)


PAGE = numbered(
    page(
        box("ul", (0, 0, 1000, 100), box("li", (0, 0, 500, 100), "Home"), **{"class": "nav"}),
        box("p", (0, 200, 1000, 100), "x " * 30),
        box("p", (0, 300, 1000, 100), "y " * 10),
    )
)
BLOCKS = [
    block(-1, (0, 0, 1000, 2000), 0),
    block(0, (0, 0, 1000, 150), 1),
    block(0, (0, 150, 1000, 250), 3, 4),
    block(0, (0, 1000, 1000, 1000)),
]


def test_the_share_of_a_block_is_that_of_its_words_with_verdicts():
    shares = shares_of(PAGE, BLOCKS, {0: 0.0, 1: 1.0, 2: 0.2})
    assert [share[:3] for share in shares] == [
        *((41, round(32 / 41, 4), "content"), (1, 0.0, "boilerplate")),
        *((40, 0.8, "content"), (0, None, "")),
    ]
    _, menu, text, _ = (share[:2] for share in shares_of(PAGE, BLOCKS, {2: 1.0}))
    assert (menu, text) == ((0, None), (10, 1.0)), "texts without a verdict do not count"


def test_a_block_that_holds_others_has_their_importance():
    whole, *others = [share.importance for share in shares_of(PAGE, BLOCKS, {})]
    assert whole == pytest.approx(1.0)
    assert sum(others) == pytest.approx(1.0)
    assert others[1] > others[0], "the middle of the window counts for more"


def test_pages_that_hang_together_by_neighbours_have_one_template():
    pages = ("c", "b", None), ("b", None, "a"), ("x", None, None), ("d", "c", None)
    alone = {"down": None, "next": None}
    rows = [alone | {"record_id": own, "up": up, "prev": prev} for own, up, prev in pages]
    assert templates(rows) == {"a": "a", "b": "a", "c": "a", "d": "a", "x": "x"}


def test_a_list_is_the_same_block_however_long_it_is():
    def places(count):
        items = [box("li", (0, 20 * n, 100, 20), "item") for n in range(count)]
        shown = page(box("ul", (0, 0, 100, 60), *items), box("p", (0, 100, 100, 20), "z"))
        list_ = block(-1, (0, 0, 100, 60), *range(2, 2 + count))
        return block_places(shown, [list_, block(0, (0, 100, 100, 20), 2 + count)])

    assert places(3) == places(1)
    assert len(set(places(3))) == 2


def thread(count, *, first=100):
    """A forum page without classes: a header, posts one below another, a box beside them, a footer."""
    posts = [box("div", (0, first + 100 * n, 800, 100), "post") for n in range(count)]
    rows = [(0, 0, 1000, 100), (800, 100, 200, 100), (0, 1900, 1000, 100)]
    header, beside, footer = (box("div", row, "other") for row in rows)
    blocks = [
        block(-1, rows[0], 1)._replace(role="header"),
        *(block(-1, (0, first + 100 * n, 800, 100), n + 2) for n in range(count)),
        block(-1, rows[1], count + 2),
        block(-1, rows[2], count + 3)._replace(role="footer"),
    ]
    return page(header, *posts, beside, footer), blocks


def test_the_posts_of_a_thread_share_a_place_and_one_more_moves_no_other_block():
    header, *posts, beside, footer = block_places(*thread(2))
    assert len(set(posts)) == 1
    assert len({header, posts[0], beside, footer}) == 4, "role and position tell the others apart"
    assert set(block_places(*thread(7, first=300))) == {header, posts[0], beside, footer}


def test_a_block_without_elements_has_no_place():
    assert block_places(page(), [block(-1, (0, 0, 1, 1))]) == [""]


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.nightly
def test_a_run_that_was_rendered_has_verdicts_on_its_blocks(sample, tmp_path, capsys):
    if chromium() is None:
        pytest.skip(NONE)
    out = str(tmp_path / "out")
    some = [str(sample), "--out", out, "--host", "lanternandledger.example"]
    assert main(["run", *some, "--master", "none"]) == 0
    assert main(["render", *some, "--split-bytes", "100000"]) == 0
    assert len(list((tmp_path / "out/rendered/pages").iterdir())) > 2, (
        "in other pieces than the run"
    )
    assert main(["segment", out]) == 0
    pages = pq.read_table(tmp_path / "out/rendered/pages").to_pylist()
    shown = {row["record_id"] for row in pages if row["status"] == "rendered"}
    assert f"with verdicts: {len(shown)} pages (blocks/verdicts/)" in capsys.readouterr().out
    blocks = pq.read_table(tmp_path / "out/blocks/verdicts").to_pandas()
    inner = blocks[blocks["block"] > 0]
    assert set(inner["label"]) >= {"content", "boilerplate"}
    assert blocks["on_pages"].between(0, 1, inclusive="right").all()
    found = pq.read_table(tmp_path / "out/blocks/map").to_pandas()
    assert set(found["site"]) == {"lanternandledger.example"}
    everywhere = found[found["on_pages"] == 1]
    assert len(everywhere) > 3
    assert not found.duplicated(["template", "place"]).any()


def test_rendered_pages_without_a_run_have_blocks_alone(tmp_path):
    (tmp_path / "rendered").mkdir()
    (tmp_path / "rendered/rendered.json").write_text("{}")
    assert main(["segment", str(tmp_path)]) == 0
    tables = [str(path.relative_to(tmp_path / "blocks")) for path in tmp_path.rglob("*.parquet")]
    assert sorted(tables) == ["blocks/dbce.parquet", "rejects/dbce.parquet"]
