"""Each operation does to the tree what Sanoja's thesis says (4.4.2), and what a journal of them comes to."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.visual import Rect
from dbce.visual.annotate.blocks import history as trees
from dbce.visual.annotate.blocks.history import DrawingHistory, NoBlock, Part
from dbce.visual.measure import MarkedBlock, block_fields
from tests.visual.annotate.blocks.drawn import AT, block

TREE = (
    block("a", 0, 0, 100, 40, label="header"),
    block("b", 0, 40, 100, 160),
    block("c", 0, 40, 30, 160, parent="b", label="nav"),
    block("d", 30, 40, 70, 160, parent="b"),
    block("e", 30, 40, 70, 60, parent="d"),
    block("f", 30, 100, 70, 100, parent="d"),
)


def ids(tree: trees.Tree) -> str:
    """The tree in a line: each block with its parent."""
    return " ".join(f"{one.id}<{one.parent}" for one in tree)


def test_a_block_is_inserted_on_the_page_or_in_another() -> None:
    assert ids(trees.insert_block(TREE, block("g"))).endswith("f<d g<")
    assert ids(trees.insert_block(TREE, block("g", parent="c"))).endswith("g<c")
    with pytest.raises(NoBlock, match="there is no block x"):
        trees.insert_block(TREE, block("g", parent="x"))
    with pytest.raises(NoBlock, match="there is a block a already"):
        trees.insert_block(TREE, block("a"))


def test_accepted_it_is_terminal_and_all_in_it_is_dropped() -> None:
    assert ids(trees.accept_block(TREE, "b")) == "a< b<"
    assert trees.accept_block(TREE, "d") == TREE[:4]
    assert trees.accept_block(TREE, "a") == TREE


def test_merged_the_second_is_in_the_first_with_box_and_elements_and_no_children() -> None:
    tree = trees.merge_blocks(TREE, "c", "d")
    assert ids(tree) == "a< b< c<b"
    assert tree[2] == block("c", 0, 40, 100, 160, parent="b", label="nav", xpaths=("/c", "/d"))


def test_merged_blocks_of_different_parents_are_in_what_is_around_both() -> None:
    tree = trees.merge_blocks(TREE, "e", "a")
    assert ids(tree) == "b< c<b d<b e< f<d"
    assert trees.block_of(tree, "e").rect == Rect(0, 0, 100, 100)

    for first, second in ("de", "ed"):  # one holds the other
        tree = trees.merge_blocks(TREE, first, second)
        assert ids(tree) == f"a< b< c<b {first}<b"
        assert trees.block_of(tree, first).rect == Rect(30, 40, 70, 160)
    with pytest.raises(NoBlock, match="two blocks are needed"):
        trees.merge_blocks(TREE, "a", "a")


def test_deleted_its_children_and_elements_go_to_its_parent() -> None:
    tree = trees.delete_block(TREE, "d")
    assert ids(tree) == "a< b< c<b e<b f<b"
    assert trees.block_of(tree, "b").xpaths == ("/b", "/d")
    assert ids(trees.delete_block(TREE, "b")) == "a< c< d< e<d f<d"
    with pytest.raises(NoBlock, match="the page itself is none"):
        trees.delete_block(TREE, "")


def test_labelled_it_has_a_role_and_a_type() -> None:
    (one,) = trees.label_block((block("a"),), "a", "aside", "advert")
    assert (one.label, one.type) == ("aside", "advert")


def test_flattened_only_blocks_that_held_no_others_are_left() -> None:
    assert ids(trees.flatten(TREE)) == "a< c< e< f<"


def test_split_it_is_two_and_its_blocks_go_where_their_centres_are() -> None:
    upper, lower = Part(Rect(0, 40, 100, 60), ("/u",)), Part(Rect(0, 100, 100, 100), ("/l",))
    tree = trees.split(TREE, "d", (upper, lower), "d2")
    assert ids(tree) == "a< b< c<b d<b d2<b e<d f<d2"
    found = [trees.block_of(tree, name) for name in ("d", "d2")]
    assert [(one.rect, one.xpaths) for one in found] == [upper, lower]
    labelled = trees.split(TREE, "a", (upper, lower), "a2")
    assert [one.label for one in labelled[:2]] == ["header", "header"]


@pytest.mark.parametrize(
    ("other", "left"),
    [
        ((60, 0, 100, 100), (0, 0, 60, 100)),
        ((0, 70, 100, 100), (0, 0, 100, 70)),
        ((90, 20, 100, 100), (0, 0, 90, 100)),  # a corner: the larger rest
        ((20, 40, 10, 10), (30, 0, 70, 100)),  # in the middle
        ((0, 0, 30, 100), (30, 0, 70, 100)),
        ((-10, -10, 200, 200), None),
    ],
)
def test_what_is_left_beside_another_is_the_largest_rectangle(other, left) -> None:
    assert trees.uncovered_rect(Rect(0, 0, 100, 100), Rect(*other)) == left


def test_reading_order_is_from_top_to_bottom_and_parents_first() -> None:
    mixed = (TREE[1], TREE[3], TREE[5], TREE[4], TREE[2], TREE[0])
    assert trees.in_reading_order(mixed) == TREE


NUMBERS = st.integers(0, 90)
OPERATIONS = st.lists(
    st.tuples(st.sampled_from("imdaf"), NUMBERS, NUMBERS, NUMBERS, NUMBERS), max_size=30
)


@given(OPERATIONS)
def test_whatever_is_done_it_is_one_tree_parents_before_children(operations) -> None:
    tree: tuple[MarkedBlock, ...] = ()
    for number, (kind, one, other, w, h) in enumerate(operations):
        names = [each.id for each in tree]
        if kind == "i" or len(names) < 2:
            parent = names[one % len(names)] if names and other % 2 else ""
            tree = trees.insert_block(tree, block(f"n{number}", one, other, w, h, parent=parent))
            continue
        first, second = names[one % len(names)], names[other % len(names)]
        if kind == "m" and first != second:
            tree = trees.merge_blocks(tree, first, second)
        elif kind == "d":
            tree = trees.delete_block(tree, first)
        elif kind == "a":
            tree = trees.accept_block(tree, first)
        elif kind == "f":
            tree = trees.flatten(tree)
        seen = {""}
        for each in tree:
            assert each.parent in seen
            assert each.id not in seen
            seen.add(each.id)
        ordered = trees.in_reading_order(tree)
        assert sorted(each.id for each in ordered) == sorted(each.id for each in tree)


PAGE = {"record_id": "page", "url": "http://a.example/", "timestamp": "20130101000000"}


def event(by: str = "Anna", at: str = AT, **what: Any) -> dict[str, Any]:
    return {"by": by, "at": at, "capture": PAGE} | what


def insert(name: str, *rect: float, by: str = "Anna", at: str = AT) -> dict[str, Any]:
    return event(by, at, op={"kind": "insert", "block": block_fields(block(name, *rect))})


def names(done: DrawingHistory, by: str = "Anna") -> list[str]:
    return [one.id for one in done.drawing(by, "page").tree]


UNDO, REDO = event(undo=True), event(redo=True)


def test_undo_takes_back_one_by_one_and_redo_does_again() -> None:
    done = DrawingHistory([insert("a"), insert("b"), UNDO])
    assert names(done) == ["a"]
    done.add(UNDO)
    assert names(done) == []
    done.add(REDO)
    done.add(REDO)
    assert names(done) == ["a", "b"]
    done = DrawingHistory([insert("a"), insert("b"), UNDO, insert("c")])
    with pytest.raises(NoBlock, match="there is nothing to redo"):
        done.add(REDO)
    assert names(done) == ["a", "c"]
    with pytest.raises(NoBlock, match="there is nothing to undo"):
        DrawingHistory([insert("a"), UNDO, UNDO])


def test_a_fresh_id_was_never_used() -> None:
    done = DrawingHistory([insert("B1"), insert("B2"), UNDO])
    assert done.drawing("Anna", "page").new_id() == "B3"


def test_changed_blocks_say_by_whom_and_when() -> None:
    label = {"kind": "label", "block": "a", "label": "nav", "type": "menu"}
    done = DrawingHistory([insert("a"), insert("b"), event(at="later", op=label)])
    one, other = done.drawing("Anna", "page").tree
    assert (one.by, one.at, one.label, one.type) == ("Anna", "later", "nav", "menu")
    assert (other.by, other.at) == ("Anna", AT)


def test_gold_is_what_one_person_drew_and_of_several_what_was_chosen() -> None:
    done = DrawingHistory([insert("a")])
    (line,) = done.lines(("page",))
    assert [one["id"] for one in line["blocks"]] == ["a"]
    done.add(insert("b", by="Ben"))
    assert done.lines(("page",)) == []
    done.add(event("Ben", counts="Ben"))
    assert done.gold_author("page") == "Ben"
    done.add(event("Ben", undo=True))
    assert done.gold_author("page") == "Anna"  # Ben has drawn nothing any more
