"""The main text of a judged page: its lines, the parts asked for besides or left out, and the way without marks."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.boilerplate.judge import PageEvidence, verdicts
from dbce.formats import annotated_content, judged_content, judged_text, main_parts
from dbce.html import Markup, annotated_html, load
from dbce.model import Config, Label, Limits, Page, TextRun, Verdict
from tests.formats.build import extract
from tests.html.soup import page, serialise

NO_MARKUP = Markup({}, [])
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
    return judged_text(of, runs, NO_MARKUP)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h1>One</h1><p>Two</p><ul><li>Three<li>Four</ul>", "One\nTwo\nThree\nFour"),
        ("<table><tr><td>One<td>Two<tr><td>Three</table>", "One\nTwo\nThree"),
        ("<p>  One \n\n two\xa0three\t</p>", "One two three"),
        ("<p>One <b>two</b> three", "One two three"),
        ("<p><b>W</b>ord", "Word"),
        ("<p>1<sup>st</sup> wo<i>r<u>d</u></i>s", "1st words"),
        ("<p><a>One</a><a>two</a>", "One two"),
        ("<p><a>One</a> <a>two</a>", "One two"),
        ("<p>One &#27;[31mtwo&#x7f; thr\u009bee&#12;four&#7;</p><p>&#1;</p>", "One [31mtwo three four"),
    ],
)  # fmt: skip
def test_blocks_are_lines_and_inline_markup_breaks_no_word(html, expected):
    assert text(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        "<p>One<br>two",
        "<p><b>One<br>two</b>",
        "<p><b>One</b><br><b>two</b>",
        "<p><b>One<br></b>two",
    ],
)
def test_a_line_break_parts_words(html):
    assert text(html).split() == ["One", "two"]


@pytest.mark.parametrize("label", [Label.BOILERPLATE, Label.INVALID])
@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>One<p>ad<p>two", "One\ntwo"),
        ("<p>ad", ""),
        ("<p>One<b>ad</b>two", "One two"),  # what is left out parts the words around it
        ("<div>One<p>ad</p>two</div>", "One\ntwo"),
    ],
)
def test_only_content_is_text(html, expected, label):
    assert text(html, "ad", label=label) == expected


def test_parts_of_one_text_node_are_put_together_where_they_touch():
    of = page("<p>One two three")
    pieces = [TextRun(0, 0, 4, KEPT), TextRun(0, 4, 8, KEPT), TextRun(0, 8, 13, KEPT)]
    assert judged_text(of, pieces, NO_MARKUP) == "One two three"
    pieces[1] = TextRun(0, 4, 8, LEFT_OUT[Label.BOILERPLATE])
    assert judged_text(of, pieces, NO_MARKUP) == "One three"


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


SO = "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x=2</annotation></semantics></math>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>10<sup>6</sup> and 10<sup>-3</sup> m", "10^6 and 10^-3 m"),
        ("<p>10<sup>\N{MINUS SIGN}3</sup>", "10^\N{MINUS SIGN}3"),
        ("<p>in 1999<sup>4</sup>", "in 1999^4"),
        ("<p>m<sup>2</sup>, H<sub>2</sub>O, 1<sup>st</sup>", "m^2, H2O, 1st"),
        ("<p>10 <sup>6</sup>.<sup>1</sup> (a)<sup>1,2</sup>", "10 6.[1] (a)[1,2]"),
        ("<p>2<sup>n+1</sup>, 2<sup>n</sup>+1, x<sub>i</sub><sup>2</sup>", "2^(n+1), 2^n+1, x_i^2"),
        ("<p>mc<sup>2</sup>, e<sup>-x</sup>, (a+b)<sup>2</sup>", "mc^2, e^-x, (a+b)^2"),
        ("<p>10<sub>2</sub>, x<sub>i+1</sub>, B<sub>12</sub>", "10_2, x_(i+1), B12"),
        ("<p>M<sup>me</sup>, n<sup>o</sup>, 4<sup>th</sup>, A<sup>TM</sup>", "Mme, no, 4th, ATM"),
        ("<p>(B)<sup>®</sup>, x<sup>[1]</sup>", "(B)®, x[1]"),
        ("<p>10<span style='vertical-align: super'>6</span>", "10^6"),
        ("<p>2<sup>nd,</sup> 10<sup>6,</sup>", "2nd, 10^6,"),
        ("<p>in 1999<a href=#n><sup>4</sup></a>, so<sup><a href=#n>[5]</a></sup>", "in 1999[4], so[5]"),
        (f"<p>So {SO} holds.", "So x=2 holds."),  # a formula is its TeX
    ],
)  # fmt: skip
def test_the_superscript_of_a_number_is_told_apart(html, expected):
    assert extract(html).text == expected


PAGE = """
<p>about us</p><figure><figcaption><s>an advertisement</s></figcaption></figure>
<article><h1>The ferry</h1><p class="byline">By Ann Lee</p><p>It goes at noon.<sup>1</sup></p>
<figure><img><p class=imageCaption><s>The ferry at the quay</s></p></figure>
<table><tr><td>Monday<td>noon<tr><td>Sunday<td>never</table>
<table><tr><td><s>Prices</s><td>5<tr><td><s>Children</s><td>3</table>
<p>That is all.</p><h4 class=userName><s>Bo</s></h4><ol class="references"><li id="cite_note-1">The timetable of May.</li></ol>
<div class="comments"><p><u>What a ferry!</u></p></div><p>It ends here.</p></article>
<table><tr><td><s>one</s><td><s>two</s><tr><td><s>three</s><td><s>four</s></table>
"""


def judged_page(html: str) -> tuple[Page, list[TextRun]]:
    """A page all of whose text is content, but for what is in `<s>`, and comments, which are in `<u>`."""
    of = page(html)
    runs = []
    for number, node in enumerate(of.nodes):
        tag = of.tags[node.element]
        label = Label.BOILERPLATE if tag in ("s", "u") else Label.CONTENT
        rule = "comment" if tag == "u" else "joint"
        runs.append(TextRun(number, 0, len(node.text), Verdict(label, 0.5, "10000", 1, rule)))
    return of, runs


def main_text(added: str = "", left_out: str = "") -> set[str]:
    page, runs = judged_page(PAGE)
    parts = main_parts(*([names] if names else [] for names in (added, left_out)))
    return set(judged_text(page, parts.select(page, runs), NO_MARKUP).split("\n"))


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("captions", {"The ferry at the quay"}),
        ("tables", {"Prices", "Children"}),
        ("comments", {"What a ferry!"}),
        ("notes", set()),
        ("byline", {"Bo"}),
        ("images", set()),
    ],
)
def test_a_part_is_added_where_it_stands_in_the_content(name: str, lines: set[str]) -> None:
    assert main_text(added=name) - main_text() == lines
    assert main_text() <= main_text(added=name)


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
    assert main_text() - main_text(left_out=name) == lines


def test_what_no_reader_sees_and_a_page_without_content_have_no_parts() -> None:
    page, runs = judged_page(PAGE)
    hidden = Verdict(Label.BOILERPLATE, 0.5, "10000", 1, "unseen")
    is_content = [run.verdict.label is Label.CONTENT for run in runs]
    unseen = [
        r if kept else r._replace(verdict=hidden) for r, kept in zip(runs, is_content, strict=True)
    ]
    assert main_parts(["captions,tables"], []).select(page, unseen) == tuple(unseen)
    page, runs = judged_page("<p><s>nothing</s></p><figcaption><s>here</s></figcaption>")
    assert main_parts(["captions"], []).select(page, runs) == tuple(runs)


@pytest.mark.parametrize("html", ["<p>x", "<table>" * 300 + "x", "<td>" * 2000 + "x"])
def test_pages_of_any_shape_have_parts(html: str) -> None:
    of = page(html)
    (runs,) = verdicts([PageEvidence(of, None)], Config())
    every = main_parts(["captions,comments,tables,notes,byline"], [])
    assert [run.node for run in every.select(of, runs)] == [run.node for run in runs]


FORMULAS = """<p>With <span class=katex><math><annotation encoding='application/x-tex'>E = mc^2
</annotation></math><span>E = m c 2</span></span> it holds <script type='math/tex'>a^2</script> well.</p>"""
PARTS = (
    "<h1>The ferry  runs</h1>",
    "<p>It takes <b>ten minutes</b> to <a href=' to/the isle&#10;now '>the isle</a>, says Ø.</p>",
    "<p>See <a href='/Orphée?a=1&b={2}'>Orphée</a> &#1;or <i> &#2; </i> not.</p>",
    "text of <table>the table <caption>Times</caption><tr><th>Day</th><td>Hour past eight</td></table>",
    "<ol start=3><li>first item<ul><li>inner one</ul><li>third item</ol> behind it",
    "<select><option>one choice</option>more choices</select>",
    "<pre class='language-python'>for x in y:\n    pass  # it</pre>",
    "<pre><i data-line-number=1>1</i>go\n<i data-line-number=2>2</i>on</pre><button>Copy</button>",
    FORMULAS,
    "<blockquote>He said <br>no word <img src=' a b.png' alt='A boat at sea'> of it</blockquote><img alt=S>o, <img alt=a> so",
)
VERDICTS = (
    Verdict(Label.CONTENT, 0.904, "10000", 1, "joint"),
    Verdict(Label.CONTENT, 0.9, "10000", 1, "joint"),
    Verdict(Label.BOILERPLATE, 0.105, "11100", 1, "joint"),
)

SIGNS = (
    *("$5 and <b>$6</b>", "so $a<i>$ is</i> $x_1$", "\\(a\\)", "[caption width='3']", "[1]", "<sup>2</sup>", "<sub>i</sub>", "<q>a</q>"),
    *("\u200e", "a\xadb", "\u200b ", "\x1fa\x85b", "\u5143\n\u5b57", "<b>\u5143</b>\n\u5b57", " ", "\n", "<br>", "<p>"),
    *("<br>\u200e<br>", "<figcaption>A boat. Photo: Ann</figcaption>", "<p class=caption>A boat.<br>Isle. Foto: Ann"),
    *("<table><tr><td>foot<thead><tr><td>head</table>", "<table><thead><tr><td>one<tr><td>two</table>", "</p>"),
    *("<div class=mobile>same</div><div>same</div>", "<span class=sr-only>read</span>", "<i hidden>so</i> so"),
    *("<div style='white-space:pre-line'>a\nb\n\nc</div>", "<pre>a <b>b</b>\nc</pre>", "<pre><h2>a</h2>\n<li>b</pre>"),
    *("<a href='#f1'>1</a>", "<p id=f1><a href='#r1'>^</a> note", "<h2>head <a href='#h' class=headerlink>#</a></h2>"),
    *("<img class=emoji alt=':)'>", "<input type=checkbox checked> done", "<x-tag>custom</x-tag>", "words", "<li>item"),
    *("<span style='vertical-align:super'>6</span>", "<select><option>a<option>b</select>", "<ruby>x<rt>y</ruby>"),
    *("x<br><sup>2</sup>", "<sup>1, 2</sup>", "<q>", "<ruby>\u6f22<rt>kan", "<math><mi>x</mi></math>", "<figcaption>boat.", "Photo: Ann"),
    *("<div style='white-space:pre-wrap'>a\n\u200e\n $$c\n$$ d", "$$", "\\[a", "\\]", "<code>a\nb</code>", "<sup class=footnote>*</sup>"),
)  # fmt: skip


@given(st.lists(st.sampled_from(SIGNS), min_size=1, max_size=8), st.data())
def test_text_that_needs_no_leaves_is_that_of_leaves(parts: list[str], data: st.DataObject) -> None:
    payload = f"<body>words {''.join(parts)}".encode()
    document = load(payload, "text/html; charset=utf-8", Limits(), "write").canonical()
    runs = [
        TextRun(number, 0, len(node.text), data.draw(st.sampled_from(VERDICTS)))
        for number, node in enumerate(document.page.nodes)
    ]
    own = judged_text(document.page, runs, document.markup)
    assert own == judged_content(document, runs, sources=True).text


@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=4), st.data())
def test_marks_need_not_be_written_and_read(parts: list[str], data: st.DataObject) -> None:
    payload = f"<html><title>The ferry</title><body>{''.join(parts)}</body></html>".encode()
    document = load(payload, "text/html; charset=utf-8", Limits(), "write")
    assert document.reads_as_written
    plain = document.canonical(to_format=True)
    runs = [
        TextRun(number, start, end, data.draw(st.sampled_from(VERDICTS)))
        for number, node in enumerate(plain.page.nodes)
        for start, end in pairwise(
            sorted({0, data.draw(st.integers(0, len(node.text))), len(node.text)})
        )
    ]
    asked = {"images": True, "sources": True}
    own = judged_content(plain, runs, "http://ferry.test/", **asked)
    assert own.text == judged_text(plain.page, runs, plain.markup, images=True)
    without_images = judged_text(plain.page, runs, document.canonical().markup)
    assert without_images == judged_text(plain.page, runs, plain.markup)
    written = annotated_html(plain.skeleton, plain.page, runs)
    assert own == annotated_content(written, "http://ferry.test/", text=own.text, **asked)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<ul><li>one</ul>", True),
        ("<ul><li /> <!-- none --> <li>one</li> <li /> </ul>two", True),
        ("<ul><li />one</ul>", False),
        ("<ul><li /> <b>one</b><li>two</ul>", False),
    ],
)
@pytest.mark.parametrize("use", ["mark", "judge", "write"])
def test_an_empty_item_is_read_as_another_once_it_is_written(body, expected, use):
    document = load(f"<body>{body}</body>".encode(), "text/html", Limits(), use)
    written = serialise(document.root)
    again = load(written, "text/html; charset=utf-8", Limits()).page
    assert document.reads_as_written is expected
    assert (_structure(document.page) == _structure(again)) is expected


def _structure(page: Page) -> tuple[object, ...]:
    return page.tags, page.parents, [(node.element, node.text) for node in page.nodes]
