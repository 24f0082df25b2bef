"""What somebody says of the headings of a page: its content body, and each heading with its level."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dbce.visual.headings import GoldHeading

DEEPEST = 6
"""The lowest level of a heading; 1 is that of the title."""

KINDS = (
    "news", "blog", "documentation", "wiki", "forum", "shop", "company", "organisation", "other",
)  # fmt: skip
"""The kinds of site."""


@dataclass(frozen=True, slots=True)
class Outline:
    """What `by` said of a page `at` a time (ISO 8601); `body` is an XPath, "" until it is said.

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
        """The heading that a text node or an image belongs to."""
        return next((one for one in self.headings if part in one.parts), None)

    def without(self, parts: Iterable[int | str]) -> Outline:
        """The same without the headings that these text nodes and images belong to."""
        gone = frozenset(parts)
        return replace(self, headings=tuple(h for h in self.headings if not h.parts & gone))

    def with_heading(self, heading: GoldHeading) -> Outline:
        """The same with a heading in place of those whose parts it takes."""
        left = self.without(heading.parts).headings
        return replace(self, headings=(*left, heading))


def digest(text: str) -> str:
    """The first 12 hexadecimal digits of the SHA-1 of a text, its white space collapsed."""
    return hashlib.sha1(" ".join(text.split()).encode(), usedforsecurity=False).hexdigest()[:12]
