"""Heading gold: what a heading is made of, what is said and kept, how far two people agree; and the gold that comes with dbce."""

import json
from collections import Counter
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from dbce import html
from dbce.archive import expand, read, site
from dbce.model import Capture, Limits, UsageError
from dbce.quality import PageKind
from dbce.visual.annotate.headings.desk import heading_agreement
from dbce.visual.annotate.headings.history import (
    DEEPEST,
    HEADING_GOLD,
    KINDS,
    line_of,
    outline_of,
    read_outlines,
)
from dbce.visual.evaluate.results import Half, half
from dbce.visual.headings import GoldHeading, digest
from tests.annotate.core.notes import opened, refuses_to_open
from tests.data import shared
from tests.visual.annotate.headings.conftest import heading, says


def test_a_digest_does_not_mind_white_space():
    assert digest(" The\n ferry ") == digest("The ferry") != digest("Theferry")
    assert digest("") == "da39a3ee5e6b"  # of the SHA-1 of nothing


def test_a_heading_takes_its_texts_from_others():
    outline = says("Anna", heading(1, 2), heading(5))
    changed = outline.with_heading(heading(2, 3, level=1))
    assert [h.nodes for h in changed.headings] == [(5,), (2, 3)]
    assert changed.heading_of(3).level == 1
    assert changed.heading_of(1) is None
    assert says("Anna", heading(1, 2), heading(5)).without_parts([2, 9]).headings == (heading(5),)


def test_a_line_of_gold_says_all_but_the_text():
    picture = GoldHeading((), ("/html/body/img[1]",), 1, True, digest("A ferry"))
    outline = says("Anna", heading(4, end=9), picture)
    line = json.loads(json.dumps(line_of(outline)))
    assert outline_of(line) == outline
    assert "end" not in line["headings"][1]
    assert line["headings"][0]["end"] == 9


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{}", "no heading gold"),
        ('{"headings": [{"nodes": [1]}]}', "no heading gold"),
        ('{"headings": [1]}', "no heading gold"),
        ("[]", "not a JSON object"),
        ("1", "not a JSON object"),
        ("no", "not JSON"),
    ],
)
def test_a_line_that_is_no_gold_is_told(tmp_path, line, sentence):
    path = tmp_path / "gold.jsonl"
    path.write_text(f"{json.dumps(line_of(says('Anna')))}\n{line}\n")
    with pytest.raises(UsageError, match=rf"gold\.jsonl, line 2: {sentence}"):
        read_outlines(path)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "headings.jsonl"


def note(store, *outlines):
    for outline in outlines:
        store.note(line_of(outline))


def undo(store, by, record_id):
    with store.turn() as history:
        events = history.undo_events(by, record_id)
        store.note(*events)
        return bool(events)


def test_who_comes_back_finds_everything_and_may_take_it_back(path):
    with opened(path, HEADING_GOLD) as store:
        note(store, says("Anna"), says("Ben"), says("Anna", heading(1)))
    assert read_outlines(path) == [says("Anna", heading(1)), says("Ben")]  # a line of each
    with opened(path, HEADING_GOLD) as again:
        assert undo(again, "Anna", "page")
        with again.turn() as history:
            assert history.gold() == [says("Anna"), says("Ben")]
    with opened(path, HEADING_GOLD) as again:
        assert read_outlines(path) == [says("Anna"), says("Ben")]
        assert undo(again, "Anna", "page")
        assert not undo(again, "Anna", "page")
        assert again.people() == {"Ben": ["page"]}


def test_gold_without_a_journal_is_taken_over(path):
    path.write_text(f"{json.dumps(line_of(says('Anna', heading(1))))}\n")
    with opened(path, HEADING_GOLD) as store:
        note(store, says("Ben"))
    assert [outline.by for outline in read_outlines(path)] == ["Anna", "Ben"]


@pytest.mark.parametrize("outlines", [[says("A"), says("A", heading(1))], [says("A", body="")]])
def test_gold_that_cannot_be_gone_on_with_is_not_touched(path, outlines):
    written = "".join(f"{json.dumps(line_of(outline))}\n" for outline in outlines)
    path.write_text(written)
    for _ in range(2):
        refuses_to_open(path, "two lines of one person and page, or one without", HEADING_GOLD)
    assert path.read_text() == written


def agree(ours, theirs, nodes=range(10)):
    pairs = [(says("Anna", *ours), says("Ben", *theirs))]
    return heading_agreement("Anna", "Ben", pairs, lambda _: nodes)


def test_a_heading_is_the_same_if_all_its_texts_are():
    found = agree([heading(0), heading(3, 4)], [heading(0, level=1), heading(3)])
    assert (found.same, found.same_level, found.headings) == (1, 0, (2, 2))
    assert found.f == 0.5


def test_kappa_counts_texts_that_are_headings_or_not():
    # Of ten texts both call two a heading and six none; one is a heading to Anna alone, one to Ben.
    found = agree([heading(0), heading(1), heading(2)], [heading(0), heading(1), heading(3)])
    assert found.counts == {(True, True): 2, (True, False): 1, (False, True): 1, (False, False): 6}
    assert found.kappa == pytest.approx((0.8 - 0.58) / (1 - 0.58))


def test_what_either_calls_optional_is_left_out():
    found = agree([heading(0), heading(5, optional=True)], [heading(0), heading(6, optional=True)])
    assert found.headings == (1, 1)
    assert sum(found.counts.values()) == 8
    one_sided = agree([heading(0), heading(5, optional=True)], [heading(0), heading(5)])
    assert (one_sided.headings, one_sided.f) == ((1, 1), 1)


def test_nothing_to_agree_on_has_no_figure():
    found = agree([], [])
    assert (found.f, found.kappa, found.bodies) == (None, None, 1)


SETS = (
    *("cleaneval", "dragnet", "dragnet-sites", "flink", "gosh", "kreuzer", "sites", "timelines"),
    "wcxb",
)

GOLD = Path(str(files("dbce"))) / "visual" / "headings" / "gold.jsonl"
OF_KINDS = GOLD.with_name("gold-kinds.jsonl")


def test_it_has_sixty_content_bodies_of_five_kinds_of_site_and_two_more_opinions():
    outlines = read_outlines(GOLD)
    said = {by: {one.record_id: one for one in outlines if one.by == by} for by in "abc"}
    assert sum(map(len, said.values())) == len(outlines), "one line a page and annotator"
    first, second, third = said.values()
    sites = Counter(urlsplit(outline.url).hostname for outline in first.values())
    assert len(first) >= 60
    assert len({outline.kind for outline in first.values()} - {"other"}) >= 5
    assert len(sites) >= 35
    assert max(sites.values()) <= 3
    assert len(second.keys() & first.keys()) >= 20
    assert len(third.keys() & first.keys()) >= 30
    assert len({urlsplit(outline.url).hostname for outline in third.values()}) == len(third)


def test_pages_of_kinds_are_open_and_of_sites_of_their_own():
    outlines = read_outlines(OF_KINDS)
    sites = [site(outline.url, "domain") for outline in outlines]
    assert len(set(sites)) == len(sites) >= 40
    assert not set(sites) & {site(outline.url, "domain") for outline in read_outlines(GOLD)}
    assert {half(outline.url) for outline in outlines} == {Half.DEVELOPMENT}
    assert len({outline.kind for outline in outlines}) >= 7


@pytest.mark.parametrize(
    ("gold", "kinds"), [(GOLD, set(KINDS)), (OF_KINDS, set(PageKind))], ids=["sites", "kinds"]
)
def test_each_heading_is_made_of_something_and_no_text_belongs_to_two(gold, kinds):
    for outline in read_outlines(gold):
        parts = [part for heading in outline.headings for part in heading.parts]
        assert len(parts) == len(set(parts))
        assert all(heading.parts for heading in outline.headings)
        assert all(1 <= heading.level <= DEEPEST for heading in outline.headings)
        assert outline.kind in kinds
        assert outline.body.startswith("/html/body")


@pytest.mark.data
@pytest.mark.parametrize("name", SETS)
def test_its_texts_are_those_of_the_pages(name):
    gold = [one for file in (GOLD, OF_KINDS) for one in read_outlines(file) if one.set == name]
    wanted = {outline.record_id for outline in gold}
    sources = expand([str(shared(f"{name}/{name}.warc.gz"))])
    pages = {
        capture.record_id: html.load(capture.payload, capture.content_type, Limits()).page
        for source in sources
        for capture in read(source, Limits())
        if isinstance(capture, Capture) and capture.record_id in wanted
    }
    assert gold
    for outline in gold:
        nodes = pages[outline.record_id].nodes
        for one in outline.headings:
            if not one.images:
                text = " ".join(nodes[node].text for node in one.nodes)
                assert digest(text) == one.hash, (outline.url, one)
