"""Block gold: written and read back; what is wrong with a line is said in one sentence."""

import json
import re
from dataclasses import replace

import pytest

from dbce.model import UsageError
from dbce.visual import Rect
from dbce.visual.measure import MarkedBlock, MarkedPage, fields_of, page_of, read_block_gold
from tests.visual.measure.pages import RECORD, URL, write_lines

PAGE = MarkedPage(
    record_id=RECORD,
    url=URL,
    timestamp="20130611040354",
    viewport=(1366, 768),
    size=(1366, 2000.5),
    words=40,
    blocks=(
        MarkedBlock("b1", rect=Rect(0, 0, 1366, 100), label="header"),
        MarkedBlock(
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
    path = write_lines(tmp_path / "gold.jsonl", fields_of(PAGE), fields_of(PAGE))
    assert list(read_block_gold(path)) == [PAGE, PAGE]


def test_a_line_of_gold_has_the_fields_of_the_form():
    candidate = replace(PAGE.blocks[1], origin="candidate", algorithm="vips(pdoc=5)")
    page = replace(PAGE, blocks=(PAGE.blocks[0], candidate))
    fields = json.loads(json.dumps(fields_of(page)))
    assert page_of(fields) == page
    assert list(fields) == [
        *("record_id", "url", "timestamp", "viewport", "width", "height", "words", "blocks")
    ]
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
        list(read_block_gold(path))
