"""Everything that people said of texts, as a journal's events tell, and the node gold that comes of it.

An event says what somebody (`by`) says of `runs` of a `capture`; `hidden` marks what the rule for
hidden texts says in somebody's name, `settles` a reviewer's decision. Or it takes an earlier event
back: `undo` is the number of that, from 0. What is said later goes over what was said before.

Two runs of one archive may split a text node differently. So what is said holds for spans of characters of
the node, whatever was split how when it was said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, NamedTuple

from dbce.annotate.core.store import Event, GoldKind, Key, Line, Retractable, is_lossless
from dbce.evaluate import read_gold
from dbce.evaluate.gold import by_kind
from dbce.model import UsageError
from dbce.storage import json_objects


class Mark(StrEnum):
    CONTENT = "content"
    BOILERPLATE = "boilerplate"
    COMMENT = "comment"  # of a user
    UNDECIDED = "undecided"  # seen, and left out of the gold


@dataclass(frozen=True, slots=True)
class Span:
    """Characters of a text node, with what somebody says of them."""

    node: int  # orders the text nodes of a capture
    xpath: str
    start: int
    end: int
    text: str  # as parsed, or in gold from elsewhere with white space normalised
    mark: Mark
    hidden: bool = False  # nobody said so: not shown, and so boilerplate by rule

    @property
    def can_be_cut(self) -> bool:
        """Tell whether a part of the span has a known text."""
        return len(self.text) == self.end - self.start

    def overlaps(self, other: Span) -> bool:
        return self.xpath == other.xpath and self.start < other.end and other.start < self.end

    def covers(self, start: int, end: int) -> int:
        return max(0, min(end, self.end) - max(start, self.start))


def paint_over(spans: Sequence[Span], new: Sequence[Span]) -> list[Span]:
    """Return the spans that are left, whole, where others are put over them; then those."""
    of_node = by_xpath(new)
    left = [old for old in spans if not any(map(old.overlaps, of_node.get(old.xpath, ())))]
    return left + list(new)


def remainders(spans: Iterable[Span], new: Iterable[Span], texts: Mapping[str, str]) -> list[Span]:
    """Return the parts, not white space alone, that stick out of spans that others are put over; `texts` is by XPath."""
    rest = []
    of_node = by_xpath(new)
    for old in spans:
        over = [span for span in of_node.get(old.xpath, ()) if old.overlaps(span)]
        if not over:
            continue
        edges = sorted(
            {old.start, old.end, *(edge for span in over for edge in (span.start, span.end))}
        )
        for start, end in pairwise(edge for edge in edges if old.start <= edge <= old.end):
            text = texts[old.xpath][start:end]
            if text.strip() and not any(span.covers(start, end) for span in over):
                rest.append(replace(old, start=start, end=end, text=text))
    return rest


def mark_of(spans: Iterable[Span], start: int, end: int) -> Span | None:
    """Return the span, the last of its mark, that says what most of some characters of its node are; None if none does."""
    covered: Counter[Mark] = Counter()
    last = {}
    for span in spans:
        if characters := span.covers(start, end):
            covered[span.mark] += characters
            last[span.mark] = span
    if 2 * covered.total() <= end - start:
        return None
    return last[covered.most_common(1)[0][0]]


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters of a text node on which nobody's opinion changes, and each one's opinion by name."""

    node: int
    xpath: str
    start: int
    end: int
    text: str
    said: Mapping[str, Span]


def pieces(layers: Mapping[str, Sequence[Span]]) -> Iterator[Piece]:
    """Yield the text of a capture as all who spoke of it split it together, in document order."""
    named = [(span, name) for name, spans in layers.items() for span in spans]
    order: dict[str, tuple[int, int]] = {}
    for span, _ in named:
        order.setdefault(span.xpath, (span.node, len(order)))
    named.sort(key=lambda one: (order[one[0].xpath], one[0].start))
    for xpath, group in groupby(named, key=lambda one: one[0].xpath):
        of_node = list(group)
        for start, end in pairwise(_edges([span for span, _ in of_node])):
            said = {}
            for name in layers:
                opinion = mark_of([span for span, whose in of_node if whose == name], start, end)
                if opinion is not None:
                    said[name] = opinion
            if said and (text := _text(said.values(), start, end)).strip():
                yield Piece(order[xpath][0], xpath, start, end, text, said)


def _edges(spans: Sequence[Span]) -> list[int]:
    """Return the characters at which something changes; a span whose parts have no known text is not cut."""
    whole = [span for span in spans if not span.can_be_cut]
    edges = {edge for span in spans for edge in (span.start, span.end)}
    return sorted(e for e in edges if not any(span.start < e < span.end for span in whole))


def _text(spans: Iterable[Span], start: int, end: int) -> str:
    known = ""
    for span in spans:
        if (span.start, span.end) == (start, end):
            return span.text
        if span.can_be_cut and span.start <= start and end <= span.end:
            return span.text[start - span.start : end - span.start]
        known = known or span.text
    return known


def by_xpath(spans: Iterable[Span]) -> dict[str, list[Span]]:
    of_node: dict[str, list[Span]] = {}
    for span in spans:
        of_node.setdefault(span.xpath, []).append(span)
    return of_node


CaptureFields = dict[str, Any]
"""The fields of gold that are those of a capture: `record_id`, and for people url, timestamp, site and the like."""

FIELDS = ("node", "xpath", "start", "end", "text", "label")

SETTLED = ""  # the name under which a reviewer's decisions stand; nobody is called so


class Saying(NamedTuple):
    """Spans with their marks that somebody, or the rule for hidden texts, said at once."""

    spans: tuple[Span, ...]
    by_rule: bool


class LabelHistory:
    """Labels that people gave texts, after some events; what is no event raises one of NO_EVENT."""

    def __init__(self) -> None:
        self._said = Retractable[Saying]()
        self._spans: dict[Key, list[Span]] = {}
        self._captures: dict[str, CaptureFields] = {}

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
            sayings = self._said.values_of(key).values()
            if not all(saying.by_rule for saying in sayings):
                for saying in sayings:
                    spans = paint_over(spans, saying.spans)
            self._spans[key] = spans
        return self._spans[key]

    def pieces(self, record_id: str) -> list[Piece]:
        names = [name for name, whose in self._said if whose == record_id]
        return list(pieces({name: self.spans(name, record_id) for name in names}))

    def lines(self, key: Key) -> list[Line]:
        """Return the lines of node gold of a capture: what is settled, and what all say who decided."""
        (record_id,) = key
        lines = []
        for piece in self.pieces(record_id):
            if mark := gold_mark(piece):
                who = [name for name, said in opinions(piece).items() if said is mark]
                run = _fields(piece, mark) | {"annotators": who}
                lines.append(self._captures[record_id] | run)
        return lines

    def labelling_events(
        self,
        by: str,
        about: CaptureFields,
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
        if hidden and not any(saying.by_rule for saying in self._said.values_of(key).values()):
            events.append(event_of(by, about, hidden, hidden=True))
            spans = paint_over(spans, hidden) if spans else []
        rest = remainders(spans, new, texts)
        return [*events, event_of(by, about, [*rest, *new])]

    def settling_event(self, by: str, record_id: str, span: Span) -> Event:
        return event_of(by, self._captures[record_id], [span], settles=True)

    def undo_events(self, by: str, record_id: str) -> tuple[list[Event], Sequence[Span]]:
        """Return the event that takes back what somebody said last of a capture, if anything, and its spans."""
        sayings = self._said.values_of((by, record_id))
        last = max((number for number, each in sayings.items() if not each.by_rule), default=None)
        return ([], ()) if last is None else ([{"undo": last}], sayings[last].spans)


def event_of(
    by: str,
    about: CaptureFields,
    spans: Iterable[Span],
    *,
    hidden: bool = False,
    settles: bool = False,
) -> Event:
    runs = [_fields(span, span.mark) for span in spans]
    flags = {name: True for name, on in (("hidden", hidden), ("settles", settles)) if on}
    return {"by": by, "capture": about, "runs": runs} | flags


def _fields(of: Span | Piece, mark: Mark) -> dict[str, Any]:
    place = (of.node, of.xpath, of.start, of.end, of.text, mark.value)
    return dict(zip(FIELDS, place, strict=True))


def opinions(piece: Piece) -> dict[str, Mark]:
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


def _span(run: dict[str, Any], *, hidden: bool = False) -> Span:
    place = {name: run[name] for name in FIELDS if name != "label"}
    return Span(**place, mark=Mark(run["label"]), hidden=hidden)


SOMEBODY = "gold"  # the name of whoever made gold that does not name its annotators


def parse_line(line: Line) -> tuple[Key, Hashable]:
    record_id = str(line.get("record_id")).strip("<>")
    xpath, start, end, label = (line.get(name) for name in ("xpath", "start", "end", "label"))
    return (record_id,), (str(xpath), start or 0, end or 0, str(label))


def import_events(path: Path) -> list[Event]:
    """Return node gold as events, one for each capture and annotator; UsageError if it is none, or contradicts itself."""
    _, runs = by_kind(read_gold(str(path)))
    if not runs:
        raise UsageError(
            f"{path} holds gold of whole pages; name another file for that of text runs"
        )
    said: dict[tuple[str, str], tuple[CaptureFields, list[Span]]] = {}
    for number, fields in json_objects(str(path)):
        record_id = fields["record_id"].strip("<>")
        about = {k: v for k, v in fields.items() if k not in FIELDS and k != "annotators"}
        who = fields.get("annotators")
        for name in who if isinstance(who, list) and who else [SOMEBODY]:
            about |= {"record_id": record_id}
            _, spans = said.setdefault((str(name), record_id), (about, []))
            # Lines that do not order their text nodes come as written.
            node = fields["node"] if isinstance(fields.get("node"), int) else number
            spans.append(_span(fields | {"node": node}))
    events = [event_of(name, about, spans) for (name, _), (about, spans) in said.items()]
    if not is_lossless(NODE_GOLD, events, path):
        raise UsageError(
            f"{path} gives some text two labels, or labels empty text; name another file, or correct it"
        )
    return events


NODE_GOLD = GoldKind(LabelHistory, parse_line, import_events)
