"""Parts of main text that are asked for besides, or left out."""

import pytest

from dbce.boilerplate.judge import PageEvidence, verdicts
from dbce.formats import judged_text, main_parts
from dbce.model import Config, Label, Page, TextRun, UsageError, Verdict
from tests.html.soup import page as parsed

PAGE = """
<p>about us</p><figure><figcaption><s>an advertisement</s></figcaption></figure>
<article><h1>The ferry</h1><p class="byline">By Ann Lee</p><p>It goes at noon.<sup>1</sup></p>
<figure><img><figcaption><s>The ferry at the quay</s></figcaption></figure>
<table><tr><td>Monday<td>noon<tr><td>Sunday<td>never</table>
<table><tr><td><s>Prices</s><td>5<tr><td><s>Children</s><td>3</table>
<p>That is all.</p><ol class="references"><li id="cite_note-1">The timetable of May.</li></ol>
<div class="comments"><p><u>What a ferry!</u></p></div><p>It ends here.</p></article>
<table><tr><td><s>one</s><td><s>two</s><tr><td><s>three</s><td><s>four</s></table>
"""


def judged(html: str) -> tuple[Page, list[TextRun]]:
    """A page all of whose text is content, but for what is in `<s>`, and comments, which are in `<u>`."""
    page = parsed(html)
    runs = []
    for number, node in enumerate(page.nodes):
        tag = page.tags[node.element]
        label = Label.BOILERPLATE if tag in ("s", "u") else Label.CONTENT
        rule = "comment" if tag == "u" else "joint"
        runs.append(TextRun(number, 0, len(node.text), Verdict(label, 0.5, "10000", 1, rule)))
    return page, runs


def text(added: str = "", left_out: str = "") -> set[str]:
    page, runs = judged(PAGE)
    parts = main_parts(*([names] if names else [] for names in (added, left_out)))
    return set(judged_text(page, parts.select(page, runs)).split("\n"))


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("captions", {"The ferry at the quay"}),
        ("tables", {"Prices", "Children"}),
        ("comments", {"What a ferry!"}),
        ("captions,comments", {"The ferry at the quay", "What a ferry!"}),
        ("notes", set()),
        ("byline", set()),
        ("images", set()),
    ],
)
def test_a_part_is_added_where_it_stands_in_the_content(name: str, lines: set[str]) -> None:
    assert text(added=name) - text() == lines
    assert text() <= text(added=name)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("byline", {"By Ann Lee"}),
        ("notes", {"The timetable of May."}),
        ("tables", {"Monday", "noon", "Sunday", "never", "5", "3"}),
        ("notes, byline", {"The timetable of May.", "By Ann Lee"}),
        ("captions", set()),
        ("comments", set()),
    ],
)
def test_a_part_is_left_out(name: str, lines: set[str]) -> None:
    assert text() - text(left_out=name) == lines


def test_what_no_reader_sees_is_in_no_part() -> None:
    page, runs = judged(PAGE)
    unseen = [
        run._replace(verdict=Verdict(Label.BOILERPLATE, 0.5, "10000", 1, "unseen"))
        if run.verdict.label is Label.BOILERPLATE
        else run
        for run in runs
    ]
    assert main_parts(["captions,tables"], []).select(page, unseen) == tuple(unseen)


def test_a_page_without_content_has_no_parts() -> None:
    page, runs = judged("<p><s>nothing</s></p><figcaption><s>here</s></figcaption>")
    assert main_parts(["captions"], []).select(page, runs) == tuple(runs)


@pytest.mark.parametrize(
    ("added", "left_out", "said"),
    [
        ("pictures", "", "there is no part 'pictures'; choose of captions, comments, tables"),
        ("notes", "byline,notes", "notes is both asked for and left out; name it once"),
    ],
)
def test_what_cannot_be_is_said(added: str, left_out: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        main_parts([added], [left_out] if left_out else [])


@pytest.mark.parametrize("html", ["<p>x", "<table>" * 300 + "x", "<td>" * 2000 + "x"])
def test_pages_of_any_shape_have_parts(html: str) -> None:
    page = parsed(html)
    (runs,) = verdicts([PageEvidence(page, None)], Config())
    every = main_parts(["captions,comments,tables,notes,byline"], [])
    assert [run.node for run in every.select(page, runs)] == [run.node for run in runs]
