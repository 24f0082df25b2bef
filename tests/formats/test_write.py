"""Formats: one page alone, and many in a row; and what holds of any page in every format."""

import csv
import io
import json
import re
from dataclasses import replace
from html import escape

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html as lxml_html
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from dbce.formats import FORMATS, Extract, Format, format_of, write_pages
from dbce.metadata import COLUMNS, Metadata
from dbce.model import Origin
from tests.formats.build import extract

PAGES = [
    extract(
        '<h1>One</h1><p>two, "three"</p>', "http://a.example/--x", title="One", title_source="h1"
    ),
    extract("<p>Four</p>", "http://a.example/?b&c", language="de"),
]


def together(name: str) -> str:
    return "".join(write_pages(PAGES, FORMATS[name]))


def test_json_lines_have_all_values_and_where_they_were_found():
    first, second = map(json.loads, together("jsonl").splitlines())
    made_of = ["warc_filename", "warc_record_offset", "content_digest"]
    made_by = ["dbce_version", "dbce_model", "text_source", "text_record"]
    assert list(first) == ["record_id", "url", "timestamp", *COLUMNS, *made_of, *made_by, "text"]
    told = {"timestamp": "20160601000000", "title": "One", "title_source": "h1"}
    told |= {"text": 'One\ntwo, "three"', "text_source": "page", "text_record": None}
    assert first == first | told
    assert (second["title"], second["language"]) == (None, "de")


def test_front_matter_is_the_metadata_as_yaml():
    form = format_of("markdown", front_matter=True)
    title = 'One: "two"\u2028 # three'
    page = replace(PAGES[0], metadata=replace(PAGES[0].metadata, title=title))
    _, head, text = "".join(write_pages([page], form)).split("---\n", 2)
    assert yaml.safe_load(head) == {
        "title": title,
        "url": "http://a.example/--x",
        "captured": "20160601000000",
        "record_id": page.record_id,
        **({"digest": page.digest} if page.digest else {}),
    }
    assert text == f"\n{form.alone(page)}\n\n"


def test_front_matter_and_references_go_together():
    page = extract("<p>See <a href='/b'>more</a></p>", "http://a.example/", title="One")
    form = format_of("markdown", "end", front_matter=True)
    text = "".join(write_pages([page, page], form))
    assert text.count('title: "One"\n') == 2
    assert "[1.1]: http://a.example/b" in text
    assert "[2.1]: http://a.example/b" in text


@pytest.mark.parametrize(
    "form",
    [*FORMATS.values(), format_of("markdown", "end"), format_of("markdown", front_matter=True)],
)
def test_a_format_says_whether_it_shows_metadata(form: Format):
    bare = replace(PAGES[0], metadata=Metadata())
    page = replace(bare, metadata=Metadata(title="Other", language="de"))
    assert form.metadata == (form.entry(page, 1) != form.entry(bare, 1))
    assert form.alone_metadata == (form.alone(page) != form.alone(bare))


def test_csv_has_one_header_and_the_same_values():
    rows = csv.DictReader(io.StringIO(together("csv")))
    expected = map(json.loads, together("jsonl").splitlines())
    for row, values in zip(rows, expected, strict=True):
        assert list(row) == list(values)
        assert row == {name: "" if one is None else str(one) for name, one in values.items()}


def told_of(page: Extract) -> str:
    return f"record_id={page.record_id} warc_filename=site.warc.gz warc_record_offset=512"


def test_plain_text_names_the_page_before_its_text():
    first, second = map(told_of, PAGES)
    assert together("txt") == (
        f'# http://a.example/--x 20160601000000\n# {first}\n\nOne\ntwo, "three"\n\n'
        f"# http://a.example/?b&c 20160601000000\n# {second}\n\nFour\n\n"
    )


def test_markdown_names_the_page_where_no_reader_sees_it():
    first, second = together("markdown").split("<!-- ")[1:]
    told = f"http://a.example/%2D%2Dx 20160601000000\n{told_of(PAGES[0])} -->"
    assert first == f'{told}\n\n# One\n\ntwo, "three"\n\n'
    assert second.startswith("http://a.example/?b&c ")
    comment, heading, text = SyntaxTreeNode(MarkdownIt().parse(f"<!-- {first}")).children
    assert (comment.type, heading.type, text.type) == ("html_block", "heading", "paragraph")


def test_html_is_one_document_with_an_article_a_page():
    root = lxml_html.document_fromstring(together("html"))
    articles = root.findall("body/article")
    for name in ("url", "record-id"):
        told = [getattr(page, name.replace("-", "_")) for page in PAGES]
        assert [one.get(f"data-{name}") for one in articles] == told
    assert [one.get("lang") for one in articles] == [None, "de"]
    assert [child.tag for child in articles[0]] == ["h1", "p"]


MADE = {"digest": "sha1:AB", "version": "0.1.0", "model": "joint/default"}


@pytest.mark.parametrize(
    ("name", "begins", "ends"), [("txt", "\n# ", "\n\n"), ("markdown", "\n", " -->\n\n")]
)
def test_plain_text_and_markdown_say_of_which_record_a_text_is_and_what_made_it(name, begins, ends):
    page = replace(PAGES[0], origin=Origin("a -- b.warc.gz", 7820, 100), **MADE)
    file = "a%20--%20b.warc.gz" if name == "txt" else "a%20%2D%2D%20b.warc.gz"
    told = (
        f"{begins}record_id={page.record_id} warc_filename={file} warc_record_offset=7820 "
        f"content_digest=sha1:AB dbce_version=0.1.0 dbce_model=joint/default{ends}"
    )
    assert told in "".join(write_pages([page], FORMATS[name]))
    of_crawler = replace(page, model="", text_record="urn:uuid:7")
    told = (
        f" dbce_version=0.1.0 text_record=urn:uuid:7 (text stored by the crawler; not judged){ends}"
    )
    assert told in "".join(write_pages([of_crawler], FORMATS[name]))


def test_html_and_tei_say_of_which_record_a_text_is_and_what_made_it():
    page = replace(PAGES[0], origin=Origin("a&b.warc.gz", 7820, 100), **MADE)
    root = lxml_html.document_fromstring("".join(write_pages([page], FORMATS["html"])))
    assert dict(root.find("body/article").attrib) == {
        "data-url": page.url,
        "data-timestamp": "20160601000000",
        "data-record-id": page.record_id,
        "data-warc-filename": "a&b.warc.gz",
        "data-warc-record-offset": "7820",
        "data-content-digest": "sha1:AB",
        "data-software": "dbce/0.1.0",
        "data-model": "joint/default",
    }
    tei = FORMATS["tei"].alone(page)
    for note in ("file", "a&amp;b.warc.gz"), ("offset", "7820"), ("digest", "sha1:AB"):
        assert '<note type="{}">{}</note>'.format(*note) in tei
    assert "extracted by dbce 0.1.0 (joint/default)" in tei


@pytest.mark.parametrize(
    ("name", "alone"),
    [("txt", 'One\ntwo, "three"'), ("markdown", '# One\n\ntwo, "three"'),
     ("html", '<h1>One</h1>\n<p>two, "three"</p>'),
     *((name, "".join(write_pages(PAGES[:1], FORMATS[name]))) for name in ("jsonl", "csv"))],
)  # fmt: skip
def test_a_page_alone_is_its_content_or_one_row(name, alone):
    assert FORMATS[name].alone(PAGES[0]) == alone


TITLE = "<head><title>The ferry goes - Harbour News</title></head>"


@pytest.mark.parametrize(
    ("body", "is_opened"),
    [
        ("<p>It goes at noon.</p>", True),
        ("<h2>Timetable</h2><p>It goes at noon.</p>", True),
        ("<h1><s>The ferry goes</s></h1><p>It goes at noon.</p>", True),
        ("<h1>The ferry goes</h1><p>It goes at noon.</p>", False),
        ("<p>It goes at noon.</p><h3>The ferry goes</h3>", False),
        ("<s>nothing is content</s>", False),
    ],
)
@pytest.mark.parametrize(
    ("name", "opening"),
    [
        ("markdown", "# The ferry goes - Harbour News\n"),
        ("html", "<h1>The ferry goes - Harbour News</h1>"),
        ("tei", "<body>\n<div>\n<head>The ferry goes - Harbour News</head>"),
    ],
)
def test_the_title_opens_a_page_no_heading_of_which_shows_it(body, is_opened, name, opening):
    page = extract(body, head=TITLE)
    assert (opening in FORMATS[name].alone(page)) == is_opened
    assert "Harbour News" not in page.text
    assert "Harbour News" not in FORMATS["blocks"].alone(page)


def test_a_title_is_shown_by_the_heading_that_another_title_names() -> None:
    declared = '<meta property="og:title" content="No boat today"><title>The ferry goes</title>'
    body = "<p>It goes at noon.</p>"
    assert extract(body, head=f"<head>{declared}</head>").title == "No boat today"
    assert extract(f"<h1>The ferry goes</h1>{body}", head=f"<head>{declared}</head>").title == ""


@pytest.mark.parametrize("line", ["Ferry <b>sinks</b> in fog", "Ferry sinks in fog!"])
def test_first_paragraph_that_is_the_title_becomes_the_headline(line):
    page = extract(f"<p>{line}</p><p>More.</p>", title="Ferry sinks in fog - The Quay Times")
    text = FORMATS["markdown"].alone(replace(page, title=page.metadata.title))
    assert text.split("\n\n") == [f"# {re.sub('<.*?>', '', line)}", "More."]


BLOCKS = (
    "<p>{} {}</p>",
    "<div>{} {}</div>",
    "<h2>{} {}</h2>",
    "<ul><li>{}</li><li>{}</li></ul>",
    "<ol><li>{}<li>{}</ol>",
    "<dl><dt>{}<dd>{}</dl>",
    "<table><tr><td>{}<td>{}</table>",
    "<table><thead><tr><th>{}</table><p>{}</p>",
    "<blockquote>{}<p>{}</p></blockquote>",
    "<p>{}<br>{}</p>",
    "<p>{}<span style='display:block'>{}</span></p>",
    "<details><summary>{}</summary>{}</details>",
    "<pre>{}\n{}</pre>",
    "<figure>{}<figcaption>{}</figcaption></figure>",
)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=8))
def test_words_of_neighbouring_blocks_never_touch(blocks) -> None:
    words = [f"word{number}x" for number in range(2 * len(blocks))]
    html = "".join(block.format(*words[2 * n : 2 * n + 2]) for n, block in enumerate(blocks))
    page = extract(html)
    for name, form in FORMATS.items():
        text = form.alone(page)
        assert not re.search(r"word\d+xword", text), name
        assert {*re.findall(r"word\d+x", text)} == {*words}, name


LINES = st.lists(
    st.text(alphabet="ab(){}=+#<&\"' ", max_size=12).map(lambda line: f"{line}z"),
    min_size=2,
    max_size=6,
)


@settings(deadline=None, max_examples=60)
@given(LINES, st.sampled_from(["<pre>{}</pre>", "<pre><code>{}</code></pre>"]))
def test_no_format_joins_lines_of_code(lines, html) -> None:
    code = "\n".join(lines)
    page = extract(f"<p>before</p>{html.format(escape(code))}<p>behind</p>")
    assert f"\n{code}\n" in page.text
    assert f"\n{code}\n" in FORMATS["markdown"].alone(page)
    assert f"\n{code}\n" in FORMATS["txt"].alone(page)
