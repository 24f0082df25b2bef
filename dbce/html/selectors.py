"""Selectors, elements as they see them, and an account of what a page's selectors cost."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from cssselect2 import ElementWrapper, parser
from cssselect2.compiler import CompiledSelector

from dbce.html.css import IDENT, pattern

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


STEPS = 1_000_000  # a rule tested on an element, or an element passed on the way to another
STEPS_AN_ELEMENT = 10  # to begin with it

UNKNOWN = (
    *(ValueError, AttributeError, RuntimeError),  # no selector, or one cssselect2 does not know
    *(SyntaxError, MemoryError),  # nested too deep for Python to compile
)


ATTRIBUTE = re.compile(r"[a-z][a-z0-9-]*")


class TooCostlyError(Exception):
    """The rules of the page take more than STEPS."""


class Tree:
    """The elements that selectors were asked about, and how many steps are left."""

    def __init__(self) -> None:
        self.nodes: dict[Element, StyledElement] = {}
        self.left = STEPS

    def step(self, count: int = 1) -> None:
        self.left -= count
        if self.left < 0:
            raise TooCostlyError

    def node(self, element: Element) -> StyledElement:
        node = self.nodes.get(element)
        if node is None:
            self.step(STEPS_AN_ELEMENT)
            node = self.nodes[element] = StyledElement(self, element)
        self.step()
        return node


class StyledElement(ElementWrapper):  # type: ignore[misc]  # the library has no types
    """An element as selectors see it.

    The library's own wrappers need a walk over the document, recurse over ancestors and siblings,
    and hold all of them for each; these look them up when a selector asks, and count.
    """

    in_html_document = True
    in_disabled_fieldset = False

    def __init__(self, tree: Tree, element: Element) -> None:
        self.tree = tree
        self.etree_element = element

    @cached_property
    def parent(self) -> StyledElement | None:
        above = self.etree_element.getparent()
        return None if above is None else self.tree.node(above)

    @property
    def ancestors(self) -> Iterator[StyledElement]:
        node = self.parent
        while node is not None:
            self.tree.step()
            yield node
            node = node.parent

    @property
    def etree_siblings(self) -> list[Element]:
        siblings = [self.etree_element] if self.parent is None else self.parent.etree_children
        self.tree.step(len(siblings))  # who asks goes over them
        return siblings

    @cached_property
    def places(self) -> dict[Element, int]:
        """The index of each child among the children."""
        return {child: i for i, child in enumerate(self.etree_children)}

    @cached_property
    def index(self) -> int:
        return 0 if self.parent is None else self.parent.places[self.etree_element]

    @property
    def previous(self) -> StyledElement | None:
        return next(self.previous_siblings, None)

    @property
    def previous_siblings(self) -> Iterator[StyledElement]:
        for element in self.etree_element.itersiblings(preceding=True):
            if isinstance(element.tag, str):
                yield self.tree.node(element)

    def iter_children(self) -> Iterator[StyledElement]:
        return map(self.tree.node, self.etree_children)

    @property
    def lang(self) -> str:
        named = (node.etree_element.get("lang") for node in (self, *self.ancestors))
        return next((lang.lower() for lang in named if lang is not None), "")


class Selector(NamedTuple):
    """One of the selectors of a rule.

    `name` is an id, class or tag name without which no element fits; "*" if there is none. So is `attribute`
    one; "" if there is none.
    """

    prelude: Prelude
    number: int
    name: str
    attribute: str
    specificity: tuple[int, int, int]


class Prelude:
    """All selectors of a rule. Most are never held against an element: to compile them can wait."""

    def __init__(self, parsed: Sequence[Any]) -> None:
        self.parsed = parsed

    @cached_property
    def compiled(self) -> list[Any]:
        """Compiled, in their order; nothing if one is unknown, which spoils the others."""
        try:
            return [CompiledSelector(each) for each in self.parsed]
        except UNKNOWN:
            return []


def selectors(css: Sequence[Any]) -> list[Selector]:
    """The selectors in the prelude of a rule that elements can fit; nothing if one is no selector."""
    try:
        prelude = Prelude(list(parser.parse(css)))
    except UNKNOWN:
        return []
    return [
        Selector(prelude, number, *_needed(each.parsed_tree), each.specificity)
        for number, each in enumerate(prelude.parsed)
        if each.pseudo_element is None
    ]


def _needed(tree: Any) -> tuple[str, str]:
    """The name and the attribute of a selector."""
    compound = tree.right if isinstance(tree, parser.CombinedSelector) else tree
    last = {type(simple): simple for simple in compound.simple_selectors}
    attribute = getattr(last.get(parser.AttributeSelector), "lower_name", "")
    return _name(last), attribute if ATTRIBUTE.fullmatch(attribute) else ""


def _name(last: Mapping[type, Any]) -> str:
    if parser.IDSelector in last:
        return str(last[parser.IDSelector].ident)
    if parser.ClassSelector in last:
        return str(last[parser.ClassSelector].class_name)
    if parser.LocalNameSelector in last:
        return str(last[parser.LocalNameSelector].lower_local_name)
    return "*"


def matches(selector: Selector, node: StyledElement) -> bool:
    """True if an element fits a selector."""
    compiled = selector.prelude.compiled
    try:
        return bool(compiled and compiled[selector.number].test(node))
    except ValueError:  # an attribute's name that cannot be one, or a URL
        return False


# Selectors of names alone (`.menu > li #top`), which most are, held against the columns of a
# page.

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
