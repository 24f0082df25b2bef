"""Blocks as data: each says what it is and where it came from."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from lxml import html as lxml_html

from dbce.formats import FORMATS, Extract
from tests.formats.build import extract, extract_soup
from tests.html.soup import soup

SCHEMA = json.loads(
    (Path(__file__).resolve().parents[2] / "docs/page-blocks.schema.json").read_text("utf-8")
)
BODY = (
    "<div><h2>One</h2><s>Menu</s><p>two <s>ad</s> <b>three</b><br>four</p></div>"
    "<ol start=3><li>five<ul><li>six</li></ul></li><li>seven</li></ol><p>eight</p>"
    "<table><caption>Who</caption><tr><th>a</th><th>b</th></tr><tr><td></td><td>c</td></tr><tr><td>d</td><td>e</td></tr></table>"
    "<blockquote><p>nine</p><blockquote>ten</blockquote></blockquote><dl><dt>t</dt><dd>u</dd></dl>"
    "<pre><code class=language-py>x = 1\n  y</code></pre>"
    "<p>So <math alttext='x^2'><mi>x</mi></math> <img src=g.png alt=goat> is</p>"
)


def page_of(page: Extract) -> dict[str, Any]:
    return json.loads(FORMATS["blocks"].alone(page))


def blocks(body: str) -> list[dict[str, Any]]:
    return page_of(extract(body))["blocks"]


def told(body: str, *names: str) -> list[tuple[Any, ...]]:
    return [tuple(block[name] for name in names) for block in blocks(body)]


def test_blocks_say_what_they_are():
    assert told(BODY, "type", "level", "text", "structure", "number") == [
        ("heading", 2, "One", None, None),
        ("paragraph", None, "two three\nfour", None, None),
        ("item", 1, "five", 1, 3),
        ("item", 2, "six", 1, None),
        ("item", 1, "seven", 1, 4),
        ("paragraph", None, "eight", None, None),
        ("caption", None, "Who", 2, None),
        ("header", None, "a", 2, None),
        ("header", None, "b", 2, None),
        ("cell", None, "c", 2, None),
        ("cell", None, "d", 2, None),
        ("cell", None, "e", 2, None),
        ("quotation", 1, "nine", 3, None),
        ("quotation", 2, "ten", 3, None),
        ("term", 1, "t", 4, None),
        ("definition", 1, "u", 4, None),
        ("code", None, "x = 1\n  y", None, None),
        ("paragraph", None, "So $x^2$ is", None, None),
    ]


def test_cells_have_their_rows_and_columns():
    cells = told(BODY, "text", "row", "column")[6:12]
    assert cells == [
        ("Who", None, None),
        ("a", 1, 1),
        ("b", 1, 2),
        ("c", 2, 2),
        ("d", 3, 1),
        ("e", 3, 2),
    ]


def test_paths_lead_to_the_elements_of_the_page_as_it_was():
    body = (
        "<div><span>a<p>One</p></span>ad<s>ad</s><p>two</p><span><p>three</p></span></div>"
        "<select><option>four</option></select>"
    )
    root = lxml_html.document_fromstring(f"<html><body>{body}</body></html>")
    for block in blocks(body):
        (element,) = root.xpath(block["xpath"])
        assert block["text"] in " ".join(element.text_content().split())


def test_the_record_is_named():
    page = page_of(extract("<p>One</p>"))
    assert (page["version"], page["filename"], page["offset"]) == (1, "site.warc.gz", 512)


def test_a_block_has_the_probability_of_its_text():
    assert told("<p>One</p>", "probability") == [(0.9,)]


def test_an_image_alone_was_not_judged_and_has_its_place_in_the_text():
    page = page_of(extract("<p>One</p><p><img src=g.png alt=goat></p><p>two</p>", images=True))
    image = page["blocks"][1]
    assert (image["text"], image["start"], image["probability"]) == ("goat", 4, None)
    assert image["xpath"] == "/html/body/p[2]"


def check(page: Extract) -> None:
    """Every block stands in the text where it says, in order, and all values are those of the schema."""
    row = page_of(page)
    assert row.keys() >= set(SCHEMA["required"])
    end = 0
    for block in row["blocks"]:
        assert list(block) == SCHEMA["$defs"]["block"]["required"]
        assert block["type"] in SCHEMA["$defs"]["block"]["properties"]["type"]["enum"]
        assert block["start"] >= end
        end = block["end"]
        # Around the signs of a formula stands no white space.
        lines = row["text"][block["start"] : end].split()
        assert "".join(lines) == "".join(block["text"].split())
    assert end == len(row["text"])


@settings(max_examples=150)
@given(soup)
def test_blocks_tile_the_text_whatever_the_page(body):
    check(extract_soup(body))


@pytest.mark.parametrize("body", [BODY, "", "<p>One</p>"])
@pytest.mark.parametrize("images", [True, False])
def test_blocks_are_valid_by_their_schema(body, images):
    jsonschema = pytest.importorskip("jsonschema", reason="pip install jsonschema")
    validator = jsonschema.Draft202012Validator(SCHEMA)
    validator.check_schema(SCHEMA)
    validator.validate(page_of(extract(body, "http://a.example/", images=images, title="One")))
