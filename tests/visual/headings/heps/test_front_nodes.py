"""Front nodes (H 4.3.1, figure 6) and the order of candidate lists (H 4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.visual.headings.heps import candidate_lists, front_nodes, tree
from tests.visual.headings.build import page

if TYPE_CHECKING:
    from dbce.visual.headings.heps import ContentNode

FIGURE_6 = (
    "<div><b>2010</b><ul><li><b>Jul.</b> Started.</li></ul>"
    "<b>2012</b><ul><li><b>Feb.</b> Finished.</li><li><b>Mar.</b> Opened.</li>"
    "<li><b>Jul.</b> Millionth.</li></ul></div>"
)


def fronts(source: str, words: set[str]) -> list[str]:
    root = tree(page(source), 0, "src")
    nodes: list[ContentNode] = [leaf for leaf in root.leaves() if leaf.content in words]
    return [node.tag for node in front_nodes(nodes, root)]


def test_two_b_in_one_div_are_their_own_front_nodes() -> None:
    assert fronts(FIGURE_6, {"2010", "2012"}) == ["b", "b"]


def test_four_texts_in_b_in_li_of_two_lists_have_the_li() -> None:
    assert fronts(FIGURE_6, {"Jul.", "Feb.", "Mar."}) == ["li"] * 4


def test_a_list_of_one_has_the_content_body() -> None:
    assert fronts(FIGURE_6, {"Feb."}) == ["body"]


def order(source: str) -> list[str]:
    return [one.nodes[0].content for one in candidate_lists(tree(page(source), 0, "src"))]


def test_lists_with_front_nodes_higher_up_come_first() -> None:
    source = "<ul><li><b>a</b></li><li><b>b</b></li></ul><p>c</p><p>d</p>"
    assert order(source) == ["c", "a"]


def test_of_one_depth_the_larger_font_comes_first_then_the_bolder_then_the_earlier() -> None:
    source = (
        "<p>plain</p><p>plain 2</p><h5>small</h5><h5>small 2</h5><h4>bold</h4><h4>bold 2</h4>"
        "<h2>large</h2><h2>large 2</h2><div>later</div><div>later 2</div>"
    )
    assert order(source) == ["large", "bold", "plain", "later", "small"]
