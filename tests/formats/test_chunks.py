"""Chunks: a text in order, nothing lost, no structure cut that fits, and each says where it stands."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbce.formats import FORMATS, Chunking, Extract, Part, format_of
from dbce.formats.content import plain_line
from dbce.formats.part import HEADINGS
from dbce.model import UsageError, count_words
from tests.formats.build import extract, extract_soup
from tests.html.soup import soup

SCHEMA = json.loads(
    (Path(__file__).resolve().parents[2] / "docs/page-chunks.schema.json").read_text("utf-8")
)
WORDS = st.sampled_from(
    ["The ferry sails.", "Ropes, nets and oars", "港に船が着く。", "a", "Tide: 3.4 m"]
)
INLINE = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)


def tag(name: str, inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return inside.map(lambda text: f"<{name}>{text}</{name}>")


ITEM = st.one_of(INLINE, st.tuples(INLINE, tag("ul", tag("li", INLINE))).map("".join))
ROW = tag("tr", st.tuples(tag("td", INLINE), tag("td", INLINE)).map("".join))
STRUCTURE = st.one_of(
    tag("p", INLINE),
    tag("pre", st.lists(INLINE, min_size=1, max_size=4).map("\n".join)),
    tag("ul", st.lists(tag("li", ITEM), min_size=1, max_size=5).map("".join)),
    tag("table", st.lists(ROW, min_size=2, max_size=5).map("".join)),
)
BODY = st.lists(
    st.one_of(
        *(tag(name, INLINE) for name in ("h2", "h3")),
        STRUCTURE,
        tag("blockquote", st.lists(STRUCTURE, min_size=1, max_size=3).map("".join)),
    ),
    max_size=8,
).map("".join)


def chunks(page: Extract, size: int = 300, tokenizer: str = "words") -> list[dict[str, Any]]:
    form = format_of("chunks", chunking=Chunking(size, tokenizer))
    return [json.loads(line) for line in form.alone(page).splitlines()]


def check(page: Extract, size: int) -> list[dict[str, Any]]:
    """The chunks of a page, which are its text in order without the white space between them."""
    rows = chunks(page, size)
    end = 0
    for number, row in enumerate(rows, start=1):
        assert row["chunk"] == number
        assert page.text[row["start"] : row["end"]] == row["text"] != ""
        assert row["size"] == count_words(row["text"]) <= size
        assert not page.text[end : row["start"]].strip()
        assert end <= row["start"]
        end = row["end"]
    assert not page.text[end:].strip()
    return rows


def structures(parts: tuple[Part | str, ...]) -> list[Part]:
    """All lists, tables and code, also those within others."""
    inside = [part for part in parts if isinstance(part, Part)]
    own = [part for part in inside if part.tag in ("ul", "ol", "dl", "table", "pre")]
    return own + [one for part in inside for one in structures(part.children)]


def sources(part: Part) -> list[tuple[int, int]]:
    if part.source:
        return [(part.source.start, part.source.end)]
    return [one for child in part.children if isinstance(child, Part) for one in sources(child)]


@settings(max_examples=60)
@given(BODY, st.integers(1, 40))
def test_chunks_are_the_text_in_order_and_cut_no_structure_that_fits(body, size):
    page = extract(body)
    rows = check(page, size)
    for part in structures(page.blocks):
        start, end = min(sources(part))[0], max(sources(part))[1]
        if count_words(page.text[start:end]) <= size:
            assert any(row["start"] <= start and end <= row["end"] for row in rows)


@settings(max_examples=60)
@given(soup, st.integers(1, 20))
def test_chunks_are_the_text_in_order_whatever_the_page(body, size):
    check(extract_soup(body), size)


@settings(max_examples=60)
@given(BODY, st.integers(1, 40))
def test_a_chunk_is_of_one_section_and_knows_the_last_heading_above(body, size):
    page = extract(body)
    headings = [(*sources(block)[0], block) for block in page.blocks if block.tag in HEADINGS]
    starts = {start for start, _, _ in headings}
    for row in chunks(page, size):
        above = [(end, block) for _, end, block in headings if end <= row["start"]]
        if row["start"] not in starts:
            assert not starts & {*range(row["start"], row["end"])}
            assert [one["text"] for one in row["headings"][-1:]] == [
                " ".join(plain_line(block).split()) for _, block in above[-1:]
            ] or any(start < row["start"] < end for start, end, _ in headings)


TWO_SECTIONS = (
    "<h1>Harbour</h1><p>The ferry sails at nine.</p><h2>Fares</h2><p>Adults pay four.</p><p>Dogs pay one.</p>"
    "<h3>Seasons</h3><p>From May to June.</p><h2>Ropes</h2><ul><li>Hemp</li><li>Wire</li></ul>"
)


def test_each_chunk_names_the_headings_above_it_and_not_those_in_it():
    rows = chunks(extract(TWO_SECTIONS), 5)
    assert [(row["text"], [one["text"] for one in row["headings"]]) for row in rows] == [
        ("Harbour", []),
        ("The ferry sails at nine.", ["Harbour"]),
        ("Fares\nAdults pay four.", ["Harbour"]),
        ("Dogs pay one.", ["Harbour", "Fares"]),
        ("Seasons\nFrom May to June.", ["Harbour", "Fares"]),
        ("Ropes\nHemp\nWire", ["Harbour"]),
    ]


def test_a_long_paragraph_is_cut_behind_sentences_and_a_sentence_at_white_space():
    page = extract("<p>The tide turns. It is “slack.” Then all the boats sail out together</p>")
    assert [row["text"] for row in check(page, 6)] == [
        "The tide turns. It is “slack.”",
        "Then all the boats",
        "sail out together",
    ]
    page = extract("<p>船が着く。港は静か。</p>")
    assert [row["text"] for row in check(page, 6)] == ["船が着く。", "港は静か。"]


def test_a_table_larger_than_a_chunk_is_cut_between_its_rows():
    rows = "".join(f"<tr><td>Pier {n}</td><td>depth {n} m</td></tr>" for n in range(4))
    page = extract(f"<table>{rows}</table>")
    assert [row["text"] for row in check(page, 11)] == [
        "Pier 0\ndepth 0 m\nPier 1\ndepth 1 m",
        "Pier 2\ndepth 2 m\nPier 3\ndepth 3 m",
    ]


def test_the_text_of_a_crawler_is_cut_at_its_lines():
    page = replace(extract(""), text="One two.\n\nThree four.", blocks=(), text_record="urn:x")
    rows = check(page, 2)
    assert [row["text"] for row in rows] == ["One two.", "Three four."]
    assert {row["probability"] for row in rows} == {None}


@pytest.mark.parametrize("body", [TWO_SECTIONS, "", "<p>One</p>"])
def test_chunks_are_valid_by_their_schema(body):
    jsonschema = pytest.importorskip("jsonschema", reason="pip install jsonschema")
    validator = jsonschema.Draft202012Validator(SCHEMA)
    validator.check_schema(SCHEMA)
    rows = chunks(extract(body, "http://a.example/", title="One"), 4)
    for row in rows:
        validator.validate(row)
        assert row.keys() >= {*SCHEMA["required"]}
    assert bool(rows) == bool(body)


def characters(text: str) -> list[str]:
    return re.findall(".", text, re.DOTALL)


TOKENIZERS = {
    "tiktoken": SimpleNamespace(
        list_encoding_names=lambda: ["signs"],
        get_encoding=lambda _: SimpleNamespace(
            encode=lambda text, disallowed_special: characters(text)
        ),
        encoding_for_model=lambda name: {}[name],
    ),
    "transformers": SimpleNamespace(
        AutoTokenizer=SimpleNamespace(
            from_pretrained=lambda _: lambda text, **_: {"input_ids": characters(text)}
        )
    ),
}


@pytest.mark.parametrize("package", TOKENIZERS)
def test_tokens_are_counted_by_the_tokenizer_that_is_named(package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, TOKENIZERS[package])
    rows = chunks(extract("<p>abcdefgh ijkl</p>"), 8, f"{package}:signs")
    assert [(row["text"], row["size"]) for row in rows] == [("abcdefgh", 8), ("ijkl", 4)]


@pytest.mark.parametrize(
    ("tokenizer", "size", "sentence"),
    [
        ("letters", 9, "no tokenizer 'letters'; give words, tiktoken:NAME or transformers:NAME"),
        ("tiktoken", 9, "no tokenizer 'tiktoken'"),
        ("words", 0, "--size must be at least 1"),
        ("tiktoken:nothing", 9, "--tokenizer tiktoken:nothing needs more: pip install tiktoken"),
    ],
)
def test_a_size_that_cannot_be_counted_is_one_sentence(tokenizer, size, sentence, monkeypatch):
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(UsageError, match=re.escape(sentence)):
        format_of("chunks", chunking=Chunking(size, tokenizer))


def test_a_tokenizer_that_its_package_does_not_know_is_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "tiktoken", TOKENIZERS["tiktoken"])
    with pytest.raises(UsageError, match="cannot load the tokenizer tiktoken:letters"):
        format_of("chunks", chunking=Chunking(9, "tiktoken:letters"))


def test_chunks_have_three_hundred_words_where_nothing_is_asked():
    page = extract("".join(f"<p>{'word ' * 100}</p>" for _ in range(4)))
    rows = map(json.loads, FORMATS["chunks"].alone(page).splitlines())
    assert [row["size"] for row in rows] == [300, 100]
