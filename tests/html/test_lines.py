"""Lines of text nodes, and the elements that set them."""

from __future__ import annotations

import pytest

from dbce.html.walk import holders, lines
from tests.html.soup import page


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
