"""The published BoM: its geometric and logical objects, and its passes on a page of 1000 x 2000 weighed by sides."""

from functools import partial

from dbce.visual.segment import PublishedOptions, segment
from dbce.visual.segment.bom_published import MAY_2014, logical_objects
from dbce.visual.segment.boxes import WEIGHTS, Node, Outline
from tests.visual.pages import HIDDEN, PLAIN, Box, Words, box, page, words

HERE = (0, 0, 500, 500)


def blocks(*inside: Box | Words, text_moving: bool = False, wrappers: bool = True) -> str:
    """The tree of blocks as tags: `body(div(p p))`."""
    shown = page(*inside)
    outline = Outline(shown)
    weight = partial(WEIGHTS["sides"], size=outline.size)
    root = logical_objects(outline, weight, text_moving=text_moving, wrappers=wrappers)

    def tree(node: Node) -> str:
        inner = " ".join(tree(child) for child in node.children)
        return shown.elements[node.elements[0]].tag + (f"({inner})" if inner else "")

    return tree(root)


def p(text: str = "text") -> Box:
    return box("p", HERE, text)


def test_containers_and_contents_are_blocks() -> None:
    assert blocks(box("div", HERE, p(), box("ul", HERE, box("li", HERE, "x")))) == "body(div(p li))"


def test_an_object_with_one_child_stands_for_it() -> None:
    assert (
        blocks(box("div", HERE, box("div", HERE, box("div", HERE, p(), p())))) == "body(div(p p))"
    )


def test_elements_outside_the_lists_are_no_blocks_and_their_children_go_up() -> None:
    shown = blocks(box("form", HERE, p(), p()), box("center", HERE, p(), p()), box("h6", HERE, "x"))
    assert shown == "body(p p p p)"


def test_rows_are_passed_through() -> None:
    row = box("tr", HERE, box("td", HERE, "a"), box("td", HERE, "b"))
    assert blocks(p(), box("table", HERE, box("tbody", HERE, row))) == "body(p table(td td))"


def test_excluded_elements_are_skipped_with_all_in_them() -> None:
    assert blocks(p(), box("noscript", HERE, p(), p()), box("hr", HERE)) == "body(p)"


def test_what_is_empty_or_invisible_has_no_type() -> None:
    hidden = box("div", HERE, p(), p(), style=HIDDEN)
    assert (
        blocks(box("div", HERE), box("iframe", HERE), hidden, box("img", HERE)) == "body(p p img)"
    )


def test_a_block_must_have_size_and_lie_on_the_page() -> None:
    assert (
        blocks(p(), box("p", (-1, 0, 50, 50), "x"), box("p", (0, 0, 50, 0), words("x")))
        == "body(p)"
    )


def test_a_wrapper_of_floats_has_the_box_of_what_is_in_it_or_none() -> None:
    wrapper = box("div", (0, 0, 900, 0), p(), p())
    assert blocks(p(), wrapper) == "body(p div(p p))"
    assert blocks(p(), wrapper, wrappers=False) == "body(p p p)"
    empty = box("div", (0, 0, 0, 0), p(), p())
    assert blocks(p(), empty, wrappers=False) == "body(p)"


def test_a_text_beside_elements_is_an_object_behind_them_if_texts_move() -> None:
    mixed = box("div", HERE, words("loose", (0, 0, 50, 20)), p())
    assert blocks(p(), mixed) == "body(p p)"
    assert blocks(p(), mixed, text_moving=True) == "body(p div(p div))"


Four = tuple[float, float, float, float]


def terminal(*inside: Box, options: PublishedOptions | None = None) -> list[Four]:
    found = segment(page(*inside), "bom-published", options or PublishedOptions())
    return [tuple(block.rect) for block in found.terminal]  # type: ignore[misc]


def strip(y: float, h: float = 100, *inside: Box, tag: str = "div") -> Box:
    """A full-width block, which weighs 5 and more."""
    return box(tag, (0, y, 1000, h), *(inside or ("text",)))


def part(x: float, y: float, w: float, h: float, tag: str = "p") -> Box:
    return box(tag, (x, y, w, h), "text")


def test_full_width_strips_are_blocks_at_pa_5() -> None:
    assert terminal(strip(0), strip(200, 1500), strip(1800)) == [
        (0, 0, 1000, 100),
        (0, 200, 1000, 1500),
        (0, 1800, 1000, 100),
    ]


def test_near_small_blocks_of_like_place_or_size_merge() -> None:
    menu = [part(0, 300 + 40 * n, 200, 30) for n in range(4)]
    assert terminal(strip(0), strip(200, 1500, *menu, part(300, 300, 700, 1300)), strip(1800)) == [
        (0, 0, 1000, 100),
        (0, 300, 200, 150),
        (300, 300, 700, 1300),
        (0, 1800, 1000, 100),
    ]


def test_far_small_blocks_stay_apart() -> None:
    found = terminal(
        strip(0),
        strip(200, 1700, part(0, 300, 200, 100), part(0, 900, 200, 100), part(300, 300, 700, 1300)),
    )
    assert (0, 300, 200, 100) in found
    assert (0, 900, 200, 100) in found


def test_aligned_may_ask_for_place_and_size() -> None:
    column = part(300, 300, 700, 1300)
    pair = [part(0, 300, 200, 100), part(0, 410, 90, 400)]
    assert (0, 300, 200, 510) in terminal(strip(0), strip(200, 1700, *pair, column))
    both = PublishedOptions(aligned="and")
    assert (0, 300, 200, 510) not in terminal(
        strip(0), strip(200, 1700, *pair, column), options=both
    )


def test_distance_is_of_corners_to_edges_and_not_symmetric() -> None:
    short, long = part(0, 700, 100, 100), part(110, 300, 100, 900)
    column = part(300, 300, 700, 1500)
    assert (0, 300, 210, 900) not in terminal(strip(0), strip(200, 1700, short, long, column))
    assert (0, 300, 210, 900) in terminal(strip(0), strip(200, 1700, long, short, column))
    gap = PublishedOptions(gap="gap")
    assert (0, 300, 210, 900) in terminal(
        strip(0), strip(200, 1700, short, long, column), options=gap
    )


def test_a_block_without_weight_is_removed_and_its_children_go_to_its_parent() -> None:
    tiny = box("div", (900, 1500, 30, 30), part(900, 1500, 10, 10), part(915, 1515, 10, 10))
    column = part(0, 300, 800, 1300)
    assert terminal(strip(0), strip(200, 1500, column, tiny)) == [
        (0, 0, 1000, 100),
        (0, 300, 800, 1300),
    ]


def test_more_than_nine_of_ten_small_children_are_dropped() -> None:
    # They are far from each other, so none merges.
    far = [part(x, y, 100, 100) for x in (0, 300, 600, 900) for y in (300, 700, 1100, 1500)]
    assert terminal(strip(0), strip(200, 1500, *far)) == [(0, 0, 1000, 100), (0, 200, 1000, 1500)]
    more = PublishedOptions(small_share=1)
    assert len(terminal(strip(0), strip(200, 1500, *far), options=more)) == 17


def test_a_block_with_one_child_left_absorbs_it() -> None:
    # An empty div is no block but counts as a child, so the outer one does not stand for the inner.
    inner = strip(300, 900, strip(300, 400), strip(750, 400))
    outer = box("div", (0, 200, 1000, 1500), inner, box("div", (0, 1600, 10, 10)))
    assert terminal(strip(0), outer) == [(0, 0, 1000, 100), (0, 200, 1000, 1500)]


def test_in_may_2014_an_only_child_takes_the_place_of_its_parent() -> None:
    inner = box("div", (0, 300, 1000, 1300), strip(300, 1100), strip(1450, 150))
    outer = box("div", (0, 200, 1000, 1700), inner, box("div", (0, 1600, 10, 10)))
    found = terminal(strip(0), outer, options=MAY_2014)
    assert (0, 300, 1000, 1100) in found
    assert (0, 200, 1000, 1700) not in found


def test_in_may_2014_what_has_a_background_is_not_merged() -> None:
    blue = PLAIN._replace(background_color="rgb(0, 0, 255)")
    pair = [box("p", (0, 300, 200, 100), "a", style=blue), part(0, 410, 200, 100)]
    page_of = (strip(0), strip(200, 1700, *pair, part(300, 300, 700, 1300)))
    assert (0, 300, 200, 100) in terminal(*page_of, options=MAY_2014)
    assert (0, 300, 200, 210) in terminal(*page_of)


def test_in_may_2014_what_is_larger_than_what_comes_next_is_not_merged() -> None:
    large, small = PLAIN._replace(font_size=20.0), PLAIN._replace(font_size=12.0)
    pair = [
        box("p", (0, 300, 200, 100), "a", style=large),
        box("p", (0, 410, 200, 100), "b", style=small),
    ]
    found = terminal(strip(0), strip(200, 1700, *pair, part(300, 300, 700, 1300)), options=MAY_2014)
    assert (0, 300, 200, 100) in found


def test_blocks_that_overlap_merge_if_asked() -> None:
    # By "and" they are not aligned.
    pair = [part(0, 300, 200, 300), part(100, 400, 90, 50)]
    page_of = (strip(0), strip(200, 1700, *pair, part(300, 300, 700, 1300)))
    apart = PublishedOptions(aligned="and")
    assert (100, 400, 90, 50) in terminal(*page_of, options=apart)
    together = PublishedOptions(aligned="and", overlapping=True, distance=60)
    assert (100, 400, 90, 50) not in terminal(*page_of, options=together)


def test_siblings_are_read_from_top_to_bottom_and_from_the_left() -> None:
    found = terminal(strip(1800), part(500, 0, 500, 1000), part(0, 0, 400, 1200), options=None)
    assert found == sorted(found, key=lambda rect: (rect[1], rect[0]))
