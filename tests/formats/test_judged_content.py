"""A page that has just been judged gives the content that reading its marks gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.formats import annotated_content, judged_content, judged_text
from dbce.html import annotated_html, load
from dbce.model import Label, Limits, TextRun, Verdict
from tests.html.soup import serialise

if TYPE_CHECKING:
    from collections.abc import Callable

    from dbce.model import Page

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
    "<blockquote>He said <br>no word <img src=' a b.png' alt='A boat at sea'> of it</blockquote>",
)
VERDICTS = (
    Verdict(Label.CONTENT, 0.904, "10000", 1, "joint"),
    Verdict(Label.CONTENT, 0.9, "10000", 1, "joint"),
    Verdict(Label.BOILERPLATE, 0.105, "11100", 1, "joint"),
)


def judged(page: Page, cut: Callable[[int], int], pick: Callable[[], Verdict]) -> list[TextRun]:
    """Runs that tile each text in one piece or two."""
    runs = []
    for number, node in enumerate(page.nodes):
        end = len(node.text)
        at = cut(end)
        runs += [TextRun(number, a, b, pick()) for a, b in ((0, at), (at, end)) if a < b]
    return runs


@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=4), st.data())
def test_marks_need_not_be_written_and_read(parts: list[str], data: st.DataObject) -> None:
    payload = f"<html><title>The ferry</title><body>{''.join(parts)}</body></html>".encode()
    document = load(payload, "text/html; charset=utf-8", Limits(), to_judge=True)
    assert document.reads_as_written
    plain = document.canonical(to_format=True)
    runs = judged(
        plain.page,
        lambda end: data.draw(st.integers(0, end)),
        lambda: data.draw(st.sampled_from(VERDICTS)),
    )
    own = judged_content(plain, runs, "http://ferry.test/", images=True, sources=True)
    assert own.text == judged_text(plain.page, runs, plain.markup, images=True)
    without_images = judged_text(plain.page, runs, document.canonical().markup)
    assert without_images == judged_text(plain.page, runs, plain.markup)
    written = annotated_html(plain.skeleton, plain.page, runs)
    assert own == annotated_content(
        written, "http://ferry.test/", images=True, sources=True, text=own.text
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<ul><li>one</ul>", True),
        ("<ul><li /> <!-- none --> <li>one</li> <li /> </ul>two", True),
        ("<ul><li />one</ul>", False),
        ("<ul><li /> <b>one</b><li>two</ul>", False),
    ],
)
@pytest.mark.parametrize("to_judge", [True, False])
def test_an_empty_item_is_read_as_another_once_it_is_written(body, expected, to_judge):
    document = load(f"<body>{body}</body>".encode(), "text/html", Limits(), to_judge=to_judge)
    written = serialise(document.root)
    again = load(written, "text/html; charset=utf-8", Limits()).page
    assert document.reads_as_written is expected
    assert (_structure(document.page) == _structure(again)) is expected


def _structure(page: Page) -> tuple[object, ...]:
    return page.tags, page.parents, [(node.element, node.text) for node in page.nodes]
