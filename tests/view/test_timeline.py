"""What came and went between the snapshots of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.view.timeline import only_in, texts_of, timeline
from tests.view.harbour import record_id

if TYPE_CHECKING:
    from dbce.view.run import Run


def node(number: int, text: str, label: str = "content", start: int = 0) -> dict[str, object]:
    end = start + len(text)
    return {"node": number, "text": text, "label": label, "start": start, "end": end}


def test_the_runs_of_a_node_are_one_text_with_the_label_of_most_of_it() -> None:
    runs = [node(0, "Read"), node(1, "on", "boilerplate"), node(1, "in the next issue", start=3)]
    first, second = texts_of(runs)
    assert (first.text, first.place) == ("Read", 0)
    assert (second.text, second.label, second.place) == ("on in the next issue", "content", 1)


def test_a_text_that_comes_a_second_time_has_come() -> None:
    old = texts_of([node(0, "a"), node(1, "b")])
    new = texts_of([node(0, "a"), node(1, "b"), node(2, "a")])
    assert [text.place for text in only_in(new, old)] == [2]
    assert only_in(old, new) == ()


def test_the_latest_snapshot_comes_first_with_what_appeared(run: Run) -> None:
    page = run.page(record_id(2013, "ferry"))
    latest, first = timeline(run, run.snapshots(page))
    assert [step.page["record_id"] for step in (latest, first)] == [
        record_id(2015, "ferry"),
        record_id(2013, "ferry"),
    ]
    assert latest.came is not None
    assert any("counted again" in text.text for text in latest.came)
    assert first.came is None
    assert not latest.unchanged
