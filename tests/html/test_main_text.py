"""The main text of a page: one line a block."""

from __future__ import annotations

import pytest

from dbce.html.lines import holders, lines, main_text
from dbce.model import Label, TextRun, Verdict
from tests.html.soup import page

KEPT = Verdict(Label.CONTENT, 0.75, "10000", 1, "pattern")
LEFT_OUT = {
    label: Verdict(label, 0.25, "11000", 1, "pattern")
    for label in (Label.BOILERPLATE, Label.INVALID)
}


def text(html: str, *without: str, label: Label = Label.BOILERPLATE) -> str:
    """The main text of a page, of whose text nodes those named are left out."""
    of = page(html)
    runs = [
        TextRun(i, 0, len(node.text), LEFT_OUT[label] if node.text.strip() in without else KEPT)
        for i, node in enumerate(of.nodes)
    ]
    return main_text(of, runs)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h1>One</h1><p>Two</p><ul><li>Three<li>Four</ul>", "One\nTwo\nThree\nFour"),
        ("<div>One<div>Two</div></div>", "One\nTwo"),
        ("<table><tr><td>One<td>Two<tr><td>Three</table>", "One\nTwo\nThree"),
        ("<p>  One \n\n two\xa0three\t</p>", "One two three"),
        ("<p>One <b>two</b> three", "One two three"),
        ("<p><b>W</b>ord", "Word"),
        ("<p>1<sup>st</sup> wo<i>r<u>d</u></i>s", "1st words"),
        ("<p><a>One</a><a>two</a>", "Onetwo"),
        ("<p><a>One</a> <a>two</a>", "One two"),
        ("<p></p>", ""),
        (
            "<p>One &#27;[31mtwo&#x7f; thr\u009bee&#12;four&#7;</p><p>&#1;</p>",
            "One [31mtwo three four",
        ),
    ],
)
def test_blocks_are_lines_and_inline_markup_breaks_no_word(html, expected):
    assert text(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        "<p>One<br>two",
        "<p>One<br><br>two",
        "<p><b>One<br>two</b>",
        "<p><b>One</b><br>two",
        "<p>One<br><b>two</b>",
        "<p><b>One</b><br><b>two</b>",
        "<p><b>One<br></b>two",
    ],
)
def test_a_line_break_parts_words(html):
    assert text(html).split() == ["One", "two"]


@pytest.mark.parametrize("label", [Label.BOILERPLATE, Label.INVALID])
def test_only_content_is_text(label):
    assert text("<p>One<p>ad<p>two", "ad", label=label) == "One\ntwo"
    assert text("<p>ad", "ad", label=label) == ""


def test_what_is_left_out_parts_the_words_around_it():
    assert text("<p>One<b>ad</b>two", "ad") == "One two"


def test_a_block_that_is_left_out_parts_the_blocks_around_it():
    assert text("<div>One<p>ad</p>two</div>") == "One\nad\ntwo"
    assert text("<div>One<p>ad</p>two</div>", "ad") == "One\ntwo"


def test_parts_of_one_text_node_are_put_together_where_they_touch():
    of = page("<p>One two three")
    pieces = [TextRun(0, 0, 4, KEPT), TextRun(0, 4, 8, KEPT), TextRun(0, 8, 13, KEPT)]
    assert main_text(of, pieces) == "One two three"
    pieces[1] = TextRun(0, 4, 8, LEFT_OUT[Label.BOILERPLATE])
    assert main_text(of, pieces) == "One three"


@pytest.mark.parametrize(
    ("html", "tags"),
    [
        ("<p>a<b>b<i>c</i></b></p>", ["p", "p", "p"]),
        ("<div>a<p>b</p>c</div>", ["div", "p", "div"]),
        ("<span>a</span>", ["body"]),
        ("<ul><li><a>a</a><li>b</ul>", ["li", "li"]),
    ],
)
def test_a_text_is_set_by_the_nearest_element_that_is_not_inline(html, tags):
    of = page(html)
    holder = holders(of)
    assert [of.tags[holder[node.element]] for node in of.nodes] == tags


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a<b>b<i>c</i></b>d</p>", [0, 0, 0, 0]),
        ("<div>a<p>b</p>c</div>", [0, 1, 2]),
        ("<p>a<br>b<i>c</i><br>d", [0, 1, 1, 2]),
        ("<p>a<img>b<wbr>c", [0, 0, 0]),
        ("<div>a<hr>b<p></p>c</div>", [0, 1, 2]),
        ("<ul><li>a<li>b</ul>c", [0, 1, 2]),
        ("<p></p>", []),
    ],
)
def test_a_line_ends_where_a_block_begins_or_ends_and_at_a_line_break(html, expected):
    of = page(html)
    assert lines(of, holders(of)) == expected
