"""Roles by place, size, links and the page's own names."""

from dataclasses import replace

import pytest

from dbce.visual import Element
from dbce.visual.segment import BandOptions, RoleOptions, segment
from dbce.visual.segment.band_roles import hint
from tests.visual.pages import PLAIN, Box, box, page

HEAD = box("div", (0, 0, 1000, 100), "the name of the place")
FOOT = box("div", (0, 1800, 1000, 200), "who is to blame")
WORDS = "words that are in no link " * 10


def links(rect: tuple[float, ...], number: int = 8) -> Box:
    x, y, w, h = rect
    each = h / number
    return box("div", rect, *[box("a", (x, y + each * n, w, each), "go") for n in range(number)])


def column(x: float, w: float) -> Box:
    return box("div", (x, 100, w, 1700), WORDS)


def roles(*inside: Box, level: int = 1) -> list[str]:
    return [b.role for b in segment(page(*inside), "dbce", BandOptions(level=level)).terminal]


def test_a_page_has_header_section_and_footer() -> None:
    assert roles(HEAD, column(0, 1000), FOOT) == ["header", "section", "footer"]


def test_a_narrow_column_of_words_is_an_aside() -> None:
    middle = box("div", (0, 100, 1000, 1700), column(0, 750), column(750, 250))
    assert roles(HEAD, middle, FOOT) == ["header", "section", "aside", "footer"]


def test_a_narrow_column_of_links_is_a_nav() -> None:
    side = links((0, 100, 250, 1700), 20)
    middle = box("div", (0, 100, 1000, 1700), side, column(250, 750))
    assert roles(HEAD, middle, FOOT) == ["header", "nav", "section", "footer"]


@pytest.mark.parametrize(("x", "role"), [(0, "nav"), (750, "aside")])
def test_a_column_of_links_and_words_is_a_nav_before_the_main_block_and_an_aside_behind_it(
    x: float, role: str
) -> None:
    side = box("div", (x, 100, 250, 1700), "News:", links((x, 200, 250, 1600), 20))
    middle = box("div", (0, 100, 1000, 1700), side, column(250 if not x else 0, 750))
    assert role in roles(HEAD, middle, FOOT)


def test_a_column_of_links_alone_is_a_nav_behind_the_main_block_too() -> None:
    middle = box("div", (0, 100, 1000, 1700), column(0, 750), links((750, 100, 250, 1700), 20))
    assert roles(HEAD, middle, FOOT) == ["header", "section", "nav", "footer"]


def test_columns_are_asides_by_the_breadth_of_the_main_block() -> None:
    middle = box("div", (0, 100, 500, 1700), column(0, 250), column(250, 150), column(400, 100))
    shown = page(HEAD, middle, FOOT)
    found = segment(shown, "dbce").terminal
    assert [b.role for b in found] == ["header", "section", "section", "aside", "footer"]


def test_one_of_several_bands_is_the_header_and_one_the_footer() -> None:
    heads = [box("div", (0, y, 1000, 90), f"the name of the place {y}") for y in (0, 100)]
    feet = [box("div", (0, y, 1000, 140), f"who is to blame {y}") for y in (1550, 1850)]
    main = box("div", (0, 200, 1000, 1300), WORDS)
    assert roles(*heads, main, *feet) == ["header", "section", "section", "section", "footer"]


def test_lines_at_the_end_of_a_page_and_links_above_them_are_footer_too() -> None:
    feet = [box("div", (0, y, 1000, 90), f"who is to blame {y}") for y in (1800, 1900)]
    main, map_ = box("div", (0, 100, 1000, 1300), WORDS), links((0, 1400, 1000, 400), 20)
    assert roles(HEAD, main, map_, *feet) == ["header", "section", "footer", "footer", "footer"]


def test_a_strip_of_links_between_header_and_main_block_is_a_nav_however_low_it_is() -> None:
    head, main = box("div", (0, 0, 1000, 350), WORDS), box("div", (0, 400, 1000, 1400), WORDS)
    strip = box("div", (0, 350, 1000, 50), "Go:", links((0, 350, 1000, 50)))
    assert roles(head, strip, main, FOOT) == ["header", "nav", "section", "footer"]


def test_a_picture_at_the_side_of_the_top_is_a_header() -> None:
    logo = box("img", (0, 100, 200, 280))
    found = segment(page(HEAD, logo, column(250, 750), FOOT), "dbce").terminal
    assert [(b.rect.x, b.role) for b in found][1] == (0, "header")


def test_what_is_narrower_but_says_more_is_no_aside() -> None:
    side = box("div", (750, 100, 250, 1700), WORDS * 9)
    middle = box("div", (0, 100, 1000, 1700), column(0, 750), side)
    assert roles(HEAD, middle, FOOT) == ["header", "section", "section", "footer"]


def test_what_is_called_a_header_or_a_footer_is_the_one() -> None:
    heads = [
        box("div", (0, y, 1000, 90), f"the name of the place {y}", id=name)
        for y, name in ((0, "notice"), (100, "header"))
    ]
    feet = [
        box("div", (0, y, 1000, 140), f"who is to blame {y}", id=name)
        for y, name in ((1700, "footer"), (1850, "more"))
    ]
    main = box("div", (0, 200, 1000, 1450), WORDS)
    assert roles(*heads, main, *feet) == ["header", "header", "section", "footer", "footer"]


def test_of_several_header_elements_the_first_is_the_header() -> None:
    heads = [box("header", (0, y, 1000, 90), f"the name of the place {y}") for y in (0, 100)]
    main = box("div", (0, 200, 1000, 1600), WORDS)
    assert roles(*heads, main, FOOT) == ["header", "section", "section", "footer"]


def test_what_lies_over_the_page_is_neither_its_header_nor_its_footer() -> None:
    notice = box("div", (0, 0, 1000, 180), "may we", style=PLAIN._replace(position="fixed"))
    found = segment(page(notice, HEAD, column(0, 1000), FOOT), "dbce").terminal
    assert [b.role for b in found if not b.floating] == ["header", "section", "footer"]
    assert [b.role for b in found if b.floating] == ["section"]


def test_links_below_the_header_are_a_nav() -> None:
    menu, main = links((0, 100, 1000, 60), 2), box("div", (0, 160, 1000, 1640), WORDS)
    assert roles(HEAD, menu, main, FOOT) == ["header", "nav", "section", "footer"]


def test_inside_links_are_navs_words_articles_and_the_rest_sections() -> None:
    parts = [
        links((0, 500, 1000, 400), 30),
        box("section", (0, 900, 1000, 400), WORDS),
        box("form", (0, 1300, 1000, 500), box("input", (0, 1300, 1000, 500))),
    ]
    upper = box("p", (0, 100, 1000, 400), WORDS)
    main = box("div", (0, 100, 1000, 1700), upper, *parts)
    found = segment(page(main, FOOT), "dbce", BandOptions(level=2, tall=1, least=1))
    inside = [b.role for b in found.blocks if b.parent > 0]
    assert inside == ["article", "nav", "article", "section"]


@pytest.mark.parametrize(
    ("tag", "attributes", "role"),
    [
        ("div", {"id": "pageFooter"}, "footer"),
        ("div", {"class": "header-nav"}, "nav"),
        ("div", {"class": "box sideBar ad"}, "aside"),
        ("div", {"class": "leading"}, ""),
    ],
)
def test_words_of_ids_and_classes_name_a_role(
    tag: str, attributes: dict[str, str], role: str
) -> None:
    assert hint(Element(-1, 0, tag, "/html[1]", None, 0, attributes)) == role


@pytest.mark.parametrize(
    ("tag", "attributes", "role"),
    [
        ("aside", {}, "aside"),
        ("main", {}, "section"),
        ("div", {"role": "navigation"}, "nav"),
        ("section", {}, "header"),
    ],
)
def test_what_an_element_is_by_html5_comes_before_its_place(
    tag: str, attributes: dict[str, str], role: str
) -> None:
    head = box(tag, (0, 0, 1000, 100), "the name of the place", **attributes)
    assert roles(head, column(0, 1000), FOOT)[0] == role


def test_algorithm_5_names_them_if_it_is_asked_to() -> None:
    shown = page(HEAD, column(0, 1000), FOOT)
    found = segment(shown, "dbce", roles=RoleOptions(weight_test=True, granularity=9))
    assert [block.role for block in found.terminal] == ["", "", ""]


def test_a_teaser_that_is_all_link_is_an_article_where_the_verdicts_say_so() -> None:
    teaser = box("div", (0, 100, 1000, 400), box("a", (0, 100, 1000, 400), WORDS))
    main = box("div", (0, 100, 1000, 1700), teaser, box("p", (0, 500, 1000, 1300), WORDS))
    shown = page(main, FOOT)
    numbered = replace(
        shown, texts=tuple(text._replace(node=n) for n, text in enumerate(shown.texts))
    )
    options = BandOptions(level=2, tall=1, least=1)
    of_share = {
        share: [
            b.role
            for b in segment(numbered, "dbce", options, content={0: share}).blocks
            if b.parent > 0
        ]
        for share in (0.0, 1.0)
    }
    assert of_share == {0.0: ["nav", "article"], 1.0: ["article", "article"]}
