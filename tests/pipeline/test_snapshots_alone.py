"""A URL that has snapshots and no other page of its template: compared by *prev* and *next* alone."""

import json
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from random import Random

import pytest

from dbce.boilerplate import Annotated
from dbce.boilerplate.compare import BLOCK, compare
from dbce.boilerplate.diff import align
from dbce.html import strip
from dbce.model import Capture, Config, Label, Status
from dbce.output.read import node_rows
from dbce.output.rows import node_rows_of
from dbce.pipeline import annotate, sketch_all
from dbce.storage.folder import Folder
from tests.runs import finished_run, page_rows
from tests.site import FOOTER, MENU, TOPICS, article, page, revisit, stored, story

METHODS = ("T001", "T002")
PATTERNS = Config(method="T002")
COUNTS = (5, 50)


def front(count: int) -> list[Capture]:
    """A front page, year by year: its news goes and one of two stories takes turns with the other."""
    return [
        page("", f"{1970 + n}0101000000", article(f"day{n}", story(f"day{n}"), story("ab"[n % 2])))
        for n in range(count)
    ]


def bits_of(result: Annotated) -> dict[str, str]:
    """The bits of each text."""
    return {result.page.nodes[run.node].text: run.verdict.bits for run in result.runs}


def merged(result: Annotated) -> list[tuple[object, ...]]:
    """What was decided of each character, without what snapshots say of it: bits part runs that were judged alike."""
    return [
        (run.node, at, run.verdict.label, run.verdict.probability, run.verdict.decided_by)
        for run in result.runs
        for at in range(run.start, run.end)
    ]


@pytest.mark.parametrize("count", COUNTS)
def test_every_snapshot_is_compared_with_the_one_before_and_the_one_after(count):
    captures = front(count)
    ids = [None, *(one.record_id for one in captures), None]
    found = list(annotate(captures, PATTERNS))
    assert [one.status for one in found] == [Status.ANNOTATED] * count
    assert [one.cross.members for one in found] == [
        (ids[n], None, None, ids[n - 1], ids[n + 1]) for n in range(1, count + 1)
    ]
    assert [one.cross.bits for one in found] == ["10001", *["10011"] * (count - 2), "10010"]
    assert {(one.cross.similarity_up, one.cross.similarity_down) for one in found} == {(0, 0)}


@pytest.mark.parametrize("count", COUNTS)
def test_the_bits_say_which_of_the_two_has_a_text(count):
    captures = front(count)
    first, *inner, last = annotate(captures, PATTERNS)
    sides = [(first, "10001"), *((one, "10011") for one in inner), (last, "10010")]
    for result, everywhere in sides:
        bits = bits_of(result)
        day = result.page.title
        assert {bits[text] for text in (*MENU, FOOTER)} == {everywhere}
        assert bits[story(day)] == "10000"
        assert {bits[story(s)] for s in "ab" if story(s) in bits} == {"10000"}


def test_a_text_that_comes_is_on_the_next_snapshot_and_one_that_goes_on_the_one_before():
    stories = (["tide"], ["tide", "moon"], ["moon"])
    captures = [
        page("", f"{2014 + n}", article("news", *map(story, its))) for n, its in enumerate(stories)
    ]
    bits = bits_of(list(annotate(captures, PATTERNS))[1])
    assert (bits[story("tide")], bits[story("moon")]) == ("10010", "10001")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("count", COUNTS)
def test_no_method_errs_and_all_judge_as_if_the_page_were_alone(count, method):
    """Without another page the patterns decide nothing, so the densities do."""
    config = Config(method=method)
    captures = front(count)
    for result in annotate(captures, config):
        (alone,) = annotate([result.capture], config)
        assert alone.status is Status.SINGLE
        assert merged(result) == merged(alone)
        assert {run.verdict.decided_by for run in result.runs} == {"density"}
        assert {run.verdict.comparisons for run in result.runs} == {0}
        assert Label.INVALID not in {run.verdict.label for run in result.runs}
        assert result.text == alone.text
        assert strip(result.html) == strip(alone.html) == result.capture.payload


@pytest.mark.parametrize("count", COUNTS)
def test_the_model_knows_as_much_as_of_a_page_alone(count, tiny_file):
    config = Config(model=str(tiny_file))
    for result in annotate(front(count), config):
        (alone,) = annotate([result.capture], config)
        assert merged(result) == merged(alone)
        assert bits_of(result)[FOOTER] == result.cross.bits


@pytest.mark.parametrize("count", COUNTS)
def test_the_order_of_the_captures_changes_nothing(count):
    captures = front(count)
    expected = {
        one.capture.record_id: (one.cross, one.runs, one.html) for one in annotate(captures)
    }
    shuffled = Random(count).sample(captures, count)
    found = {one.capture.record_id: (one.cross, one.runs, one.html) for one in annotate(shuffled)}
    assert found == expected


def diffed(captures: Sequence[Capture], monkeypatch: pytest.MonkeyPatch, limit: int = BLOCK) -> int:
    """How many pairs of captures are compared word by word."""
    pairs = []

    def counted(texts, cur, other, cells):
        pairs.extend(cur)
        return align(texts, cur, other, cells)

    monkeypatch.setattr(import_module("dbce.boilerplate.compare"), "align", counted)
    monkeypatch.setattr(import_module("dbce.boilerplate.compare"), "BLOCK", limit)
    sketches, _ = sketch_all(captures, PATTERNS)
    assert len(list(compare(sketches.values(), PATTERNS))) == len(captures)
    return len(pairs)


def test_each_snapshot_is_compared_with_two_others_however_many_there_are(monkeypatch):
    work = [diffed(front(count), monkeypatch) for count in COUNTS]
    assert work == [2 * (count - 1) for count in COUNTS]
    assert diffed(front(50), monkeypatch, limit=10) == 5 * 2 * (10 - 1), "where time is cut"


def redesigned(topic: str, at: str) -> Capture:
    """The page of a topic in a layout that shares no band with that of `article`."""
    text = "".join(f"<tr><td class='n{n}'>{story(topic)}</td></tr>" for n in range(3))
    return page("", at, f"<html><body><center><table>{text}</table></center></body></html>")


def test_a_redesign_does_not_part_the_snapshots_of_a_url():
    old = [page("", f"{year}", article("tide")) for year in (2013, 2014)]
    new = [redesigned("tide", f"{year}") for year in (2015, 2016)]
    found = list(annotate([*old, *new], PATTERNS))
    assert [one.cross.bits for one in found] == ["10001", "10011", "10011", "10010"]
    assert (found[1].cross.next, found[2].cross.prev) == (new[0].record_id, old[1].record_id)
    assert bits_of(found[1])[story("tide")] == "10011", "what stayed is seen to stay"
    assert bits_of(found[1])[FOOTER] == "10010", "and what went to go"


def test_a_capture_with_another_page_of_its_template_keeps_its_own_bucket():
    """Of the front page only the oldest snapshot has another template: it alone is without *up*."""
    articles = [page(topic, "2016") for topic in TOPICS]
    fronts = [redesigned("front", "2013"), page("", "2015"), page("", "2016")]
    found = {one.capture.record_id: one.cross for one in annotate([*articles, *fronts], PATTERNS)}
    crosses = [found[one.record_id] for one in fronts]
    assert [cross.bits for cross in crosses] == ["10001", "11101", "11110"]
    assert crosses[0].next == fronts[1].record_id


@pytest.mark.parametrize("method", [*METHODS, "joint"])
def test_snapshots_of_another_page_change_nothing_for_those_with_partners(method):
    articles = [page(topic, f"{year}") for topic in TOPICS for year in (2014, 2015)]
    alone = [redesigned("front", f"{year}") for year in (2013, 2014, 2015)]
    config = Config(method=method)
    without = [(one.status, one.cross, one.runs) for one in annotate(articles, config)]
    beside = [(one.status, one.cross, one.runs) for one in annotate([*articles, *alone], config)]
    assert beside[: len(articles)] == without


@pytest.mark.parametrize("count", COUNTS)
def test_a_run_over_files_accounts_for_all_and_says_the_same_as_the_list(tmp_path: Path, count):
    captures = front(count)
    (tmp_path / "in").mkdir()
    for n in range(2):  # snapshots of one page lie in several files
        (tmp_path / "in" / f"{n}.warc.gz").write_bytes(stored(*captures[n::2]))
    out = finished_run(tmp_path / "in", tmp_path / "out")
    told = json.loads((out / "run.json").read_text())
    assert told["captures"]["total"] == told["captures"]["annotated"] == count
    assert told["partner_recall"]["all"] == {"up": 0, "down": 0}
    rows = {row["record_id"]: row for row in page_rows(out)}
    for result in annotate(captures):
        row = rows[result.capture.record_id]
        cross = result.cross
        told = (row["status"], row["cross_bits"], row["text"])
        assert told == ("annotated", cross.bits, result.text)
        assert (row["up"], row["down"], row["prev"], row["next"]) == cross.members[1:]
        assert node_rows(Folder(str(out)), row["record_id"]) == node_rows_of(result).to_pylist()


def test_an_unchanged_revisit_is_a_snapshot_to_be_compared_with(tmp_path: Path):
    (front_page,) = front(1)
    again = revisit(front_page, "20150101", "urn:again", WARC_Refers_To=front_page.record_id)
    (tmp_path / "a.warc.gz").write_bytes(stored(front_page) + again)
    out = finished_run(tmp_path / "a.warc.gz", tmp_path / "out", method="T002")
    row, revisited = page_rows(out)
    assert (row["status"], row["cross_bits"], row["next"]) == ("annotated", "10001", "urn:again")
    assert (revisited["status"], revisited["reason"]) == ("skipped", "unchanged")
