"""Selectors, elements as they see them, and an account of what a page's selectors cost."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from cssselect2 import ElementWrapper, parser
from cssselect2.compiler import CompiledSelector

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

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
