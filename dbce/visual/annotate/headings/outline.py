"""The headings of a page as somebody says: its content body, and each heading with its level.

A line of heading gold is what one person says of one page, without the page's text.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dbce.annotate.core.history import NO_EVENT
from dbce.model import UsageError
from dbce.storage import json_objects
from dbce.visual.headings import gold_heading

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from dbce.annotate.core.history import Line
    from dbce.visual.headings import GoldHeading

DEEPEST = 6
"""The lowest level of a heading; 1 is that of the title."""

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

    def without(self, parts: Iterable[int | str]) -> Outline:
        """Return the same without the headings that these text nodes and images belong to."""
        gone = frozenset(parts)
        return replace(self, headings=tuple(h for h in self.headings if not h.parts & gone))

    def with_heading(self, heading: GoldHeading) -> Outline:
        """Return the same with a heading in place of those whose parts it takes."""
        left = self.without(heading.parts).headings
        return replace(self, headings=(*left, heading))


def digest(text: str) -> str:
    """Return the first 12 hexadecimal digits of the SHA-1 of a text, its white space collapsed."""
    return hashlib.sha1(" ".join(text.split()).encode(), usedforsecurity=False).hexdigest()[:12]


def read_outlines(path: Path) -> list[Outline]:
    """Return the outlines of a file of heading gold.

    Raises:
        UsageError: it cannot be read, or is none.
    """
    outlines = []
    for number, line in json_objects(str(path)):
        try:
            outlines.append(outline_of(line))
        except ValueError as e:
            raise UsageError(f"{path}, line {number}: {e}") from e
    return outlines


def line_of(outline: Outline) -> Line:
    """Return an outline as a line of heading gold."""
    return {
        "record_id": outline.record_id,
        "url": outline.url,
        "timestamp": outline.timestamp,
        "set": outline.set,
        "kind": outline.kind,
        "body": outline.body,
        "headings": [_fields(heading) for heading in outline.headings],
        "by": outline.by,
        "at": outline.at,
    }


def outline_of(line: Line) -> Outline:
    """Return the outline of a line of heading gold.

    Raises:
        ValueError: it is none.
    """
    try:
        headings = tuple(map(gold_heading, line["headings"]))
        about = {name: str(line[name]) for name in line.keys() - {"headings"}}
        return Outline(**about, headings=headings)
    except NO_EVENT as e:
        raise ValueError("no heading gold") from e


def _fields(heading: GoldHeading) -> Line:
    end = {} if heading.end is None else {"end": heading.end}
    return {
        "nodes": list(heading.nodes),
        "images": list(heading.images),
        "level": heading.level,
        "optional": heading.optional,
        "hash": heading.hash,
    } | end
