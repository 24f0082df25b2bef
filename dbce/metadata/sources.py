"""Places in which a page says something of itself, by kind, with the names of the sources."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from dbce.metadata.linked import read_linked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from dbce.html import DeclaredMetadata
    from dbce.model import Page

    Candidate = tuple[str, str]  # a value and its source


@dataclass(frozen=True)
class Declared:
    """Declarations of a page about itself."""

    declared: DeclaredMetadata

    @cached_property
    def linked(self) -> dict[str, tuple[str, ...]]:
        return read_linked(self.declared.linked)

    @cached_property
    def metas(self) -> dict[str, list[str]]:
        contents: dict[str, list[str]] = {}
        for name, content in self.declared.metas:
            # Names of Dublin Core are written with a colon, too.
            contents.setdefault(name.replace("dc:", "dc."), []).append(content)
        return contents

    def of_meta(self, names: Iterable[str]) -> Iterator[Candidate]:
        return ((value, f"meta:{n}") for n in names for value in self.metas.get(n, ())[:1])

    def of_linked(self, *names: str) -> Iterator[Candidate]:
        return ((value, f"json-ld:{n}") for n in names for value in self.linked.get(n, ())[:1])

    def of_microdata(self, *names: str) -> Iterator[Candidate]:
        properties = dict(self.declared.properties)
        for name in names:
            if name in properties:
                yield properties[name], name if ":" in name else f"microdata:{name}"


@dataclass(frozen=True)
class Sources(Declared):
    """All that a page has for its metadata, and what it takes to judge it."""

    page: Page
    url: str
    captured: datetime
    text: str
