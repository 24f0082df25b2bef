"""All labels that people gave texts, by the events of a journal, and the node gold that follows.

An event has the labels that somebody (`by`) gives `runs` of a `capture`; `hidden` marks labels that
the rule for hidden texts gives in somebody's name, `settles` a reviewer's decision. Or it takes an
earlier event back: `undo` is the number of that, from 0. Later labels replace earlier ones.

Two runs of one archive may split a text node differently. So labels hold for spans of characters of the node,
however it was split at the time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

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
    """Characters of a text node, with somebody's label."""

    node: int  # orders the text nodes of a capture
    xpath: str
    start: int
    end: int
    text: str  # as parsed, or in gold from elsewhere with white space normalised
    mark: Mark
    hidden: bool = False  # labelled by rule: not shown, and so boilerplate

    @property
    def can_be_cut(self) -> bool:
        """Return whether a part of the span has a known text."""
        return len(self.text) == self.end - self.start

    def overlaps(self, other: Span) -> bool:
        return self.xpath == other.xpath and self.start < other.end and other.start < self.end

    def covers(self, start: int, end: int) -> int:
        return max(0, min(end, self.end) - max(start, self.start))


def paint_over(spans: Sequence[Span], new: Sequence[Span]) -> list[Span]:
    """Return the spans that no new one overlaps, followed by the new ones."""
    new_spans = by_xpath(new)
    uncovered = [old for old in spans if not any(map(old.overlaps, new_spans.get(old.xpath, ())))]
    return uncovered + list(new)


def remainders(spans: Iterable[Span], new: Iterable[Span], texts: Mapping[str, str]) -> list[Span]:
    """Return the parts of overlapped spans that no new one covers, but for white space; `texts` is by XPath."""
    parts = []
    new_spans = by_xpath(new)
    for old in spans:
        covering = [span for span in new_spans.get(old.xpath, ()) if old.overlaps(span)]
        if not covering:
            continue
        edges = sorted(
            {old.start, old.end, *(edge for span in covering for edge in (span.start, span.end))}
        )
        for start, end in pairwise(edge for edge in edges if old.start <= edge <= old.end):
            text = texts[old.xpath][start:end]
            if text.strip() and not any(span.covers(start, end) for span in covering):
                parts.append(replace(old, start=start, end=end, text=text))
    return parts


def mark_of(spans: Iterable[Span], start: int, end: int) -> Span | None:
    """Return the last span with the mark of most characters from `start` to `end`; None if less than half are labelled."""
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
    """Characters of a text node that each person labelled alike, and the span of each by name."""

    node: int
    xpath: str
    start: int
    end: int
    text: str
    spans: Mapping[str, Span]


def pieces(layers: Mapping[str, Sequence[Span]]) -> Iterator[Piece]:
    """Yield the labelled text of a capture, split wherever any annotator's label changes, in document order."""
    named = [(span, name) for name, spans in layers.items() for span in spans]
    order: dict[str, tuple[int, int]] = {}
    for span, _ in named:
        order.setdefault(span.xpath, (span.node, len(order)))
    named.sort(key=lambda pair: (order[pair[0].xpath], pair[0].start))
    for xpath, group in groupby(named, key=lambda pair: pair[0].xpath):
        node_spans = list(group)
        for start, end in pairwise(_edges([span for span, _ in node_spans])):
            spans_by_name = {}
            for name in layers:
                opinion = mark_of([span for span, owner in node_spans if owner == name], start, end)
                if opinion is not None:
                    spans_by_name[name] = opinion
            if spans_by_name and (text := _text(spans_by_name.values(), start, end)).strip():
                yield Piece(order[xpath][0], xpath, start, end, text, spans_by_name)


def _edges(spans: Sequence[Span]) -> list[int]:
    """Return the offsets at which a label changes; a span whose parts have no known text is not cut."""
    indivisible = [span for span in spans if not span.can_be_cut]
    edges = {edge for span in spans for edge in (span.start, span.end)}
    return sorted(e for e in edges if not any(span.start < e < span.end for span in indivisible))


def _text(spans: Iterable[Span], start: int, end: int) -> str:
    fallback = ""
    for span in spans:
        if (span.start, span.end) == (start, end):
            return span.text
        if span.can_be_cut and span.start <= start and end <= span.end:
            return span.text[start - span.start : end - span.start]
        fallback = fallback or span.text
    return fallback


def by_xpath(spans: Iterable[Span]) -> dict[str, list[Span]]:
    of_node: dict[str, list[Span]] = {}
    for span in spans:
        of_node.setdefault(span.xpath, []).append(span)
    return of_node


CaptureFields = dict[str, Any]
"""The fields of gold that describe a capture: `record_id`, and for people url, timestamp, site and the like."""

FIELDS = ("node", "xpath", "start", "end", "text", "label")

SETTLED = ""  # the name of a reviewer's decisions; nobody is called so


def _is_by_rule(labelled: Sequence[Span]) -> bool:
    """Return whether the rule for hidden texts, and nobody, labelled spans at once."""
    return any(span.hidden for span in labelled)


class LabelHistory:
    """Labels that people gave texts, after some events; an invalid event raises one of NO_EVENT."""

    def __init__(self) -> None:
        self._labels = Retractable[tuple[Span, ...]]()
        self._spans: dict[Key, list[Span]] = {}
        self._captures: dict[str, CaptureFields] = {}

    def add(self, event: Event) -> Key:
        """Apply an event; return the record id of its capture."""
        if "undo" in event:
            key = self._labels.take_back(event["undo"])
        else:
            name = SETTLED if event.get("settles") else str(event["by"])
            key = (name, str(event["capture"]["record_id"]))
            hidden = bool(event.get("hidden"))
            self._labels.add(key, tuple(_span(run, hidden=hidden) for run in event["runs"]))
            self._captures.setdefault(key[1], event["capture"])
        self._spans.pop(key, None)
        return key[1:]

    def people(self) -> dict[str, list[str]]:
        people: dict[str, list[str]] = {}
        for name, record_id in self._labels:
            if name != SETTLED and self.spans(name, record_id):
                people.setdefault(name, []).append(record_id)
        return people

    def spans(self, name: str, record_id: str) -> Sequence[Span]:
        """Return somebody's labels of a capture; those by rule only if there are others."""
        key = (name, record_id)
        if key not in self._spans:
            spans: list[Span] = []
            labellings = self._labels.values_of(key).values()
            if not all(map(_is_by_rule, labellings)):
                spans = reduce(paint_over, labellings, spans)
            self._spans[key] = spans
        return self._spans[key]

    def pieces(self, record_id: str) -> list[Piece]:
        names = [name for name, capture in self._labels if capture == record_id]
        return list(pieces({name: self.spans(name, record_id) for name in names}))

    def lines(self, key: Key) -> list[Line]:
        """Return the lines of node gold of a capture: settled texts, and those on which all who decided agree."""
        (record_id,) = key
        lines = []
        for piece in self.pieces(record_id):
            if mark := gold_mark(piece):
                annotators = [name for name, opinion in opinions(piece).items() if opinion is mark]
                run = _fields(piece, mark) | {"annotators": annotators}
                lines.append(self._captures[record_id] | run)
        return lines

    def labelling_events(
        self,
        by: str,
        capture: CaptureFields,
        new: Sequence[Span],
        *,
        hidden: Sequence[Span],
        texts: Mapping[str, str],
    ) -> list[Event]:
        """Return the events by which somebody labels runs of a capture.

        `hidden` are the runs that the page does not show; the rule labels these first, once. Uncovered parts
        of earlier spans are labelled again; `texts` has the text of every text node by its XPath.
        """
        key = (by, capture["record_id"])
        spans, events = self.spans(*key), []
        if hidden and not any(map(_is_by_rule, self._labels.values_of(key).values())):
            events.append(event_of(by, capture, hidden, hidden=True))
            spans = paint_over(spans, hidden) if spans else []
        parts = remainders(spans, new, texts)
        return [*events, event_of(by, capture, [*parts, *new])]

    def settling_event(self, by: str, record_id: str, span: Span) -> Event:
        return event_of(by, self._captures[record_id], [span], settles=True)

    def undo_events(self, by: str, record_id: str) -> tuple[list[Event], Sequence[Span]]:
        """Return the event that undoes somebody's last labelling of a capture, if any, and its spans."""
        done = self._labels.values_of((by, record_id))
        last = max((n for n, spans in done.items() if not _is_by_rule(spans)), default=None)
        return ([], ()) if last is None else ([{"undo": last}], done[last])


def event_of(
    by: str,
    capture: CaptureFields,
    spans: Iterable[Span],
    *,
    hidden: bool = False,
    settles: bool = False,
) -> Event:
    runs = [_fields(span, span.mark) for span in spans]
    flags = {name: True for name, on in (("hidden", hidden), ("settles", settles)) if on}
    return {"by": by, "capture": capture, "runs": runs} | flags


def _fields(part: Span | Piece, mark: Mark) -> dict[str, Any]:
    place = (part.node, part.xpath, part.start, part.end, part.text, mark.value)
    return dict(zip(FIELDS, place, strict=True))


def opinions(piece: Piece) -> dict[str, Mark]:
    return {
        name: span.mark
        for name, span in piece.spans.items()
        if name != SETTLED and span.mark is not Mark.UNDECIDED
    }


def gold_mark(piece: Piece) -> Mark | None:
    """Return the label of a text: a reviewer's decision, else that of all who decided; None if they differ."""
    if SETTLED in piece.spans:
        settled = piece.spans[SETTLED].mark
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
    """Return node gold as events, one for each capture and annotator; UsageError if it is invalid or contradicts itself."""
    _, runs = by_kind(read_gold(str(path)))
    if not runs:
        raise UsageError(
            f"{path} holds gold of whole pages; name another file for that of text runs"
        )
    sheets: dict[tuple[str, str], tuple[CaptureFields, list[Span]]] = {}
    for number, fields in json_objects(str(path)):
        record_id = fields["record_id"].strip("<>")
        capture = {k: v for k, v in fields.items() if k not in FIELDS and k != "annotators"}
        annotators = fields.get("annotators")
        for name in annotators if isinstance(annotators, list) and annotators else [SOMEBODY]:
            capture |= {"record_id": record_id}
            _, spans = sheets.setdefault((str(name), record_id), (capture, []))
            # Lines that do not order their text nodes come as written.
            node = fields["node"] if isinstance(fields.get("node"), int) else number
            spans.append(_span(fields | {"node": node}))
    events = [event_of(name, capture, spans) for (name, _), (capture, spans) in sheets.items()]
    if not is_lossless(NODE_GOLD, events, path):
        raise UsageError(
            f"{path} gives some text two labels, or labels empty text; name another file, or correct it"
        )
    return events


NODE_GOLD = GoldKind(LabelHistory, parse_line, import_events)
