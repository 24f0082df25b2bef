"""What the annotator answers: each operation as the page asks for it, and what makes no sense."""

import json

import pytest

from dbce.storage import read_json_objects
from dbce.visual.measure import page_of
from dbce.visual.segment import SEGMENTERS
from tests.annotate.conftest import refuses_nonsense
from tests.visual.annotate.blocks.conftest import (
    HIGH,
    OTHER,
    PAGE,
    PNG,
    TITLE,
    WIDE,
    element,
    shown,
)

HEADER = element(shown(), "header")
ASIDE = element(shown(), "aside")
MAIN = element(shown(), "main")


def tree(answer):
    return [(one["id"], one["parent"]) for one in answer.json["blocks"]]


def draw(post, *rect, **more):
    answer = post(kind="insert", rect=list(rect), **more)
    assert answer.status_code == 200, answer.json
    return answer


def test_it_begins_with_a_name_and_a_list_of_pages(client):
    assert client.get("/").location == "/blocks"
    assert "Your name" in client.get("/blocks").text
    page = client.get("/blocks?by=Anna").text
    assert page.count("no blocks") == 2
    assert 'aria-invalid="true"' in client.get("/blocks?by=<").text


def test_pages_are_named_by_their_titles_with_the_url_below(client):
    page = client.get("/blocks?by=Anna").text
    assert f'{TITLE}</a>\n<span class="address">http://harbour.example/1</span>' in page
    assert 'http://harbour.example/2</a>\n<span class="address">' in page  # it has no title
    page = client.get(f"/blocks/page?by=A&id={PAGE}").text
    assert f"<h1>{TITLE}</h1>" in page
    assert f"Screenshot of {TITLE}" in page
    assert '<span class="address">http://harbour.example/1</span>' in page
    untitled = client.get(f"/blocks/page?by=A&id={OTHER}").text
    assert "<h1>http://harbour.example/2</h1>" in untitled


def test_a_page_starts_empty_with_what_can_be_picked(client):
    state = client.get(f"/blocks/state?by=A&id={PAGE}").json
    assert state["blocks"] == []
    tags = {one[0]: (one[-1], one[1]) for one in state["elements"]}
    assert [tag for tag, _ in tags.values()] == (
        "header h1 div main p p img aside p".split()  # not body, nor the div that shows nothing
    )
    assert tags[tags[ASIDE][1]][0] == "div"
    assert client.get(f"/blocks/screenshot?id={PAGE}").data == PNG


def test_a_box_is_drawn_with_the_elements_that_lie_in_it(post, gold):
    answer = draw(post, 0, 110, 710, 900)
    assert tree(answer) == [("B1", "")]
    (page,) = read_json_objects(str(gold), page_of)
    (one,) = page.blocks
    assert (one.rect, one.words, one.elements) == ((0, 110, 710, 900), 8, 5)
    assert one.xpaths == tuple(f"/html[1]/body[1]/div[1]/main[1]/p[{n}]" for n in (1, 2))
    assert (one.by, one.origin, one.label) == ("Anna", "drawn", "")
    assert (page.viewport, page.size, page.words) == ((1000, 800), (WIDE, HIGH), 13)
    assert page.timestamp == "20140924000000"
    answer = draw(post, -50, 1900, 5000, 5000)  # a box ends where the page ends
    assert answer.json["blocks"][1]["rect"] == [0, 1900, WIDE, 100]


def test_an_element_is_picked_and_another_inside_it(post, gold):
    post(kind="insert", element=MAIN)
    answer = post(kind="insert", element=element(shown(), "img"), parent="B1")
    assert tree(answer) == [("B1", ""), ("B2", "B1")]
    assert answer.json["chosen"] == ["B2"]
    (page,) = read_json_objects(str(gold), page_of)
    assert page.blocks[0].xpaths == ("/html[1]/body[1]/div[1]/main[1]",)


def test_two_are_merged_split_and_taken_back(post):
    post(kind="insert", element=MAIN)
    post(kind="insert", element=ASIDE)
    assert tree(post(kind="merge", first="B1", second="B2")) == [("B1", "")]
    answer = post(kind="split", block="B1", axis="x", at=705)
    halves = [([0, 120, 705, 1700], 8), ([705, 120, 295, 1700], 2)]
    assert [(one["rect"], one["words"]) for one in answer.json["blocks"]] == halves
    across = post(kind="split", block="B1", axis="y", at=600).json["blocks"]
    assert [one["rect"][3] for one in across if one["rect"][0] == 0] == [480, 1220]
    for _ in range(3):
        answer = post(kind="undo")
    assert tree(answer) == [("B1", ""), ("B2", "")]
    assert (answer.json["undo"], answer.json["redo"]) == (True, True)
    assert tree(post(kind="redo")) == [("B1", "")]


def test_label_accept_delete_and_flatten(post, gold):
    draw(post, 0, 100, 1000, 1750)
    post(kind="insert", element=MAIN, parent="B1")
    post(kind="label", block="B2", label="article", type=" news   item ")
    post(kind="label", block="B2", label="section")
    (page,) = read_json_objects(str(gold), page_of)
    assert (page.blocks[1].label, page.blocks[1].type) == ("section", "news item")
    assert tree(post(kind="flatten")) == [("B2", "")]
    post(kind="undo")
    assert tree(post(kind="delete", block="B1")) == [("B2", "")]
    post(kind="undo")
    assert tree(post(kind="accept", block="B1")) == [("B1", "")]


def test_overlaps_are_told_and_the_one_that_is_not_whole_is_cut(post):
    draw(post, 0, 0, 500, 500)
    answer = draw(post, 400, 100, 500, 100)
    assert answer.json["overlaps"] == [["B1", "B2"]]
    answer = post(kind="cut", block="B2", beside="B1")
    assert answer.json["overlaps"] == []
    rects = [one["rect"] for one in answer.json["blocks"]]
    assert rects == [[0, 0, 500, 500], [500, 100, 400, 100]]
    draw(post, 10, 10, 100, 100)
    answer = post(kind="cut", block="B4", beside="B1")
    assert answer.status_code == 400
    assert "covers it entirely" in answer.json["message"]


@pytest.mark.parametrize("algorithm", [*SEGMENTERS, "dbce, level 2"])
def test_candidates_of_every_algorithm_are_there_on_request(post, gold, algorithm):
    answer = post(kind="candidates", algorithm=algorithm)
    assert answer.json["blocks"], answer.json
    (line,) = gold.read_text().splitlines()
    one = json.loads(line)["blocks"][0]
    assert one["from"] == "candidate"
    assert one["algorithm"].partition("(")[0] == algorithm.partition(",")[0]


def test_words_in_blocks_are_counted_once(post):
    post(kind="insert", element=MAIN)
    answer = draw(post, 0, 100, 1000, 1750)
    assert answer.json["covered"] == pytest.approx(10 / 13, abs=1e-4)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"kind": "explode"}, "An operation is one of"),
        ({"kind": ["insert"]}, "An operation is one of"),
        ({"kind": "insert", "rect": [0, 0, 1]}, "A box is"),
        ({"kind": "insert", "rect": [0, 0, 1, float("nan")]}, "A box is"),
        ({"kind": "insert", "rect": [5000, 0, 10, 10]}, "too small, or not on the page"),
        ({"kind": "insert", "element": 0}, "Point at an element"),
        ({"kind": "insert", "element": [1]}, "Point at an element"),
        ({"kind": "insert", "rect": [0, 0, 9, 9], "parent": "B9"}, "no longer exists"),
        ({"kind": "accept"}, "Select a block first"),
        ({"kind": "delete", "block": "B9"}, "no longer exists"),
        ({"kind": "merge", "first": "B1", "second": "B1"}, "Two blocks are needed"),
        ({"kind": "split", "block": "B1", "axis": "z", "at": 3}, "axis x or y"),
        ({"kind": "split", "block": "B1", "axis": "x", "at": 5000}, "between its edges"),
        ({"kind": "label", "block": "B1", "label": "menu"}, "A role is one of"),
        ({"kind": "label", "block": "B1", "type": "x" * 61}, "up to 60 characters"),
        ({"kind": "flatten"}, "nothing to flatten"),
        ({"kind": "redo"}, "There is nothing to redo"),
        ({"kind": "candidates", "algorithm": "magic"}, "No algorithm is called magic"),
        ({"kind": "candidates", "algorithm": "stored:magic"}, "holds no blocks called magic"),
        ({"kind": "undo", "by": "<b>"}, "A name has"),
    ],
)
def test_what_makes_no_sense_is_told_and_not_noted(post, gold, asked, sentence):
    draw(post, 0, 0, 100, 100)
    before = gold.with_name("blocks.jsonl.journal").read_text()
    answer = post(**asked)
    assert answer.status_code == 400
    assert sentence in answer.json["message"]
    assert gold.with_name("blocks.jsonl.journal").read_text() == before


def test_nonsense_is_refused_everywhere(client, gold):
    assert refuses_nonsense(client, id=PAGE, kind="insert", rect=[0, 0, 9, 9]) >= 2
    assert not gold.exists()


def test_pages_that_are_not_there_are_told(client, post):
    for path in ("page", "state", "screenshot"):
        answer = client.get(f"/blocks/{path}?by=Anna&id=x")
        assert answer.status_code == 404
        assert "holds no rendered page x" in answer.text
    assert post(kind="flatten", id="x").status_code == 404


def test_next_is_a_page_without_blocks(client, post):
    draw(post, 0, 0, 100, 100)
    assert OTHER in client.get(f"/blocks/next?by=Anna&id={PAGE}").location
    post(kind="insert", rect=[0, 0, 50, 50], id=OTHER)
    assert client.get(f"/blocks/next?by=Anna&id={OTHER}").location == "/blocks?by=Anna"


def test_what_two_drew_is_no_gold_until_somebody_chooses(client, post, gold):
    post(kind="insert", element=HEADER)
    post(kind="label", block="B1", label="header")
    assert len(gold.read_text().splitlines()) == 1
    post(kind="insert", element=HEADER, by="Ben")
    assert gold.read_text() == ""
    page = client.get("/blocks/review").text
    assert "1.00</strong> B-cubed" in page
    assert "1 open" in page
    assert "Saved" in post("/blocks/choose", by="Cleo", whose="Ben").json["said"]
    (one,) = read_json_objects(str(gold), page_of)
    assert one.blocks[0].by == "Ben"
    assert post("/blocks/choose", by="Cleo", whose="Dora").json["field"] == "whose"
    (own,) = client.get("/blocks/gold?by=Anna").text.splitlines()
    assert json.loads(own)["blocks"][0]["label"] == "header"
