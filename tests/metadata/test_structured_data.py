"""The signs and texts that a page tells of itself outside of its text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.html import DeclaredMetadata, load
from dbce.metadata import DESCRIPTION_SIGNS, SelfDescription, self_description
from dbce.metadata.structured_data import GROUPS, LEAST_OF_ARTICLE, MOST_VALUES, as_words
from dbce.model import Limits
from tests.metadata.pages import json_ld, meta, og

LONG = "The ferry crosses at six. " * 30


def found(head: str) -> SelfDescription:
    payload = f"<html><head>{head}</head><body><p>a</p></body></html>".encode()
    document = load(payload, "text/html; charset=utf-8", Limits())
    return self_description(document.declared_metadata)


def texts(item: object) -> dict[str, str]:
    return dict(found(json_ld(json.dumps(item))).texts)


def sign(head: str, name: str) -> float:
    return found(head).signs[DESCRIPTION_SIGNS.index(name)]


def test_a_page_without_head_tells_nothing_and_each_its_own_description():
    assert found("") == SelfDescription((0.0,) * len(DESCRIPTION_SIGNS), {})
    head = meta("description", "Ferries &amp; fares") + og("og:description", "A guide to ferries")
    assert found(head).texts == {"description": " ferries fares a guide to ferries "}


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (og("og:type", "Article"), "og_article"),
        (og("og:type", "product.item"), "og_product"),
        (og("og:type", "website"), "og_website"),
        (og("product:price:amount", "3.20"), "og_price"),
        (meta("viewport", "width=device-width"), "viewport"),
        (json_ld('{"@type": "QAPage", "name": "Ferries"}'), "ld_forum"),
        (json_ld('[{"@graph": [{"@type": ["Thing", "x"]}, {"@type": "NewsArticle"}]}]'), "ld_article"),
    ],
)  # fmt: skip
def test_signs_say_what_kind_of_page_it_is(head: str, name: str):
    assert sign(head, name) == 1
    assert sum(found(head).signs) == 1


def test_the_body_of_an_article_is_told_if_it_is_no_summary():
    assert texts({"@type": "NewsArticle", "articleBody": f"<p>{LONG}</p>"}) == {
        "article": f" {' '.join(['the ferry crosses at six'] * 30)} "
    }
    short = " ".join(["word"] * (LEAST_OF_ARTICLE - 1))
    assert texts({"@type": "NewsArticle", "articleBody": short}) == {}


def test_texts_are_told_by_what_they_are_of():
    said = {of: f"{of} crosses at six today" for of in "abcdefg"}
    item = {
        "@type": "http://schema.org/QAPage",
        "mainEntity": {
            "@type": "Question",
            "text": said["a"],
            "acceptedAnswer": [{"@type": "Answer", "text": said["b"]}],
            "comment": {"@type": "Comment", "text": said["c"]},
        },
        "author": {"@type": "Person", "description": said["d"]},
        "image": {"caption": said["e"]},
        "about": {"@type": "Product", "description": said["f"], "name": "Ferry"},
        "description": said["g"],
    }
    assert texts(item) == {
        "answers": f" {said['a']} {said['b']} ",
        "reviews": f" {said['c']} ",
        "about": f" {said['d']} {said['e']} ",
        "product": f" {said['f']} ",
    }


KEYS = st.sampled_from(("@type", "@graph", "articleBody", "text", "description", "caption"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text() | st.sampled_from((*GROUPS["forum"], LONG)),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(KEYS | st.text(), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(VALUES)
def test_whatever_json_a_page_has_words_are_told_between_spaces(value):
    texts = self_description(DeclaredMetadata(linked=(json.dumps(value),))).texts
    assert all(text == as_words(text) for text in texts.values())


def test_what_is_no_json_or_has_no_end_costs_nothing_else():
    deep = "[" * 5000 + "]" * 5000
    many = json.dumps([{"text": f"answer number {n} of very many"} for n in range(2 * MOST_VALUES)])
    head = json_ld("{,}") + json_ld(deep) + og("og:type", "article") + json_ld(many)
    assert sign(head, "og_article") == 1
    assert 0 < found(head).texts["answers"].count("answer") < MOST_VALUES
