"""What is too much to parse is told before it is parsed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.html import load, parse
from dbce.html.parse import _ATTRIBUTE, _START_TAG, _has_too_many_attributes
from dbce.model import InputError, Limits, Reason


def reason(html: str, **limits: int) -> Reason:
    with pytest.raises(InputError) as error:
        load(html.encode(), "text/html", Limits(**limits))
    return error.value.reason


def attributes(count: int) -> str:
    return " ".join(f"a{n}='{n}>'" for n in range(count))


def test_a_million_empty_elements_are_not_parsed(monkeypatch) -> None:
    monkeypatch.setattr("dbce.html.document.parse", None)
    assert reason("<b></b>" * 1_000_000) == Reason.TOO_MANY_ELEMENTS


def test_comments_and_dropped_elements_take_memory_too() -> None:
    for tag in ("<!-- -->", "<script></script>", "<?php ?>"):
        assert reason(tag * 101, elements=100) == Reason.TOO_MANY_ELEMENTS
        assert load(f"{tag * 99}x".encode(), "", Limits(elements=100)).page.nodes


@pytest.mark.parametrize("tag", ["<p {}>x", "<p a=\"<b c='>'\" {}>x", "<p/{}", "<br><br {} "])
def test_an_element_of_very_many_attributes_is_rejected(tag: str) -> None:
    assert reason(tag.format(attributes(30_000))) == Reason.TOO_MANY_ELEMENTS


@pytest.mark.parametrize(
    "html",
    [
        f"<p {attributes(5_000)}>text",
        "<p>text</p><img src='data:,{}'>".format("a b " * 100_000),
        "<p>text</p><script>if (a <b) {{ {} }}</script>".format("x y " * 100_000),
        "<p>text</p><!-- <p {}> -->".format("x y " * 100_000),
        "<p>1 <2 {}".format("x y " * 100_000),
    ],
)
def test_long_tags_scripts_and_comments_are_no_attributes(html: str) -> None:
    assert load(html.encode(), "text/html", Limits()).page.nodes


@pytest.mark.parametrize(
    "html", ["<a" * 2_000_000, "<a b='" * 600_000, "<a b=" * 800_000, "<a " + "= " * 2_000_000]
)
def test_hostile_tags_take_linear_time(html: str) -> None:
    _has_too_many_attributes(html)  # would not end


@given(st.text("<ab='\">/= \t\n", max_size=60))
def test_no_spelling_hides_attributes_that_the_parser_makes(rest: str) -> None:
    html = f"<p {rest}>x"
    tag = _START_TAG.match(html)
    assert tag
    made = next(parse(html).iter("p"), None)  # an open quotation takes the rest, tag and all
    assert made is None or len(made.attrib) <= len(re.findall(_ATTRIBUTE, tag[0][2:]))


def test_a_page_of_more_texts_than_the_limit_is_rejected() -> None:
    assert reason("<p>a<b>b</b>" * 6, texts=11) == Reason.TOO_MANY_TEXTS
    assert len(load(b"<p>a<b>b</b>" * 6, "", Limits(texts=12)).page.nodes) == 12


def test_a_page_of_more_words_than_the_limit_is_rejected() -> None:
    assert reason("<p>a b c<p>d e f", words=5) == Reason.TOO_MANY_WORDS
    assert load(b"<p>a b c<p>d e f", "", Limits(words=6)).page.nodes
