"""Rules of a page's own style sheets: selectors, held against elements within limits, and white space.

Selectors that the library does not know count for nothing. Linked and imported sheets are not loaded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import tinycss2
from cssselect2 import ElementWrapper, parser
from cssselect2.compiler import CompiledSelector
from lxml.etree import _Element as Element

from dbce.html.walk import classes_like

# Beyond one of these, which are half a second or one, no sheet of the page is read. Of 2,600 pages none needs more than
# 114,000 characters, 200 rules and 24,000 steps.
CHARACTERS = 250_000  # of all sheets; 2.5 us each
RULES = 2_000  # a selector with a property; 50 us each
STEPS = 1_000_000  # a rule tested on an element, or an element passed on the way to another
STEPS_AN_ELEMENT = 10  # to begin with it
UNKNOWN = (
    *(ValueError, AttributeError, RuntimeError),  # no selector, or one cssselect2 does not know
    *(SyntaxError, MemoryError),  # nested too deep for Python to compile
)


class TooCostlyError(Exception):
    """The rules of the page take more than STEPS."""


class Tree:
    """Elements met by selectors so far, and the number of steps left."""

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

    `name` is an id, class or tag name without which no element fits; "*" if there is none.
    """

    prelude: Prelude
    number: int
    name: str
    specificity: tuple[int, int, int]


class Prelude:
    """All selectors of a rule. Most are never held against an element: to compile them can wait."""

    def __init__(self, parsed: Sequence[Any]) -> None:
        self.parsed = parsed

    @cached_property
    def matchers(self) -> list[Any]:
        """Compiled, in their order; nothing if one is unknown, which spoils the others."""
        try:
            return [CompiledSelector(each) for each in self.parsed]
        except UNKNOWN:
            return []


def selectors_of(css: Sequence[Any]) -> list[Selector]:
    """Selectors in the prelude of a rule, without pseudo-elements; none if they are too many, or one is invalid."""
    if len(split_at_commas(css)) > RULES:
        return []
    try:
        prelude = Prelude(list(parser.parse(css)))
    except UNKNOWN:
        return []
    return [
        Selector(prelude, number, _required_name(each.parsed_tree), each.specificity)
        for number, each in enumerate(prelude.parsed)
        if each.pseudo_element is None
    ]


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
    compiled = selector.prelude.matchers
    try:
        return bool(compiled and compiled[selector.number].test(node))
    except ValueError:  # an attribute's name that cannot be one, or a URL
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


# The rules that declare one thing, such as white space, found by their letters: to parse sheets whole takes
# a hundred times as long, and a selector is parsed once an element may fit it.

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
COMBINATOR = re.compile(r"[\s>+~]+")
NAME = re.compile(r"[.#]?[\w-]+")


class DeclaringRules:
    """The rules of a page's sheets that make a declaration, but those for print and those that name no tag, class or id."""

    def __init__(self, sheets: str, declaration: re.Pattern[str]) -> None:
        self._tree = Tree()
        self._by_name = _rules_by_name(sheets, declaration)

    def __bool__(self) -> bool:
        return bool(self._by_name)

    def fitting(self, element: Element) -> list[str]:
        """Declarations of those that fit an element, the one that holds last; none once they took more than STEPS."""
        names = (str(element.tag), f"#{element.get('id', '')}")
        classes = (f".{name}" for name in element.get("class", "").split())
        rules = [rule for name in (*names, *classes) for rule in self._by_name.get(name, ())]
        try:
            ranked = [
                (selector.specificity, number, declarations)
                for number, written, declarations in rules
                for selector in _selectors_of_letters(written)
                if matches(selector, self._tree.node(element))
            ]
        except TooCostlyError:
            return []
        return [declarations for *_, declarations in sorted(ranked)]


@lru_cache(maxsize=32)  # pages of one template have one sheet
def _rules_by_name(
    sheets: str, declaration: re.Pattern[str]
) -> dict[str, list[tuple[int, str, str]]]:
    """Place, selector and declarations of rules, by a name without which no element fits."""
    rules: dict[str, list[tuple[int, str, str]]] = {}
    if len(sheets) > CHARACTERS:
        return rules
    around: list[str] = []
    for number, block in enumerate(COMMENT.sub("", sheets).split("}")):
        *opened, declarations = block.split("{")
        around += opened
        is_print = any("@media" in each and "print" in each for each in around)
        if around and not is_print and declaration.search(declarations):
            for selector in around[-1].rpartition(";")[2].split(","):
                if name := NAME.search(COMBINATOR.split(selector.strip())[-1]):
                    rules.setdefault(name[0], []).append((number, selector, declarations))
        del around[-1:]
    return rules


@lru_cache(maxsize=1 << 10)
def _selectors_of_letters(selector: str) -> list[Selector]:
    return selectors_of(tokens_of(selector))


# White space of elements, by their `style`, rules of the page and classes that say it everywhere.

WHITE_SPACE = re.compile(r"white-space\s*:\s*(pre(?:-wrap|-line)?|break-spaces|normal|nowrap)")
KEEPS_LINES = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)")
# Classes of Tailwind, Vuetify and Primer.
UTILITY = re.compile(
    r"(?:^|\s)(?:white-?space|text|ws)-(pre(?:-wrap|-line)?|break-spaces|normal|nowrap)(?:$|\s)"
)


def white_space(
    elements: Sequence[Element], classes: tuple[str, ...], written: str | None
) -> dict[int, str]:
    """Values of `white-space` that a page declares, by element, none where no line is kept; `written` is its HTML, if known."""
    utilities = {own: UTILITY.findall(own)[0] for own in classes_like(classes, UTILITY)}
    has_styles = bool(elements) and (written is None or KEEPS_LINES.search(written) is not None)
    if not utilities and not has_styles:  # as of most pages
        return {}
    sheets = "".join(style.text or "" for style in elements[0].iter("style")) if has_styles else ""
    keeping = DeclaringRules(sheets, KEEPS_LINES)
    # What takes it back counts only where something keeps lines, and reset sheets do so everywhere.
    is_kept = bool(keeping) and any(map(keeping.fitting, elements))
    rules = DeclaringRules(sheets, WHITE_SPACE) if is_kept else None
    values = {}
    for n, element in enumerate(elements):
        ruled = rules.fitting(element) if rules else []
        for declared in (element.get("style", "") if has_styles else "", *reversed(ruled)):
            if value := WHITE_SPACE.search(declared):
                values[n] = value[1]
                break
        else:
            if classes[n] in utilities:
                values[n] = utilities[classes[n]]
    return values if any(map(keeps_lines, values.values())) else {}


def keeps_lines(value: str) -> bool:
    """True of a value of `white-space` with which line feeds are seen."""
    return value.startswith(("pre", "break"))
