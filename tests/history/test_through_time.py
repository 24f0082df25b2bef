"""The main text of a URL through its captures, by an archive of a harbour's pages, each with a history of its own."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import dbce
from dbce import history
from dbce.archive import capture
from dbce.cli import main
from dbce.history import CaptureState, PassageKind, TextStep
from dbce.history.alignment import TextUnit
from dbce.model import Capture, UsageError
from tests.archive.build import answer, members, record
from tests.browser import suits_everybody
from tests.nights import Archive
from tests.runs import ended
from tests.site import FOOTER, MENU, article, page, revisit, stored, story

TOPICS = ("ferry", "clocks", "benches", "maps")

HOST = "http://harbour.example"


def said(topic: str, number: int) -> str:
    """A sentence that no other page has."""
    words = " ".join(
        f"{topic}{'abcdefghij'[number % 10]}{word}" for word in "one two six ten".split()
    )
    return f"The {words} of number {number} are kept in the long shed by the water."


def text(topic: str, *changed: str) -> list[str]:
    """The sentences of a page, and more of them."""
    return [*(said(topic, number) for number in range(8)), *changed]


def written(topic: str, sentences: Sequence[str]) -> str:
    """An article of these sentences, two a paragraph."""
    pairs = (" ".join(sentences[at : at + 2]) for at in range(0, len(sentences), 2))
    return article(topic, *pairs)


def redesigned(topic: str, sentences: Sequence[str]) -> str:
    """The same in another template."""
    items = "".join(f"<td><a href='/{n}'>{name}</a></td>" for n, name in enumerate(MENU))
    paragraphs = "".join(
        f"<section><div><div><p>{sentence}</p></div></div></section>" for sentence in sentences
    )
    return (
        f"<html><head><title>{topic}</title></head><body><table><tr>{items}</tr></table>"
        f"<div><article><header><h1>{topic} in the old town</h1></header>{paragraphs}</article></div>"
        f"<footer><ul><li>{FOOTER}</li></ul></footer></body></html>"
    )


def at(year: int, topic: str, html: str) -> Capture:
    """The page of a topic as it was at the beginning of a year."""
    return capture(f"{HOST}/{topic}", html, f"{year}0101000000")


DATED = "The gate was opened on 5 May 2014 by Captain Brown of the harbour office."
CORRECTED = "The gate was opened on 6 May 2014 by Captain Brown of the harbour office."


def captures() -> list[Capture]:
    """All captures that are answered as pages."""
    tower, gate, shed, quay, pier = (
        text(name) for name in ("tower", "gate", "shed", "quay", "pier")
    )
    other = [story(f"other{number}", 12) for number in range(6)]
    cut = written("quay", quay)
    return [
        *(page(topic, f"{year}0101000000") for year in (2014, 2015) for topic in TOPICS),
        at(2014, "tower", written("tower", [*tower, DATED])),
        at(2015, "tower", written("tower", [*tower, DATED])),
        at(2016, "tower", written("tower", [*tower[:3], *tower[4:], CORRECTED, said("tower", 9)])),
        at(2014, "gate", written("gate", gate)),
        at(2015, "gate", written("gate", ["The gate is painted."])),
        at(2016, "gate", written("gate", gate)),
        at(2014, "shed", written("shed", shed)),
        at(2015, "shed", article("Not found", "The page you wanted was not found on this server.")),
        at(2016, "shed", redesigned("shed", shed)),
        at(2014, "quay", cut),
        at(2015, "quay", cut[: cut.index(quay[3])]),
        at(2014, "pier", written("pier", pier)),
        at(2015, "pier", redesigned("pier", other)),
    ]


def archive() -> bytes:
    """The archive, with an answer of status 404 and with a revisit."""
    (tower,) = (
        one for one in captures() if one.url.endswith("tower") and one.timestamp.year == 2015
    )
    gone = record(
        block=answer(b"<p>Gone</p>", status="404 Not Found"),
        url=f"{HOST}/tower",
        date="2017-01-01T00:00:00Z",
        record_id="<urn:uuid:00000000-0000-4000-8000-000000000404>",
    )
    again = "urn:uuid:00000000-0000-4000-8000-000000000304"
    back = revisit(tower, "20180101", again, WARC_Refers_To=f"<{tower.record_id}>")
    return stored(*captures()) + b"".join(members([gone])) + back


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    """The folder of a run on the archive."""
    folder = tmp_path_factory.mktemp("harbour")
    (folder / "harbour.warc.gz").write_bytes(archive())
    words = ["run", folder / "harbour.warc.gz", "--out", folder / "clean", "--master", "none"]
    assert ended(*words) == 0
    return folder / "clean"


@pytest.fixture
def told(run, capsys):
    """Return what `dbce history` prints."""

    def history(topic: str, *options: str) -> str:
        assert main(["history", str(run), f"{HOST}/{topic}", *options]) == 0
        return capsys.readouterr().out

    return history


def steps(run, topic: str) -> tuple[TextStep, ...]:
    return dbce.text_history(run, f"{HOST}/{topic}").steps


def test_sentences_come_go_and_are_corrected(run) -> None:
    first, same, changed, *_ = steps(run, "tower")
    assert [unit.text for unit in first.text][1:] == text("tower", DATED)
    assert same.state == CaptureState.UNCHANGED
    assert changed.state == CaptureState.CHANGED
    assert changed.since == same.time
    by_kind = {passage.kind: passage for passage in changed.changes}
    assert by_kind[PassageKind.REMOVED].before == said("tower", 3)
    assert by_kind[PassageKind.ADDED].after == said("tower", 9)
    assert by_kind[PassageKind.ADDED].section == "tower in the old town"
    assert by_kind[PassageKind.CORRECTED].corrected == "date"
    assert len(changed.changes) == 3
    assert changed.counts[PassageKind.KEPT] == 8


@pytest.mark.parametrize(
    ("topic", "number", "told"),
    [
        # An answer with an error deletes nothing, and so does one in words.
        ("tower", 3, (CaptureState.GONE, "http-status", "404")),
        ("shed", 1, (CaptureState.GONE, "error", "not found")),
        # Text that comes back was missing and not deleted.
        ("gate", 1, (CaptureState.DAMAGED, "comes back", "97% of the text is missing")),
        ("quay", 1, (CaptureState.DAMAGED, "cut-short", "its words are the beginning of the older page")),
    ],
)  # fmt: skip
def test_what_is_no_whole_page_changes_nothing(run, topic, number, told) -> None:
    step = steps(run, topic)[number]
    assert (step.state, step.reason, step.evidence) == told
    assert step.changes == ()


def test_after_a_damaged_capture_and_in_another_template_the_text_is_unchanged(run) -> None:
    _, missing, after = steps(run, "gate")
    assert missing.back == after.time
    assert (after.state, after.changes) == (CaptureState.UNCHANGED, ())
    *_, redesigned = steps(run, "shed")
    assert (redesigned.state, redesigned.is_redesign) == (CaptureState.UNCHANGED, True)


def test_a_revisit_has_the_text_of_what_it_repeats(run) -> None:
    back = steps(run, "tower")[4]
    assert {passage.kind: passage.after for passage in back.changes} == {
        PassageKind.ADDED: said("tower", 3),
        PassageKind.CORRECTED: DATED,
        PassageKind.REMOVED: "",
    }


def test_another_template_with_another_text_is_another_page(run) -> None:
    _, other = steps(run, "pier")
    assert other.state == CaptureState.REPLACED
    assert "of the text removed" in other.evidence
    assert other.changes == ()
    assert len(other.text) == 7


def test_a_text_that_was_judged_otherwise_did_not_change(run, told) -> None:
    for topic in TOPICS:
        states = [step.state for step in steps(run, topic)]
        assert states == [CaptureState.FIRST, CaptureState.UNCHANGED]
        assert ": the text never changed\n" in told(topic)


def test_it_is_told_in_lines(told) -> None:
    went, came = said("tower", 3), said("tower", 9)
    assert told("tower").splitlines()[:18] == [
        "http://harbour.example/tower",
        "tower",
        "5 captures from 2014-01-01 to 2018-01-01: 2 changed the text, 1 did not, 1 is gone",
        "",
        "2014-01-01 00:00  first captured: 1 heading, 9 sentences",
        "",
        "2015-01-01 00:00  unchanged",
        "",
        "2016-01-01 00:00  changed since 2015-01-01: 1 corrected, 1 added, 1 removed",
        "    ... 4 unchanged",
        "  under tower in the old town:",
        f"  - {went}",
        "    ... 4 unchanged",
        "  ~ (date) The gate was opened on [-5-] {+6+} May 2014 by Captain Brown of the harbour office.",
        f"  + {came}",
        "",
        "2017-01-01 00:00  gone: the server answered with an error (evidence: 404); nothing counts as deleted",
        "",
    ]


def test_it_is_told_in_markdown(told) -> None:
    lines = told("tower", "--format", "markdown").splitlines()
    corrected = (
        "The gate was opened on ~~5~~ **6** May 2014 by Captain Brown of the harbour office."
    )
    assert lines[0] == "# tower"
    assert "## 2016-01-01 00:00" in lines
    assert f"- Corrected (date) under “tower in the old town”: {corrected}" in lines


def test_it_is_an_object_of_json(told) -> None:
    found = json.loads(told("tower", "--format", "json"))
    assert found["url"] == "http://harbour.example/tower"
    states = [step["state"] for step in found["captures"]]
    assert states == ["first", "unchanged", "changed", "gone", "changed"]
    changed = found["captures"][2]
    assert changed["timestamp"] == "2016-01-01T00:00:00Z"
    assert changed["compared_with"] == "2015-01-01T00:00:00Z"
    none = dict.fromkeys(("reworded", "moved", "punctuation", "stamp"), 0)
    assert changed["counts"] == {"kept": 8, "came": 1, "went": 1, "corrected": 1} | none
    (corrected,) = [one for one in changed["changes"] if one["kind"] == "corrected"]
    assert {"went": "5", "came": "6"} in corrected["words"]


def test_all_formats_say_what_shows_that_a_capture_is_damaged(told) -> None:
    evidence = "97% of the text is missing"
    words = f"text is missing that is there again on 2016-01-01 (evidence: {evidence})"
    for form in ("text", "html"):
        assert words in told("gate", "--format", form)
    assert f"(evidence: {evidence})" in told("gate", "--format", "markdown")
    missing = json.loads(told("gate", "--format", "json"))["captures"][1]
    assert missing["evidence"] == evidence


def test_it_is_one_page_that_needs_no_other(told) -> None:
    html = told("tower", "--format", "html")
    assert "<del>5</del> <ins>6</ins>" in html
    assert "<script" not in html
    assert "src=" not in html
    assert "default-src 'none'" in html


@pytest.mark.browser
def test_the_page_is_accessible_and_fits_a_phone(page, run, tmp_path) -> None:
    for topic in ("tower", "gate", "pier"):
        file = tmp_path / f"{topic}.html"
        file.write_text(history.as_html(dbce.text_history(run, f"{HOST}/{topic}")), "utf-8")
        page.goto(file.as_uri())
        suits_everybody(page)


def test_texts_of_a_page_are_texts_in_all_formats() -> None:
    evil = "<script>alert(1)</script> *x* \x1b[31m\u202e"
    time = at(2014, "x", "<p>x").timestamp
    passages = (history.Passage(PassageKind.ADDED, "sentence", evil, after=evil),)
    text = (TextUnit("sentence", evil, evil, ""),)
    step = TextStep("urn:1", time, CaptureState.CHANGED, passages=passages, text=text)
    found = history.TextHistory("http://x.example/<script>", evil, (step,))
    assert "<script>" not in history.as_html(found)
    assert "\x1b" not in history.as_text(found)
    assert "\u202e" not in history.as_text(found)
    assert "<script>" not in history.as_markdown(found)


def test_a_wrong_url_is_told_with_the_nearest(run, capsys) -> None:
    assert main(["history", str(run), f"{HOST}/towr"]) == 2
    assert "did you mean http://harbour.example/tower" in capsys.readouterr().err
    with pytest.raises(UsageError, match=r"did you mean http://harbour\.example/tower"):
        dbce.text_history(run, "harbour.example/tower")


@pytest.mark.wing
def test_a_pair_is_told_in_words(run, capsys) -> None:
    assert main(["changes", str(run), "--pair", f"{HOST}/tower", "2014", "2016"]) == 0
    out = capsys.readouterr().out
    assert "main text: changed since 2014-01-01: 1 corrected, 1 added, 1 removed" in out
    assert f"  - {said('tower', 3)}" in out


def test_the_nights_of_an_archive_are_one_history(tmp_path) -> None:
    nights = Archive(tmp_path)
    for year in (2014, 2016):
        its_pages = [page for page in captures() if page.timestamp.year == year]
        nights.take(f"{year}.warc.gz", stored(*its_pages))
    first, changed = steps(nights.path, "tower")
    assert (changed.state, changed.since) == (CaptureState.CHANGED, first.time)
    assert any("towerhone towerhtwo" in passage.after for passage in changed.changes)
