"""Gold of text runs says of lines what gold of pages says, and what it leaves open stays open."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from dbce import html
from dbce.archive import capture
from dbce.boilerplate.classify.features import page_features
from dbce.evaluate.text.gold import GoldText, LabelledRun, Segments
from dbce.model import Config, Label, Limits
from dbce.train.examples import read_examples
from dbce.train.fit import fit
from dbce.train.truth import Truth, teachers
from tests.site import stored
from tests.training import HOSTS, labelled_pages

if TYPE_CHECKING:
    from pathlib import Path

    from dbce.model import Capture, Page

CON, BP = Label.CONTENT, Label.BOILERPLATE
FERRY = (("Home", BP), ("The ", CON), ("ferry", CON), (" has left.", CON))
HTML = "<ul><li>Home</li></ul><p>The <b>ferry</b> has left.</p><p>I saw it, says Ann</p>"
UNKNOWN = pytest.approx(np.nan, nan_ok=True)


def said(*runs: tuple[str, Label | str], page_html: str = HTML) -> Truth | None:
    """What gold says of a page whose text nodes, or beginnings of them, have these labels."""
    page, lines = read(page_html)
    paths = {node.text: xpath for node, xpath in zip(page.nodes, html.xpaths(page), strict=True)}
    gold = []
    for text, label in runs:
        whole = next((t for t in paths if t.startswith(text)), text)
        comment = label == "comment"
        place = ("page", paths.get(whole, "/html/body/i"), 0, len(text), text)
        gold.append(LabelledRun(*place, BP if comment else Label(label), comment=comment))
    return teachers(tuple(gold))["page"].truth(page, lines)


def read(page_html: str):
    page: Page = html.load(page_html.encode(), "text/html", Limits()).page
    return page, page_features(page, None).lines


def test_the_runs_of_a_line_say_together_what_it_is():
    truth = said(("Home", BP), ("The ", CON), ("ferry", CON), (" has left.", BP), ("I saw", CON))
    assert truth.share.tolist() == [0, 8 / 16, UNKNOWN]
    assert truth.text == ""
    assert said(*FERRY).text == "The ferry has left."


def test_a_line_of_which_most_is_not_labelled_is_unknown():
    assert said(("Home", BP), ("I saw it, says", CON)).share.tolist() == [0, UNKNOWN, 1]
    assert said(("Home", BP), ("I saw", CON)).share.tolist() == [0, UNKNOWN, UNKNOWN]


def test_runs_that_tell_comments_tell_them_of_every_line():
    truth = said(*FERRY, ("I saw it, says Ann", "comment"))
    assert truth.share.tolist() == [0, 1, 0]
    assert truth.comment_share.tolist() == [0, 0, 1]
    assert truth.comments == "I saw it, says Ann"


def test_runs_without_comments_leave_open_what_comments_are():
    truth = said(*FERRY)
    assert truth.comments is None
    assert np.isnan(truth.comment_share).all()


def test_runs_that_the_page_does_not_have_say_nothing():
    assert said(("of another page", CON)) is None
    page, lines = read(HTML)
    wrong = LabelledRun("page", html.xpaths(page)[0], 0, 4, "Haus", CON)
    assert teachers((wrong,))["page"].truth(page, lines) is None


def by_nodes(pages: list[tuple[Capture, str]]) -> list[dict]:
    """The text gold of pages as gold of their text nodes; the footer is left undecided."""
    lines = []
    for one, text in pages:
        page = html.load(one.payload, one.content_type, Config().limits).page
        for node, xpath in zip(page.nodes[:-1], html.xpaths(page), strict=False):
            place = {"record_id": one.record_id, "xpath": xpath, "start": 0, "end": len(node.text)}
            label = CON if node.text in text else BP
            lines.append(place | {"text": node.text, "label": label})
    return lines


def test_a_model_learns_from_gold_of_text_runs(tmp_path: Path):
    pages = [page for host in HOSTS[:3] for page in labelled_pages(host)]
    archive, gold = tmp_path / "three.warc.gz", tmp_path / "gold.jsonl"
    archive.write_bytes(stored(*(one for one, _ in pages)))
    gold.write_text("\n".join(map(json.dumps, by_nodes(pages))))
    examples = read_examples(str(archive), str(gold), Config(), 1.0, print)
    assert [e.gold for e in examples] == [text for _, text in pages]
    assert all(e.known.tolist() == [True] * 7 + [False] for e in examples)
    found = fit(examples, seed=1).predict_proba([e.features for e in examples])
    for example, chance in zip(examples, found, strict=True):
        assert np.array_equal(chance[:7] > 0.5, example.share[:7] > 0.5)


def test_a_page_is_known_by_record_id_or_url_whatever_the_kind(tmp_path: Path):
    one = capture("http://a.example/", HTML, "2016")
    archive, gold = tmp_path / "a.warc.gz", tmp_path / "g.jsonl"
    archive.write_bytes(stored(one))
    gold.write_text(json.dumps({"url": one.url, "gold_text": "The ferry has left."}))
    [by_text] = read_examples(str(archive), str(gold), Config(), 1.0, print)
    gold.write_text("\n".join(map(json.dumps, by_nodes([(one, "The ferry has left.")]))))
    [by_run] = read_examples(str(archive), str(gold), Config(), 1.0, print)
    assert by_text.gold == by_run.gold
    assert by_text.share.tolist() == [0, 1, 0]
    assert by_run.share.tolist() == [0, 1, UNKNOWN]


SHOP = "<p>Tea</p><p>The ferry leaves at nine.</p><p>Read <b>more</b></p><p>Tea</p><p>更多 新闻</p>"


def by_segments(wanted: list[str], unwanted: list[str]) -> Truth | None:
    """Labels of the lines of SHOP by gold that knows of parts alone."""
    page, lines = read(SHOP)
    gold = GoldText("page", "", "", segments=Segments(tuple(wanted), tuple(unwanted)))
    return teachers((gold,))["page"].truth(page, lines)


def test_segments_label_the_lines_they_are_in_and_leave_the_others_open():
    truth = by_segments(["Ferry leaves"], ["read more"])
    assert truth.share.tolist() == [UNKNOWN, 1, 0, UNKNOWN, UNKNOWN]
    assert truth.text == ""
    assert np.isnan(truth.comment_share).all()


def test_a_segment_over_several_lines_labels_them_all():
    assert by_segments(["nine read more"], []).share.tolist() == [UNKNOWN, 1, 1, UNKNOWN, UNKNOWN]


def test_what_a_page_has_twice_is_unwanted_twice_and_wanted_nobody_knows_where():
    assert by_segments(["tea"], []) is None
    assert by_segments([], ["tea"]).share.tolist() == [0, UNKNOWN, UNKNOWN, 0, UNKNOWN]


def test_a_line_that_is_wanted_and_unwanted_is_open():
    assert by_segments(["ferry"], ["at nine"]) is None


def test_characters_without_spaces_between_words_are_words():
    assert by_segments([], ["多新"]).share.tolist() == [UNKNOWN] * 4 + [0]


def test_segments_that_a_page_does_not_have_teach_nothing():
    assert by_segments(["coffee", ""], []) is None


def test_a_text_copied_with_its_lines_broken_is_found_all_the_same():
    page, lines = read("<p>会议按照惯例安排</p><p>更多</p>")
    truth = teachers((GoldText("page", "会议按\n照惯例安排", ""),))["page"].truth(page, lines)
    assert truth.share.tolist() == [1, 0]
