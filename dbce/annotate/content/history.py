"""Everything that people said of texts, as a journal's events tell, and the gold that comes of it.

An event says what somebody (`by`) says of `runs` of a `capture`; `hidden` marks what the rule for
hidden texts says in somebody's name, `settles` a reviewer's decision. Or it takes an earlier event
back: `undo` is the number of that, from 0. What is said later goes over what was said before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from dbce.annotate.content.spans import Mark, Span, painted_over, pieces, remainders
from dbce.annotate.core.history import Retractable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from dbce.annotate.content.spans import Piece
    from dbce.annotate.core.history import Key, Line
    from dbce.annotate.core.journal import Event

About = dict[str, Any]
"""The fields of gold that are those of a capture: `record_id`, and for people url, timestamp, site and the like."""

FIELDS = ("node", "xpath", "start", "end", "text", "label")

SETTLED = ""
"""The name under which a reviewer's decisions stand; nobody is called so."""


class Saying(NamedTuple):
    """Spans with their marks that somebody, or the rule for hidden texts, said at once."""

    spans: tuple[Span, ...]
    by_rule: bool


class LabelHistory:
    """All that was said of texts, after some events.

    Raises:
        ValueError, LookupError, TypeError: an event is none.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._said = Retractable[Saying]()
        self._spans: dict[Key, list[Span]] = {}
        self._captures: dict[str, About] = {}
        for event in events:
            self.add(event)

    def add(self, event: Event) -> Key:
        """Take an event in; return the record id of the capture that it is about."""
        if "undo" in event:
            key = self._said.take_back(event["undo"])
        else:
            name = SETTLED if event.get("settles") else str(event["by"])
            key = (name, str(event["capture"]["record_id"]))
            by_rule = bool(event.get("hidden"))
            spans = tuple(_span(run, hidden=by_rule) for run in event["runs"])
            self._said.add(key, Saying(spans, by_rule))
            self._captures.setdefault(key[1], event["capture"])
        self._spans.pop(key, None)
        return key[1:]

    def people(self) -> dict[str, list[str]]:
        """Return the record ids of what each person has spoken of, by name."""
        people: dict[str, list[str]] = {}
        for name, record_id in self._said:
            if name != SETTLED and self.spans(name, record_id):
                people.setdefault(name, []).append(record_id)
        return people

    def spans(self, name: str, record_id: str) -> Sequence[Span]:
        """Return what somebody says of a capture; hidden texts only if of some other too."""
        key = (name, record_id)
        if key not in self._spans:
            spans: list[Span] = []
            sayings = self._said.of(key).values()
            if not all(saying.by_rule for saying in sayings):
                for saying in sayings:
                    spans = painted_over(spans, saying.spans)
            self._spans[key] = spans
        return self._spans[key]

    def pieces(self, record_id: str) -> list[Piece]:
        """Return the text of a capture with what each person, and a reviewer, says of it."""
        names = [name for name, whose in self._said if whose == record_id]
        return list(pieces({name: self.spans(name, record_id) for name in names}))

    def lines(self, key: Key) -> list[Line]:
        """Return the lines of node gold of a capture: what is settled, and what all say who decided."""
        (record_id,) = key
        lines = []
        for piece in self.pieces(record_id):
            if mark := gold_mark(piece):
                place = (piece.node, piece.xpath, piece.start, piece.end, piece.text, mark.value)
                who = [name for name, said in opinions(piece).items() if said is mark]
                run = dict(zip(FIELDS, place, strict=True)) | {"annotators": who}
                lines.append(self._captures[record_id] | run)
        return lines

    def labelling(
        self,
        by: str,
        about: About,
        new: Sequence[Span],
        *,
        hidden: Sequence[Span],
        texts: Mapping[str, str],
    ) -> list[Event]:
        """Return the events by which somebody says something of runs of a capture.

        `hidden` are the runs that the page does not show; the rule for these speaks first, once. What sticks
        out of earlier sayings is said again; `texts` has the text of every text node by its XPath.
        """
        key = (by, about["record_id"])
        spans, events = self.spans(*key), []
        if hidden and not any(saying.by_rule for saying in self._said.of(key).values()):
            events.append(event_of(by, about, hidden, hidden=True))
            spans = painted_over(spans, hidden) if spans else []
        rest = remainders(spans, new, texts)
        return [*events, event_of(by, about, [*rest, *new])]

    def settling(self, by: str, record_id: str, span: Span) -> Event:
        """Return the event of a reviewer's decision on a text."""
        return event_of(by, self._captures[record_id], [span], settles=True)

    def taking_back(self, by: str, record_id: str) -> tuple[list[Event], Sequence[Span]]:
        """Return the event that takes back what somebody said last of a capture, if anything, and its spans."""
        sayings = self._said.of((by, record_id))
        last = max((number for number, each in sayings.items() if not each.by_rule), default=None)
        return ([], ()) if last is None else ([{"undo": last}], sayings[last].spans)


def event_of(
    by: str, about: About, spans: Iterable[Span], *, hidden: bool = False, settles: bool = False
) -> Event:
    """Return what a journal has of somebody's saying."""
    runs = [
        dict(zip(FIELDS, (s.node, s.xpath, s.start, s.end, s.text, s.mark.value), strict=True))
        for s in spans
    ]
    flags = {name: True for name, on in (("hidden", hidden), ("settles", settles)) if on}
    return {"by": by, "capture": about, "runs": runs} | flags


def opinions(piece: Piece) -> dict[str, Mark]:
    """Return what each person decided of a text."""
    return {
        name: span.mark
        for name, span in piece.said.items()
        if name != SETTLED and span.mark is not Mark.UNDECIDED
    }


def gold_mark(piece: Piece) -> Mark | None:
    """Return what a text is: as a reviewer settled it, else as all say who decided; None if they differ."""
    if SETTLED in piece.said:
        settled = piece.said[SETTLED].mark
        return None if settled is Mark.UNDECIDED else settled
    marks = set(opinions(piece).values())
    return marks.pop() if len(marks) == 1 else None


def _span(run: dict[str, Any], *, hidden: bool) -> Span:
    return Span(
        node=run["node"],
        xpath=run["xpath"],
        start=run["start"],
        end=run["end"],
        text=run["text"],
        mark=Mark(run["label"]),
        hidden=hidden,
    )
