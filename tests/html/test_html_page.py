"""The tree as plain values: its elements, texts and lines, where words part, and text in `<noscript>`."""

import pickle
from dataclasses import replace
from importlib import import_module
from itertools import pairwise

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from dbce.html import (
    NamePattern,
    css,
    element_xpaths,
    elements_around,
    enclosing_elements,
    holders,
    lines,
    load,
    nodes_within,
    outermost_elements,
    strip,
    subtree_end,
    subtree_mask,
    xpaths,
)
from dbce.html.page import FEW_WORDS, LEAST_WORDS, TIMES
from dbce.kernel import compiled
from dbce.model import InputError, Limits, Reason, TextNode
from tests import reference
from tests.html.soup import annotate, is_at, page, random_runs, read_soup, serialise, soup, texts


def test_elements_are_in_document_order_with_their_parents_and_classes() -> None:
    read = page('<body class="a  b"><div>x<p class="c">y</p></div><p>z</p></body>')
    assert read.tags == ("html", "body", "div", "p", "p")
    assert read.parents == (-1, 0, 1, 2, 1)
    assert read.classes == ("", "a  b", "", "c", "")


@pytest.mark.parametrize("tag", ["script", "style", "noscript", "template", "iframe", "noembed"])
def test_scripts_and_frames_of_others_are_sanitised_away_and_the_text_behind_them_stays(tag):
    html = f"<p>a<{tag}>gone</{tag}>b<!-- gone -->c<?gone?>d</p>"
    assert texts(html) == [*"abcd"]
    assert tag not in page(html).tags


def test_the_head_gives_elements_and_a_title_but_no_text() -> None:
    read = page("<head><title> A \n title </title><meta></head><body>b")
    assert read.tags == ("html", "head", "title", "meta", "body")
    assert read.title == "A title"
    assert [node.text for node in read.nodes] == ["b"]


def test_white_space_is_no_text_node_but_counts_for_the_position() -> None:
    read = page("<div> <p>a</p> <p>b</p>c<br><!-- d -->\u00a0<i></i>e</div>")
    positions = [(node.text, node.position) for node in read.nodes if node.element == 2]
    assert positions == [("c", 3), ("e", 5)]


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(depth=4), Reason.TOO_DEEP),
        (Limits(elements=7), Reason.TOO_MANY_ELEMENTS),
        (Limits(words=4), Reason.TOO_MANY_WORDS),
    ],
)
def test_a_page_beyond_a_limit_is_rejected(limits: Limits, reason: Reason) -> None:
    html = "<body><div><p><b>one two</b></p></div><p>three four<p>five"  # 7 elements, depth 5
    assert page(html, Limits(depth=5, elements=7, words=5)).nodes
    with pytest.raises(InputError) as error:
        page(html + "<br>" if reason == Reason.TOO_MANY_ELEMENTS else html, limits)
    assert error.value.reason == reason


def test_xpaths_number_what_needs_a_number() -> None:
    read = page("<body><div>a</div><div><p>b<br>c</p></div><o:p>d</o:p></body>")
    assert xpaths(read) == [
        "/html/body/div[1]/text()[1]",
        "/html/body/div[2]/p[1]/text()[1]",
        "/html/body/div[2]/p[1]/text()[2]",
        "/html/body/*[name()='o:p'][1]/text()[1]",
    ]
    assert element_xpaths(read)[:3] == ["/html", "/html/body", "/html/body/div[1]"]


@settings(max_examples=400)
@given(soup)
@example("<body>0</body><body>1<p>2")
@example("0</html><body>0")
@example("<a'b\">x</a><a:b>y")
@example("<p>a<script>s</script>b<!-- c -->c<p>d")
def test_an_xpath_finds_exactly_its_text_node_or_element(html: str) -> None:
    root, read, handles = read_soup(html)
    for expression, node, handle in zip(xpaths(read), read.nodes, handles, strict=True):
        found = root.getroottree().xpath(expression)
        assert found == [node.text]
        assert (found[0].getparent(), found[0].is_tail) == handle
        assert is_at(handle, node.text)
    for expression, tag in zip(element_xpaths(read), read.tags, strict=True):
        assert [element.tag for element in root.getroottree().xpath(expression)] == [tag]


@given(soup)
@example("<title>no text")
@settings(max_examples=50)
def test_a_page_that_was_pickled_is_the_same(html: str) -> None:
    _, read, _ = read_soup(html)
    pickled = pickle.loads(pickle.dumps(read))
    assert pickled == read
    assert {type(node) for node in pickled.nodes} <= {TextNode}


@pytest.mark.parametrize(
    ("html", "hiding"),
    [
        ("<p id=a hidden>x<p id=b aria-hidden=true>x<p id=c style='color:red; DISPLAY : none'>x", "abc"),
        ("<p id=d style='visibility:hidden'>x<p id=e aria-hidden=false style='display:block'>x", "d"),
        ("<head><style>p{display:none}</style></head><p>x<p id=b hidden>x", "b"),
        # A page that hides itself whole waits for a script.
        ("<html id=a hidden><body id=b style='display:none'><p>x", ""),
    ],
)  # fmt: skip
def test_an_element_hides_itself_by_attribute_or_style_alone(html, hiding) -> None:
    read = page(html)
    ids = [name for name, hides in zip(read.ids, read.hidden, strict=True) if hides]
    assert ids == [*hiding]


@given(soup, st.sets(st.integers(-1, 30)), st.integers(1, 9))
def test_what_elements_are_in_and_hold_is_what_the_ways_to_the_root_say(body, numbers, most):
    read = page(f"<body>{body}")
    chosen = {number for number in numbers if 0 <= number < len(read.tags)}
    assert holders(read, numbers) == reference.holders(read, numbers)
    around = reference.enclosing(read, numbers)
    assert enclosing_elements(read, numbers) == around
    assert outermost_elements(read, numbers) == reference.enclosing(read, numbers, -1)
    assert list(subtree_mask(read, numbers)) == [above >= 0 for above in around]
    own = [n for n, node in enumerate(read.nodes) if around[node.element] >= 0]
    assert compiled.texts_within(read, numbers) == own
    assert list(elements_around(read, numbers)) == reference.ancestor_mask(read, chosen)
    assert lines(read, holders(read)) == reference.lines(read)
    for n in range(len(read.tags)):
        assert subtree_end(read.parents, n, most) == reference.subtree_end(read, n, most)
        assert list(nodes_within(read, n)) == reference.nodes_within(read, n)
        near = [e for e in [*reference.way_up(read.parents, n)][:most] if read.tags[e] in "bp"]
        assert compiled.nearest_of_tags(read, n, "bp", most) == [*near, -1][0]


HEADS = st.text(st.sampled_from("abé"), min_size=1, max_size=6)


@given(st.lists(st.text(st.sampled_from(" .aBbé\0")), max_size=9), st.lists(HEADS))
def test_texts_that_may_begin_with_a_head_are_told_by_four_characters(own, heads):
    read = replace(page("<p>a"), nodes=tuple(TextNode(0, 1, 0, False, text) for text in own))
    likely = [n for n, text in enumerate(own) if reference.may_begin(text, heads, " .")]
    assert compiled.may_begin(read, heads, " .") == likely
    signs = {"a", "é"}
    touching = [n for n, (a, b) in enumerate(pairwise(own), 1) if {a[-1:], b[:1]} <= signs]
    own_lines = [0 if text else n + 1 for n, text in enumerate(own)]  # what is empty is alone
    assert compiled.touching(read.nodes, own_lines, "a", "a") == touching


NAMES = st.lists(st.text("aBc éÉ’", max_size=9)).map(tuple)


@given(NAMES, st.lists(st.text("abcé", min_size=2, max_size=5), max_size=9).map(tuple))
def test_stems_are_found_where_a_text_has_them_in_it_and_names_with_their_places(names, stems):
    own = [n for n, name in enumerate(names) if reference.stems_in(name, stems)]
    nodes = tuple(TextNode(0, 1, 0, False, of) for of in names)
    assert compiled.texts_with(nodes, stems) == own
    holding = compiled.texts_holding(nodes, "aB")
    assert holding == [n for n, name in enumerate(names) if {*"aB"} & {*name}]
    places = {name: [n for n, own in enumerate(names) if own == name] for name in names if name}
    assert compiled.places_of(names) == places
    for whole, text_of in ((0, str.lower), (1, lambda name: name.lower().split())):
        likely = {n for n in places if not n.isascii() or any(s in text_of(n) for s in stems)}
        assert compiled.places_of(names, stems, whole) == {name: places[name] for name in likely}
    among, others = (compiled.places_among(names, frozenset(names[::2]), its) for its in (1, 0))
    assert [n in among for n in sorted([*among, *others])] == [of in names[::2] for of in names]


PATTERNS = {
    f"{module}.{name}": value
    for module in (
        *("html.exclusions", "html.css", "formats.leaves", "formats.notes", "formats.omissions"),
        *(f"boilerplate.decide.{module}" for module in ("article", "asides", "structures")),
        "metadata.bylines",
    )
    for name, value in vars(import_module(f"dbce.{module}")).items()
    if isinstance(value, NamePattern)
}


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
@settings(max_examples=200)
@given(data=st.data())
def test_no_name_that_fits_is_passed_over(pattern, data):
    name = data.draw(st.from_regex(pattern.pattern))
    assert not name.isascii() or any(stem in name.lower() for stem in pattern.stems)


def text(html: str) -> str:
    """The text of a page whose texts are all in one line."""
    read = page(html)
    assert len({*lines(read, holders(read))}) == 1
    return "".join(f" {node.text}" if node.spaced else node.text for node in read.nodes).strip()


def parted(*pages: str) -> list[tuple[str, str]]:
    return [(html, "npm yarn") for html in pages]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        *parted(
            "<p><button>npm</button><button>yarn</button>",
            "<p><a href=/1>npm</a><a href=/2>yarn</a>",
            "<p><span class=tab>npm</span><span class=tab>yarn</span>",
            "<p><span style='display: block'>npm</span><span>yarn</span>",
            "<p>npm<i style='margin-left:4px'>yarn</i>",
            "<style>P > .b{display:inline-block}</style><p>npm<i class=b>yarn</i>",
            "<style>@media (min-width:1px){.x b,#y{float:left}}</style><p class=x>npm<b>yarn</b>",
            "<style>/* a{} */ .x{gap:1em;display:flex}</style><p class=x><b>npm</b><b>yarn</b>",
            "<p style='display:flex'>npm<b>yarn</b>",
            "<p class='d-flex'><b>npm</b><b>yarn</b>",
            "<div class=row><b>npm</b><b>yarn</b></div>",
            "<p><b role=cell>npm</b><b role=cell>yarn</b>",
            "<p><del>npm</del><ins>yarn</ins>",
            "<p>npm<b class='ms-2'>yarn</b>",
        ),
        ("<p><a href=/>Anna Holm</a><span>3 May 2015</span>", "Anna Holm 3 May 2015"),
        ("<p><span class=name>Anna</span><span class=job>boat builder</span>", "Anna boat builder"),
        ("<p><strong>Anna Holm</strong><span>Boat builder</span>", "Anna Holm Boat builder"),
        ("<p>Anna Holm<time>3 May</time>", "Anna Holm 3 May"),
        ("<p><time>[21:00]</time><b class=nick>ida:</b><i>how?</i>", "[21:00] ida: how?"),
        ("<p>309<span>Comments</span>", "309 Comments"),
        ("<p><b class=role>Cook</b><a href=/>x@a.example</a>", "Cook x@a.example"),
        *((f"<p><code>tar</code><b class={name}>new</b>", "tar new") for name in ("badge", "type")),
        ("<p>" + 2 * "<i><b class=k>crew</b><b class=v>ten</b></i> ", "crew ten crew ten"),
        ("<p><b class=amount>2</b><b class=unit>g</b><b class=name>rye</b>", "2 g rye"),
        ("<p><b class=community>Ly</b><b class=opportunity>on</b>", "Lyon"),
        ("<p><b>31</b><span>crates</span>, <i>4</i><b>th</b>", "31 crates, 4th"),
        ("<p><span itemprop=author>ANNA HOLM</span><b>Boats</b>", "ANNA HOLM Boats"),
        ("<p><b>Anna</b><a href=/1>(0:10)</a> <b>(b)</b><i>A goat</i>", "Anna (0:10) (b) A goat"),
    ],
)
def test_words_are_parted_by_style_and_by_what_they_are(html: str, expected: str) -> None:
    assert text(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        *("<p><b>W</b>ord", "<p><a href=/>boat</a>s", "<p>Java<i>Script</i>"),
        "<p><span class=title>W</span><span class=title>ord</span>",
        "<p><b style='display:inline-block'>W</b>ord",
        *("<p><span>wor</span><span>ds</span>", "<p><b class=h>12:</b><b class=m>30</b>"),
        "<p><code><span>Foo</span><span>Bar</span></code>",
        "<p><span class='token name'>foo</span><span class='token type'>bar</span>",
        *("<p>H<sub>2</sub>O", "<p><ruby>漢<rt>かん</rt></ruby>字"),
        "<style>.x{display:block} .y i{display:block}</style><p>wor<i>ds</i>",
        "<style>i:hover, b + i, i[lang], ::before{display:block}</style><p>wor<i>ds</i>",
        "<style>.x .y i{display:block}</style><p class=y>wor<b class=x><i>ds</i></b>",
    ],
)
def test_parts_of_a_word_stay_together(html: str) -> None:
    assert " " not in text(html)


@pytest.mark.parametrize("limit", ["CHARACTERS", "STEPS"])
def test_beyond_a_limit_rules_of_sheets_count_for_nothing(limit: str, monkeypatch) -> None:
    html = "<style>.{}, p i{{display:block}}</style><p>wor<i>ds</i>"
    assert text(html.format("x")) == "wor ds"
    monkeypatch.setattr(css, limit, 1)
    assert text(html.format("y")) == "words"


def test_a_page_with_marks_has_the_same_words() -> None:
    document = load(b"<p>Java<i>Script</i> <b>a Mac</b>Book</p>", "text/html", Limits())
    runs = random_runs(document.page, 1)
    annotated = annotate(document.root, document.page, document.handles, runs)
    assert text(annotated.decode()) == "JavaScript a MacBook"


def words(number: int, name: str = "word") -> str:
    return " ".join(f"{name}{n}" for n in range(number))


THREAD = words(max(LEAST_WORDS, TIMES * FEW_WORDS), "post")
NOTE = words(LEAST_WORDS - 1, "enable")


def test_a_thread_that_only_readers_without_scripts_see_is_the_text() -> None:
    read = page(f"<section id=app></section><noscript><div><p>{THREAD}</p></div></noscript>")
    assert [node.text for node in read.nodes] == [THREAD]
    assert read.tags == ("html", "body", "section", "noscript", "div", "p")
    assert xpaths(read) == ["/html/body/noscript[1]/div[1]/p[1]/text()[1]"]
    read = page(f"<p>Loading</p><noscript><b hidden>x</b><i>{THREAD}</i></noscript>")
    assert [tag for tag, hides in zip(read.tags, read.hidden, strict=True) if hides] == ["b"]


@pytest.mark.parametrize(
    "inside",
    [
        "You need to enable JavaScript to run this app.",
        NOTE,
        "<img src='https://tracker.example/pixel?a=b' width=1 height=1 alt='a b c'>",
        f"<iframe src='https://tags.example/'>{THREAD}</iframe>",
        f"<style>{THREAD}</style>",
        "<p> \n </p>" * 1000,
    ],
)
def test_a_request_to_enable_scripts_and_a_pixel_are_no_text(inside: str) -> None:
    assert texts(f"<div id=root></div><noscript>{inside}</noscript>") == []
    assert texts(f"Loading ...<noscript>{inside}</noscript>") == ["Loading ..."]
    assert texts(f"<noscript>{inside}</noscript>" * 20) == []


def test_a_note_beside_the_thread_is_none_of_its_text_but_counts_in_paths() -> None:
    read = page(f"<noscript>{NOTE}</noscript>Loading<noscript>{THREAD}</noscript>")
    assert [node.text for node in read.nodes] == ["Loading", THREAD]
    assert xpaths(read)[1] == "/html/body/noscript[2]/text()[1]"


def test_with_other_text_than_a_few_words_the_page_is_read_as_with_scripts() -> None:
    def counts(outside: int, inside: int) -> bool:
        html = f"<p>{words(outside)}</p><noscript><p>{words(inside)}</p></noscript>"
        return "noscript" in page(html).tags

    assert counts(0, LEAST_WORDS)
    assert not counts(0, LEAST_WORDS - 1)
    assert counts(FEW_WORDS, TIMES * FEW_WORDS)
    assert not counts(FEW_WORDS, TIMES * FEW_WORDS - 1)
    assert not counts(FEW_WORDS + 1, 100 * FEW_WORDS)


@pytest.mark.parametrize(
    ("html", "found"),
    [
        # The text of the head is none here either.
        (f"<head><noscript><p>{THREAD}</p></noscript></head><body>a<noscript>b</noscript>", ["a"]),
        # What an element left open has taken into it is text.
        (
            f"<a>Skip</a><noscript><div id=left></noscript><p>{THREAD}<noscript>note</noscript><p>b",
            ["Skip", THREAD, "note", "b"],
        ),
    ],
)
def test_what_an_element_left_open_has_taken_into_noscript_is_text(html, found) -> None:
    assert texts(html) == found


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(depth=15), Reason.TOO_DEEP),
        (Limits(elements=15), Reason.TOO_MANY_ELEMENTS),
        (Limits(words=LEAST_WORDS), Reason.TOO_MANY_WORDS),
    ],
)
def test_limits_hold_in_there(limits, reason) -> None:
    with pytest.raises(InputError) as error:
        page(f"<noscript>{THREAD}{'<i>' * 20}</noscript>", limits)
    assert error.value.reason == reason


@settings(max_examples=100, deadline=None)
@given(soup, soup, soup)
@example("<p>a<span>b", "<p data-dbce='content'>c<!-- d -->e<i>f</i>g", "h")
@example("<noscript>", "</noscript>data-dbce<noscript>", "</noscript></html>h")
@example("", "<table>a<tr>b<select><option>c d</select>", "<svg><text>e f</text></svg>")
def test_such_a_page_comes_back_and_every_path_finds_its_text(
    before: str, inside: str, behind: str
) -> None:
    html = f"<body>{before}<noscript><p>{THREAD}<br>{inside}</noscript>{behind}"
    root, read, handles = read_soup(html)
    assume("noscript" in read.tags)
    for expression, node, handle in zip(xpaths(read), read.nodes, handles, strict=True):
        assert root.getroottree().xpath(expression) == [node.text]
        assert is_at(handle, node.text)
    original = serialise(root)
    annotated = annotate(root, read, handles, random_runs(read, len(html)))
    assert strip(annotated) == original
    assert b' data-dbce-bits="' in annotated  # the page's own are respelled
