"""The main text of a page: one line a paragraph, code as it stands."""

import pytest

from dbce.formats import judged_text
from dbce.model import Label, TextRun, Verdict
from tests.formats.build import extract
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
    return judged_text(of, runs)


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
        ("<p><a>One</a><a>two</a>", "One two"),
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
    assert judged_text(of, pieces) == "One two three"
    pieces[1] = TextRun(0, 4, 8, LEFT_OUT[Label.BOILERPLATE])
    assert judged_text(of, pieces) == "One three"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<pre>if a:\n    b()\n\nc()  \n</pre>", "if a:\n    b()\n\nc()"),
        ("<pre><span>if</span> <span>a</span>:\n\t<b>b</b>()</pre>", "if a:\n\tb()"),
        ("<p>One<pre>\n\n  a\n  b\n\n</pre><p>two", "One\n  a\n  b\ntwo"),
        ("<table><tr><td class=gutter><pre>1\n2</pre><td><pre>a\nb</pre></table>", "a\nb"),
        ("<div><pre>a = 1</pre><button>Copy</button></div>", "a = 1"),
        ("<pre>one <s>two</s>\nthree</pre>", "one\nthree"),
    ],
)
def test_code_keeps_its_lines_and_indentation_and_what_is_beside_it_is_no_text(html, expected):
    assert extract(html).text == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>10<sup>6</sup> and 10<sup>-3</sup> m", "10^6 and 10^-3 m"),
        ("<p>10<sup>\N{MINUS SIGN}3</sup>", "10^\N{MINUS SIGN}3"),
        ("<p>in 1999<sup>4</sup>", "in 1999^4"),
        ("<p>m<sup>2</sup>, H<sub>2</sub>O, 1<sup>st</sup>", "m2, H2O, 1st"),
        ("<p>10 <sup>6</sup>", "10 6"),
        ("<p>2<sup>n+1</sup>, 2<sup>n</sup>+1, x<sub>i</sub><sup>2</sup>", "2^(n+1), 2^n+1, x_i^2"),
        ("<p>mc<sup>2</sup>, e<sup>-x</sup>, (a+b)<sup>2</sup>", "mc^2, e^-x, (a+b)^2"),
        ("<p>10<sub>2</sub>, x<sub>i+1</sub>, B<sub>12</sub>", "10_2, x_(i+1), B12"),
        (
            "<p>M<sup>me</sup>, n<sup>o</sup>, 4<sup>th</sup>, A<sup>TM</sup>, (B)<sup>®</sup>, x<sup>[1]</sup>",
            "Mme, no, 4th, ATM, (B)®, x[1]",
        ),
        ("<p>10<span style='vertical-align: super'>6</span>", "10^6"),
        ("<p>2<sup>nd,</sup> 10<sup>6,</sup>", "2nd, 10^6,"),
        (
            "<p>in 1999<a href=#n><sup>4</sup></a>, so<sup><a href=#n>[5]</a></sup>",
            "in 1999[4], so[5]",
        ),
    ],
)
def test_the_superscript_of_a_number_is_told_apart(html, expected):
    assert extract(html).text == expected


def test_a_formula_is_its_tex() -> None:
    html = (
        "<p>So <math><semantics><mrow><mi>x</mi><mo>=</mo><mn>2</mn></mrow>"
        "<annotation encoding='application/x-tex'>x=2</annotation></semantics></math> holds."
    )
    assert extract(html).text == "So x=2 holds."
