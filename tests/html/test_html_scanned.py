"""A page read from its serialised bytes is the page read from its tree."""

import sys
from itertools import islice

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dbce import sample
from dbce.archive import expand, read
from dbce.html import load, parse, read_page, skeleton
from dbce.html.declarations import declarations
from dbce.html.exclusions import REFERENCES_OF
from dbce.html.skeleton import SETS, ScannedPage, Skeleton, scan
from dbce.html.walk import attributes
from dbce.kernel import compiled
from dbce.model import Capture, InputError, Limits, Page, TextNode
from tests.data import shared
from tests.fuzz.test_fuzz_targets import mutated
from tests.html.soup import serialise, soup

LIMITS = Limits()


def both(html: str, limits: Limits = LIMITS) -> ScannedPage | None:
    """What the scanner gives of HTML; it is held against the walk, errors too, and so is what it gives of XML."""
    try:
        root, other = parse(html), parse(html)
    except InputError:
        return None
    before = serialise(root)
    try:
        scanned, of_xml = scan(root, limits), scan(other, limits, to_write=False)
    except InputError as error:
        with pytest.raises(InputError, match=error.detail):
            read_page(root, limits)
        return None
    assert serialise(root) == before  # the tree is as it was
    for each, its_root in ((of_xml, other), (scanned, root)):
        if each is not None:
            page, handles = read_page(its_root, limits)
            assert each.page == page
            own = each.attributes._replace(ids=[], references=None)
            assert own == attributes(each.elements)._replace(ids=[])
            assert each.declaring == declarations(its_root)
            places = {element: n for n, element in enumerate(each.elements)}
            named = [(places.get(of.getparent(), -1), of) for of in REFERENCES_OF(its_root)]
            assert each.attributes.references in (None, named)
            assert each.has_empty_items == bool(its_root.xpath("//li[not(node())]"))
    if scanned is not None:
        assert of_xml is not None or b"\f" in before
        assert written(scanned.skeleton, page) == written(skeleton(root, page, handles), page)
    return scanned


def written(bare: Skeleton, page: Page) -> list[bytes]:
    """The page as it is, with all places for marks filled, and with some."""
    every = {number: f"é{number}" for number in range(max(len(page.tags), len(page.nodes)))}
    third = {number: f"<{number}>" for number in [*every][::3]}
    return [bare.fill({}, {}), bare.fill(every, every), bare.fill(third, {}), bare.fill({}, third)]


SCANNED = (
    "<p>One<b>two</b> three",
    "text alone",
    "<ul><li><li>a<li><li><b></b></ul><ol><li></ol>",  # libxml2 ends no empty item
    "<ul><li><!-- c --><li class=x></ul>",
    "<p title='a\"b'>one <p title='a\"b&apos;c'>two",
    "<p title='&amp;&lt;&gt;&quot;&nbsp;é'>a &amp; b &lt;c&gt; &quot;d&quot; &nbsp;é &amp;amp;",
    '<a b"c=1 =foo=2 <x=3 == d a b"c=2>x</a><x<y>z</x<y><o:p>k</o:p><a&lt;b>i</a&lt;b>',
    "<p hidden style='display:none' aria-hidden=true>x<p style>y<p hidden=''>z",
    "<a href=#n>1</a><!-- c --><a name=' é%'>x<a name=n><img alt='&quot;y'><i name=n alt=l></i>",
    "<p role=a itemprop='' aria-label=b data-testid=c data-component=d itemtype=e class=f id=g>x",
    "<a href='#x'>1</a><a href=' #x'>2</a><a href='#'>3</a><a href='#é \"&amp;'>4</a><b href='#y'>5",
    "<script>if (a<b) {'</p>'}</script><style>a>b{}</style>t<noscript><b>n</b></noscript>",
    "<script><!-- document.write('<script></scr'+'ipt>') --></script>text",
    "<iframe><b></iframe><template>t<p>u</template><noembed><i></noembed>x<xmp><b></xmp>y",
    "<plaintext><b>x",
    "<!--a--><!DOCTYPE html PUBLIC '-//W3C//DTD HTML 4.01//EN' \"x'y\"><!--b--><html>r<!--c--><p>x",
    "<!-->a<!--->b<!---->c<!--d--!>e<!-- f--->g<?php h ?>i<![CDATA[j]]>k</ l>m<!n--",
    "<head>\n<!-- c --><title> a\n b </title>h<p>x",
    "<head></head><p>x",
    "<html><!-- c --><p>x</html>after<!-- d --><p>more",
    "<frameset><frame src=x><noframes>hello <b>you</b></noframes></frameset>",
    "<title>a</title><body><title>b</title><h1>c<td>d<select><option>e<textarea>\n\nf</textarea>",
    "<p>&#13;a&#12;b&#x85;c\u2003d\u3000</p>\u1680<p>\u2028<b>\u202f</b>\u205f\ufeff e&#1;&#127;",
    "<table><tr>a<td>b<table>c</table></table><style>.x{display:none}</style><p class=x>d",
    "<a rel='x author'>a<noscript><a href='#'><h1 itemprop>b</noscript><abbr><meta rel=author><a href=javascript:>c",
    "<p data-lang=a data-line-number>x<p data-tex='&{' data-text=y>z<script type='Math/TeX;'>a</script>",
    "<style>a</style><style>&amp;<b></style><noscript><style>c</style></noscript><template><style>d</style></template>x",
    "<a onclick='&quot;a&quot;()'>1</a><noscript data-toggle>n</noscript><i aria-controls=b data-target=c>x</i>",
    "<b id=a hidden>x</b><i data-bs-target='&{a}'>y</i><b id=c hidden>z</b><a href='javascript:c()'>d</a>",
    "<div>" * 200 + "deep",
    "<ul><li>" * 60 + "x",
    "".join(f"<t{n} class='c{n % 300}'>x</t{n}>" for n in range(1_000)),  # more than are on the shelf
)  # fmt: skip


@pytest.mark.parametrize("html", SCANNED)
def test_a_page_as_libxml2_writes_it_is_scanned(html: str) -> None:
    assert both(html) is not None


@pytest.mark.parametrize(
    "html",
    [
        "<p data-dbce=content>x",
        "<p>of data-dbce",
        f"<noscript>{'word ' * 200}</noscript>",
        "<script><!--<script></script> HELLO <script>--></script>x",
        "<script><!--<SCRIPT>a</script> HELLO",
        "<p title='&amp;{x}' class='&{y}'>x",
    ],
)
def test_a_page_beyond_the_scanner_is_walked(html: str) -> None:
    assert both(html) is None
    walked, to_write = (load(html.encode(), "", LIMITS, use) for use in ("mark", "write"))
    assert to_write.scanned is None
    assert to_write.page == walked.page
    assert to_write.canonical().skeleton == walked.canonical().skeleton


@pytest.mark.parametrize("html", ["<b>" * 12, "<p>x</p>" * 12, "a b c d e f g h i j k l m n o p q"])
def test_a_page_that_is_too_large_is_rejected_by_both(html: str) -> None:
    for limits in (Limits(elements=10), Limits(depth=10), Limits(texts=10), Limits(words=10)):
        both(html, limits)


@given(soup, st.booleans())
@example("<ul><li></ul>", False)
def test_any_soup_is_read_the_same(html: str, speaks_of_marks: bool) -> None:
    both(html if speaks_of_marks else html.replace("data-dbce", "data-other"))


@given(
    soup, st.sampled_from([Limits(elements=6), Limits(depth=3), Limits(texts=2), Limits(words=2)])
)
def test_any_soup_meets_the_limits_the_same(html: str, limits: Limits) -> None:
    both(html, limits)


@given(st.text(alphabet="<>/!-='\"& abdeilhnpst?[]\n\0é\u2003", max_size=60))
@example('<a b="')
@example("<!-")
@example("<html><a ")
def test_what_no_tree_writes_is_answered_or_left(text: str) -> None:
    for html in (text, f"<html>{text}</html>"):
        own = html.encode(), SETS, sys.maxsize, sys.maxsize, TextNode
        compiled.scan(*own, is_xml=True)
        if (values := compiled.scan(*own)) is not None:
            compiled.fill(own[0], values[9], (b"root", b"head", b"end"), {0: "a"}, {0: "b"})


@pytest.mark.parametrize(
    "edits", [(3, 2, -1), (0, 99, -1), (2, 3, -1, 1, 3, -1), (-1, 0, 4), (0, 0, -6)]
)
def test_places_outside_of_the_page_are_refused(edits: tuple[int, ...]) -> None:
    packed = b"".join(number.to_bytes(4, sys.byteorder, signed=True) for number in edits)
    with pytest.raises(ValueError, match="order"):
        compiled.fill(b"<html>", packed, (b"", b"", b""), {}, {})


@pytest.mark.parametrize("use", ["judge", "write"])
def test_handles_are_there_when_they_are_asked_for(use) -> None:
    document = load(b"<ul><li></ul><p>one<br>two", "", LIMITS, use)
    assert document.scanned
    assert [place.tag for place, _ in document.handles] == ["p", "br"]


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("sample")
    sample.write(folder)
    return list(texts_of(str(folder)))


def texts_of(archive: str, every: int = 1) -> list[str]:
    """The pages of an archive, as text."""
    captures = (c for source in expand([archive]) for c in read(source, LIMITS))
    pages = (capture for capture in captures if isinstance(capture, Capture))
    return [capture.payload.decode("latin-1") for capture in islice(pages, 0, None, every)]


@settings(deadline=None)
@given(
    st.integers(0, 10**6),
    st.lists(
        st.tuples(
            st.integers(0, 10**6), st.integers(0, 40), st.none() | st.binary(min_size=1, max_size=8)
        ),
        min_size=1,
        max_size=6,
    ),
)
def test_mutated_pages_of_the_sample_are_read_the_same(
    sampled: list[str], number: int, changes: list[tuple[int, int, bytes | None]]
) -> None:
    html = sampled[number % len(sampled)]
    both(mutated(html.encode("latin-1"), changes).decode("latin-1"))


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("name", ["chinese", "cleaneval", "dragnet-sites", "flink", "warc-zoo"])
def test_pages_of_the_set_are_read_the_same(name: str) -> None:
    results = [both(html) for html in texts_of(str(shared(name)), every=3)]
    assert len([each for each in results if each]) > 0.9 * len(results)
