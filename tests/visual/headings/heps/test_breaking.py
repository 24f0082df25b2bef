"""What breaks sentences is joined with the texts beside it (H 4.1)."""

from __future__ import annotations

import pytest

from dbce.visual.headings.heps import HepsOptions, tree
from dbce.visual.headings.heps.tree import without_breaking
from tests.visual.headings.build import page


def leaves(source: str, breaking: str = "internal", image_text: str = "src") -> list[str]:
    options = HepsOptions(breaking=breaking, image_text=image_text)
    root = tree(page(source), 0, options.image_text)
    without_breaking(root, options.breaking)
    return [leaf.content for leaf in root.leaves()]


def test_a_link_between_two_texts_becomes_one_text_with_them() -> None:
    assert leaves("<p>See <a href=x>the  notes</a> below.</p>") == ["See the notes below."]


def test_what_looks_like_it_is_joined_at_the_edge_of_a_text_too() -> None:
    source = "<p>See <a href=x>a</a> below.</p><p><a href=y>This</a> is it.</p>"
    assert leaves(source) == ["See a below.", "This is it."]


def test_what_looks_otherwise_stays() -> None:
    source = "<p>See <a href=x>a</a> below.</p><p><b>This</b> is it.</p>"
    assert leaves(source) == ["See a below.", "This", "is it."]


def test_a_node_of_that_style_becomes_a_text_even_if_it_stands_alone() -> None:
    root = tree(page("<p>See <b>a</b> below.</p><p><b>Alone</b></p>"), 0, "src")
    without_breaking(root, "internal")
    assert [leaf.looks.path for leaf in root.leaves()] == [("body", "p", "")] * 2


@pytest.mark.parametrize(
    ("breaking", "found"),
    [
        ("internal", ["one", "two", "three", "four"]),
        ("any", ["one two", "three four"]),
        ("none", ["one", "two", "three", "four"]),
    ],
)
def test_br_is_not_internal(breaking: str, found: list[str]) -> None:
    assert leaves("<p>one<br>two</p><p><br>three<br>four</p>", breaking) == found


def test_without_the_rule_links_stay_texts_of_their_own() -> None:
    assert leaves("<p>See <b>a</b> below.</p>", "none") == ["See", "a", "below."]


def test_the_texts_of_what_is_nested_in_it_are_joined_in_order() -> None:
    assert leaves("<p>One <b>two <i>three</i> four</b> five</p>") == ["One two three four five"]


@pytest.mark.parametrize(
    ("image_text", "said"),
    [("src", "https://e.org/a-b.gif"), ("words", "e org a b gif The Title")],
)
def test_an_image_says_its_address_or_words(image_text: str, said: str) -> None:
    source = '<p><img src="https://e.org/a-b.gif" alt="The  Title"></p>'
    assert leaves(source, "internal", image_text) == [said]


def test_scripts_and_frames_are_left_out_and_hidden_texts_are_not() -> None:
    source = "<p>a</p><script>var b;</script><p style='display:none'>c</p>"
    assert leaves(source) == ["a", "c"]
