"""Pages that would become markup, links or orders wherever they are shown: in every format they stay text."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from lxml import html as lxml_html
from markdown_it import MarkdownIt
from warcio.archiveiterator import ArchiveIterator

from dbce.archive import PlainText, write_wet
from dbce.formats import FORMATS, Extract, Links, format_of, write_pages
from dbce.html import load
from dbce.metadata import describe
from dbce.model import Limits
from tests.formats.build import extract

CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
FORMULA = re.compile(r"[=+\-@\t\r\n]")
ELEMENTS = frozenset(
    "html head meta title body article h1 h2 h3 h4 h5 h6 p a img em strong code del sub sup br pre ul ol li dl dt dd "
    "blockquote table caption thead tbody tr th td".split()
)
ATTRIBUTES = frozenset("href src alt class start value colspan rowspan charset lang title".split())
CAPTURED = datetime(2016, 6, 1, tzinfo=UTC)
SAFE = ("http", "https", "mailto", "ftp", "tel")

ATTACKS = (
    *("<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "<javascript:alert(1)>", "</p>"),
    *("[x](javascript:alert(1))", "](javascript:alert(1))", "[x]: javascript:alert(1)", "![x]("),
    *"` `` ``` \\ $ $$ | * _ < > &lt;b&gt; <!-- --> ]]> </title> </textarea> {{7*7}}".split(),
    *('" onclick="alert(1)', "' onclick='alert(1)", '=HYPERLINK("http://b.example/")', "\n", " "),
    *("\x1b]0;title\x07", "\x9b31m", "\x7f", "\x85", "\x0b", "\x1f", "\r", "\f"),
    *("+1", "-1", "@SUM(1)", "goat", "the old harbour"),
)
ADDRESSES = (
    *("javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", "vbscript:x"),
    *(" \x01javascript:alert(1)", "\t\x02javascript:alert(1)", "view-source:javascript:alert(1)"),
    *("java&#115;cript:alert(1)", "javascript&colon;alert(1)", "java&Tab;script:alert(1)"),
    *("data:text/html,<script>alert(1)</script>", "web+evil:x", "blob:http://b.example/x"),
    *("about:blank", "#part", "/a`b", '/x" onclick="alert(1)', "//b.example/"),
    *("/)<img src=x onerror=alert(1)>", "mailto:a@b.example"),
)
URLS = ("", "http://a.example/page", "javascript:alert(1)//", "data:text/html,x", " JavaScript:x")


def spelled(text: str) -> str:
    """The text in HTML, controls as references, as only these reach a page."""
    return CONTROLS.sub(lambda sign: f"&#{ord(sign[0])};", escape(text))


texts = st.lists(st.sampled_from(ATTACKS), min_size=1, max_size=4).map("".join)
said = texts.map(spelled)
addresses = st.sampled_from(ADDRESSES).map(spelled)
inline = st.one_of(
    said,
    st.builds("<{0}>{1}</{0}>".format, st.sampled_from(["code", "em", "strong", "sub", "b"]), said),
    st.builds('<a href="{}">link {}</a>'.format, addresses, said),
    st.builds('<img src="{}" alt="{}">'.format, addresses, said),
    st.builds('<math alttext="{}"><mi>x</mi></math>'.format, said),
    st.builds(
        '<math display="block"><mi>x</mi><annotation encoding="application/x-tex">{}</annotation></math>'.format,
        said,
    ),
)
lines = st.lists(inline, min_size=1, max_size=4).map(" ".join)
blocks = st.one_of(
    st.builds("<{0}>{1}</{0}>".format, st.sampled_from(["p", "h1", "h2", "blockquote"]), lines),
    st.builds("<ul><li>{}<li>{}</ul>".format, lines, lines),
    st.builds("<dl><dt>{}<dd>{}</dl>".format, lines, lines),
    st.builds('<pre class="language-{}">{}</pre>'.format, said, said),
    st.builds("<table><tr><th>{}<th>b<tr><td>{}<td>{}</table>".format, lines, lines, said),
)
heads = st.builds(
    '<head><title>{}</title><meta name="author" content="{}"><meta name="description" content="{}">'
    '<meta property="og:site_name" content="{}"><base href="{}"></head>'.format,
    *(said, said, said, said, addresses),
)
bodies = st.lists(blocks, min_size=1, max_size=4).map("".join)


@st.composite
def pages(draw: Callable[..., str]) -> Extract:
    """The content of a hostile page, with the metadata that it gives."""
    head, body, url = draw(heads), draw(bodies), draw(st.sampled_from(URLS))
    page = extract(body, url, head=head, images=True)
    document = load(f"<html>{head}<body>{body}".encode(), "text/html; charset=utf-8", Limits())
    metadata = describe(document.declared_metadata, document.page, url, CAPTURED, page.text)
    return replace(page, metadata=metadata)


def all_of(page: Extract, name: str, links: Links = "keep") -> Iterable[str]:
    own = format_of(name, links)
    return own.alone(page), "".join(write_pages([page, page], own))


def check_address(address: str) -> None:
    """Fail where a browser would not go to a page: it ignores controls and blanks around, and some within."""
    read = re.sub(r"[\t\n\r]", "", address.strip("".join(map(chr, range(0x21)))))
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):", read)
    assert scheme is None or scheme[1].lower() in SAFE, address


def check_html(markup: str) -> None:
    """Fail where markup has an element, an attribute or a link that no content has."""
    for element in lxml_html.document_fromstring(f"<body>{markup}").iter(etree.Element):
        assert element.tag in ELEMENTS, (element.tag, markup)
        for name, value in element.attrib.items():
            assert name in ATTRIBUTES or name.startswith("data-"), (name, markup)
            if name in ("href", "src"):
                check_address(value)


def check_markdown(markdown: str) -> None:
    """Fail where a reader of Markdown that passes HTML on, and checks no links, makes HTML that executes."""
    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    reader.validateLink = lambda _: True  # type: ignore[method-assign]
    check_html(reader.render(markdown))


@given(pages(), st.sampled_from(["keep", "text", "end"]))
def test_no_element_or_link_of_markdown_executes(page: Extract, links: Links) -> None:
    for markdown in all_of(page, "markdown", links):
        check_markdown(markdown)


CODE = "<code>&lt;img src=x onerror=alert(1)&gt;</code>"


@pytest.mark.parametrize(
    "body",
    [
        f'<p><math alttext="`"><mi>x</mi></math> and {CODE}</p>',
        '<p>See <a href="java&amp;#115;cript:alert(1)">this</a></p>',
        '<p>See <a href="javascript&amp;colon;alert(1)">this</a></p>',
        '<p>See <math alttext="[x](javascript:alert(1))"><mi>x</mi></math></p>',
        '<p>See <math alttext="&lt;javascript:alert(1)&gt;"><mi>x</mi></math></p>',
        '<p>See <math alttext="x &lt;img src=x onerror=alert(1)&gt;"><mi>x</mi></math></p>',
    ],
)
@pytest.mark.parametrize("links", ["keep", "end"])
def test_markdown_has_no_two_pieces_that_are_markup_together(body: str, links: Links) -> None:
    check_markdown(format_of("markdown", links).alone(extract(body, images=True)))


@given(pages())
def test_no_element_attribute_or_link_of_html_executes(page: Extract) -> None:
    for markup in all_of(page, "html"):
        check_html(markup.removeprefix(FORMATS["html"].head).removesuffix(FORMATS["html"].foot))


@given(pages())
def test_no_reference_of_tei_executes(page: Extract) -> None:
    for document in all_of(page, "tei"):
        for element in etree.fromstring(document.encode()).iter():
            assert isinstance(element.tag, str), "a comment or an instruction"
            for name in ("target", "url"):
                check_address(element.get(name, ""))


@given(pages())
def test_values_of_tables_and_objects_stay_in_their_cells(page: Extract) -> None:
    (row,) = csv.DictReader(io.StringIO(FORMATS["csv"].alone(page)))
    (line,) = FORMATS["jsonl"].alone(page).splitlines()
    values = {name: "" if value is None else str(value) for name, value in json.loads(line).items()}
    assert row == values
    (guarded,) = csv.DictReader(io.StringIO(format_of("csv", guarded=True).alone(page)))
    for name, value in guarded.items():
        assert not FORMULA.match(value)
        assert value.removeprefix("'") == values[name].removeprefix("'")


@given(pages())
def test_a_wet_record_is_the_text(page: Extract) -> None:
    stream = io.BytesIO()
    plain = PlainText(page.record_id, "http://a.example/", "", CAPTURED, page.text)
    write_wet(stream, [plain], "digest", "0.1.0")
    stream.seek(0)
    info, record = ((one.rec_type, one.content_stream().read()) for one in ArchiveIterator(stream))
    assert (info[0], record) == ("warcinfo", ("conversion", page.text.encode()))


def strings_of(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    inside = value.values() if isinstance(value, dict) else value
    for each in inside if isinstance(value, dict | list) else ():
        yield from strings_of(each)


@given(pages(), st.sampled_from(sorted(FORMATS)))
def test_no_control_character_reaches_a_reader(page: Extract, name: str) -> None:
    for text in all_of(page, name):
        assert not CONTROLS.search(text)
        if name in ("jsonl", "blocks", "chunks"):
            objects = map(json.loads, text.split("\n")[:-1])
            assert not any(CONTROLS.search(each) for one in objects for each in strings_of(one))
