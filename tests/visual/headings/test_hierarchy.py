"""The content body: by the verdicts, or by a path."""

import pytest

from dbce.model import UsageError
from dbce.visual.headings import body_of, element_at
from tests.visual.headings.build import page

PAGE = page(
    "<div id=m><p>menu</p></div><div id=c><h1>title</h1><div><p>one</p><p>two</p></div></div>"
    "<table><tr><td>foot</td></tr></table>"
)
TEXTS = {text.text: text.node for text in PAGE.texts}


@pytest.mark.parametrize(
    ("shares", "path"),
    [
        ({"one": 1.0}, "/html/body/div[2]/div[1]/p[1]"),
        ({"one": 1.0, "two": 0.6}, "/html/body/div[2]/div[1]"),
        ({"title": 1.0, "one": 1.0, "two": 1.0}, "/html/body/div[2]"),
        ({"one": 1.0, "two": 1.0, "foot": 0.4}, "/html/body/div[2]/div[1]"),
        ({"title": 1.0, "menu": 1.0}, "/html/body"),
        ({}, "/html/body"),
    ],
)
def test_it_is_the_smallest_element_that_holds_all_content(
    shares: dict[str, float], path: str
) -> None:
    content = {TEXTS[name]: share for name, share in shares.items()}
    assert PAGE.elements[body_of(PAGE, "verdicts", content)].xpath == path


def test_it_can_be_the_whole_page_or_an_element() -> None:
    assert body_of(PAGE, "body", {}) == 0
    assert PAGE.elements[body_of(PAGE, "/html/body/div[2]", {})].attributes == {"id": "c"}
    # A first element may be numbered, and a tbody may be there or not.
    cell = element_at(PAGE, "/html[1]/body[1]/table[1]/tbody[1]/tr[1]/td[1]")
    assert PAGE.elements[cell].tag == "td"
    with pytest.raises(UsageError, match="the page has no element /html/body/ol"):
        element_at(PAGE, "/html/body/ol")
