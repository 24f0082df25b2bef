"""Pages cut as people see them: bands, columns, and what these are made of."""

from dataclasses import replace

import pytest

from dbce.visual.segment import BandOptions, segment
from tests.visual.pages import PLAIN, box, page, words

ABSOLUTE = PLAIN._replace(position="absolute")
FIXED = PLAIN._replace(position="fixed")
FLOAT = PLAIN._replace(floating="left")

HEAD = box("header", (0, 0, 1000, 100), "the name of the place")
MAIN = box("main", (0, 100, 1000, 1700), "what it is about " * 9, **{"class": "main"})
FOOT = box("footer", (0, 1800, 1000, 200), "who is to blame")


def rects(*inside, **options):
    found = segment(page(*inside), "dbce", BandOptions(**options))
    return [tuple(block.rect) for block in found.terminal]


def lefts(*inside):
    return [x for x, *_ in rects(*inside)]


def column(x, w):
    return box("div", (x, 100, w, 1700), "many words " * 20)


def middle(*inside, h=1700):
    """What is between the header and the footer, or the upper part of it."""
    return box("div", (0, 100, 1000, h), *inside)


def foot(y):
    """A footer from some place on."""
    return box("footer", (0, y, 1000, 2000 - y), "who is to blame " * 9)


BANDS = [(0, 0, 1000, 100), (0, 100, 1000, 1700), (0, 1800, 1000, 200)]


def test_a_page_is_its_bands_whatever_is_alone_around_them():
    assert rects(HEAD, MAIN, FOOT) == BANDS
    wrapped = box("div", (0, 0, 1000, 2000), box("div", (0, 0, 1000, 2000), HEAD, MAIN, FOOT))
    assert rects(wrapped) == BANDS


def test_a_band_as_high_as_the_page_is_gone_into():
    upper = box("div", (0, 0, 1000, 1800), HEAD, MAIN)
    assert rects(upper, FOOT) == BANDS
    assert len(rects(upper, FOOT, tall=0.95, least=2)) == 2


def test_a_page_of_too_few_blocks_is_gone_into_further():
    upper = box("div", (0, 0, 1000, 1300), HEAD, middle("all of it", h=1200))
    assert len(rects(upper, foot(1300))) == 3
    assert len(rects(upper, foot(1300), least=2)) == 2


def rows_of(kinds):
    """Five rows: (p)rose, (d)ivs of a story each, or of (c)ode."""
    texts = {"p": "what it is about " * 9, "d": "a story " * 99, "c": "x = 1"}
    return [
        box("p" if kind == "p" else "div", (0, 100 + 340 * n, 1000, 330), texts[kind])
        for n, kind in enumerate(kinds)
    ]


def test_three_siblings_of_prose_or_more_are_one_text_with_what_stands_in_it():
    for kinds, blocks in {"ppppp": 3, "ddddd": 7, "pcpcp": 3, "pdpdp": 7}.items():
        assert len(rects(HEAD, *rows_of(kinds), FOOT)) == blocks, kinds


def test_boxes_that_overlap_by_less_than_the_slack_are_parted():
    lower = box("div", (0, 97, 1000, 1703), "what it is about")
    assert len(rects(HEAD, lower, FOOT)) == 3
    assert len(rects(HEAD, lower, FOOT, slack=2)) == 2


def test_a_small_positioned_element_hinders_no_band_and_goes_where_its_centre_is():
    badge = box("div", (900, 50, 100, 80), "new", style=ABSOLUTE)
    assert rects(HEAD, badge, MAIN, FOOT) == BANDS


def test_a_large_positioned_element_across_bands_is_a_block_out_of_the_flow():
    side = box("div", (0, 50, 180, 900), "a menu", style=ABSOLUTE)
    blocks = segment(page(HEAD, side, MAIN, FOOT), "dbce").terminal
    assert [tuple(b.rect) for b in blocks if not b.floating] == BANDS
    assert [tuple(b.rect) for b in blocks if b.floating] == [(0, 50, 180, 900)]


def test_what_lies_over_a_text_is_a_block_out_of_the_flow():
    banner = box("div", (100, 800, 800, 300), "may we set a cookie", style=FIXED)
    blocks = segment(page(HEAD, MAIN, banner, FOOT), "dbce").terminal
    assert [block.rect.y for block in blocks if block.floating] == [800]
    assert [tuple(b.rect) for b in blocks if not b.floating] == BANDS


def test_what_lies_over_a_block_that_is_not_cut_is_in_it():
    note = box("div", (300, 800, 400, 300), "a note", style=ABSOLUTE)
    low = box("main", (0, 700, 1000, 900), "what it is about " * 9, note)
    head = box("header", (0, 0, 1000, 700), "x" * 99)
    blocks = segment(page(head, low, foot(1600)), "dbce").terminal
    assert [block.floating for block in blocks] == [False, False, False]


def test_a_positioned_column_beside_the_text_is_a_column():
    side = box("div", (0, 100, 240, 1700), "a menu of its own", style=ABSOLUTE)
    blocks = segment(page(HEAD, middle(side, column(250, 750)), FOOT), "dbce").terminal
    assert [block.rect.x for block in blocks] == [0, 0, 250, 0]
    assert not any(block.floating for block in blocks)


def test_a_wrapper_of_positioned_elements_is_none_of_what_it_spans():
    head = box("div", (0, 0, 1000, 100), "the name of the place", style=ABSOLUTE)
    side = box("div", (0, 100, 240, 1200), "a menu of its own", style=ABSOLUTE)
    wrapper = box("div", (0, 0, 1000, 0), head, side)
    space = box("div", (0, 0, 1000, 98))
    text = box("main", (250, 100, 750, 1700), "many words " * 20)
    columns = [(0, 100, 240, 1200), (250, 100, 750, 1700)]
    assert rects(space, text, wrapper, FOOT) == [(0, 0, 1000, 99), *columns, BANDS[2]]


def test_blocks_in_the_flow_end_where_their_cells_do():
    upper = box("main", (0, 97, 1000, 1706), "what it is about " * 9)
    found = rects(HEAD, upper, FOOT)
    assert found == [(0, 0, 1000, 98.5), (0, 98.5, 1000, 1703), (0, 1801.5, 1000, 198.5)]


def test_a_box_reaches_as_low_as_the_floats_that_it_holds():
    floats = [box("div", (x, 100, 490, 1700), "many words " * 20, style=FLOAT) for x in (0, 510)]
    assert lefts(HEAD, middle(*floats, h=3), FOOT) == [0, 0, 510, 0]


def test_a_thin_band_joins_its_shorter_neighbour():
    line = box("div", (0, 100, 1000, 20), "you are here")
    main = box("div", (0, 120, 1000, 1680), "what it is about")
    assert rects(HEAD, line, main, FOOT)[0] == (0, 0, 1000, 120)
    assert len(rects(HEAD, line, main, FOOT, thin=0)) == 4


def test_a_header_of_a_long_page_is_no_thin_band():
    heads = [box("div", (0, y, 1000, 90), "the name of the place") for y in (0, 90)]
    main = box("main", (0, 180, 1000, 21820), "what it is about " * 9)
    found = segment(page(*heads, main, size=(1000, 22000)), "dbce").terminal
    assert [block.rect.h for block in found] == [90, 90, 21820]


@pytest.mark.parametrize(
    ("inside", "number"),
    [(box("img", (0, 1700, 1000, 100)), 3), ("4711", 3), ("this counter has seen 4711 visits", 4)],
    ids=["picture", "counter", "sentence"],
)
def test_a_band_low_on_the_page_that_shows_little_is_no_block(inside, number):
    main = box("main", (0, 100, 1000, 1600), "what it is about " * 9)
    strip = box("div", (0, 1700, 1000, 100), inside)
    assert len(rects(HEAD, main, strip, FOOT)) == number
    assert len(rects(box("div", (0, 0, 1000, 100), inside), MAIN, FOOT)) == 3


def test_the_main_band_has_columns():
    assert lefts(HEAD, middle(column(0, 250), column(250, 750)), FOOT) == [0, 0, 250, 0]
    # That is lower than the page has them too.
    columns = [box("div", (x, 100, w, 900), "many words " * 20) for x, w in ((0, 250), (250, 750))]
    assert lefts(HEAD, *columns, foot(1000)) == [0, 0, 250, 0]


@pytest.mark.parametrize(
    ("height", "linked", "number"),
    [
        *((900, (), 3), (900, (0,), 4), (900, (1,), 3)),
        *((1700, (), 4), (1700, (1,), 4), (1700, (0, 1), 4)),
    ],
    ids=["short", "a menu", "a wide list of links", "a page", "an article", "a menu and links"],
)
def test_columns_in_an_element_of_their_own_are_one_block_but_for_menus_and_pages(
    height, linked, number
):
    places = enumerate([(0, 100, 250, height), (250, 100, 750, height)])
    texts = (box("a" if n in linked else "p", rect, "many words " * 20) for n, rect in places)
    columns = [box("div", text.rect, text) for text in texts]
    assert len(rects(HEAD, middle(*columns, h=height), foot(100 + height))) == number


def test_columns_in_an_element_of_their_own_are_apart_where_more_blocks_are_asked_for():
    columns = [box("p", (x, 100, 500, 1100), "many words " * 20) for x in (0, 500)]
    inside = HEAD, middle(*columns, h=1100), foot(1200)
    assert (len(rects(*inside)), len(rects(*inside, least=4))) == (3, 4)


def test_columns_of_teasers_are_one_index():
    half = "many words " * 10
    places = (0, 100, 400, 1700), (400, 100, 600, 1700)
    columns = [box("div", at, box("a", at, half), box("p", at, half)) for at in places]
    assert len(rects(HEAD, middle(*columns), FOOT)) == 3


def test_a_strip_of_colour_behind_columns_parts_them_no_less():
    strip = box("div", (0, 95, 1000, 60))
    columns = column(0, 600), column(650, 350)
    assert (650, 100, 350, 1700) in rects(HEAD, strip, *columns, FOOT)
    assert len(rects(HEAD, box("div", strip.rect, "said of both"), *columns, FOOT)) == 3


def test_a_broad_column_has_columns_of_its_own():
    path = box("p", (200, 100, 800, 30), "you are here")
    pair = [box("div", (x, 130, w, 1670), "many words " * 20) for x, w in ((200, 500), (720, 280))]
    broad = box("div", (200, 100, 800, 1700), path, box("div", (200, 130, 800, 1670), *pair))
    of_it = [(200, 100, 510, 1700), (720, 130, 280, 1670)]
    assert rects(HEAD, middle(column(0, 190), broad), FOOT)[1:4] == [(0, 100, 190, 1700), *of_it]


def test_a_menu_of_few_words_is_a_column():
    menu = box("ul", (0, 100, 250, 1700), "nine words of a menu " * 3)
    text = box("div", (250, 100, 750, 1700), "many words " * 200)
    assert len(rects(HEAD, middle(menu, text), FOOT)) == 4


def posts(w=1000, text="what someone says of it"):
    return [box("li", (0, y, w, 380), text) for y in (200, 600, 1000)]


@pytest.mark.parametrize(
    ("items", "number"),
    [
        (posts(), 6),
        (posts(w=700), 4),
        (posts(text="a"), 4),
        ([box("li", (0, y, 1000, 70), "an entry of a list") for y in range(200, 1380, 80)], 4),
        ([replace(one, attributes={"class": str(n)}) for n, one in enumerate(posts())], 4),
    ],
    ids=["as wide as the page", "in a column", "without words", "low", "of several kinds"],
)
def test_rows_of_one_kind_that_are_as_wide_as_the_page_are_blocks(items, number):
    title = box("h1", (0, 100, 1000, 90), "a thread")
    thread = box("ol", (0, 200, 1000, 1180), *items)
    assert len(rects(HEAD, title, thread, foot(1400))) == number


def test_many_columns_are_a_row_of_cards_and_one_without_content_joins_its_neighbour():
    assert rects(HEAD, middle(*(column(250 * n, 250) for n in range(4))), FOOT) == BANDS
    assert rects(HEAD, middle(box("div", (0, 100, 250, 1700)), column(250, 750)), FOOT) == BANDS


def test_the_second_level_is_in_the_first():
    text = "words enough " * 20
    halves = [box("div", (0, y, 1000, 850), text, **{"class": str(y)}) for y in (100, 950)]
    shown = page(HEAD, middle(*halves), FOOT)
    blocks = segment(shown, "dbce", BandOptions(level=2, tall=1)).blocks
    places = [(-1, 0), (0, 0), (0, 100), (2, 100), (2, 950), (0, 1800)]
    assert [(block.parent, block.rect.y) for block in blocks] == places


def test_a_list_is_one_block():
    items = [box("li", (0, 100 + 60 * n, 300, 60), "an item") for n in range(20)]
    text = box("p", (300, 100, 700, 1700), "words enough " * 50)
    found = rects(HEAD, middle(box("ul", (0, 100, 300, 1200), *items), text), FOOT, level=2)
    assert len(found) == 4


def test_a_text_beside_elements_is_in_their_block():
    text = words("as one", (0, 0, 500, 20))
    found = segment(page(text, HEAD, MAIN, FOOT), "dbce")
    assert [block.elements for block in found.terminal] == [(1,), (2,), (3,)]


def test_a_page_of_text_is_one_block():
    assert rects(box("p", (0, 0, 1000, 2000), "text")) == [(0, 0, 1000, 2000)]


def test_thin_bands_join_until_they_are_thin_no_more():
    thin = [box("div", (0, n, 1000, 1), "x") for n in range(0, 20000, 5)]
    blocks = segment(page(*thin, size=(1000, 20000)), "dbce").terminal
    assert all(60 <= block.rect.h < 70 for block in blocks if block.rect.y < 2900)
    assert all(400 <= block.rect.h < 410 for block in blocks[:-1] if block.rect.y > 3000)
    assert sum(len(block.elements) for block in blocks) == len(thin)


def test_wrappers_in_each_other_with_a_line_each_are_looked_into_once():
    inner = box("p", (0, 200, 1000, 900), "the end of it " * 9)
    for n in range(60):  # twice the work for each would never end
        line = box("p", (0, 190 - n, 1000, 1), "a line")
        inner = box("div", (0, 190 - n, 1000, 910 + n), line, inner)
    assert [r[3] for r in rects(HEAD, inner, foot(1110))] == [100, 969, 890]
