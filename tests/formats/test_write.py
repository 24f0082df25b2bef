"""Formats: one page alone, and many in a row."""

from __future__ import annotations

import csv
import io
import json

import pytest
from lxml import html as lxml_html

from dbce.formats import FORMATS, written
from dbce.metadata import COLUMNS
from tests.formats.build import extract

PAGES = [
    extract(
        '<h1>One</h1><p>two, "three"</p>', "http://a.example/--x", title="One", title_source="h1"
    ),
    extract("<p>Four</p>", "http://a.example/?b&c", language="de"),
]


def together(name: str) -> str:
    return "".join(written(PAGES, FORMATS[name]))


def test_json_lines_have_all_values_and_where_they_were_found():
    first, second = map(json.loads, together("jsonl").splitlines())
    assert list(first) == ["record_id", "url", "timestamp", *COLUMNS, "text"]
    assert (first["timestamp"], first["title"], first["title_source"]) == (
        "20160601000000",
        "One",
        "h1",
    )
    assert first["text"] == 'One\ntwo, "three"'
    assert (second["title"], second["language"]) == (None, "de")


def test_csv_has_one_header_and_the_same_values():
    first, second = csv.DictReader(io.StringIO(together("csv")))
    assert first["text"] == 'One\ntwo, "three"'
    assert (first["title"], second["title"], second["language"]) == ("One", "", "de")
    assert list(first) == list(json.loads(together("jsonl").splitlines()[0]))


def test_plain_text_names_the_page_before_its_text():
    assert together("txt") == (
        '# http://a.example/--x 20160601000000\n\nOne\ntwo, "three"\n\n'
        "# http://a.example/?b&c 20160601000000\n\nFour\n\n"
    )


def test_markdown_names_the_page_where_no_reader_sees_it():
    first, second = together("markdown").split("<!-- ")[1:]
    assert first == 'http://a.example/%2D%2Dx 20160601000000 -->\n\n# One\n\ntwo, "three"\n\n'
    assert second.startswith("http://a.example/?b&c ")


def test_html_is_one_document_with_an_article_a_page():
    root = lxml_html.document_fromstring(together("html"))
    articles = root.findall("body/article")
    assert [one.get("data-url") for one in articles] == [
        "http://a.example/--x",
        "http://a.example/?b&c",
    ]
    assert [one.get("lang") for one in articles] == [None, "de"]
    assert [child.tag for child in articles[0]] == ["h1", "p"]


@pytest.mark.parametrize(
    ("name", "alone"),
    [("txt", 'One\ntwo, "three"'), ("markdown", '# One\n\ntwo, "three"'),
     ("html", '<h1>One</h1>\n<p>two, "three"</p>')],
)  # fmt: skip
def test_a_page_alone_is_its_content(name, alone):
    assert FORMATS[name].alone(PAGES[0]) == alone


@pytest.mark.parametrize("name", ["jsonl", "csv"])
def test_a_page_alone_is_one_row(name):
    assert FORMATS[name].alone(PAGES[0]) == "".join(written(PAGES[:1], FORMATS[name]))
