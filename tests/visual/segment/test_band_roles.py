"""Roles by place, size, links and the page's own names."""

import pytest

from dbce.visual.segment import BandOptions, segment
from dbce.visual.segment.band_roles import hint
from tests.visual.pages import PLAIN, box, numbered, page

HEAD = box("div", (0, 0, 1000, 100), "the name of the place")
FOOT = box("div", (0, 1800, 1000, 200), "who is to blame")
WORDS = "words that are in no link " * 10


def links(rect, number=8):
    x, y, w, h = rect
    each = h / number
    return box("div", rect, *[box("a", (x, y + each * n, w, each), "go") for n in range(number)])


def column(x, w):
    return box("div", (x, 100, w, 1700), WORDS)


def roles(*inside, level=1):
    return [b.role for b in segment(page(*inside), "dbce", BandOptions(level=level)).terminal]


def middle(*columns, w=1000):
    return box("div", (0, 100, w, 1700), *columns)


def test_a_page_has_header_section_and_footer():
    assert roles(HEAD, column(0, 1000), FOOT) == ["header", "section", "footer"]


def test_a_narrow_column_is_an_aside_if_of_words_and_a_nav_if_of_links():
    words = middle(column(0, 750), column(750, 250))
    assert roles(HEAD, words, FOOT) == ["header", "section", "aside", "footer"]
    menu = middle(links((0, 100, 250, 1700), 20), column(250, 750))
    assert roles(HEAD, menu, FOOT) == ["header", "nav", "section", "footer"]
    behind = middle(column(0, 750), links((750, 100, 250, 1700), 20))
    assert roles(HEAD, behind, FOOT) == ["header", "section", "nav", "footer"]


@pytest.mark.parametrize(("x", "role"), [(0, "nav"), (750, "aside")])
def test_a_column_of_links_and_words_is_a_nav_before_the_main_block_and_an_aside_behind_it(x, role):
    side = box("div", (x, 100, 250, 1700), "News:", links((x, 200, 250, 1600), 20))
    assert role in roles(HEAD, middle(side, column(250 if not x else 0, 750)), FOOT)


def test_columns_are_asides_by_the_breadth_of_the_main_block():
    columns = middle(column(0, 250), column(250, 150), column(400, 100), w=500)
    assert roles(HEAD, columns, FOOT) == ["header", "section", "section", "aside", "footer"]


def bands(text, h, *ys, **names):
    """Bands at some heights; `names` are the ids of some, by `_` and their height."""
    return [box("div", (0, y, 1000, h), f"{text} {y}", id=names.get(f"_{y}", "")) for y in ys]


def test_one_of_several_bands_is_the_header_and_one_the_footer():
    heads, feet = bands("the name of the place", 90, 0, 100), bands("to blame", 140, 1550, 1850)
    main = box("div", (0, 200, 1000, 1300), WORDS)
    assert roles(*heads, main, *feet) == ["header", "section", "section", "section", "footer"]


def test_lines_at_the_end_of_a_page_and_links_above_them_are_footer_too():
    feet = bands("who is to blame", 90, 1800, 1900)
    main, map_ = box("div", (0, 100, 1000, 1300), WORDS), links((0, 1400, 1000, 400), 20)
    assert roles(HEAD, main, map_, *feet) == ["header", "section", "footer", "footer", "footer"]


def test_a_strip_of_links_between_header_and_main_block_is_a_nav_however_low_it_is():
    menu, main = links((0, 100, 1000, 60), 2), box("div", (0, 160, 1000, 1640), WORDS)
    assert roles(HEAD, menu, main, FOOT) == ["header", "nav", "section", "footer"]
    head, main = box("div", (0, 0, 1000, 350), WORDS), box("div", (0, 400, 1000, 1400), WORDS)
    strip = box("div", (0, 350, 1000, 50), "Go:", links((0, 350, 1000, 50)))
    assert roles(head, strip, main, FOOT) == ["header", "nav", "section", "footer"]


def test_a_picture_at_the_side_of_the_top_is_a_header():
    logo = box("img", (0, 100, 200, 280))
    assert roles(HEAD, logo, column(250, 750), FOOT)[:3] == ["header", "header", "section"]


def test_what_is_narrower_but_says_more_is_no_aside():
    side = box("div", (750, 100, 250, 1700), WORDS * 9)
    found = roles(HEAD, middle(column(0, 750), side), FOOT)
    assert found == ["header", "section", "section", "footer"]


def test_what_is_called_a_header_or_a_footer_is_the_one():
    heads = bands("the name of the place", 90, 0, 100, _0="notice", _100="header")
    feet = bands("who is to blame", 140, 1700, 1850, _1700="footer", _1850="more")
    main = box("div", (0, 200, 1000, 1450), WORDS)
    assert roles(*heads, main, *feet) == ["header", "header", "section", "footer", "footer"]


def test_of_several_header_elements_the_first_is_the_header():
    heads = [box("header", (0, y, 1000, 90), f"the name of the place {y}") for y in (0, 100)]
    main = box("div", (0, 200, 1000, 1600), WORDS)
    assert roles(*heads, main, FOOT) == ["header", "section", "section", "footer"]


def test_what_lies_over_the_page_is_neither_its_header_nor_its_footer():
    notice = box("div", (0, 0, 1000, 180), "may we", style=PLAIN._replace(position="fixed"))
    found = segment(page(notice, HEAD, column(0, 1000), FOOT), "dbce").terminal
    assert [b.role for b in found if not b.floating] == ["header", "section", "footer"]
    assert [b.role for b in found if b.floating] == ["section"]


def test_inside_links_are_navs_words_articles_and_the_rest_sections():
    parts = [
        box("p", (0, 100, 1000, 400), WORDS),
        links((0, 500, 1000, 400), 30),
        box("section", (0, 900, 1000, 400), WORDS),
        box("form", (0, 1300, 1000, 500), box("input", (0, 1300, 1000, 500))),
    ]
    found = segment(page(middle(*parts), FOOT), "dbce", BandOptions(level=2, tall=1, least=1))
    inside = [b.role for b in found.blocks if b.parent > 0]
    assert inside == ["article", "nav", "article", "section"]


def test_words_of_ids_and_classes_name_a_role():
    classes = [{"class": name} for name in ("header-nav", "sideBar ad", "lead")]
    named = (box("div", None, **names) for names in ({"id": "pageFooter"}, *classes))
    elements = page(*named).elements[1:]
    assert [hint(element) for element in elements] == ["footer", "nav", "aside", ""]


@pytest.mark.parametrize(
    ("tag", "attributes", "role"),
    [
        ("aside", {}, "aside"),
        ("main", {}, "section"),
        ("div", {"role": "navigation"}, "nav"),
        ("section", {}, "header"),
    ],
)
def test_what_an_element_is_by_html5_comes_before_its_place(tag, attributes, role):
    head = box(tag, (0, 0, 1000, 100), "the name of the place", **attributes)
    assert roles(head, column(0, 1000), FOOT)[0] == role


def test_a_teaser_that_is_all_link_is_an_article_where_the_verdicts_say_so():
    teaser = box("div", (0, 100, 1000, 400), box("a", (0, 100, 1000, 400), WORDS))
    shown = numbered(page(middle(teaser, box("p", (0, 500, 1000, 1300), WORDS)), FOOT))
    options = BandOptions(level=2, tall=1, least=1)
    for share, role in ((0.0, "nav"), (1.0, "article")):
        blocks = segment(shown, "dbce", options, content={0: share}).blocks
        assert [b.role for b in blocks if b.parent > 0] == [role, "article"]
