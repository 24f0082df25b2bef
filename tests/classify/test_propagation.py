"""Labels climb to the elements that hold them."""

from __future__ import annotations

import pytest

from dbce.classify import propagate
from dbce.model import Label, TextRun, Verdict
from tests.html.soup import page

BY_SIGN = {"+": Label.CONTENT, "-": Label.BOILERPLATE, "?": Label.INVALID}


def climbed(html: str, signs: str) -> dict[str, Label | None]:
    """The label of each element by its tag; the text nodes have the labels of the signs."""
    of = page(html)
    runs = [
        TextRun(i, 0, len(node.text), Verdict(BY_SIGN[sign], 0.5, "10000", 1, "pattern"))
        for i, (node, sign) in enumerate(zip(of.nodes, signs, strict=True))
    ]
    return dict(zip(of.tags, propagate(of, runs), strict=True))


@pytest.mark.parametrize("sign", "+-?")
def test_what_agrees_climbs_to_the_root(sign):
    labels = climbed("<div><ul><li>a</li></ul><p>b<i>c</i></p></div>", sign * 3)
    assert set(labels.values()) == {BY_SIGN[sign]}


def test_an_only_child_passes_its_label_on():
    labels = climbed("<div><ul><li>a</li></ul></div><p>b</p>", "+-")
    assert [labels[tag] for tag in ("li", "ul", "div")] == [Label.CONTENT] * 3
    assert labels["p"] is Label.BOILERPLATE


def test_what_disagrees_has_no_label_and_passes_the_disagreement_on():
    labels = climbed("<div><ul><li>a</li></ul><p>b</p></div>", "+-")
    assert labels["div"] is labels["body"] is labels["html"] is None
    assert labels["li"] is Label.CONTENT


def test_the_own_text_of_an_element_has_a_say():
    labels = climbed("<div>own<p>a</p></div>", "-+")
    assert labels["div"] is None
    assert labels["p"] is Label.CONTENT


def test_an_element_without_text_has_no_label_and_no_say():
    labels = climbed("<div><img><p>a</p></div>", "+")
    assert labels["img"] is None
    assert labels["div"] is Label.CONTENT


def test_two_runs_of_one_text_that_differ_leave_their_element_without_label():
    of = page("<p>one two</p>")
    runs = [
        TextRun(0, start, end, Verdict(label, 0.5, "10000", 1, "pattern"))
        for start, end, label in ((0, 4, Label.CONTENT), (4, 7, Label.BOILERPLATE))
    ]
    assert propagate(of, runs)[of.tags.index("p")] is None
