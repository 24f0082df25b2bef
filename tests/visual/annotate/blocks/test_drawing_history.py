"""What a journal comes to: trees, undo and redo, whose blocks are the gold."""

from typing import Any

import pytest

from dbce.visual.annotate.blocks.history import DrawingHistory, NoBlock
from dbce.visual.measure import block_fields
from tests.visual.annotate.blocks.drawn import AT, block

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
