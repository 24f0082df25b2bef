"""Who said what of which text, as a journal's events tell; and the gold that comes of it.

An event says what somebody (`by`) says of `runs` of a `capture`; `hidden` marks what the rule for
hidden texts says in somebody's name, `settles` a reviewer's decision. Or it takes an earlier event
back: `undo` is the number of that, from 0. What is said later goes over what was said before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dbce.annotate.content.agreement import SETTLED, gold_mark, opinions
from dbce.annotate.content.spans import Mark, Span, painted_over, pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dbce.annotate.content.spans import Piece
    from dbce.annotate.core.journal import Event

About = dict[str, Any]
"""What gold says of a capture: `record_id`, and for people url, timestamp, site and the like."""

FIELDS = ("node", "xpath", "start", "end", "text", "label")


class Sayings:
    """What the events say in which order they come.

    Raises:
        ValueError, LookupError, TypeError: an event is none.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._count = 0
        self._events: dict[int, Event] = {}
        self._numbers: dict[tuple[str, str], list[int]] = {}
        self._spans: dict[tuple[str, str], list[Span]] = {}
        self.captures: dict[str, About] = {}
        for event in events:
            self.add(event)

    def add(self, event: Event) -> str:
        """Takes an event in; the record id of the capture that it is about."""
        number = self._count
        if "undo" in event:
            taken_back = self._events.pop(event["undo"])
            key = _key(taken_back)
            self._numbers[key].remove(event["undo"])
        else:
            key = _key(event)
            _ = [_span(run, event) for run in event["runs"]]  # raises here rather than later
            self._events[number] = event
            self._numbers.setdefault(key, []).append(number)
            self.captures.setdefault(key[1], event["capture"])
        self._spans.pop(key, None)
        self._count += 1
        return key[1]

    def people(self) -> dict[str, list[str]]:
        """The record ids of what each person has spoken of, by name."""
        found: dict[str, list[str]] = {}
        for name, record_id in self._numbers:
            if name != SETTLED and self.spans(name, record_id):
                found.setdefault(name, []).append(record_id)
        return found

    def spans(self, name: str, record_id: str) -> Sequence[Span]:
        """What somebody says of a capture; hidden texts only if of some other too."""
        key = (name, record_id)
        if key not in self._spans:
            found: list[Span] = []
            events = [self._events[number] for number in self._numbers.get(key, ())]
            if any(not event.get("hidden") for event in events):
                for event in events:
                    found = painted_over(found, [_span(run, event) for run in event["runs"]])
            self._spans[key] = found
        return self._spans[key]

    def last(self, name: str, record_id: str) -> int | None:
        """The number of what somebody said last of a capture, and has not taken back."""
        numbers = self._numbers.get((name, record_id), ())
        said = (number for number in reversed(numbers) if not self._events[number].get("hidden"))
        return next(said, None)

    def runs_of(self, number: int) -> list[tuple[str, int, int]]:
        """(xpath, start, end) of the runs that an event is about."""
        return [(run["xpath"], run["start"], run["end"]) for run in self._events[number]["runs"]]

    def has_hidden(self, name: str, record_id: str) -> bool:
        """Whether the rule for hidden texts has spoken in somebody's name."""
        numbers = self._numbers.get((name, record_id), ())
        return any(self._events[number].get("hidden") for number in numbers)

    def pieces(self, record_id: str) -> list[Piece]:
        """The text of a capture with what each person, and a reviewer, says of it."""
        names = [name for name, whose in self._numbers if whose == record_id]
        return list(pieces({name: self.spans(name, record_id) for name in names}))

    def gold(self, record_id: str) -> list[dict[str, Any]]:
        """The lines of node gold of a capture: what is settled, and what all say who decided."""
        lines = []
        for piece in self.pieces(record_id):
            if mark := gold_mark(piece):
                place = (piece.node, piece.xpath, piece.start, piece.end, piece.text, mark.value)
                who = [name for name, said in opinions(piece).items() if said is mark]
                run = dict(zip(FIELDS, place, strict=True)) | {"annotators": who}
                lines.append(self.captures[record_id] | run)
        return lines


def event_of(
    by: str, about: About, spans: Iterable[Span], *, hidden: bool = False, settles: bool = False
) -> Event:
    """What a journal has of somebody's saying."""
    runs = [
        dict(zip(FIELDS, (s.node, s.xpath, s.start, s.end, s.text, s.mark.value), strict=True))
        for s in spans
    ]
    flags = {name: True for name, on in (("hidden", hidden), ("settles", settles)) if on}
    return {"by": by, "capture": about, "runs": runs} | flags


def _key(event: Event) -> tuple[str, str]:
    return SETTLED if event.get("settles") else str(event["by"]), str(event["capture"]["record_id"])


def _span(run: dict[str, Any], event: Event) -> Span:
    return Span(
        node=run["node"],
        xpath=run["xpath"],
        start=run["start"],
        end=run["end"],
        text=run["text"],
        mark=Mark(run["label"]),
        hidden=bool(event.get("hidden")),
    )
