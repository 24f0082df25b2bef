"""Classes of `<dbce>` elements: by patterns, of parents by their children, and learned."""

import numpy as np
import pytest
from bs4 import Tag

from dbce.boilerplate.classify.thesis import FEATURES, run_features
from dbce.model import Cross
from dbce.thesis.annotation import annotate
from dbce.thesis.classification import (
    class_of,
    classify,
    features,
    parse_body,
    propagate,
    set_class,
    train,
)
from tests.html.soup import page
from tests.site import article

SEED = 2047226289


def body(*texts: tuple[str, str]) -> str:
    """Paragraphs of a `<dbce>` each, given its bits and its text."""
    roles = ("cur", "up", "down", "prev", "next")
    return "".join(
        f'<p><dbce class="{" ".join(f"dbce-{r}" for r, bit in zip(roles, bits, strict=True) if bit == "1")}">'
        f"{text}</dbce></p>"
        for bits, text in texts
    )


def classes(html: str) -> list[str | None]:
    return [class_of(element) for element in parse_body(html).find_all("dbce")]


@pytest.mark.parametrize(
    ("classifier", "expected"),
    [("T001", ["content", "bp", "invalid"]), ("T002", ["content", "bp", "bp"])],
)
def test_patterns_class_the_elements(classifier, expected):
    html = body(("10011", "own"), ("11111", "all"), ("10100", "some"))
    assert classes(classify(html, "11111", classifier, SEED)) == expected


def test_parents_take_the_class_that_all_their_children_have():
    soup = parse_body("<div><ul><li><dbce>a</dbce></li><li><dbce>b</dbce></li></ul></div><p></p>")
    for element in soup.find_all("dbce"):
        set_class(element, "bp")
    propagate(soup)
    named = {e.name: class_of(e) for e in soup.find_all(["li", "ul", "div", "p", "body"])}
    assert named == {"li": "bp", "ul": "bp", "div": "bp", "p": None, "body": None}

    set_class(soup.find_all("dbce")[0], "content")
    propagate(soup)
    classes = [class_of(e) for e in soup.find_all(["li", "ul", "div"])]
    assert classes == [None, None, "content", "bp"]


def test_the_text_of_a_form_field_is_classed_too():
    html = '<form><textarea><dbce class="dbce-cur dbce-up">say &lt;b&gt;</dbce></textarea></form>'
    classed = classify(html, "11000", "T001", SEED)
    assert classes(classed) == ["bp"]
    assert "say &lt;b&gt;</dbce></textarea>" in classed
    assert classify(classed, "11000", "T001", SEED) == classed


def test_an_image_takes_its_class_with_it():
    html = '<p><dbce class="dbce-cur"><img src="x"></dbce></p>'
    assert classes(classify(html, "11000", "T001", SEED)) == ["content"]


NESTED = "<div><div><p>a b c</p>d {} <span>f</span></div><table><tr><td>g {}</td><td><ul><li>i</ul></table></div>"


@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize(
    ("html", "other"),
    [
        (article("ferry", "one <a href='x'>two three</a> four " * 20, "last"), ""),
        (article("ferry", "one two three four " * 20), article("clocks", "one two three " * 20)),
        ("<div>one <b>two <i></i>words</b> three four</div>", ""),
        ("<div><p>one <a>two <b>three</b></a> four</p>last</div><a><b><i>x y</i></b></a>", ""),
        ("<ul class='b a'><li class=x>one<li>two <em>three</em></ul><p class='a  b'>x</p>", ""),
        (f"<p>{'w' * 200} {'x' * 90} y</p><p>{'word ' * 15}whole {'x ' * 50}</p>", ""),
        (NESTED.format("e", "h"), NESTED.format("x", "y")),
    ],
)
def test_the_features_are_those_of_the_fast_way(html, other, layers):
    # But for the numbers of tag names.
    bodies = {"cur": html, "up": other} if other else {"cur": html}
    found = Cross("cur", "up" if other else None, *[None] * 3, 0.0, 0.0)
    soup = parse_body(annotate(bodies, found))
    elements = soup.find_all("dbce")
    counts = np.array([len(element.get_text().split()) for element in elements])
    whole = page(html)
    ends = np.cumsum([len(node.text.split()) for node in whole.nodes], dtype=np.uint32)
    fast = run_features(whole, np.cumsum(counts) - counts, ends, layers)
    literal = features(soup, elements, layers)
    kept = [n for n in range(20 * layers) if "nid" not in FEATURES[n % 20]]
    assert np.allclose(literal[:, kept], fast[:, kept])


def test_vectors_of_both_classes_teach_nothing():
    rows = np.array([[n % 3, 0] for n in range(9)], dtype=np.float64)
    kinds = ["content" if n % 3 == 0 else "bp" for n in range(9)]
    model = train(rows, kinds, "T006", SEED)
    assert model.predict([[0, 0]]).tolist() == [True]
    assert train(rows, ["bp", *kinds[1:]], "T006", SEED) is None  # no content is left
    assert train(rows[:4], kinds[:4], "T006", SEED) is None  # too few


@pytest.mark.parametrize("classifier", ["T003", "T004", "T005", "T006"])
def test_what_patterns_leave_open_is_learned_from_the_rest(classifier):
    long, short = "word " * 60, "menu"
    known = [("10011", long), ("11111", short)] * 6
    html = classify(body(*known, ("10100", long), ("10101", short)), "11111", classifier, SEED)
    assert classes(html)[-2:] == ["content", "bp"]
    assert "dbce-by-reclassified" in html


def test_without_two_classes_the_patterns_stand():
    html = body(("10011", "own"), ("10100", "some"))
    assert classes(classify(html, "11111", "T006", SEED)) == ["content", "invalid"]


def test_an_element_that_loses_its_class_loses_its_attribute():
    element = parse_body("<p>text</p>").find("p")
    assert isinstance(element, Tag)
    set_class(element, "bp")
    assert str(element) == '<p class="dbce-class-bp">text</p>'
    set_class(element, None)
    assert str(element) == "<p>text</p>"
