"""The tree as plain values."""

import pickle

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dbce.html import element_xpaths, enclosing_elements, holders, lines, subtree_mask, xpaths
from dbce.kernel import compiled
from dbce.model import InputError, Limits, Reason, TextNode
from tests import reference
from tests.html.soup import is_at, page, read_soup, soup, texts


def test_elements_are_in_document_order_with_their_parents_and_classes() -> None:
    read = page('<body class="a  b"><div>x<p class="c">y</p></div><p>z</p></body>')
    assert read.tags == ("html", "body", "div", "p", "p")
    assert read.parents == (-1, 0, 1, 2, 1)
    assert read.classes == ("", "a  b", "", "c", "")


def test_scripts_and_frames_of_others_are_sanitised_away_and_the_text_behind_them_stays() -> None:
    for tag in ("script", "style", "noscript", "template", "iframe", "noembed"):
        html = f"<p>a<{tag}>gone</{tag}>b</p>"
        assert texts(html) == ["a", "b"]
        assert tag not in page(html).tags
    assert texts("<p>a<!-- gone -->b<?gone?>c") == ["a", "b", "c"]


def test_the_head_gives_elements_and_a_title_but_no_text() -> None:
    read = page("<head><title> A \n title </title><meta></head><body>b")
    assert read.tags == ("html", "head", "title", "meta", "body")
    assert read.title == "A title"
    assert [node.text for node in read.nodes] == ["b"]


def test_white_space_is_no_text_node_but_counts_for_the_position() -> None:
    read = page("<div> <p>a</p> <p>b</p>c<br><!-- d -->\u00a0<i></i>e</div>")
    assert [(node.text, node.position) for node in read.nodes if node.element == 2] == [
        ("c", 3),
        ("e", 5),
    ]


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
        found = root.getroottree().xpath(expression)
        assert [element.tag for element in found] == [tag]


@given(soup)
@example("<title>no text")
@settings(max_examples=50)
def test_a_page_that_was_pickled_is_the_same(html: str) -> None:
    _, read, _ = read_soup(html)
    pickled = pickle.loads(pickle.dumps(read))
    assert pickled == read
    assert {type(node) for node in pickled.nodes} <= {TextNode}


def hides(html: str) -> list[str]:
    """The ids of the elements that hide themselves, or the tag names of those without one."""
    read = page(html)
    return [
        name or tag
        for name, tag, is_hidden in zip(read.ids, read.tags, read.hidden, strict=True)
        if is_hidden
    ]


def test_an_element_hides_itself_by_attribute_or_style_alone() -> None:
    html = (
        "<p id=a hidden>x<p id=b aria-hidden=true>x<p id=c style='color:red; DISPLAY : none'>x"
        "<p id=d style='visibility:hidden'>x<p id=e aria-hidden=false style='display:block'>x"
    )
    assert hides(html) == ["a", "b", "c", "d"]
    assert hides("<head><style>p{display:none}</style></head><p>x<p id=b hidden>x") == ["b"]
    # A page that hides itself whole waits for a script.
    assert hides("<html hidden><body style='display:none'><p>x") == []


@pytest.mark.parametrize(
    ("html", "tags"),
    [
        ("<p>a<b>b<i>c</i></b></p>", ["p", "p", "p"]),
        ("<div>a<p>b</p>c</div>", ["div", "p", "div"]),
        ("<span>a</span>", ["body"]),
        ("<ul><li><a>a</a><li>b</ul>", ["li", "li"]),
    ],
)
def test_a_text_is_set_by_the_nearest_element_that_is_not_inline(html, tags):
    of = page(html)
    holder = holders(of)
    assert [of.tags[holder[node.element]] for node in of.nodes] == tags


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a<b>b<i>c</i></b>d</p>", [0, 0, 0, 0]),
        ("<div>a<p>b</p>c</div>", [0, 1, 2]),
        ("<p>a<br>b<i>c</i><br>d", [0, 1, 1, 2]),
        ("<p>a<img>b<wbr>c", [0, 0, 0]),
        ("<div>a<hr>b<p></p>c</div>", [0, 1, 2]),
        ("<ul><li>a<li>b</ul>c", [0, 1, 2]),
        ("<p></p>", []),
    ],
)
def test_a_line_ends_where_a_block_begins_or_ends_and_at_a_line_break(html, expected):
    of = page(html)
    assert lines(of, holders(of)) == expected


@given(soup, st.sets(st.integers(-1, 30)))
def test_holders_and_enclosing_elements_are_those_of_the_way_to_the_root(body, chosen):
    read = page(f"<body>{body}")
    assert holders(read, chosen) == reference.holders(read, chosen)
    assert enclosing_elements(read, chosen) == reference.enclosing(read, chosen)


def test_a_parent_that_does_not_stand_before_its_elements_is_not_read():
    with pytest.raises(IndexError):
        compiled.enclosing((-1, 5), {0})


@given(soup, st.sets(st.integers(0, 30)))
def test_elements_inside_are_those_with_a_chosen_one_around(body: str, numbers: set[int]) -> None:
    read = page(f"<body>{body}")
    chosen = {number for number in numbers if number < len(read.parents)}
    inside = [int(nearest >= 0) for nearest in enclosing_elements(read, chosen)]
    assert list(subtree_mask(read.parents, chosen)) == inside
