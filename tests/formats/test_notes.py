"""Notes stay with their marks, once, and nothing leads back from them."""

import pytest

from dbce.formats.markdown import as_markdown
from tests.formats.build import extract

TUFTE = "<label for=n class='margin-toggle sidenote-number'></label><input id=n type=checkbox><span class=sidenote>A note of five words</span>"
LATEXML = (
    "<span class=ltx_note><sup class=ltx_note_mark>1</sup><span class=ltx_note_outer><span class=ltx_note_content>"
    "<sup class=ltx_note_mark>1</sup><span class=ltx_tag_note>1</span>A note of five words</span></span></span>"
)
WORDPRESS = "<sup class=modern-footnotes-footnote><a role=button>1</a></sup><span class=modern-footnotes-footnote__note>A note of five words</span>"
HIDDEN = "<span class=inline-footnote>1<span class=footnoteContent style='display: none'>A note of five words</span></span>"
TOOLTIP = "<span role=tooltip>A note of five words</span>"
DISTILL = "<d-footnote>A note of five words</d-footnote>"
RAISED = "<sup>1</sup><i hidden>A note of five words</i>"


@pytest.mark.parametrize(
    ("note", "mark", "behind"),
    [
        *((note, "", "A note of five words") for note in (TUFTE, TOOLTIP, DISTILL)),
        *(
            (note, "<sup>1</sup>", "<sup>1</sup> A note of five words")
            for note in (LATEXML, WORDPRESS, HIDDEN, RAISED)
        ),
    ],
)
def test_a_note_within_a_sentence_stands_behind_its_paragraph(note, mark, behind):
    of = extract(f"<h1>One</h1><p>A sentence{note} goes on.</p><p>Two</p>")
    assert as_markdown(of.blocks) == f"# One\n\nA sentence{mark} goes on.\n\n{behind}\n\nTwo"
    number = "[1]" if mark else ""
    assert of.text.split("\n")[1] == f"A sentence{number} goes on."


def test_a_note_that_stands_at_the_end_too_stands_there_alone():
    note = "<ul class=modern-footnotes-list><li>A note of five words</ul>"
    written = as_markdown(extract(f"<p>A sentence{WORDPRESS} goes on.</p>{note}").blocks)
    assert written == "A sentence<sup>1</sup> goes on.\n\n- A note of five words"


@pytest.mark.parametrize(
    "back",
    [
        "<a href=#m>↩︎</a>",
        "<a href=#m>^</a>",
        "<a href=#m class=footnote-back role=doc-backlink>↩<sup>2</sup></a>",
        "<a href=#m>Back to text</a>",
        "<a href=# onclick='history.back()'>↩</a>",
        "<span class=mw-cite-backlink>^ <a href=#m><sup>a</sup></a> <a href=#x><sup>b</sup></a></span>",
        "<span class=mw-editsection>[<a href=/e>edit</a>]</span>",
    ],
)
def test_what_leads_back_is_no_text(back):
    of = extract(f"<p>One<a href=#n id=m><sup>1</sup></a></p><p id=n>The note {back}</p>")
    assert of.text == "One[1]\nThe note"
    assert as_markdown(of.blocks) == "One[<sup>1</sup>](#n)\n\nThe note"


@pytest.mark.parametrize(
    ("mark", "note"),
    [
        ("<a class=footnote-anchor href=#n id=m>1</a>",
         "<div><a class=footnote-number id=n href=#m>1</a><div class=footnote-content><p>The note</p></div></div>"),
        ("<a class=footnote-reference href=#n id=m>1</a>",
         "<aside id=n><span>[</span><a role=doc-backlink href=#m>1</a><span>]</span><p>The note</p></aside>"),
        ("<a class=footnote href=#n id=m><sup>1</sup></a>",
         "<h5><a id=n href=#m>(1)</a></h5><p>The note</p>"),
    ],
)  # fmt: skip
def test_a_number_above_its_note_stands_in_its_line(mark, note):
    text, of_note = extract(f"<p>One{mark} two</p>{note}").text.split("\n")
    assert text == "One[1] two"
    assert of_note.strip("[(").startswith("1")
    assert of_note.endswith(" The note")


@pytest.mark.parametrize(
    "mark",
    [
        "<a href=#n><span class=MsoFootnoteReference>1</span></a>",
        "<a href=#n>1</a>",
        "<sup><a href=#n>1</a></sup>",
    ],
)
def test_a_mark_is_told_from_the_word_that_it_stands_at(mark):
    assert extract(f"<p>One{mark} two</p><p id=n>The note</p>").text == "One[1] two\nThe note"


def test_a_number_that_leads_nowhere_is_no_mark():
    assert extract("<p>One</p><p>1</p><p>two</p>").text == "One\n1\ntwo"
    assert extract("<p>In <a href=#s2 class=ref>2</a> it goes on.</p>").text == "In 2 it goes on."
