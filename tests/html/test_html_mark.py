"""Verdicts in the page, and the page back without them, whatever the page."""

from contextlib import suppress
from itertools import islice

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dbce import html as module
from dbce.archive import expand, read
from dbce.html import load, parse, read_page, strip
from dbce.kernel import compiled
from dbce.model import Capture, InputError, Label, Limits, Structure, TextRun, Verdict
from tests import reference
from tests.data import shared
from tests.gate import first
from tests.html import soup as build
from tests.html.soup import BOILERPLATE, CONTENT, annotate, random_runs, serialise, soup

CONTENT_MARK = 'data-dbce="content" data-dbce-p="0.93" data-dbce-bits="11010"'
BOILERPLATE_MARK = 'data-dbce="boilerplate" data-dbce-p="0.10" data-dbce-bits="11011"'


def marked(html: str, *runs: tuple[object, ...]) -> str:
    """The body of the annotated page; runs are (node, start, end, verdict), and a structure at times."""
    root = parse(html)
    page, handles = read_page(root, Limits())
    annotated = annotate(root, page, handles, [TextRun(*run) for run in runs]).decode()
    return annotated[annotated.index("<body") : -len("</html>")]


def test_an_element_whose_text_has_one_verdict_gets_attributes() -> None:
    html = '<p class="a">One<br>two</p>'
    assert marked(html, (0, 0, 3, CONTENT), (1, 0, 3, CONTENT)) == (
        f'<body><p class="a" {CONTENT_MARK}>One<br>two</p></body>'
    )


def test_verdicts_that_differ_inside_one_parent_get_spans() -> None:
    html = "<p>Definition &amp; more\n2016 Example Inc.<br>end</p>"
    runs = [(0, 0, 17, CONTENT), (0, 17, 35, BOILERPLATE), (1, 0, 3, CONTENT)]
    assert marked(html, *runs) == (
        f'<body><p><span {CONTENT_MARK} data-dbce-run="">Definition &amp; more</span>'
        f'<span {BOILERPLATE_MARK} data-dbce-run="">\n2016 Example Inc.</span><br>'
        f'<span {CONTENT_MARK} data-dbce-run="">end</span></p></body>'
    )


def test_a_structure_is_marked_on_its_element() -> None:
    html = "<table><tr><td>Artist</td></tr></table><p>text</p>"
    table = Structure(3, "table", 2, Label.CONTENT, 0.751)
    paragraph = Structure(4, "paragraph", 5, Label.BOILERPLATE, 0.2)
    assert marked(html, (0, 0, 6, CONTENT, table), (1, 0, 4, BOILERPLATE, paragraph)) == (
        '<body><table data-dbce-structure="table" data-dbce-structure-number="3" '
        'data-dbce-structure-label="content" data-dbce-structure-p="0.75">'
        f"<tr><td {CONTENT_MARK}>Artist</td></tr></table>"
        f'<p {BOILERPLATE_MARK} data-dbce-structure="paragraph" data-dbce-structure-number="4" '
        'data-dbce-structure-label="boilerplate" data-dbce-structure-p="0.20">text</p></body>'
    )


def test_the_text_of_a_child_has_no_say() -> None:
    html = "<div>One <b>two</b></div>"
    assert marked(html, (0, 0, 4, CONTENT), (1, 0, 3, BOILERPLATE)) == (
        f"<body><div {CONTENT_MARK}>One <b {BOILERPLATE_MARK}>two</b></div></body>"
    )
    invalid = CONTENT._replace(label=Label.INVALID)
    assert 'data-dbce="invalid"' in marked("<p>a", (0, 0, 1, invalid))


@pytest.mark.parametrize(
    "html",
    [
        "<textarea>abcd</textarea>",
        "<select><option>abcd</option></select>",
        "<svg><text>abcd</text></svg>",
        "<table><tr>abcd<td></td></tr></table>",
    ],
)
def test_where_no_span_may_stand_most_characters_decide(html: str) -> None:
    body = marked(html, (0, 0, 1, CONTENT), (0, 1, 4, BOILERPLATE))
    assert f"{BOILERPLATE_MARK}>abcd" in body
    assert "<span" not in body


def annotated(html: str, seed: int = 0) -> bytes:
    root = parse(html)
    page, handles = read_page(root, Limits())
    return annotate(root, page, handles, random_runs(page, seed))


def test_the_head_begins_with_the_true_charset_and_is_kept() -> None:
    result = annotated('<head><meta charset="koi8-r"><title>t</title></head><p>ж').decode()
    assert '<head><meta charset="utf-8" data-dbce="charset"><meta charset="koi8-r"' in result
    assert result.index("<title>") < result.index('<style data-dbce="style">')
    assert result.index("</style></head>") < result.index("ж")


def test_a_missing_head_is_added_and_taken_out() -> None:
    assert b'<html><head data-dbce="head"><meta' in annotated("<p>a")
    assert strip(annotated("<p>a")) == b"<html><body><p>a</p></body></html>"


def test_what_the_page_says_of_our_marks_survives() -> None:
    html = (
        f"<p {CONTENT_MARK}>a</p><script>'<span {CONTENT_MARK}>x</span>'</script>data-dbce-source"
    )
    assert b"data-dbce-source" in annotated(html)
    assert strip(annotated(html)) == serialise(parse(html))
    once = annotated("<p>a b c<br>d")
    assert strip(annotated(once.decode())) == once
    plain = b"<html><body><span>a</span></body></html>"
    assert strip(plain) == plain


@settings(max_examples=400)
@given(soup, st.integers(0, 99))
@example("<!-- c --><!DOCTYPE html><p>a&#13;b&#12;c&#1;d&nbsp;e &lt;b&gt; &amp;amp;</p>", 1)
@example("<table>a<tr>b<td>c<table><td>d</table><plaintext>e</p>", 2)
@example("<span>a</span><span>b</span>c<script>a<![CDATA[ <b> && ]]></script>", 3)
@example("data-dbce-source", 1)
def test_strip_undoes_annotate(html: str, seed: int) -> None:
    root, page, handles = build.read_soup(html)
    original = serialise(root)
    runs = random_runs(page, seed)
    assert strip(annotate(root, page, handles, runs)) == original
    own = tuple(runs), [run.verdict.label for run in runs]
    assert compiled.differing(page.nodes, *own, len(page.tags)) == reference.differing(page, *own)


def numbered(html: str, *verdicts: tuple[int, int, int, Verdict]) -> str:
    """The body of the page with its runs numbered."""
    root = parse(html)
    page, handles = read_page(root, Limits())
    found = module.number_runs(
        root, page, handles, [module.RunPart(TextRun(*v), n) for n, v in enumerate(verdicts)]
    )
    return found[found.index("<body") : -len("</html>")]


def test_every_run_gets_its_number_where_it_can() -> None:
    html = '<p class="a">One<br>two</p><h1>Three</h1>'
    runs = [(0, 0, 3, CONTENT), (1, 0, 3, CONTENT), (2, 0, 5, BOILERPLATE)]
    assert numbered(html, *runs) == (
        '<body><p class="a">'
        '<span data-dbce="content" data-dbce-at="0" data-dbce-run="">One</span><br>'
        '<span data-dbce="content" data-dbce-at="1" data-dbce-run="">two</span></p>'
        '<h1 data-dbce="boilerplate" data-dbce-at="2">Three</h1></body>'
    )


def test_where_no_span_can_be_the_longest_run_gives_its_number() -> None:
    html = "<select><option>One and only</option></select>"
    runs = [(0, 0, 3, BOILERPLATE), (0, 3, 12, CONTENT)]
    assert '<option data-dbce="content" data-dbce-at="1">' in numbered(html, *runs)


def test_a_page_cannot_number_its_own_texts() -> None:
    html = "<p data-dbce-at='0' data-dbce='content'>One</p>"
    assert numbered(html, (0, 0, 3, BOILERPLATE)) == (
        '<body><p data-dbce-source-at="0" data-dbce-source="content" '
        'data-dbce="boilerplate" data-dbce-at="0">One</p></body>'
    )


def page_comes_back(payload: bytes, seed: int) -> bool:
    """True of what is no page, too."""
    try:
        return build.comes_back(load(payload, "text/html; charset=utf-8", Limits()), seed)
    except InputError:
        return True


@pytest.mark.parametrize(
    "html",
    [
        "<p>a<span>b<span>c</span></span>d",
        "<plaintext>a</plaintext><b>c",
        "<select><p>a</p><option>b c</select>",
        "<table>a<b>c<td>d</table>e",
        "<svg><style>a</style><desc><p>b c</desc></svg>d",
        "<math><annotation-xml encoding='text/html'><p>a b</p></annotation-xml></math>",
        "<p a='data-dbce' data-dbce-source=data-dbce>data-dbce-source data-dbce-source-source",
        "<title>a <b>b</b></title><textarea>c d",
        "a\0b\x0bc&#0;d&#x1f;e&#xd800;f",
        "<!-- data-dbce --><!--> a --><?xml data-dbce?>b",
        "<data-dbce data-dbce=1>a b</data-dbce>c",
        "<style>data-dbce='<b'</style><style data-dbce=\"style\">p > a</style>a",
    ],
)
def test_an_odd_page_comes_back(html: str) -> None:
    assert all(page_comes_back(html.encode(), seed) for seed in range(20))


SETS = {
    "cleaneval": (4, 131),
    "cleanportaleval": (1, 71),
    "dragnet": (4, 142),
    "dragnet-sites": (3, 138),
    "flink": (9, 75),
    "kreuzer": (1, 61),
    "sites": (3, 127),
    "warc-zoo": (3, 93),
    "wcxb": (8, 187),
}
"""Each with one of how many of its pages is taken, and the least number of these that are read, parsed and held to it."""


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("name", first(SETS))
def test_pages_of_the_set_come_back(name: str) -> None:
    every, least = SETS[name]
    checked = 0
    for source in expand([str(shared(name))]):
        for capture in islice(read(source, Limits()), 0, None, every):
            if isinstance(capture, Capture):
                with suppress(InputError):
                    document = load(capture.payload, capture.content_type, Limits())
                    assert build.comes_back(document, checked), capture.url
                    checked += 1
    assert checked >= least
