"""The headline of a page, among its titles and headings."""

import pytest

from tests.metadata.pages import json_ld, og, said_by

SITE = og("og:site_name", "The Paper")


@pytest.mark.parametrize(
    ("head", "body", "title", "source"),
    [
        ("<title>Ferry at dawn | Any Site</title>", "<h1>Ferry at dawn</h1>", "Ferry at dawn", "title"),
        ("<title>News - Ferry at dawn - Any Site</title>", "<h1>Ferry at dawn</h1>", "Ferry at dawn", "title"),
        (f"<title>Ferry \u2013 The Paper</title>{SITE}", "<p>a</p>", "Ferry", "title"),
        ("<title>paper.example: Ferry :: paper</title>", "<p>a</p>", "paper.example: Ferry", "title"),
        ("<title>Ferry | The goats of the market</title>", "<p>a</p>", "Ferry | The goats of the market", "title"),
        (og("og:title", "The Paper") + SITE + "<title>Ferry</title>", "<p>a</p>", "Ferry", "title"),
        (og("og:title", "{{page.title}}") + "<title>Ferry</title>", "<p>a</p>", "Ferry", "title"),
        (og("og:title", "Ferry: what it costs"), "<h1>What the ferry costs</h1>", "What the ferry costs", "h1"),
        (og("og:title", "The ferry at dawn"), "<h1>Opinion: The ferry at dawn</h1>", "The ferry at dawn", "meta:og:title"),
        (og("og:title", "The ferry at dawn"), "<h1>Menu</h1>", "The ferry at dawn", "meta:og:title"),
        (f"<title>The Paper</title>{SITE}", "<h1>The Paper</h1><h1>Ferry</h1>", "Ferry", "h1"),
        ("<title>. .</title>", "<h1></h1><h2>Ferry</h2>", "Ferry", "h1"),
        (f"<title>The Paper</title>{SITE}", "<p>a</p>", "The Paper", "title"),
        (
            "<title>Ferry - Lexicon</title>"
            + json_ld('{"@type": "Article", "name": "Ferry", "headline": "boat that crosses a river"}'),
            "<h1>Ferry</h1>",
            *("Ferry", "json-ld:name"),
        ),
    ],
)  # fmt: skip
def test_headline(head: str, body: str, title: str, source: str) -> None:
    metadata = said_by(head, body)
    assert (metadata.title, metadata.title_source) == (title, source)


def test_values_of_a_template_that_was_not_filled_are_passed_over() -> None:
    head = og("og:site_name", "{{site.name}}") + og("og:description", ". .")
    metadata = said_by(f"<meta name='application-name' content='The Paper'>{head}")
    assert (metadata.site_name, metadata.description) == ("The Paper", None)
