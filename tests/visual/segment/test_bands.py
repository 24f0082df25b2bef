"""Pages cut as people see them: bands, columns, and what these are made of."""

import pytest

from dbce.model import UsageError
from dbce.visual.segment import BandOptions, segment
from tests.visual.pages import PLAIN, Box, box, page, words

ABSOLUTE = PLAIN._replace(position="absolute")
FIXED = PLAIN._replace(position="fixed")
FLOAT = PLAIN._replace(floating="left")

HEAD = box("header", (0, 0, 1000, 100), "the name of the place")
MAIN = box("main", (0, 100, 1000, 1700), "what it is about " * 9, **{"class": "main"})
FOOT = box("footer", (0, 1800, 1000, 200), "who is to blame")


def rects(*inside: Box, **options: float) -> list[tuple[float, ...]]:
    found = segment(page(*inside), "dbce", BandOptions(**options))  # type: ignore[arg-type]
    return [tuple(block.rect) for block in found.terminal]


def column(x: float, w: float, *inside: Box) -> Box:
    return box("div", (x, 100, w, 1700), "many words " * 20, *inside)


def test_a_page_is_its_bands() -> None:
    assert rects(HEAD, MAIN, FOOT) == [
        (0, 0, 1000, 100),
        (0, 100, 1000, 1700),
        (0, 1800, 1000, 200),
    ]


def test_what_alone_is_in_another_stands_for_it() -> None:
    wrapped = box("div", (0, 0, 1000, 2000), box("div", (0, 0, 1000, 2000), HEAD, MAIN, FOOT))
    assert rects(wrapped) == rects(HEAD, MAIN, FOOT)


def test_a_band_as_high_as_the_page_is_gone_into() -> None:
    upper = box("div", (0, 0, 1000, 1800), HEAD, MAIN)
    assert rects(upper, FOOT) == rects(HEAD, MAIN, FOOT)
    assert len(rects(upper, FOOT, tall=0.95, least=2)) == 2


def test_a_page_of_too_few_blocks_is_gone_into_further() -> None:
    upper = box("div", (0, 0, 1000, 1300), HEAD, box("div", (0, 100, 1000, 1200), "all of it"))
    lower = box("div", (0, 1300, 1000, 700), "who is to blame")
    assert len(rects(upper, lower)) == 3
    assert len(rects(upper, lower, least=2)) == 2


def test_three_siblings_of_prose_or_more_are_one_text() -> None:
    heights = range(100, 1800, 340)
    prose = [box("p", (0, y, 1000, 330), "what it is about " * 9) for y in heights]
    cards = [box("div", (0, y, 1000, 330), "a story of its own " * 9) for y in heights]
    assert len(rects(HEAD, *prose, FOOT)) == 3
    assert len(rects(HEAD, *cards, FOOT)) == 7


def test_what_stands_in_a_text_is_of_the_text() -> None:
    parts = [
        box(tag, (0, y, 1000, 330), text)
        for y, tag, text in (
            (100, "p", "what it is about " * 9),
            (440, "div", "x = 1"),
            (780, "p", "what it is about " * 9),
            (1120, "div", "y = 2"),
            (1460, "p", "what it is about " * 9),
        )
    ]
    assert len(rects(HEAD, *parts, FOOT)) == 3
    cards = [one if one.tag == "p" else box("div", one.rect, "a story " * 99) for one in parts]
    assert len(rects(HEAD, *cards, FOOT)) == 7


def test_boxes_that_overlap_by_less_than_the_slack_are_parted() -> None:
    lower = box("div", (0, 97, 1000, 1703), "what it is about")
    assert len(rects(HEAD, lower, FOOT)) == 3
    assert len(rects(HEAD, lower, FOOT, slack=2)) == 2


def test_a_small_positioned_element_hinders_no_band_and_goes_where_its_centre_is() -> None:
    badge = box("div", (900, 50, 100, 80), "new", style=ABSOLUTE)
    assert rects(HEAD, badge, MAIN, FOOT) == rects(HEAD, MAIN, FOOT)


def test_a_large_positioned_element_across_bands_is_a_block_out_of_the_flow() -> None:
    side = box("div", (0, 50, 180, 900), "a menu", style=ABSOLUTE)
    blocks = segment(page(HEAD, side, MAIN, FOOT), "dbce").terminal
    assert [(tuple(b.rect), b.floating) for b in blocks] == [
        ((0, 0, 1000, 100), False),
        ((0, 50, 180, 900), True),
        ((0, 100, 1000, 1700), False),
        ((0, 1800, 1000, 200), False),
    ]


def test_what_lies_over_a_text_is_a_block_out_of_the_flow() -> None:
    banner = box("div", (100, 800, 800, 300), "may we set a cookie", style=FIXED)
    blocks = segment(page(HEAD, MAIN, banner, FOOT), "dbce").terminal
    assert [block.rect.y for block in blocks if block.floating] == [800]
    assert [tuple(b.rect) for b in blocks if not b.floating] == rects(HEAD, MAIN, FOOT)


def test_what_lies_over_a_block_that_is_not_cut_is_in_it() -> None:
    note = box("div", (300, 800, 400, 300), "a note", style=ABSOLUTE)
    low = box("main", (0, 700, 1000, 900), "what it is about " * 9, note)
    head, foot = (
        box("header", (0, 0, 1000, 700), "x" * 99),
        box("footer", (0, 1600, 1000, 400), "y" * 99),
    )
    blocks = segment(page(head, low, foot), "dbce").terminal
    assert [block.floating for block in blocks] == [False, False, False]


def test_a_positioned_column_beside_the_text_is_a_column() -> None:
    side = box("div", (0, 100, 240, 1700), "a menu of its own", style=ABSOLUTE)
    middle = box("div", (0, 100, 1000, 1700), side, column(250, 750))
    blocks = segment(page(HEAD, middle, FOOT), "dbce").terminal
    assert [block.rect.x for block in blocks] == [0, 0, 250, 0]
    assert not any(block.floating for block in blocks)


def test_a_wrapper_of_positioned_elements_is_none_of_what_it_spans() -> None:
    head = box("div", (0, 0, 1000, 100), "the name of the place", style=ABSOLUTE)
    side = box("div", (0, 100, 240, 1200), "a menu of its own", style=ABSOLUTE)
    wrapper = box("div", (0, 0, 1000, 0), head, side)
    space = box("div", (0, 0, 1000, 98))
    text = box("main", (250, 100, 750, 1700), "many words " * 20)
    found = rects(space, text, wrapper, FOOT)
    assert found == [
        (0, 0, 1000, 99),
        (0, 100, 240, 1200),
        (250, 100, 750, 1700),
        (0, 1800, 1000, 200),
    ]


def test_blocks_in_the_flow_end_where_their_cells_do() -> None:
    upper = box("main", (0, 97, 1000, 1706), "what it is about " * 9)
    found = rects(HEAD, upper, FOOT)
    assert found == [(0, 0, 1000, 98.5), (0, 98.5, 1000, 1703), (0, 1801.5, 1000, 198.5)]


def test_a_box_reaches_as_low_as_the_floats_that_it_holds() -> None:
    floats = [box("div", (x, 100, 490, 1700), "many words " * 20, style=FLOAT) for x in (0, 510)]
    assert [r[0] for r in rects(HEAD, box("div", (0, 100, 1000, 3), *floats), FOOT)] == [
        0,
        0,
        510,
        0,
    ]


def test_a_thin_band_joins_its_shorter_neighbour() -> None:
    line = box("div", (0, 100, 1000, 20), "you are here")
    main = box("div", (0, 120, 1000, 1680), "what it is about")
    assert rects(HEAD, line, main, FOOT)[0] == (0, 0, 1000, 120)
    assert len(rects(HEAD, line, main, FOOT, thin=0)) == 4


def test_a_header_of_a_long_page_is_no_thin_band() -> None:
    heads = [box("div", (0, y, 1000, 90), "the name of the place") for y in (0, 90)]
    main = box("main", (0, 180, 1000, 21820), "what it is about " * 9)
    found = segment(page(*heads, main, size=(1000, 22000)), "dbce").terminal
    assert [block.rect.h for block in found] == [90, 90, 21820]


@pytest.mark.parametrize(
    ("inside", "number"),
    [
        (box("img", (0, 1700, 1000, 100)), 3),
        ("4711", 3),
        ("this counter has seen 4711 visits", 4),
    ],
    ids=["picture", "counter", "sentence"],
)
def test_a_band_low_on_the_page_that_shows_little_is_no_block(
    inside: Box | str, number: int
) -> None:
    main = box("main", (0, 100, 1000, 1600), "what it is about " * 9)
    strip = box("div", (0, 1700, 1000, 100), inside)
    assert len(rects(HEAD, main, strip, FOOT)) == number
    assert len(rects(box("div", (0, 0, 1000, 100), inside), MAIN, FOOT)) == 3


def test_the_main_band_has_columns() -> None:
    middle = box("div", (0, 100, 1000, 1700), column(0, 250), column(250, 750))
    assert [r[0] for r in rects(HEAD, middle, FOOT)] == [0, 0, 250, 0]


def test_a_band_that_is_lower_than_the_page_has_columns_too() -> None:
    low = box("footer", (0, 1000, 1000, 1000), "who is to blame " * 9)
    columns = [box("div", (x, 100, w, 900), "many words " * 20) for x, w in ((0, 250), (250, 750))]
    assert [r[0] for r in rects(HEAD, *columns, low)] == [0, 0, 250, 0]


@pytest.mark.parametrize(
    ("height", "linked", "number"),
    [
        (900, (), 3),
        (900, (0,), 4),
        (900, (1,), 3),
        (1700, (), 4),
        (1700, (1,), 4),
        (1700, (0, 1), 4),
    ],
    ids=["short", "a menu", "a wide list of links", "a page", "an article", "a menu and links"],
)
def test_columns_in_an_element_of_their_own_are_one_block_but_for_menus_and_pages(
    height: float, linked: tuple[int, ...], number: int
) -> None:
    columns = [
        box("div", rect, box("a" if n in linked else "p", rect, "many words " * 20))
        for n, rect in enumerate([(0, 100, 250, height), (250, 100, 750, height)])
    ]
    foot = box("footer", (0, 100 + height, 1000, 1900 - height), "who is to blame " * 9)
    assert len(rects(HEAD, box("div", (0, 100, 1000, height), *columns), foot)) == number


def test_columns_in_an_element_of_their_own_are_apart_where_more_blocks_are_asked_for() -> None:
    columns = [box("p", (x, 100, 500, 1100), "many words " * 20) for x in (0, 500)]
    middle = box("div", (0, 100, 1000, 1100), *columns)
    foot = box("footer", (0, 1200, 1000, 800), "who is to blame " * 9)
    assert len(rects(HEAD, middle, foot)) == 3
    assert len(rects(HEAD, middle, foot, least=4)) == 4


def test_columns_of_teasers_are_one_index() -> None:
    half = "many words " * 10
    columns = [
        box("div", rect, box("a", rect, half), box("p", rect, half))
        for rect in [(0, 100, 400, 1700), (400, 100, 600, 1700)]
    ]
    assert len(rects(HEAD, box("div", (0, 100, 1000, 1700), *columns), FOOT)) == 3


def test_a_strip_of_colour_behind_columns_parts_them_no_less() -> None:
    strip = box("div", (0, 95, 1000, 60))
    columns = column(0, 600), column(650, 350)
    assert (650, 100, 350, 1700) in rects(HEAD, strip, *columns, FOOT)
    assert len(rects(HEAD, box("div", strip.rect, "said of both"), *columns, FOOT)) == 3


def test_a_broad_column_has_columns_of_its_own() -> None:
    path = box("p", (200, 100, 800, 30), "you are here")
    pair = [box("div", (x, 130, w, 1670), "many words " * 20) for x, w in ((200, 500), (720, 280))]
    broad = box("div", (200, 100, 800, 1700), path, box("div", (200, 130, 800, 1670), *pair))
    middle = box("div", (0, 100, 1000, 1700), column(0, 190), broad)
    assert rects(HEAD, middle, FOOT)[1:4] == [
        (0, 100, 190, 1700),
        (200, 100, 510, 1700),
        (720, 130, 280, 1670),
    ]


def test_a_menu_of_few_words_is_a_column() -> None:
    menu = box("ul", (0, 100, 250, 1700), "nine words of a menu " * 3)
    text = box("div", (250, 100, 750, 1700), "many words " * 200)
    assert len(rects(HEAD, box("div", (0, 100, 1000, 1700), menu, text), FOOT)) == 4


def posts(w: float = 1000, text: str = "what someone says of it", **attributes: str) -> list[Box]:
    return [box("li", (0, y, w, 380), text, **attributes) for y in (200, 600, 1000)]


def test_rows_of_one_kind_that_are_as_wide_as_the_page_are_blocks() -> None:
    title, foot = (
        box("h1", (0, 100, 1000, 90), "a thread"),
        box("div", (0, 1400, 1000, 600), "x" * 99),
    )
    thread = box("ol", (0, 200, 1000, 1180), *posts())
    assert len(rects(HEAD, title, thread, foot)) == 6


@pytest.mark.parametrize(
    "items",
    [
        posts(w=700),
        posts(text="a"),
        [box("li", (0, y, 1000, 70), "an entry of a long list") for y in range(200, 1380, 80)],
        [
            box("li", one.rect, "what someone says of it", **{"class": str(n)})
            for n, one in enumerate(posts())
        ],
    ],
    ids=["in a column", "without words", "low", "of several kinds"],
)
def test_other_rows_are_one_block(items: list[Box]) -> None:
    title, foot = (
        box("h1", (0, 100, 1000, 90), "a thread"),
        box("div", (0, 1400, 1000, 600), "x" * 99),
    )
    assert len(rects(HEAD, title, box("ol", (0, 200, 1000, 1180), *items), foot)) == 4


def test_many_columns_are_a_row_of_cards() -> None:
    cards = [column(250 * n, 250) for n in range(4)]
    assert len(rects(HEAD, box("div", (0, 100, 1000, 1700), *cards), FOOT)) == 3


def test_a_column_without_content_joins_its_neighbour() -> None:
    empty = box("div", (0, 100, 250, 1700))
    middle = box("div", (0, 100, 1000, 1700), empty, column(250, 750))
    assert rects(HEAD, middle, FOOT)[1] == (0, 100, 1000, 1700)


def test_the_second_level_is_in_the_first() -> None:
    halves = [
        box("div", (0, y, 1000, 850), "words enough " * 20, **{"class": name})
        for name, y in (("first", 100), ("second", 950))
    ]
    shown = page(HEAD, box("div", (0, 100, 1000, 1700), *halves), FOOT)
    blocks = segment(shown, "dbce", BandOptions(level=2, tall=1)).blocks
    assert [(block.parent, block.rect.y) for block in blocks] == [
        (-1, 0),
        (0, 0),
        (0, 100),
        (2, 100),
        (2, 950),
        (0, 1800),
    ]


def test_a_list_is_one_block() -> None:
    items = [box("li", (0, 100 + 60 * n, 300, 60), "an item") for n in range(20)]
    text = box("p", (300, 100, 700, 1700), "words enough " * 50)
    middle = box("div", (0, 100, 1000, 1700), box("ul", (0, 100, 300, 1200), *items), text)
    assert len(rects(HEAD, middle, FOOT, level=2)) == 4


def test_a_text_beside_elements_is_in_their_block() -> None:
    text = words("as one", (0, 0, 500, 20))
    found = segment(page(text, HEAD, MAIN, FOOT), "dbce")
    assert [block.elements for block in found.terminal] == [(1,), (2,), (3,)]


def test_a_page_of_text_is_one_block() -> None:
    assert rects(box("p", (0, 0, 1000, 2000), "text")) == [(0, 0, 1000, 2000)]


def test_there_are_two_levels() -> None:
    with pytest.raises(UsageError, match="level cannot be 3: say 1 or 2"):
        BandOptions(level=3)


def test_thin_bands_join_until_they_are_thin_no_more() -> None:
    thin = [box("div", (0, n, 1000, 1), "x") for n in range(0, 20000, 5)]
    blocks = segment(page(*thin, size=(1000, 20000)), "dbce").terminal
    assert all(60 <= block.rect.h < 70 for block in blocks if block.rect.y < 2900)
    assert all(400 <= block.rect.h < 410 for block in blocks[:-1] if block.rect.y > 3000)
    assert sum(len(block.elements) for block in blocks) == len(thin)


def test_wrappers_in_each_other_with_a_line_each_are_looked_into_once() -> None:
    inner = box("p", (0, 200, 1000, 900), "the end of it " * 9)
    for n in range(60):  # twice the work for each would never end
        line = box("p", (0, 190 - n, 1000, 1), "a line")
        inner = box("div", (0, 190 - n, 1000, 910 + n), line, inner)
    low = box("footer", (0, 1110, 1000, 890), "who is to blame " * 9)
    assert [r[3] for r in rects(HEAD, inner, low)] == [100, 969, 890]
