"""Labelled pages become examples."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from dbce import html
from dbce.archive import capture
from dbce.boilerplate.classify.features import page_features
from dbce.evaluate.gold import GoldText, LabelledRun, Segments
from dbce.model import Annotation, Capture, Config, Label, Limits, Page
from dbce.train.examples import MOST_WORDS, Example, Truth, comment_share, read_examples, teachers
from tests import training
from tests.site import page, revisit, stored
from tests.training import HOSTS, labelled_pages, remarks, write_gold, write_labelled


def read(archive: Path, gold: Path, weight: float = 1.0) -> tuple[list[Example], list[str]]:
    """The examples, and what was said meanwhile."""
    said: list[str] = []
    return read_examples(str(archive), str(gold), Config(), weight, said.append), said


def store(folder: Path, captures: list[Capture], gold: list[dict]) -> tuple[Path, Path]:
    """An archive of captures and its gold."""
    paths = folder / "a.warc.gz", folder / "g.jsonl"
    paths[0].write_bytes(stored(*captures))
    paths[1].write_text("\n".join(map(json.dumps, gold)))
    return paths


@pytest.fixture(scope="module")
def two(tmp_path_factory) -> tuple[Path, Path]:
    return write_labelled(tmp_path_factory.mktemp("two"), "two.sites", HOSTS[:2])


def test_every_labelled_page_is_an_example(two):
    examples, said = read(*two)
    expected = [one for host in HOSTS[:2] for one, _ in labelled_pages(host)]
    assert [example.record_id for example in examples] == [one.record_id for one in expected]
    assert [example.url for example in examples] == [one.url for one in expected]
    assert {example.site for example in examples} == set(HOSTS[:2])
    assert {example.source for example in examples} == {"two"}
    assert said == []


def test_revisits_are_snapshots_of_the_pages_that_are_learned_from(two, tmp_path):
    archive, gold = two
    (ferry, _), *_ = labelled_pages(HOSTS[0])
    again = revisit(ferry, "20990101", "urn:again", WARC_Refers_To=ferry.record_id)
    (tmp_path / "more.warc.gz").write_bytes(archive.read_bytes() + again)
    later: dict[str, str | None] = {}

    def known(annotation: Annotation) -> Annotation:
        later[annotation.record_id] = annotation.crosses[0].next
        return annotation

    more = str(tmp_path / "more.warc.gz")
    examples = read_examples(more, str(gold), Config(), 1.0, print, known=known)
    assert len(examples) == len(read(*two)[0])
    assert {record_id: one for record_id, one in later.items() if one} == {
        ferry.record_id: "urn:again"
    }


def test_a_line_has_the_share_that_the_gold_has_and_weighs_by_its_length(two):
    (one, *_), _ = read(*two)
    assert one.share.tolist() == [0, 0, 0, 1, 1, 1, 1, 0]
    kept = [t for t, s in zip(one.features.lines.texts, one.share, strict=True) if s]
    assert kept[1:] == list(training.paragraphs(HOSTS[0], "ferry"))
    assert one.weight[0] == pytest.approx(3**0.5 + 0, abs=0.5)
    assert one.weight.max() <= MOST_WORDS**0.5
    (other, *_), _ = read(*two, weight=0.25)
    np.testing.assert_allclose(other.weight, one.weight / 4)


def up(example: Example) -> NDArray[np.float32]:
    """How much of each line the most similar page shares."""
    return example.features.matrix[:, example.features.names.index("up")]


def test_pages_without_gold_are_neighbours_only(two, tmp_path):
    first = labelled_pages(HOSTS[0])[0]
    gold = write_gold(tmp_path / "gold.jsonl", [first])
    (example,), _ = read(two[0], gold)
    assert not np.isnan(up(example)).any()
    alone = tmp_path / "alone.warc.gz"
    alone.write_bytes(stored(first[0]))
    (example,), _ = read(alone, gold)
    assert np.isnan(up(example)).all()


def test_gold_of_pages_that_are_not_there_is_told(two, tmp_path):
    pages = labelled_pages(HOSTS[0])
    gold = write_gold(tmp_path / "gold.jsonl", [*pages, (page("unknown"), "A text.")])
    examples, said = read(two[0], gold)
    assert len(examples) == len(pages)
    assert said == [f"{gold}: 1 page not in {two[0]}, or without text there"]


def test_pages_without_text_and_gold_without_words_are_passed_over(tmp_path):
    empty = page("empty", html="<html><body></body></html>")
    first, second, *_ = labelled_pages(HOSTS[0])
    archive = tmp_path / "a.warc.gz"
    archive.write_bytes(stored(empty, first[0], second[0], first[0]))
    gold = write_gold(tmp_path / "g.jsonl", [(empty, "Something"), first, (second[0], " -- ")])
    examples, _ = read(archive, gold)
    assert [example.url for example in examples] == [first[0].url], "once, though stored twice"


def test_gold_by_url_is_of_the_first_snapshot(tmp_path):
    early, late = (capture("http://a.example/", f"<p>{at}", at) for at in ("2014", "2015"))
    gold = [{"url": early.url, "gold_text": "2014"}]
    examples, _ = read(*store(tmp_path, [early, late], gold))
    assert [example.record_id for example in examples] == [early.record_id]


@pytest.mark.parametrize(
    ("named", "site"),
    [
        ({}, "paper.example"),
        ({"site": "www.x.co.uk"}, "x.co.uk"),
        ({"site": "docs.x.org/manual"}, "x.org"),
        ({"site": "unknown-103"}, "unknown-103"),
    ],
)
def test_a_site_has_one_name_however_its_gold_writes_it(tmp_path, named, site):
    one = capture("http://www.paper.example/", "<p>Text", "2016")
    gold = [{"url": one.url, "gold_text": "Text"} | named]
    assert read(*store(tmp_path, [one], gold))[0][0].site == site


def test_what_is_not_to_be_known_is_not_seen(two):
    archive, gold = map(str, two)

    def nothing_shared(found: Annotation) -> Annotation:
        shared = {who: np.zeros_like(mask) for who, mask in found.shared.items()}
        return replace(found, shared=shared)

    known = read_examples(archive, gold, Config(), 1.0, print, known=nothing_shared)
    assert not any(up(example).any() for example in known)
    assert all(up(example).any() for example in read(*two)[0])


def test_comments_are_the_lines_that_the_gold_has_as_comments(tmp_path):
    examples, _ = read(*write_labelled(tmp_path, "one", HOSTS[:1], training.commented_pages))
    example, expected = examples[0], list(remarks(HOSTS[0], "ferry"))
    assert example.gold_comments == "\n".join(expected)
    lines = zip(example.features.lines.texts, example.comments, strict=True)
    assert [text for text, comment in lines if comment > 0.5] == expected
    assert not np.isnan(example.comments).any()


def test_gold_that_does_not_tell_comments_says_nothing_of_them(two):
    """A post of a forum is content there, and a comment elsewhere."""
    (example, *_), _ = read(*two, weight=0.5)
    assert example.gold_comments is None
    assert example.trust == 0.5
    assert np.isnan(example.comments).all()


@pytest.mark.parametrize(
    ("comments", "shares"),
    [
        ("I saw the ferry I do not know that", [0, 0, 0, 1]),
        ("I do not care", [0, 0, 0, pytest.approx(0.6)]),
    ],
)
def test_a_line_of_content_is_no_comment_though_comments_have_its_words(comments, shares):
    page = ("Home Letters", "The ferry has left", "I saw the ferry", "I do not know that")
    assert comment_share(page, np.array([0.0, 1.0, 0.6, 0.0]), comments).tolist() == shares


NINE = "<p>It went at nine.</p>"


@pytest.mark.parametrize(
    ("html", "text", "shares", "counts"),
    [
        # Nobody is taught by the headline, on which gold differs.
        (f"<title>A ferry has left - News</title><h2>News</h2><h1>A ferry has left</h1>{NINE}",
         "A ferry has left\nIt went at nine.", [0, 1, 1], [True, False, True]),
        # Gold of another text teaches nothing.
        (NINE, "Quite another page was copied here, but for: it went", None, [False]),
    ],
)  # fmt: skip
def test_nobody_is_taught_by_what_gold_differs_on(tmp_path, html, text, shares, counts):
    one = capture("http://news.example/", html, "20160101000000")
    ((example,), _) = read(*store(tmp_path, [one], [{"url": one.url, "gold_text": text}]))
    assert shares in (None, example.share.tolist())
    assert (example.weight > 0).tolist() == counts


# Gold of text runs says of lines what gold of pages says, and what it leaves open stays open.


CON, BP = Label.CONTENT, Label.BOILERPLATE
FERRY = (("Home", BP), ("The ", CON), ("ferry", CON), (" has left.", CON))
HTML = "<ul><li>Home</li></ul><p>The <b>ferry</b> has left.</p><p>I saw it, says Ann</p>"
UNKNOWN = pytest.approx(np.nan, nan_ok=True)


def said(*runs: tuple[str, Label | str]) -> Truth | None:
    """What gold says of a page whose text nodes, or beginnings of them, have these labels."""
    page, lines = page_and_lines(HTML)
    paths = {node.text: xpath for node, xpath in zip(page.nodes, html.xpaths(page), strict=True)}
    gold = []
    for text, label in runs:
        whole = next((t for t in paths if t.startswith(text)), text)
        comment = label == "comment"
        place = ("page", paths.get(whole, "/html/body/i"), 0, len(text), text)
        gold.append(LabelledRun(*place, BP if comment else Label(label), comment=comment))
    return teachers(tuple(gold))["page"](page, lines)


def page_and_lines(page_html: str):
    page: Page = html.load(page_html.encode(), "text/html", Limits()).page
    return page, page_features(page, None).lines


@pytest.mark.parametrize(
    ("runs", "shares", "text"),
    [
        # The runs of a line say together what it is.
        ((("Home", BP), *FERRY[1:3], (" has left.", BP), ("I saw", CON)), [0, 8 / 16, UNKNOWN], ""),
        # A line of which most is not labelled is unknown.
        ((("Home", BP), ("I saw it, says", CON)), [0, UNKNOWN, 1], "I saw it, says Ann"),
        ((("Home", BP), ("I saw", CON)), [0, UNKNOWN, UNKNOWN], ""),
    ],
)
def test_the_runs_of_a_line_say_together_what_it_is(runs, shares, text):
    truth = said(*runs)
    assert truth.share.tolist() == shares
    assert truth.text == text


def test_runs_that_tell_comments_tell_them_of_every_line_and_others_leave_them_open():
    truth = said(*FERRY, ("I saw it, says Ann", "comment"))
    assert truth.share.tolist() == [0, 1, 0]
    assert truth.comment_share.tolist() == [0, 0, 1]
    assert truth.comments == "I saw it, says Ann"
    truth = said(*FERRY)
    assert (truth.text, truth.comments) == ("The ferry has left.", None)
    assert np.isnan(truth.comment_share).all()


def test_runs_that_the_page_does_not_have_say_nothing():
    assert said(("of another page", CON)) is None
    page, lines = page_and_lines(HTML)
    wrong = LabelledRun("page", html.xpaths(page)[0], 0, 4, "Haus", CON)
    assert teachers((wrong,))["page"](page, lines) is None


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


def test_gold_of_text_runs_teaches_what_gold_of_pages_does(tmp_path):
    pages = [page for host in HOSTS[:3] for page in labelled_pages(host)]
    examples, _ = read(*store(tmp_path, [one for one, _ in pages], by_nodes(pages)))
    assert [e.gold for e in examples] == [text for _, text in pages]
    assert all(e.is_labelled.tolist() == [True] * 7 + [False] for e in examples)


def test_a_page_is_known_by_record_id_or_url_whatever_the_kind(tmp_path):
    one = capture("http://a.example/", HTML, "2016")
    text = "The ferry has left."
    golds = [{"url": one.url, "gold_text": text}], by_nodes([(one, text)])
    [by_text], [by_run] = (read(*store(tmp_path, [one], gold))[0] for gold in golds)
    assert by_text.gold == by_run.gold
    assert by_text.share.tolist() == [0, 1, 0]
    assert by_run.share.tolist() == [0, 1, UNKNOWN]


SHOP = "<p>Tea</p><p>The ferry leaves at nine.</p><p>Read <b>more</b></p><p>Tea</p><p>更多 新闻</p>"


def by_segments(wanted: list[str], unwanted: list[str]) -> Truth | None:
    """Labels of the lines of SHOP by gold that knows of parts alone."""
    page, lines = page_and_lines(SHOP)
    gold = GoldText("page", "", "", segments=Segments(tuple(wanted), tuple(unwanted)))
    return teachers((gold,))["page"](page, lines)


@pytest.mark.parametrize(
    ("wanted", "unwanted", "shares"),
    [
        (["Ferry leaves"], ["read more"], [UNKNOWN, 1, 0, UNKNOWN, UNKNOWN]),
        (["nine read more"], [], [UNKNOWN, 1, 1, UNKNOWN, UNKNOWN]),  # over several lines
        # What a page has twice is unwanted twice, and wanted nobody knows where.
        (["tea"], [], None),
        ([], ["tea"], [0, UNKNOWN, UNKNOWN, 0, UNKNOWN]),
        (["ferry"], ["at nine"], None),  # a line that is wanted and unwanted is open
        # Characters without spaces between words are words.
        ([], ["多新"], [UNKNOWN] * 4 + [0]),
        (["coffee", ""], [], None),  # the page does not have them
    ],
)
def test_segments_label_the_lines_they_are_in_and_leave_the_others_open(wanted, unwanted, shares):
    truth = by_segments(wanted, unwanted)
    assert (truth and truth.share.tolist()) == shares
    assert truth is None or (truth.text == "" and np.isnan(truth.comment_share).all())


def test_a_text_copied_with_its_lines_broken_is_found_all_the_same():
    page, lines = page_and_lines("<p>会议按照惯例安排</p><p>更多</p>")
    truth = teachers((GoldText("page", "会议按\n照惯例安排", ""),))["page"](page, lines)
    assert truth.share.tolist() == [1, 0]
