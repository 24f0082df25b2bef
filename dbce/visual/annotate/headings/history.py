"""Everything that people said of headings, as a journal's events tell, and the gold that comes of it.

An outline is the headings of a page as somebody says: its content body, and each heading with its level. A line of
heading gold is what one person says of one page, without the page's text.

An event is a line of gold as it was when it was said. Or it takes an earlier event back: `undo` is the
number of that, from 0. The gold has what each person said last of each page whose body is said.
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
    """The headings of a page as `by` said `at` a time (ISO 8601); `body` is an XPath, "" until it is said.

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
        """Return the heading that a text node or an image belongs to."""
        return next((one for one in self.headings if part in one.parts), None)

    def without_parts(self, parts: Iterable[int | str]) -> Outline:
        """Return the same without the headings that these text nodes and images belong to."""
        gone = frozenset(parts)
        return replace(self, headings=tuple(h for h in self.headings if not h.parts & gone))

    def with_heading(self, heading: GoldHeading) -> Outline:
        """Return the same with a heading in place of those whose parts it takes."""
        left = self.without_parts(heading.parts).headings
        return replace(self, headings=(*left, heading))


def read_outlines(path: Path) -> list[Outline]:
    """Return the outlines of a file of heading gold. Raises UsageError: it cannot be read, or is none."""
    return list(read_json_objects(str(path), outline_of))


def line_of(outline: Outline) -> Line:
    names = ("record_id", "url", "timestamp", "set", "kind", "body")
    about = {name: getattr(outline, name) for name in names}
    headings = [_fields(heading) for heading in outline.headings]
    return about | {"headings": headings, "by": outline.by, "at": outline.at}


def outline_of(line: Line) -> Outline:
    try:
        headings = tuple(map(gold_heading, line["headings"]))
        about = {name: str(line[name]) for name in line.keys() - {"headings"}}
        return Outline(**about, headings=headings)
    except NO_EVENT as e:
        raise ValueError("no heading gold") from e


def _fields(heading: GoldHeading) -> Line:
    parts = {"nodes": list(heading.nodes), "images": list(heading.images)}
    fields = parts | {name: getattr(heading, name) for name in ("level", "optional", "hash")}
    return fields if heading.end is None else fields | {"end": heading.end}


class OutlineHistory:
    """Outlines that people gave, after some events."""

    def __init__(self) -> None:
        self._said = Retractable[Outline]()

    def add(self, event: Event) -> Key:
        if "undo" in event:
            return self._said.take_back(event["undo"])
        outline = outline_of(event)
        key = (outline.by, outline.record_id)
        self._said.add(key, outline)
        return key

    def last(self, by: str, record_id: str) -> Outline | None:
        """Return what somebody said last of a page, and has not taken back."""
        said = self._said.values_of((by, record_id))
        return said[max(said)] if said else None

    def people(self) -> dict[str, list[str]]:
        people: defaultdict[str, list[str]] = defaultdict(list)
        for by, record_id in self._said:
            if self.last(by, record_id):
                people[by].append(record_id)
        return people

    def gold(self) -> list[Outline]:
        """Return what each person says of each page whose body is said."""
        last = (self.last(*key) for key in self._said)
        return [outline for outline in last if outline and outline.body]

    def lines(self, key: Key) -> list[Line]:
        outline = self.last(*key)
        return [line_of(outline)] if outline and outline.body else []

    def undo_events(self, by: str, record_id: str) -> list[Event]:
        """Return the event that takes back what somebody said last of a page, if anything."""
        said = self._said.values_of((by, record_id))
        return [{"undo": max(said)}] if said else []


def parse_line(line: Line) -> tuple[Key, Outline]:
    """Return the person and the record id of a line, and all that it says."""
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
