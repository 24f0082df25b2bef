"""What the desk answers who marks headings."""

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from dbce.visual.annotate.headings.history import line_of, read_outlines
from dbce.visual.headings import digest
from tests.annotate.conftest import HIDDEN, refuses_nonsense
from tests.site import FOOTER as FOOTER_TEXT
from tests.visual.annotate.headings.conftest import (
    FOOTER,
    HEADLINE,
    LINE,
    PICTURE,
    REMARK,
    STORY,
    heading,
    says,
)


def test_a_name_is_asked_first(client):
    assert "Your name" in client.get("/headings").text
    assert "0</strong> of 2 pages done" in client.get("/headings?by=Anna").text
    assert client.get("/headings/page?by=-&id=x").status_code == 302


def test_a_page_shows_texts_and_images_as_they_look(client, record_id):
    page = client.get(f"/headings/page?by=Anna&id={record_id}").text
    assert page.count('role="option"') == 8
    for shown in ("32 px, bold", "image, 100 x 20 px", FOOTER_TEXT):
        assert shown in page
    assert HIDDEN not in page
    # The picture, with the boxes of all items.
    assert f"/screenshot?id={record_id}" in page
    (boxes,) = re.findall('data-boxes="([^"]*)"', page)
    assert json.loads(boxes) == [[list(LINE)]] * 8


def test_a_heading_is_saved_with_all_its_texts(post, desk, record_id):
    answer = post("say", HEADLINE, PICTURE, level=1).json
    assert answer["levels"] == [0, 0, 0, 1, 1, 0, 0, 0]
    assert answer["said"] == "A heading of level 1. Saved."
    item = desk.sheet(record_id).items[HEADLINE]
    [found] = desk.outline("Anna", record_id).headings
    assert found.nodes == (item.part,)
    assert found.images == ("/html[1]/body[1]/div[2]/img[1]",)
    assert found.hash == digest(f"{item.text} The ferry")


def test_the_body_is_the_smallest_element_around_all(post, store, record_id):
    assert not post("say", HEADLINE, level=1).json["done"]
    assert read_outlines(store.path) == []
    answer = post("body", HEADLINE, REMARK, kind="news").json
    assert answer["inside"] == [False] * 3 + [True] * 4 + [False]
    assert answer["done"]
    [outline] = read_outlines(store.path)
    assert (outline.body, outline.kind) == ("/html[1]/body[1]/div[2]", "news")
    assert (outline.set, outline.by, outline.record_id) == ("harbour", "Anna", record_id)
    assert post("body", 0, FOOTER, kind="blog").json["inside"] == [True] * 8


def test_headings_come_in_document_order(post, desk, record_id):
    for place in (STORY, 0, HEADLINE):
        post("say", place, level=2)
    nodes = [heading.nodes[0] for heading in desk.outline("Anna", record_id).headings]
    assert nodes == sorted(nodes)


def test_optional_none_and_undo_change_what_was_said(post):
    post("say", HEADLINE, level=1)
    assert post("optional", HEADLINE).json["optional"][HEADLINE]
    assert not post("optional", HEADLINE).json["optional"][HEADLINE]
    assert post("none", HEADLINE, STORY).json["levels"] == [0] * 8
    assert post("undo").json["levels"][HEADLINE] == 1
    for _ in range(3):
        last = post("undo").json
    assert last["levels"] == [0] * 8
    assert post("undo").json["said"] == "There is nothing to undo."


def test_a_block_may_end_before_the_next_heading(post, desk, record_id):
    post("say", HEADLINE, level=1)
    assert post("end", REMARK).json["ends"] == [False] * 6 + [True, False]
    [heading] = desk.outline("Anna", record_id).headings
    assert heading.end == desk.sheet(record_id).items[REMARK].part


@pytest.mark.parametrize(
    ("what", "items", "more", "wrong"),
    [
        ("say", [HEADLINE], {"level": 7}, ("level", "from 1 to 6")),
        ("say", [HEADLINE], {"level": "1"}, ("level", "from 1 to 6")),
        ("say", [], {"level": 1}, ("items", "Select the texts and images first")),
        ("none", [99], {}, ("items", "numbered from 0")),
        ("optional", [STORY], {}, ("items", "not a heading yet")),
        ("end", [STORY], {}, ("items", "no heading above")),
        ("end", [PICTURE], {}, ("items", "not before an image")),
        ("body", [STORY], {"kind": ""}, ("kind", "what kind of site")),
        ("say", [STORY], {"level": 1, "by": ""}, ("by", "Give a name")),
    ],
)
def test_what_makes_no_sense_is_told_at_its_field(post, what, items, more, wrong):
    answer = post(what, *items, **more)
    assert answer.status_code == 400
    field, told = wrong
    assert answer.json["field"] == field
    assert told in answer.json["message"]


def test_nonsense_is_refused_everywhere(client, store, record_id):
    assert refuses_nonsense(client, id=record_id) >= 2
    assert store.people() == {}


def test_pages_follow_each_other_until_all_are_done(client, post, record_id):
    first = client.get(f"/headings/next?by=Anna&id={record_id}").headers["Location"]
    assert record_id not in first
    post("body", STORY, kind="news")
    other = client.get("/headings/next?by=Anna").headers["Location"].rpartition("id=")[2]
    post("body", STORY, kind="news", id=other)
    assert client.get("/headings/next?by=Anna").headers["Location"] == "/headings?by=Anna"


def test_a_page_that_was_not_captured_is_not_found(client):
    assert client.get("/headings/page?by=Anna&id=nothing").status_code == 404
    assert client.get("/screenshot?id=nothing").status_code == 404


def test_the_review_tells_how_far_people_agree(client, post, store):
    assert "a review needs two annotators" in client.get("/headings/review").text
    for by in ("Anna", "Ben"):
        store.note(line_of(says(by, heading(1), record_id="a page of another run")))
    for by, place in (("Anna", HEADLINE), ("Ben", HEADLINE)):
        post("body", HEADLINE, REMARK, kind="news", by=by)
        post("say", place, level=1, by=by)
    review = client.get("/headings/review").text
    assert "Anna and Ben" in review
    assert review.count("<strong>1.00</strong>") == 2
    assert "<dt>pages labelled by both</dt><dd>1</dd>" in review


@pytest.mark.slow
def test_the_desk_needs_the_libraries_of_the_viewer_alone():
    script = (
        "import sys\n"
        "for name in ('pyspark', 'playwright'):\n"
        "    sys.modules[name] = None\n"  # as if it were not installed
        "import dbce.annotate.server\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_what_is_said_at_the_same_time_is_all_kept(desk, record_id):
    def say(node):
        desk.say("Anna", record_id, lambda said: said.with_heading(heading(node)))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(say, range(16)))
    assert len(desk.outline("Anna", record_id).headings) == 16
