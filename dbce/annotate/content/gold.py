"""Node gold, which `dbce evaluate` and `dbce train` read, as people make it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dbce.annotate.content.history import FIELDS, LabelHistory, event_of
from dbce.annotate.content.spans import Mark, Span
from dbce.annotate.core.kind import GoldKind, comes_back
from dbce.evaluate import read_gold
from dbce.evaluate.text.gold import by_kind
from dbce.model import UsageError
from dbce.storage import json_objects

if TYPE_CHECKING:
    from collections.abc import Hashable
    from pathlib import Path

    from dbce.annotate.content.history import About
    from dbce.annotate.core.history import Key, Line
    from dbce.annotate.core.journal import Event

SOMEBODY = "gold"
"""The name of whoever made gold that does not name its annotators."""


def said_in(line: Line) -> tuple[Key, Hashable]:
    """Return the record id of a line, and which characters it gives which label."""
    record_id = str(line.get("record_id")).strip("<>")
    xpath, start, end, label = (line.get(name) for name in ("xpath", "start", "end", "label"))
    return (record_id,), (str(xpath), start or 0, end or 0, str(label))


def taken_over(path: Path) -> list[Event]:
    """Return node gold as events, one for each capture and annotator.

    Raises:
        UsageError: it is none, or its lines do not go together.
    """
    _, runs = by_kind(read_gold(str(path)))
    if not runs:
        raise UsageError(
            f"{path} holds gold of whole pages; name another file for that of text runs"
        )
    said: dict[tuple[str, str], tuple[About, list[Span]]] = {}
    for number, fields in json_objects(str(path)):
        record_id = fields["record_id"].strip("<>")
        about = {k: v for k, v in fields.items() if k not in FIELDS and k != "annotators"}
        who = fields.get("annotators")
        for name in who if isinstance(who, list) and who else [SOMEBODY]:
            about |= {"record_id": record_id}
            _, spans = said.setdefault((str(name), record_id), (about, []))
            spans.append(_span(fields, number))
    events = [event_of(name, about, spans) for (name, _), (about, spans) in said.items()]
    if not comes_back(NODE_GOLD, events, path):
        raise UsageError(
            f"{path} gives some text two labels, or labels empty text; name another file, or correct it"
        )
    return events


def _span(fields: dict[str, Any], number: int) -> Span:
    """Return what a line of gold says; those that do not order their text nodes come as written."""
    node = fields.get("node")
    return Span(
        node=node if isinstance(node, int) else number,
        xpath=fields["xpath"],
        start=fields["start"],
        end=fields["end"],
        text=fields["text"],
        mark=Mark(fields["label"]),
    )


NODE_GOLD = GoldKind(LabelHistory, said_in, taken_over)
