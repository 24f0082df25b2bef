"""Labels of a page that stands alone."""

from __future__ import annotations

import pytest

from dbce.boilerplate.classify import density_labels
from dbce.model import BOILERPLATE, CONTENT
from tests.html.soup import page


def words(count: int) -> str:
    return " ".join(f"w{n}" for n in range(count))


def block(count: int, linked: int = 0) -> str:
    return f"<p>{words(count - linked)} <a>{words(linked)}</a></p>" if linked else p(count)


def p(count: int) -> str:
    return f"<p>{words(count)}</p>"


def labels(*blocks: str) -> str:
    """One sign a text node: + content, - boilerplate."""
    signs = {CONTENT: "+", BOILERPLATE: "-"}
    return "".join(signs[label] for label in density_labels(page("".join(blocks))).tolist())


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        # Kohlschütter et al. 2010, algorithm 2: words and link density of three blocks in a row.
        ([p(17)], "+"),
        ([p(16)], "-"),
        ([block(30, linked=11)], "--"),  # link density above 1/3
        ([block(30, linked=10)], "++"),
        ([p(3), p(16)], "+-"),  # a long block follows
        ([p(3), p(15)], "--"),
        ([p(5), p(3)], "-+"),  # more than four words stand before
        ([p(4), p(3)], "--"),
        ([block(9, linked=9), p(40)], "--"),  # after a block of links
        ([block(9, linked=9), p(41)], "-+"),
        ([block(9, linked=9), p(5), p(18)], "-++"),
        ([block(9, linked=9), p(5), p(17)], "--+"),
        ([block(9, linked=5), p(17)], "--+"),  # 5/9 is not above 5/9
        ([block(9, linked=6), p(17)], "---"),
    ],
)
def test_words_and_links_of_a_block_and_its_neighbours_decide(blocks, expected):
    assert labels(*blocks) == expected


def test_all_text_nodes_of_a_block_have_one_label():
    assert labels(f"<p>{words(9)} <b>{words(9)}</b> {words(2)}</p>", "<ul><li>a</ul>") == "++++"


def test_links_count_at_any_depth():
    assert labels(f"<p><a><b><i>{words(30)}</i></b></a></p>") == "-"


def test_a_page_without_text_has_no_labels():
    assert len(density_labels(page("<p></p>"))) == 0
