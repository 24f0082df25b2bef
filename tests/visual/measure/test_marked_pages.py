"""Block gold, written and read back, and where its blocks are on a page, with what is in them."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from dbce.model import UsageError
from dbce.storage import read_json_objects
from dbce.visual import Rect, measure
from dbce.visual.evaluate.blocks.evaluation import coverage_summed, score
from dbce.visual.evaluate.blocks.sides import kreuzer_page
from dbce.visual.measure.marked_pages import plain_xpath
from tests.visual import pages
from tests.visual.measure import worked
from tests.visual.measure.worked import RECORD, URL, worked_page, write_lines

PAGE = measure.MarkedPage(
    record_id=RECORD,
    url=URL,
    timestamp="20130611040354",
    viewport=(1366, 768),
    size=(1366, 2000.5),
    words=40,
    blocks=(
        measure.MarkedBlock("b1", rect=Rect(0, 0, 1366, 100), label="header"),
        measure.MarkedBlock(
            "b2",
            parent="b1",
            rect=Rect(10, 10, 20, 20.25),
            xpaths=("/html/body/div[1]", "/html/body/div[2]"),
            type="Logo",
            elements=2,
            words=0,
            by="Anna",
            at="2026-05-24T02:48:00Z",
            origin="bom",
        ),
    ),
)


def test_gold_is_read_as_it_was_written(tmp_path):
    path = write_lines(tmp_path / "gold.jsonl", measure.fields_of(PAGE), measure.fields_of(PAGE))
    assert list(read_json_objects(path, measure.page_of)) == [PAGE, PAGE]


def test_a_line_of_gold_has_the_fields_of_the_form():
    candidate = replace(PAGE.blocks[1], origin="candidate", algorithm="vips(pdoc=5)")
    page = replace(PAGE, blocks=(PAGE.blocks[0], candidate))
    fields = json.loads(json.dumps(measure.fields_of(page)))
    assert measure.page_of(fields) == page
    assert [*fields] == "record_id url timestamp viewport width height words blocks".split()
    assert fields["blocks"][1] == {
        "id": "b2",
        "parent": "b1",
        "rect": [10, 10, 20, 20.25],
        "xpaths": ["/html/body/div[1]", "/html/body/div[2]"],
        "label": "",
        "type": "Logo",
        "elements": 2,
        "words": 0,
        "by": "Anna",
        "at": "2026-05-24T02:48:00Z",
        "from": "candidate",
        "algorithm": "vips(pdoc=5)",
    }
    assert "algorithm" not in fields["blocks"][0]


def test_blocks_that_hold_others_are_not_compared():
    assert [block.id for block in PAGE.terminal] == ["b2"]


BLOCK = {"id": "b1", "rect": [0, 0, 1, 1]}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"record_id": "", "url": ""}, "neither record_id nor url"),
        ({"blocks": None}, "no list of blocks"),
        ({"blocks": ["b1"]}, "a block is 'b1', not an object"),
        ({"blocks": [{"id": "b1"}]}, "a block needs an id, and rect or xpaths; it has ['id']"),
        (
            {"blocks": [BLOCK | {"rect": [0, 0, 1]}]},
            "block b1: rect is [0, 0, 1], not [x, y, w, h]",
        ),
        ({"blocks": [BLOCK | {"rect": [0, 0, -1, 1]}]}, "no width or height is below 0"),
        ({"blocks": [BLOCK | {"rect": [0, 0, float("nan"), 1]}]}, "not [x, y, w, h]"),
        ({"blocks": [BLOCK | {"xpaths": "/html"}]}, "xpaths is '/html', not a list of strings"),
        ({"blocks": [BLOCK | {"words": 1.5}]}, "words is 1.5; it must be a whole number"),
        ({"blocks": [BLOCK | {"label": 7}]}, "label is 7, not a string"),
        ({"blocks": [BLOCK, BLOCK]}, "two blocks have the id b1"),
        ({"blocks": [BLOCK | {"parent": "b2"}]}, "its parent b2 does not stand before it"),
        ({"viewport": [1]}, "viewport is [1]; it must be two numbers"),
        ({"viewport": 1366}, "viewport is 1366; it must be two numbers"),
        ({"width": "wide"}, "it must be two numbers"),
    ],
)
def test_a_line_that_is_no_gold_is_named(tmp_path, change, sentence):
    good = {"record_id": RECORD, "url": URL, "blocks": [BLOCK]}
    path = write_lines(tmp_path / "gold.jsonl", good, good | change)
    with pytest.raises(UsageError, match=f"{re.escape(path)}, line 2: .*{re.escape(sentence)}"):
        list(read_json_objects(path, measure.page_of))


def block(path, level=1, kind="Content"):
    return {"xpath": path, "level": level, "type": kind, "text": "..."}


def line(*blocks):
    return {"url": "http://a.example/", "dom_url": "http://a.example/dom", "blocks": list(blocks)}


def at(*paths):
    return measure.MarkedPage("", "http://a.example/dom", (measure.MarkedBlock("b", xpaths=paths),))


FLOATS = pages.box("p", (0, 0, 40, 50)), pages.box("p", (50, 10, 50, 60))
LAID_OUT = pages.page(
    pages.box("div", (0, 0, 100, 0), *FLOATS),
    # display: contents, with a text, and display: none.
    pages.box("div", None, pages.words("a text", (5, 100, 20, 10), (0, 110, 10, 10))),
    pages.box("div", None),
    size=(100, 300),
)


@pytest.mark.parametrize(
    ("paths", "rects"),
    [
        (["/html[1]/body[1]/div[1]/p[2]"], [Rect(50, 10, 50, 60)]),
        (["/html/body/div/p"], [Rect(0, 0, 40, 50)]),
        (["/html/body/div[1]"], [Rect(0, 0, 100, 70)]),
        (["/html/body/div[2]"], [Rect(0, 100, 25, 20)]),
        (["/html/body/div[1]/p[1]", "/html/body/div[2]"], [Rect(0, 0, 40, 120)]),
        (["/html/body/div[3]"], []),
    ],
    ids=["an element", "the first", "of floats", "of a text", "several", "not laid out"],
)
def test_a_block_is_where_its_elements_are_or_else_what_is_in_them(paths, rects):
    page, missing = measure.locate_blocks(at(*paths), LAID_OUT)
    assert [b.rect for b in page.blocks] == rects
    assert missing == ()


def test_paths_that_are_not_found_are_named():
    _, missing = measure.locate_blocks(at("/html/body/div[1]", "/html/body/table[1]"), LAID_OUT)
    assert missing == ("/html/body/table[1]",)


def test_a_number_of_one_says_nothing():
    assert plain_xpath("/html[1]/body[1]/div[11]/p[1]") == "/html/body/div[11]/p"


def test_of_nested_blocks_of_a_level_the_outer_one_counts():
    page = kreuzer_page(
        line(
            block("/html[1]/body[1]/div[1]/p[1]"),
            block("/html[1]/body[1]/div[1]", kind="Logo"),
            block("/html[1]/body[1]/div[10]", kind="Menu"),
            block("/html[1]/body[1]/div[1]"),
            block("/html[1]/body[1]/div[1]/p[2]", level=2),
        ),
        level=1,
    )
    assert [(b.id, b.label) for b in page.blocks] == [("K2", "header"), ("K3", "nav")]
    assert page.url == "http://a.example/dom"


def test_a_line_without_paths_is_no_gold():
    with pytest.raises(ValueError, match="lacks or breaks the field 'xpath'"):
        kreuzer_page(line({"level": 1, "type": "Logo"}), level=1)


def on_page(rects):
    page = worked_page()
    blocks = tuple(measure.MarkedBlock(f"b{n}", rect=rect) for n, rect in enumerate(rects))
    return measure.flat_on_page(
        measure.MarkedPage("", page.url, blocks), page, measure.contents(page)
    )


@pytest.mark.parametrize("rects", [worked.GOLD, worked.COMPUTED])
def test_elements_and_words_are_those_with_their_centre_in_the_block(rects):
    assert on_page(rects) == worked.flat(rects)


def test_characters_are_counted_without_the_white_space_around():
    found = measure.contents(worked_page())
    assert found.texts.weights.tolist() == [characters for _, _, characters in worked.TEXTS]
    assert found.words.tolist() == [words for _, words, _ in worked.TEXTS]


def test_what_is_hidden_or_not_laid_out_is_not_on_the_page():
    hidden = pages.box("p", (0, 0, 9, 9), "hidden", style=pages.HIDDEN)
    found = measure.contents(pages.page("seen", hidden, pages.box("p", None, "nowhere")))
    assert (found.words.sum(), len(found.elements.x)) == (1, 1)


def test_the_text_of_overlapping_blocks_is_covered_once():
    held = measure.contents(worked_page())
    twice = on_page([worked.MAIN, worked.MAIN, worked.HEADER])
    assert held.coverage(twice.blocks) == (104, 120)
    assert coverage_summed(twice) == (204, 120)
    flats = [
        measure.Flat("", (9, 9), n, (measure.NormalBlock(0, 0, 9, 9, 1, n and 39),), (1,))
        for n in (40, 0)
    ]
    share, none = (score(flat, flat, measure.CONVENTIONS["dbce"])["tc"] for flat in flats)
    assert share == 0.975, "the example of the thesis: 11 + 10 + 18 of 40"
    assert np.isnan(none)
