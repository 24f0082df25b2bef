"""Content as data for programs: blocks, chunks and links, each of which says what it is and where it stands."""

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
from lxml import html as lxml_html

from dbce.formats import FORMATS, Chunking, Extract, Part, format_of, page_links
from dbce.formats.links import PageLink
from dbce.formats.plain import plain_line
from dbce.html import HEADINGS
from dbce.model import Label, UsageError, count_words
from tests.formats.build import annotated_page, extract, extract_soup
from tests.html.soup import soup

DOCS = Path(__file__).resolve().parents[2] / "docs"
SCHEMAS = {
    name: json.loads((DOCS / f"page-{name}.schema.json").read_text("utf-8"))
    for name in ("blocks", "chunks")
}
BODY = (
    "<div><h2>One</h2><s>Menu</s><p>two <s>ad</s> <b>three</b><br>four</p></div>"
    "<ol start=3><li>five<ul><li>six</li></ul></li><li>seven</li></ol><p>eight</p>"
    "<table><caption>Who</caption><tr><th>a</th><th>b</th></tr><tr><td></td><td>c</td></tr><tr><td>d</td><td>e</td></tr></table>"
    "<blockquote><p>nine</p><blockquote>ten</blockquote></blockquote><dl><dt>t</dt><dd>u</dd></dl>"
    "<pre><code class=language-py>x = 1\n  y</code></pre><p>So <math alttext='x^2'><mi>x</mi></math> <img src=g.png alt=goat> is</p>"
)


def validator(name: str) -> Any:
    jsonschema = pytest.importorskip("jsonschema", reason="pip install jsonschema")
    of_schema = jsonschema.Draft202012Validator(SCHEMAS[name])
    of_schema.check_schema(SCHEMAS[name])
    return of_schema


def page_of(page: Extract) -> dict[str, Any]:
    return json.loads(FORMATS["blocks"].alone(page))


def told(body: str, *names: str) -> list[tuple[Any, ...]]:
    return [tuple(block[name] for name in names) for block in page_of(extract(body))["blocks"]]


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
    assert told(BODY, "text", "row", "column")[6:12] == [
        *(("Who", None, None), ("a", 1, 1), ("b", 1, 2), ("c", 2, 2), ("d", 3, 1), ("e", 3, 2))
    ]


def test_paths_lead_to_the_elements_of_the_page_as_it_was():
    body = "<div><span>a<p>One</p></span>ad<s>ad</s><p>two</p><span><p>three</p></span></div><select><option>four</option></select>"
    root = lxml_html.document_fromstring(f"<html><body>{body}</body></html>")
    for text, path in told(body, "text", "xpath"):
        (element,) = root.xpath(path)
        assert text in " ".join(element.text_content().split())


def test_a_page_names_its_record_and_an_image_alone_was_not_judged():
    page = page_of(extract("<p>One</p><p><img src=g.png alt=goat></p><p>two</p>", images=True))
    assert (page["version"], page["filename"], page["offset"]) == (1, "site.warc.gz", 512)
    assert [block["probability"] for block in page["blocks"]] == [0.9, None, 0.9]
    image = page["blocks"][1]
    assert (image["text"], image["start"], image["xpath"]) == ("goat", 4, "/html/body/p[2]")


def check_blocks(page: Extract) -> None:
    """Every block stands in the text where it says, in order, and all values are those of the schema."""
    row = page_of(page)
    schema = SCHEMAS["blocks"]
    assert row.keys() >= set(schema["required"])
    end = 0
    for block in row["blocks"]:
        assert list(block) == schema["$defs"]["block"]["required"]
        assert block["type"] in schema["$defs"]["block"]["properties"]["type"]["enum"]
        assert block["start"] >= end
        end = block["end"]
        # Around the signs of a formula stands no white space.
        lines = row["text"][block["start"] : end].split()
        assert "".join(lines) == "".join(block["text"].split())
    assert end == len(row["text"])


@settings(max_examples=150)
@given(soup)
def test_blocks_tile_the_text_whatever_the_page(body):
    check_blocks(extract_soup(body))


@pytest.mark.parametrize("body", [BODY, "", "<p>One</p>"])
@pytest.mark.parametrize("images", [True, False])
def test_blocks_are_valid_by_their_schema(body, images):
    page = extract(body, "http://a.example/", images=images, title="One")
    validator("blocks").validate(page_of(page))


WORDS = st.sampled_from(
    ["The ferry sails.", "Ropes, nets and oars", "港に船が着く。", "a", "Tide: 3.4 m"]
)
LINES = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)


def tag(name: str, inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return inside.map(lambda text: f"<{name}>{text}</{name}>")


ITEMS = st.one_of(LINES, st.tuples(LINES, tag("ul", tag("li", LINES))).map("".join))
ROWS = tag("tr", st.tuples(tag("td", LINES), tag("td", LINES)).map("".join))
STRUCTURES = st.one_of(
    tag("p", LINES),
    tag("pre", st.lists(LINES, min_size=1, max_size=4).map("\n".join)),
    tag("ul", st.lists(tag("li", ITEMS), min_size=1, max_size=5).map("".join)),
    tag("table", st.lists(ROWS, min_size=2, max_size=5).map("".join)),
)
BODIES = st.lists(
    st.one_of(
        *(tag(name, LINES) for name in ("h2", "h3")),
        STRUCTURES,
        tag("blockquote", st.lists(STRUCTURES, min_size=1, max_size=3).map("".join)),
    ),
    max_size=8,
).map("".join)


def chunks(page: Extract, size: int = 300, tokenizer: str = "words") -> list[dict[str, Any]]:
    form = format_of("chunks", chunking=Chunking(size, tokenizer))
    return [json.loads(line) for line in form.alone(page).splitlines()]


def check_chunks(page: Extract, size: int) -> list[dict[str, Any]]:
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
@given(BODIES, st.integers(1, 40))
def test_chunks_are_the_text_in_order_and_cut_no_structure_that_fits(body, size):
    page = extract(body)
    rows = check_chunks(page, size)
    for part in structures(page.blocks):
        start, end = min(sources(part))[0], max(sources(part))[1]
        if count_words(page.text[start:end]) <= size:
            assert any(row["start"] <= start and end <= row["end"] for row in rows)


@settings(max_examples=60)
@given(soup, st.integers(1, 20))
def test_chunks_are_the_text_in_order_whatever_the_page(body, size):
    check_chunks(extract_soup(body), size)


@settings(max_examples=60)
@given(BODIES, st.integers(1, 40))
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


@pytest.mark.parametrize(
    ("body", "size", "texts"),
    [
        # A long paragraph is cut behind sentences, and a sentence at white space.
        ("<p>The tide turns. It is “slack.” Then all the boats sail out together</p>", 6,
         ["The tide turns. It is “slack.”", "Then all the boats", "sail out together"]),
        ("<p>船が着く。港は静か。</p>", 6, ["船が着く。", "港は静か。"]),
        # A table larger than a chunk is cut between its rows.
        ("<table><tr><td>Pier<td>0 m<tr><td>Quay<td>1 m<tr><td>Bay<td>2 m</table>", 6,
         ["Pier\n0 m\nQuay\n1 m", "Bay\n2 m"]),
    ],
)  # fmt: skip
def test_what_is_larger_than_a_chunk_is_cut_at_its_sentences_words_and_rows(body, size, texts):
    assert [row["text"] for row in check_chunks(extract(body), size)] == texts


def test_the_text_of_a_crawler_is_cut_at_its_lines():
    page = replace(extract(""), text="One two.\n\nThree four.", blocks=(), text_record="urn:x")
    rows = [(row["text"], row["probability"]) for row in check_chunks(page, 2)]
    assert rows == [("One two.", None), ("Three four.", None)]


@pytest.mark.parametrize("body", [TWO_SECTIONS, "", "<p>One</p>"])
def test_chunks_are_valid_by_their_schema(body):
    of_schema = validator("chunks")
    rows = chunks(extract(body, "http://a.example/", title="One"), 4)
    for row in rows:
        of_schema.validate(row)
        assert row.keys() >= {*SCHEMAS["chunks"]["required"]}
    assert bool(rows) == bool(body)


ENCODING = SimpleNamespace(encode=lambda text, disallowed_special: list(text))
TOKENIZERS = {
    "tiktoken": SimpleNamespace(
        list_encoding_names=lambda: ["signs"],
        get_encoding=lambda _: ENCODING,
        encoding_for_model=lambda name: {}[name],
    ),
    "transformers": SimpleNamespace(
        AutoTokenizer=SimpleNamespace(
            from_pretrained=lambda _: lambda text, **_: {"input_ids": list(text)}
        )
    ),
}


@pytest.mark.parametrize("package", TOKENIZERS)
def test_tokens_are_counted_by_the_tokenizer_that_is_named(package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, TOKENIZERS[package])
    rows = chunks(extract("<p>abcdefgh ijkl</p>"), 8, f"{package}:signs")
    assert [(row["text"], row["size"]) for row in rows] == [("abcdefgh", 8), ("ijkl", 4)]


@pytest.mark.parametrize(
    ("package", "tokenizer", "size", "sentence"),
    [
        (None, "letters", 9, "no tokenizer 'letters'; give words, tiktoken:NAME or transformers:NAME"),
        (None, "tiktoken", 9, "no tokenizer 'tiktoken'"),
        (None, "words", 0, "--size must be at least 1"),
        (None, "tiktoken:nothing", 9, "--tokenizer tiktoken:nothing needs more: pip install tiktoken"),
        (TOKENIZERS["tiktoken"], "tiktoken:letters", 9, "cannot load the tokenizer tiktoken:letters"),
    ],
)  # fmt: skip
def test_a_size_that_cannot_be_counted_is_one_sentence(
    package, tokenizer, size, sentence, monkeypatch
):
    monkeypatch.setitem(sys.modules, "tiktoken", package)
    with pytest.raises(UsageError, match=re.escape(sentence)):
        format_of("chunks", chunking=Chunking(size, tokenizer))


def test_chunks_have_three_hundred_words_where_nothing_is_asked():
    page = extract("".join(f"<p>{'word ' * 100}</p>" for _ in range(4)))
    rows = map(json.loads, FORMATS["chunks"].alone(page).splitlines())
    assert [row["size"] for row in rows] == [300, 100]


def links(body: str, head: str = "") -> list[PageLink]:
    """The links of a page at http://a.example/x/; text in `<s>` is boilerplate."""
    annotated = annotated_page(body, f"<head>{head}</head>")
    return [*page_links(annotated, "http://a.example/x/")]


def test_a_link_has_the_verdict_on_most_of_its_text():
    menu, story, mixed = links(
        "<a href=/menu><s>Menu</s></a> <a href=tide.html>The <b>tide</b></a><a href=?q>Read <s>more</s> here now</a>"
    )
    assert menu == ("http://a.example/menu", "Menu", None, Label.BOILERPLATE, 0.1)
    assert story == ("http://a.example/x/tide.html", "The tide", None, Label.CONTENT, 0.9)
    assert (mixed.text, mixed.label) == ("Read more here now", Label.CONTENT)
    assert 0.1 < mixed.probability < 0.9


def test_a_link_around_a_picture_was_not_judged_and_one_that_leads_nowhere_is_none():
    assert links("<p>Sea</p><a href=/sea.jpg><img src=s.gif></a><map><area href=/bay></map>") == [
        ("http://a.example/sea.jpg", "", None, None, None),
        ("http://a.example/bay", "", None, None, None),
    ]
    assert not links(
        "<a href='javascript:go()'>Go</a> <a name=x>Here</a> <a href='http://['>Odd</a>"
    )


def test_links_go_by_the_base_of_the_page_and_keep_their_rel():
    base = "<base href='http://b.example/y/'>"
    (link,) = links("<a href=fares rel='NoFollow  ugc'>Fares</a>", base)
    assert link[:3] == ("http://b.example/y/fares", "Fares", "nofollow ugc")
