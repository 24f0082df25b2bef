"""Lists as rows of a table: what stands on a page in a form that a file can have."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from dbce.view.changes import Change
    from dbce.view.tables import Row
    from dbce.view.timeline import Step, Text


def capture_row(row: Row) -> Row:
    """A capture that was found; of the text run with the words its label and text."""
    hit = row.get("hit") or {}
    kept = {name: value for name, value in row.items() if name not in {"hit", "passage"}}
    if "hits" in row:
        kept |= {"label": hit.get("label"), "snippet": hit.get("text") or row.get("passage")}
    return kept


def timeline_rows(steps: Iterable[Step]) -> Iterator[Row]:
    """Yield a row for each text that came or went at a snapshot, or one row if none did."""
    for step in steps:
        about = {name: step.page[name] for name in ("record_id", "url", "fetch_time", "status")}
        found: list[tuple[str, Text | None]] = [("appeared", text) for text in step.came or ()]
        found += [("vanished", text) for text in step.went or ()]
        for what, text in found or [("", None)]:
            yield about | {
                "what": what,
                "label": text.label if text else "",
                "text": text.text if text else "",
            }


def change_row(change: Change) -> Row:
    """A difference of two snapshots."""
    old, new = change.old, change.new
    return {
        "what": change.kind.value,
        "label_before": old.label if old else "",
        "label_after": new.label if new else "",
        "text_before": old.text if old else "",
        "text_after": new.text if new else "",
    }


def change_marks(changes: Iterable[Change]) -> Mapping[str, list[list[object]]]:
    """Return the text runs to mark on the older and the newer page.

    A mark is (place of the text's first run, number of runs, kind of change, number of the change).
    """
    found: dict[str, list[list[object]]] = {"old": [], "new": []}
    for number, change in enumerate(changes):
        sides: tuple[tuple[str, Text | None], ...] = (("old", change.old), ("new", change.new))
        for side, text in sides:
            if text is not None:
                found[side].append([text.place, text.runs, change.kind.value, number])
    return found
