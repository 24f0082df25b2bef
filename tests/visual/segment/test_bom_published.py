"""The published BoM: its geometric and logical objects, and its passes on a page of 1000 x 2000 weighed by sides."""

import pytest

from dbce.visual import union
from dbce.visual.segment import PublishedOptions, segment
from dbce.visual.segment.bom_published import MAY_2014, logical_objects
from dbce.visual.segment.boxes import Outline
from tests.visual.pages import HIDDEN, PLAIN, box, page, words

HERE = (0, 0, 500, 500)


def blocks(*inside, **options):
    """The tree of blocks as tags: `body(div(p p))`."""
    shown = page(*inside)
    root = logical_objects(Outline(shown), lambda _: 1, PublishedOptions(**options))

    def tree(node):
        inner = " ".join(tree(child) for child in node.children)
        return shown.elements[node.elements[0]].tag + (f"({inner})" if inner else "")

    return tree(root)


P = box("p", HERE, "text")


def here(tag, *inside):
    return box(tag, HERE, *inside)


ROW = here("tr", here("td", "a"), here("td", "b"))
HIDDEN_DIV = box("div", HERE, P, P, style=HIDDEN)


def test_containers_and_contents_are_blocks():
    assert blocks(here("div", P, here("ul", here("li", "x")))) == "body(div(p li))"


def test_excluded_elements_are_skipped_with_all_in_them():
    assert blocks(P, here("noscript", P, P), here("hr")) == "body(p)"


@pytest.mark.parametrize(
    ("inside", "tree"),
    [
        ([here("div", here("div", here("div", P, P)))], "body(div(p p))"),
        ([here("form", P, P), here("center", P, P), here("h6", "x")], "body(p p p p)"),
        ([P, here("table", here("tbody", ROW))], "body(p table(td td))"),
        ([here("div"), here("iframe"), HIDDEN_DIV, here("img")], "body(p p img)"),
        ([P, box("p", (-1, 0, 50, 50), "x"), box("p", (0, 0, 50, 0), words("x"))], "body(p)"),
    ],
    ids=["only children", "outside the lists", "rows", "empty or invisible", "off the page"],
)
def test_other_elements_leave_their_place_to_what_is_in_them(inside, tree):
    assert blocks(*inside) == tree


def test_a_wrapper_of_floats_has_the_box_of_what_is_in_it_or_none():
    wrapper, empty = (box("div", (0, 0, width, 0), P, P) for width in (900, 0))
    assert blocks(P, wrapper) == "body(p div(p p))"
    assert blocks(P, wrapper, wrappers=False) == "body(p p p)"
    assert blocks(P, empty, wrappers=False) == "body(p)"


def test_a_text_beside_elements_is_an_object_behind_them_if_texts_move():
    mixed = box("div", HERE, words("loose", (0, 0, 50, 20)), P)
    assert blocks(P, mixed) == "body(p p)"
    assert blocks(P, mixed, text_moving=True) == "body(p div(p div))"


def terminal(*inside, options=None):
    found = segment(page(*inside), "bom-published", options or PublishedOptions())
    return [tuple(block.rect) for block in found.terminal]


def strip(y, h=100, *inside, tag="div"):
    """A full-width block, which weighs 5 and more."""
    return box(tag, (0, y, 1000, h), *(inside or ("text",)))


def part(x, y, w, h, tag="p"):
    return box(tag, (x, y, w, h), "text")


HEAD, FOOT = (0, 0, 1000, 100), (0, 1800, 1000, 100)


def test_full_width_strips_are_blocks_at_pa_5():
    found = terminal(strip(0), strip(200, 1500), strip(1800))
    assert found == [HEAD, (0, 200, 1000, 1500), FOOT]


def test_near_small_blocks_of_like_place_or_size_merge():
    menu = [part(0, 300 + 40 * n, 200, 30) for n in range(4)]
    found = terminal(strip(0), strip(200, 1500, *menu, part(300, 300, 700, 1300)), strip(1800))
    assert found == [HEAD, (0, 300, 200, 150), (300, 300, 700, 1300), FOOT]


SHORT, LONG = part(0, 700, 100, 100), part(110, 300, 100, 900)
BLUE = PLAIN._replace(background_color="rgb(0, 0, 255)")
LARGE = PLAIN._replace(font_size=20.0)
UPPER, LOWER = (0, 300, 200, 100), (0, 410, 200, 100)
FINE = box("p", LOWER, "b", style=PLAIN._replace(font_size=12.0))


@pytest.mark.parametrize(
    ("pair", "merges", "options", "merges_then"),
    [
        ([part(*UPPER), part(0, 900, 200, 100)], False, PublishedOptions(distance=501), True),
        ([part(*UPPER), part(0, 410, 90, 400)], True, PublishedOptions(aligned="and"), False),
        # Distance is of corners to edges, and not symmetric.
        ([SHORT, LONG], False, PublishedOptions(gap="gap"), True),
        ([LONG, SHORT], True, PublishedOptions(gap="gap"), True),
        # Of a background, or larger than what comes next.
        ([box("p", UPPER, "a", style=BLUE), part(*LOWER)], True, MAY_2014, False),
        ([box("p", UPPER, "a", style=LARGE), FINE], True, MAY_2014, False),
        ([part(*UPPER), part(*LOWER)], True, MAY_2014, True),
    ],
    ids=["far", "aligned", "corners", "corners back", "background", "font", "plain"],
)
def test_two_small_blocks_merge_or_stay_apart(pair, merges, options, merges_then):
    both = tuple(union(one.rect for one in pair if one.rect) or ())
    page_of = (strip(0), strip(200, 1700, *pair, part(300, 300, 700, 1500)))
    assert (both in terminal(*page_of)) == merges
    assert (both in terminal(*page_of, options=options)) == merges_then


def test_a_block_without_weight_is_removed_and_its_children_go_to_its_parent():
    tiny = box("div", (900, 1500, 30, 30), part(900, 1500, 10, 10), part(915, 1515, 10, 10))
    column = part(0, 300, 800, 1300)
    assert terminal(strip(0), strip(200, 1500, column, tiny)) == [HEAD, (0, 300, 800, 1300)]


def test_more_than_nine_of_ten_small_children_are_dropped():
    # They are far from each other, so none merges.
    far = [part(x, y, 100, 100) for x in (0, 300, 600, 900) for y in (300, 700, 1100, 1500)]
    assert terminal(strip(0), strip(200, 1500, *far)) == [HEAD, (0, 200, 1000, 1500)]
    more = PublishedOptions(small_share=1)
    assert len(terminal(strip(0), strip(200, 1500, *far), options=more)) == 17


def test_a_block_with_one_child_left_absorbs_it():
    # An empty div is no block but counts as a child, so the outer one does not stand for the inner.
    inner = strip(300, 900, strip(300, 400), strip(750, 400))
    outer = box("div", (0, 200, 1000, 1500), inner, box("div", (0, 1600, 10, 10)))
    assert terminal(strip(0), outer) == [HEAD, (0, 200, 1000, 1500)]


def test_in_may_2014_an_only_child_takes_the_place_of_its_parent():
    inner = box("div", (0, 300, 1000, 1300), strip(300, 1100), strip(1450, 150))
    outer = box("div", (0, 200, 1000, 1700), inner, box("div", (0, 1600, 10, 10)))
    found = terminal(strip(0), outer, options=MAY_2014)
    assert (0, 300, 1000, 1100) in found
    assert (0, 200, 1000, 1700) not in found


def test_blocks_that_overlap_merge_if_asked():
    # By "and" they are not aligned.
    pair = [part(0, 300, 200, 300), part(100, 400, 90, 50)]
    page_of = (strip(0), strip(200, 1700, *pair, part(300, 300, 700, 1300)))
    for merge in (False, True):
        options = PublishedOptions(aligned="and", overlapping=merge, distance=60)
        assert ((100, 400, 90, 50) in terminal(*page_of, options=options)) != merge


def test_siblings_are_read_from_top_to_bottom_and_from_the_left():
    found = terminal(strip(1800), part(500, 0, 500, 1000), part(0, 0, 400, 1200), options=None)
    assert found == sorted(found, key=lambda rect: (rect[1], rect[0]))
