"""Selectors of names alone (`.menu > li #top`), which most are, held against the columns of a page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from dbce.html.css_prefilter import pattern
from dbce.html.plain_css import IDENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from dbce.html.selectors import Tree

_TOUCHED = ":(?:hover|active|visited|focus|focus-within|focus-visible|target)"
_COMPOUND = rf"(?:(?:{IDENT}|\*)(?:[.#]{IDENT}|{_TOUCHED})*+|(?:[.#]{IDENT}|{_TOUCHED})++)"
_COMBINED = (
    rf"{_COMPOUND}(?:(?:[ \t\n\r\f]*+>[ \t\n\r\f]*+|[ \t\n\r\f]++){_COMPOUND})*+"
    r"(?P<pseudo_element>::?(?i:before|after))?"
)
_COMBINATOR = re.compile(r"[ \t\n\r\f]*(>)[ \t\n\r\f]*|[ \t\n\r\f]+")
_SIMPLE = re.compile(rf"([.#:]?)({IDENT}|\*)")
_CLASS = re.compile(r"[^ \t\r\n\f]+")
SPACE = " \t\n\r\f"

MOST_COMPOUNDS = 20


class Compound(NamedTuple):
    """Names that one element must have."""

    tag: str
    ids: frozenset[str]
    classes: frozenset[str]

    def fits(self, tag: str, own_id: str, classes: frozenset[str]) -> bool:
        """True if an element of these names fits."""
        return (
            (not self.tag or self.tag == tag)
            and (not self.ids or self.ids == {own_id})
            and self.classes <= classes
        )


@dataclass(frozen=True, slots=True, eq=False)
class PlainSelector:
    """Compounds, the one for the element itself first; `is_child` says for each other if it is of the parent alone.

    `name` is an id, class or tag name without which no element fits; "*" if there is none. No element of a page that
    nobody touches fits one that `waits`.
    """

    compounds: tuple[Compound, ...]
    is_child: tuple[bool, ...]
    name: str
    specificity: tuple[int, int, int]
    waits: bool


def plain_selectors(prelude: str) -> list[PlainSelector] | None:
    """The selectors of a rule that elements can fit; None if one is of more than names."""
    found = []
    for text in prelude.split(","):
        selector = text.strip(SPACE)
        match = pattern(_COMBINED).fullmatch(selector)
        if match is None:
            return None
        if match["pseudo_element"] is None:
            parts = _COMBINATOR.split(selector)[::-1]
            if len(parts) > 2 * MOST_COMPOUNDS:
                return None
            found.append(_selector(parts))
    return found


def _selector(parts: Sequence[str | None]) -> PlainSelector:
    """The selector of compounds with combinators between them, the last first."""
    counts = [0, 0, 0]
    compounds: list[Compound] = []
    name = "*"
    for part in parts[::2]:
        named: dict[str, list[str]] = {"": [], ".": [], "#": [], ":": []}
        for kind, word in _SIMPLE.findall(part or ""):
            named[kind].append(word)
        tags = [tag.lower() for tag in named[""] if tag != "*"]
        ids, classes = named["#"], named["."]
        if not compounds:
            name = next((names[-1] for names in (ids, classes, tags) if names), "*")
        compounds.append(Compound("".join(tags), frozenset(ids), frozenset(classes)))
        counts[0] += len(ids)
        counts[1] += len(classes) + len(named[":"])
        counts[2] += len(tags)
    is_child = tuple(part is not None for part in parts[1::2])
    specificity = (counts[0], counts[1], counts[2])
    waits = any(":" in part for part in parts[::2] if part)
    return PlainSelector(tuple(compounds), is_child, name, specificity, waits)


def sets_of(classes: Iterable[str]) -> dict[str, frozenset[str]]:
    """The classes that values of the attribute name."""
    return {value: frozenset(_CLASS.findall(value)) for value in set(classes)}


class Names(NamedTuple):
    """All names on a page: who asks for one that is not among them is never answered."""

    tags: frozenset[str]
    ids: frozenset[str]
    classes: frozenset[str]

    def have(self, compound: Compound) -> bool:
        """True if the names of a compound are on the page, on whatever elements."""
        return (
            (not compound.tag or compound.tag in self.tags)
            and compound.ids <= self.ids
            and compound.classes <= self.classes
        )


class Columns(NamedTuple):
    """The elements of a page, as plain selectors see them; the sets are those of the same classes."""

    parents: Sequence[int]
    tags: Sequence[str]
    ids: Sequence[str]
    classes: Sequence[str]
    sets: Mapping[str, frozenset[str]]
    names: Names

    def may_fit(self, selector: PlainSelector, element: int) -> bool:
        """True if an element fits a selector, as far as its own names and those on the page tell."""
        return (
            not selector.waits
            and self.is_named(selector.compounds[0], element)
            and all(map(self.names.have, selector.compounds[1:]))
        )

    def is_named(self, compound: Compound, element: int) -> bool:
        """True if an element fits a compound."""
        own = self.sets[self.classes[element]]
        return compound.fits(self.tags[element], self.ids[element], own)

    def is_below(self, selector: PlainSelector, element: int, tree: Tree, at: int = 0) -> bool:
        """True if the elements around one fit the compounds behind the one `at`; each on the way is a step."""
        if at == len(selector.is_child):
            return True
        compound, is_child = selector.compounds[at + 1], selector.is_child[at]
        above = self.parents[element]
        while above >= 0:
            tree.step(not is_child)
            if self.is_named(compound, above) and self.is_below(selector, above, tree, at + 1):
                return True
            if is_child:
                return False
            above = self.parents[above]
        return False
