"""All outlines that people made of pages, by the events of a journal, and the heading gold that follows.

An outline is somebody's view of a page: its content body, and each heading with its level. A line of
heading gold is one person's outline of one page, without the page's text.

An event is such a line. Or it takes an earlier event back: `undo` is the number of that, from 0. The gold has
each person's last outline of each page, if that has a body.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from dbce.annotate.core.store import NO_EVENT, Event, GoldKind, Key, Line, Retractable, is_lossless
from dbce.model import UsageError
from dbce.storage import read_json_objects
from dbce.visual.headings import GoldHeading, gold_heading

DEEPEST = 6  # the lowest level of a heading; 1 is that of the title

KINDS = (
    "news", "blog", "documentation", "wiki", "forum", "shop", "company", "organisation", "other",
)  # fmt: skip
"""The kinds of site."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The headings of a page as labelled by somebody `at` a time (ISO 8601); `body` is an XPath, "" until it is set.

    `set` is the name of the archive that the page is in, `kind` one of `KINDS`.
    """

    record_id: str
    url: str
    timestamp: str
    set: str
    by: str
    at: str = ""
    kind: str = ""
    body: str = ""
    headings: tuple[GoldHeading, ...] = ()

    def heading_of(self, part: int | str) -> GoldHeading | None:
        """Return the heading of a text node or an image, None without one."""
        return next((heading for heading in self.headings if part in heading.parts), None)

    def without_parts(self, parts: Iterable[int | str]) -> Outline:
        """Return the outline without the headings of these text nodes and images."""
        removed = frozenset(parts)
        return replace(self, headings=tuple(h for h in self.headings if not h.parts & removed))

    def with_heading(self, heading: GoldHeading) -> Outline:
        """Return the outline with a heading in place of those that it shares parts with."""
        remaining = self.without_parts(heading.parts).headings
        return replace(self, headings=(*remaining, heading))


def read_outlines(path: Path) -> list[Outline]:
    """Return the outlines of a file of heading gold. Raises UsageError: it cannot be read, or is invalid."""
    return list(read_json_objects(str(path), outline_of))


def line_of(outline: Outline) -> Line:
    names = ("record_id", "url", "timestamp", "set", "kind", "body")
    fields = {name: getattr(outline, name) for name in names}
    headings = [_fields(heading) for heading in outline.headings]
    return fields | {"headings": headings, "by": outline.by, "at": outline.at}


def outline_of(line: Line) -> Outline:
    try:
        headings = tuple(map(gold_heading, line["headings"]))
        fields = {name: str(line[name]) for name in line.keys() - {"headings"}}
        return Outline(**fields, headings=headings)
    except NO_EVENT as e:
        raise ValueError("no heading gold") from e


def _fields(heading: GoldHeading) -> Line:
    parts = {"nodes": list(heading.nodes), "images": list(heading.images)}
    fields = parts | {name: getattr(heading, name) for name in ("level", "optional", "hash")}
    return fields if heading.end is None else fields | {"end": heading.end}


class OutlineHistory:
    """Outlines that people gave, after some events."""

    def __init__(self) -> None:
        self._outlines = Retractable[Outline]()

    def add(self, event: Event) -> Key:
        if "undo" in event:
            return self._outlines.take_back(event["undo"])
        outline = outline_of(event)
        key = (outline.by, outline.record_id)
        self._outlines.add(key, outline)
        return key

    def last(self, by: str, record_id: str) -> Outline | None:
        """Return somebody's last outline of a page that was not undone, None without one."""
        outlines = self._outlines.values_of((by, record_id))
        return outlines[max(outlines)] if outlines else None

    def people(self) -> dict[str, list[str]]:
        people: defaultdict[str, list[str]] = defaultdict(list)
        for by, record_id in self._outlines:
            if self.last(by, record_id):
                people[by].append(record_id)
        return people

    def gold(self) -> list[Outline]:
        """Return each person's outline of each page, if it has a body."""
        latest = (self.last(*key) for key in self._outlines)
        return [outline for outline in latest if outline and outline.body]

    def lines(self, key: Key) -> list[Line]:
        outline = self.last(*key)
        return [line_of(outline)] if outline and outline.body else []

    def undo_events(self, by: str, record_id: str) -> list[Event]:
        """Return the event that undoes somebody's last outline of a page, if there is one."""
        outlines = self._outlines.values_of((by, record_id))
        return [{"undo": max(outlines)}] if outlines else []


def parse_line(line: Line) -> tuple[Key, Outline]:
    """Return the person and the record id of a line, and its outline."""
    outline = outline_of(line)
    return (outline.by, outline.record_id), outline


def import_events(path: Path) -> list[Event]:
    """Return heading gold as events, one for each line."""
    events = [line_of(outline) for outline in read_outlines(path)]
    if not is_lossless(HEADING_GOLD, events, path):
        raise UsageError(
            f"{path} has two lines of one person and page, or one without a content body; name another "
            "file, or mend it"
        )
    return events


HEADING_GOLD = GoldKind(OutlineHistory, parse_line, import_events)
