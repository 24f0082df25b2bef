"""Block gold follows from its journal; each operation does to the tree what the thesis of Sanoja says (4.4.2), and nothing is lost."""

import json
import re
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.cli import main
from dbce.model import NotInRun
from dbce.storage import read_json_objects
from dbce.visual import Rect
from dbce.visual.annotate.blocks import history as trees
from dbce.visual.annotate.blocks.desk import BlockDesk
from dbce.visual.annotate.blocks.history import DrawingHistory, NoBlock, Part
from dbce.visual.annotate.blocks.pages import block_gold, import_file
from dbce.visual.measure import block_fields, page_of
from tests.annotate.core.notes import opened, refuses_to_open
from tests.runs import refusal
from tests.visual.annotate.blocks.conftest import AT, OTHER, PAGE, block, shown
from tests.visual.pages import write_rendered

TREE = (
    block("a", 0, 0, 100, 40, label="header"),
    block("b", 0, 40, 100, 160),
    block("c", 0, 40, 30, 160, parent="b", label="nav"),
    block("d", 30, 40, 70, 160, parent="b"),
    block("e", 30, 40, 70, 60, parent="d"),
    block("f", 30, 100, 70, 100, parent="d"),
)


def ids(tree):
    """The tree in a line: each block with its parent."""
    return " ".join(f"{one.id}<{one.parent}" for one in tree)


def test_a_block_is_inserted_on_the_page_or_in_another():
    assert ids(trees.insert_block(TREE, block("g"))).endswith("f<d g<")
    assert ids(trees.insert_block(TREE, block("g", parent="c"))).endswith("g<c")
    with pytest.raises(NoBlock, match="there is a block a already"):
        trees.insert_block(TREE, block("a"))


def test_accepted_it_is_terminal_and_all_in_it_is_dropped():
    assert ids(trees.accept_block(TREE, "b")) == "a< b<"
    assert trees.accept_block(TREE, "d") == TREE[:4]
    assert trees.accept_block(TREE, "a") == TREE


def test_merged_the_second_is_in_the_first_with_box_and_elements_and_no_children():
    tree = trees.merge_blocks(TREE, "c", "d")
    assert ids(tree) == "a< b< c<b"
    assert tree[2] == block("c", 0, 40, 100, 160, parent="b", label="nav", xpaths=("/c", "/d"))


def test_merged_blocks_of_different_parents_are_in_what_is_around_both():
    tree = trees.merge_blocks(TREE, "e", "a")
    assert ids(tree) == "b< c<b d<b e< f<d"
    assert trees.block_of(tree, "e").rect == Rect(0, 0, 100, 100)

    for first, second in ("de", "ed"):  # one holds the other
        tree = trees.merge_blocks(TREE, first, second)
        assert ids(tree) == f"a< b< c<b {first}<b"
        assert trees.block_of(tree, first).rect == Rect(30, 40, 70, 160)
    with pytest.raises(NoBlock, match="two blocks are needed"):
        trees.merge_blocks(TREE, "a", "a")


def test_deleted_its_children_and_elements_go_to_its_parent():
    tree = trees.delete_block(TREE, "d")
    assert ids(tree) == "a< b< c<b e<b f<b"
    assert trees.block_of(tree, "b").xpaths == ("/b", "/d")
    assert ids(trees.delete_block(TREE, "b")) == "a< c< d< e<d f<d"
    with pytest.raises(NoBlock, match="the page itself is none"):
        trees.delete_block(TREE, "")


def test_split_it_is_two_and_its_blocks_go_where_their_centres_are():
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
def test_what_is_left_beside_another_is_the_largest_rectangle(other, left):
    assert trees.uncovered_rect(Rect(0, 0, 100, 100), Rect(*other)) == left


def test_reading_order_is_from_top_to_bottom_and_parents_first():
    mixed = (TREE[1], TREE[3], TREE[5], TREE[4], TREE[2], TREE[0])
    assert trees.in_reading_order(mixed) == TREE
    assert ids(trees.flatten(TREE)) == "a< c< e< f<", "those that held no others are left"


NUMBERS = st.integers(0, 90)
OPERATIONS = st.lists(
    st.tuples(st.sampled_from("imdaf"), NUMBERS, NUMBERS, NUMBERS, NUMBERS), max_size=30
)


@given(OPERATIONS)
def test_whatever_is_done_it_is_one_tree_parents_before_children(operations):
    tree = ()
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


FIELDS = {"record_id": "page", "url": "http://a.example/", "timestamp": "20130101000000"}


def event(by="Anna", at=AT, **what):
    return {"by": by, "at": at, "capture": FIELDS} | what


def insert(name, *rect, by="Anna", at=AT):
    return event(by, at, op={"kind": "insert", "block": block_fields(block(name, *rect))})


def names(done, by="Anna"):
    return [one.id for one in done.drawing(by, "page").tree]


UNDO, REDO = event(undo=True), event(redo=True)


def test_undo_takes_back_one_by_one_and_redo_does_again():
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


def test_a_fresh_id_was_never_used():
    done = DrawingHistory([insert("B1"), insert("B2"), UNDO])
    assert done.drawing("Anna", "page").new_id() == "B3"


def test_changed_blocks_say_by_whom_and_when():
    label = {"kind": "label", "block": "a", "label": "nav", "type": "menu"}
    done = DrawingHistory([insert("a"), insert("b"), event(at="later", op=label)])
    one, other = done.drawing("Anna", "page").tree
    assert (one.by, one.at, one.label, one.type) == ("Anna", "later", "nav", "menu")
    assert (other.by, other.at) == ("Anna", AT)


def test_gold_is_what_one_person_drew_and_of_several_what_was_chosen():
    done = DrawingHistory([insert("a")])
    (line,) = done.lines(("page",))
    assert [one["id"] for one in line["blocks"]] == ["a"]
    done.add(insert("b", by="Ben"))
    assert done.lines(("page",)) == []
    done.add(event("Ben", counts="Ben"))
    assert done.gold_author("page") == "Ben"
    done.add(event("Ben", undo=True))
    assert done.gold_author("page") == "Anna"  # Ben has drawn nothing any more


INSERT = {"kind": "insert", "block": block_fields(block("B1", 0, 0, 1000, 100))}


def line(**fields):
    own = {"record_id": PAGE, "url": "http://harbour.example/1", "viewport": [1000, 800]}
    drawn = {"id": "b1", "rect": [0, 0, 500, 500], "by": "Ben", "label": "nav", "from": "drawn"}
    return json.dumps(own | {"blocks": [drawn]} | fields) + "\n"


@contextmanager
def at_desk(gold, pages, *others):
    with opened(gold, block_gold(pages)) as store:
        for other in others:
            import_file(store, other, pages)
        yield BlockDesk(pages, store, [])


def test_who_comes_back_finds_everything_and_no_page_is_read_for_it(gold, pages, monkeypatch):
    with at_desk(gold, pages) as desk:
        desk.do("Anna", PAGE, op=INSERT)
    written = gold.read_bytes()
    monkeypatch.setattr(pages, "sheet", None)
    with at_desk(gold, pages) as again:
        assert [one.id for one in again.drawing("Anna", PAGE).tree] == ["B1"]
    assert gold.read_bytes() == written


def test_gold_without_a_journal_is_taken_over(gold, pages):
    gold.write_text(line(category="news"))
    with at_desk(gold, pages) as desk:
        assert desk.store.people() == {"Ben": [PAGE]}
        assert json.loads(gold.read_text())["category"] == "news"  # fields of others stay
        (page,) = read_json_objects(str(gold), page_of)
        assert (page.blocks[0].label, page.blocks[0].by, page.blocks[0].words) == ("nav", "Ben", 7)
        assert desk.strays() == []


def test_blocks_of_xpaths_alone_get_the_boxes_of_their_elements(gold, pages):
    main_element = {"id": "m", "xpaths": ["/html/body/div/main"]}
    empty = {"id": "e", "xpaths": ["/html/body/div[2]"]}
    gold.write_text(line(record_id="", blocks=[main_element, empty]))
    for _ in range(2):
        with at_desk(gold, pages) as desk:
            # Found by its URL; nobody says who drew it.
            assert desk.store.people() == {"gold": [PAGE]}
            assert desk.drawing("gold", PAGE).tree[0].rect == (0, 120, 700, 1700)


TABLE = {"blocks": [{"id": "x", "xpaths": ["/html/body/table"]}]}


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"record_id": "", "url": "http://elsewhere/"}, "http://elsewhere/ is not rendered in"),
        ({"viewport": [1366, 768]}, "drawn on in a window 1366 px wide.*--width 1366"),
        (TABLE, r"1 of 1 XPaths of the blocks of \S+ are not found on it \(/html/body/table\)"),
    ],
)
def test_gold_that_does_not_fit_stays_as_it_is_and_is_told(gold, pages, fields, sentence):
    gold.write_text(line(**fields) + line(record_id=OTHER, url="http://harbour.example/2"))
    given = json.loads(gold.read_text().splitlines()[0])["blocks"][0]
    with at_desk(gold, pages) as desk:
        kept = json.loads(gold.read_text().splitlines()[0])["blocks"][0]
        assert {name: kept[name] for name in given} == given
        (told,) = desk.strays()
    assert re.search(sentence, told)


def test_a_page_that_its_blocks_do_not_fit_cannot_be_drawn_on(gold, pages):
    gold.write_text(line(viewport=[1366, 768]))
    with at_desk(gold, pages) as desk:
        with pytest.raises(NotInRun, match=r"1366 px wide.*; it stays in the gold as it is"):
            desk.marked_page("Ben", PAGE)
        assert desk.marked_page("Anna", PAGE).blocks == ()


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        (line(record_id="x", url="http://x.example/"), "is gold of other pages: none of its 1"),
        (line() * 2, "has two lines of urn:uuid:page-1"),
        ('{"record_id": "x"}\n', "line 1: no list of blocks"),
        ("nonsense\n", "line 1"),
    ],
)
def test_what_is_no_gold_of_these_pages_is_one_sentence(gold, rendered, capsys, written, sentence):
    gold.write_text(written)
    assert sentence in refusal(capsys, "label", rendered, "--blocks", gold, "--port", "0")


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ("{}", "line 2: not what dbce label wrote"),
        ('{"by": "A", "at": "", "capture": {"record_id": "x"}, "op": {"kind": "?"}}', "line 2"),
        ('{"by": "A", "at": "", "capture": {"record_id": "x"}, "undo": true}', "nothing to undo"),
    ],
)
def test_an_event_of_something_else_is_one_sentence(gold, pages, damage, sentence):
    with at_desk(gold, pages) as desk:
        desk.do("Anna", PAGE, op=INSERT)
    with gold.with_name("blocks.jsonl.journal").open("a") as journal:
        journal.write(f"{damage}\n")
    refuses_to_open(gold, sentence, block_gold(pages))


def test_blocks_are_drawn_on_pictures_alone(tmp_path, capsys):
    words = ["label", tmp_path, "--blocks", tmp_path / "g", "--port", "0"]
    assert "holds no rendered pages; dbce render INPUT --out" in refusal(capsys, *words)
    write_rendered(tmp_path, [shown(1)])
    assert "rendered without pictures; dbce render with --pictures" in refusal(capsys, *words)


def test_what_others_drew_comes_in_once_and_is_no_gold_before_somebody_chooses(
    gold, pages, tmp_path
):
    given = tmp_path / "ben.jsonl"
    given.write_text(line())
    with at_desk(gold, pages) as desk:
        desk.do("Anna", PAGE, op=INSERT)
    for _ in range(2):
        with at_desk(gold, pages, given) as desk:
            assert desk.store.people() == {"Anna": [PAGE], "Ben": [PAGE]}
            assert gold.read_text() == ""
    assert len(gold.with_name("blocks.jsonl.journal").read_text().splitlines()) == 2


def test_what_is_drawn_is_gold_that_segmentations_are_scored_against(gold, pages, rendered, capsys):
    with at_desk(gold, pages) as desk:
        desk.do("Anna", PAGE, op=INSERT)
    asked = ["evaluate-blocks", str(gold), "--gold", str(gold), "--rendered", str(rendered)]
    assert main(asked) == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("| blocks"))
    assert row.split("|")[2:4] == ["     1 ", " 1.000 "]  # pages, Cc
