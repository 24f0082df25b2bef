"""Selectors of a page's own style sheets, matched against its elements within limits.

Selectors that the library does not support are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, partial
from typing import Any, NamedTuple

import tinycss2
from cssselect2 import ElementWrapper, parser
from cssselect2.compiler import CompiledSelector

from dbce.html import HtmlElement as Element

# Above any of these limits, worth half a second to one, no sheet of the page is read. None of 2,600 pages needs more
# than 114,000 characters, 200 rules and 24,000 steps.
CHARACTERS = 250_000  # of all sheets; 2.5 us each
RULES = 2_000  # a selector with a property; 50 us each
STEPS = 1_000_000  # a rule tested on an element, or an element visited on the way to another
STEPS_AN_ELEMENT = 10  # to wrap it
UNKNOWN = (
    *(ValueError, AttributeError, RuntimeError),  # invalid selectors, or unknown to cssselect2
    *(SyntaxError, MemoryError),  # nested too deep for Python to compile
)


class TooCostlyError(Exception):
    """The rules of the page need more than STEPS."""


class Tree:
    """Elements visited by selectors so far, and the number of remaining steps."""

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
    """An element for selectors.

    The library's own wrappers need a walk over the document, recurse over ancestors and siblings,
    and store all of them for each; these look them up on demand, and count steps.
    """

    in_html_document = True
    in_disabled_fieldset = False

    def __init__(self, tree: Tree, element: Element) -> None:
        self.tree = tree
        self.etree_element = element

    @cached_property
    def parent(self) -> StyledElement | None:
        parent = self.etree_element.getparent()
        return None if parent is None else self.tree.node(parent)

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
        self.tree.step(len(siblings))  # the caller iterates over them
        return siblings

    @cached_property
    def places(self) -> dict[Element, int]:
        """Index of each child among the children."""
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
        langs = (node.etree_element.get("lang") for node in (self, *self.ancestors))
        return next((lang.lower() for lang in langs if lang is not None), "")


class Selector(NamedTuple):
    """One of the selectors of a rule.

    `name` is an id, class or tag name required of a match; "*" if there is none. `compiled` returns all
    selectors of its rule, of which it is the one of index `number`.
    """

    compiled: Callable[[], Sequence[CompiledSelector]]
    number: int
    name: str
    specificity: tuple[int, int, int]


def selectors_of(css: Sequence[Any]) -> list[Selector]:
    """Return the selectors of a rule, without pseudo-elements; none if they are too many, or one is invalid."""
    if len(split_at_commas(css)) > RULES:
        return []
    try:
        parsed = list(parser.parse(css))
    except UNKNOWN:
        return []
    compiled = cache(partial(_compile, parsed))  # most are never matched against an element
    return [
        Selector(compiled, number, _required_name(selector.parsed_tree), selector.specificity)
        for number, selector in enumerate(parsed)
        if selector.pseudo_element is None
    ]


def _compile(parsed: Sequence[Any]) -> list[CompiledSelector]:
    """Return the compiled selectors of a rule; none if any is unsupported, as CSS drops the rule then."""
    try:
        return [CompiledSelector(selector) for selector in parsed]
    except UNKNOWN:
        return []


def _required_name(tree: Any) -> str:
    compound = tree.right if isinstance(tree, parser.CombinedSelector) else tree
    last = {type(simple): simple for simple in compound.simple_selectors}
    if parser.IDSelector in last:
        return str(last[parser.IDSelector].ident)
    if parser.ClassSelector in last:
        return str(last[parser.ClassSelector].class_name)
    if parser.LocalNameSelector in last:
        return str(last[parser.LocalNameSelector].lower_local_name)
    return "*"


def matches(selector: Selector, node: StyledElement) -> bool:
    compiled = selector.compiled()
    try:
        return bool(compiled and compiled[selector.number].test(node))
    except ValueError:  # an invalid attribute name, or a URL
        return False


def tokens_of(css: str) -> list[Any]:
    try:
        return list(tinycss2.parse_component_value_list(css, skip_comments=True))
    except ValueError:  # a number of more digits than Python takes
        return []


def split_at_commas(tokens: Sequence[Any]) -> list[list[Any]]:
    parts: list[list[Any]] = [[]]
    for part in tokens:
        if part == ",":
            parts.append([])
        else:
            parts[-1].append(part)
    return parts


def spaceless(tokens: Iterable[Any]) -> list[Any]:
    return [token for token in tokens if token.type != "whitespace"]
