"""Rules of a page's own style sheets: those of a few properties, as a browser's window would take them.

What is not read: at-rules other than `@media`, nested rules, and conditions or selectors that the library does not know
(their rules count for nothing). Linked and imported sheets are not loaded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import tinycss2
from cssselect2 import ElementWrapper, parser
from cssselect2.compiler import CompiledSelector

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

# Beyond one of these, which are half a second or one, no sheet of the page is read. Of 2,600 pages none needs more than
# 114,000 characters, 200 rules and 24,000 steps.
CHARACTERS = 250_000  # of all sheets; 0.4 to 2.5 us each
RULES = 2_000  # a selector with a property; 50 us each
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
    def matchers(self) -> list[Any]:
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
        Selector(prelude, number, *_required_names(each.parsed_tree), each.specificity)
        for number, each in enumerate(prelude.parsed)
        if each.pseudo_element is None
    ]


def _required_names(tree: Any) -> tuple[str, str]:
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
    compiled = selector.prelude.matchers
    try:
        return bool(compiled and compiled[selector.number].test(node))
    except ValueError:  # an attribute's name that cannot be one, or a URL
        return False


class CascadeRule:
    """A declaration or more of one selector; `selector` is None in a `style` attribute."""

    __slots__ = ()

    selector: Selector | None
    important: bool

    @property
    def weight(self) -> tuple[bool, bool, tuple[int, int, int]]:
        """The weight in the cascade: of two declarations the weightier one holds."""
        inline = self.selector is None
        return self.important, inline, self.selector.specificity if self.selector else (0, 0, 0)

    @property
    def name(self) -> str:
        """An id, class or tag name without which no element fits; "*" if there is none."""
        return self.selector.name if self.selector else "*"


def tokens_of(css: str) -> list[Any]:
    try:
        return list(tinycss2.parse_component_value_list(css, skip_comments=True))
    except ValueError:  # a number of more digits than Python takes
        return []


def top_rules(rules: Iterable[Any]) -> Iterator[Any]:
    """The rules that hold, those inside of `@media` in their place."""
    levels = [iter(rules)]
    while levels:
        rule = next(levels[-1], None)
        if rule is None:
            levels.pop()
        elif rule.type == "qualified-rule":
            yield rule
        elif _is_media(rule) and media_holds(rule.prelude):
            levels.append(iter(tinycss2.parse_rule_list(rule.content)))


def _is_media(rule: Any) -> bool:
    return rule.type == "at-rule" and rule.lower_at_keyword == "media" and rule.content is not None


def selectors_of(prelude: Sequence[Any]) -> list[Selector]:
    """The selectors of a rule; none if they are too many, or one is unknown."""
    return [] if len(split_at_commas(prelude)) > RULES else selectors(prelude)


# A style sheet without what does not matter, found at the speed of regular expressions.
#
# A parser in Python takes 2 us for a character, and the sheets of a page have up to 250,000 of
# them. So only declarations of a few properties go there, with the selectors and the at-rules
# around them.

# What may stand between braces, so that no brace is missed and none counted that is quoted. Every
# repetition is possessive: time is linear. What fits nowhere leaves the sheet as it is.
_PLAIN = r"[^;{}()\[\]\"'\\/]++|/(?!\*)"
_QUOTED = r"\"(?:[^\"\\\n\r\f]|\\[^\n\r\f])*+\"|'(?:[^'\\\n\r\f]|\\[^\n\r\f])*+'"
COMMENT = r"/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/"
_ESCAPED = r"\\[^\n\r\f0-9A-Za-z]"
# An escaped letter may be one of a name; not of a function's, which may be `url`.
_SPELT = r"\\[0-9A-Za-z][^;{}()\[\]\"'\\/:,]*+(?!\()"
_ATOM = f"{_PLAIN}|{_QUOTED}|{COMMENT}|{_ESCAPED}"

# An address in `url(...)` has signs of its own, unless it is quoted.
_URL = r"(?<=[uU][rR][lL])\((?:[^{}()\[\]\"'\\/]|/(?!\*))*+\)"
_OPEN = r"(?:(?<![uU][rR][lL])\(|(?<=[uU][rR][lL])\([ \t\n\r\f]*+(?=[\"']))"
_INSIDE = f"{_ATOM}|{_SPELT}|;"
_BRACKETS = rf"{_URL}|\[(?:{_INSIDE})*+\]"
_DEEPER = _BRACKETS
for _level in range(7):  # calc(((100vw - min(var(--a), 1vw)) / 2)) has four
    _DEEPER = rf"{_BRACKETS}|{_OPEN}(?:{_INSIDE}|{_DEEPER})*+\)"

DECLARED = f"(?:{_ATOM}|{_DEEPER})"
DECLARATION = f"{DECLARED}*+;?"
TEXT = f"(?:{DECLARED}|;)*+"
PIECE = (
    rf"(?P<rule>{TEXT}\{{){TEXT}\}}|(?:{DECLARED}|{_SPELT}|;)*+(?:(?P<begin>\{{)|(?P<end>\}})|\Z)"
)

_AT_RULE = re.compile(r"[ \t\n\r\f]*+@(?P<name>-?[a-zA-Z][a-zA-Z-]*+)(?=[ \t\n\r\f({])[^;{]*+\{")
"""The piece that begins an at-rule, if it holds nothing else."""

_DIGITS = re.compile(r"[0-9]{3}")
_LONG_NUMBER = re.compile(r"(?<![0-9])[0-9]{4000}")
"""Python does not take one of 4,300 digits, and then the parser gives up the whole sheet."""


def has_long_number(css: str) -> bool:
    """True if the parser gives up the whole sheet for a number."""
    # A number as long has digits at three places in a row of these: to look for it at once takes as long as all else.
    return _DIGITS.search(css[::1000]) is not None and _LONG_NUMBER.search(css) is not None


@cache
def pattern(of: str) -> re.Pattern[str]:
    """One of these patterns, compiled when the first sheet asks for it, which takes as long as a page."""
    return re.compile(of)


def prefilter(css: str, wanted: re.Pattern[str]) -> str:
    """The sheet without the declarations that `wanted` finds nothing in, and without rules left empty.

    The parser finds the same declarations of what is wanted in it, with the same selectors, in the
    same order and `@media`; other at-rules are not read. A sheet with something unusual comes back as
    it is.
    """
    if has_long_number(css):
        return css
    kept: list[str] = []
    at = depth = 0
    unread = None  # the depth at which an at-rule stands that nobody reads, while inside of it
    is_stray = False
    next_wanted = wanted.search(css)
    next_piece = pattern(PIECE).match
    while at < len(css):
        piece = next_piece(css, at)
        if piece is None:
            return css
        if unread is None and not is_stray and _is_unread(piece):
            unread = depth
        if unread is None:
            is_wanted = next_wanted is not None and next_wanted.start() < piece.end()
            _add(kept, piece, is_stray, wanted if is_wanted else None)
        depth += (piece["begin"] is not None) - (piece["end"] is not None)
        if unread is not None and depth <= unread:
            unread = None
        is_stray = depth < 0  # a brace too many is part of the next rule, and spoils it
        depth = max(depth, 0)
        at = piece.end()
        if next_wanted is not None and next_wanted.start() < at:
            next_wanted = wanted.search(css, at)
    return "".join(kept)


def _is_unread(piece: re.Match[str]) -> bool:
    """True if the piece is an at-rule of declarations, or begins one other than `@media`."""
    rule = _AT_RULE.fullmatch(piece["rule"] or piece[0])
    return rule is not None and (piece["rule"] is not None or rule["name"].lower() != "media")


def _add(
    kept: list[str], piece: re.Match[str], is_stray: bool, wanted: re.Pattern[str] | None
) -> None:
    """Adds what may matter of a piece; nothing does of a rule if `wanted` is None."""
    if is_stray:
        kept[-1] += piece[0]
    elif piece["rule"]:
        kept += (piece["rule"], *_wanted_declarations(piece, wanted), "}") if wanted else ()
    elif piece[0].strip() == "}" and kept and _AT_RULE.fullmatch(kept[-1]):
        kept.pop()  # nothing is left of the at-rule that ends
    else:
        kept.append(piece[0])


def _wanted_declarations(rule: re.Match[str], wanted: re.Pattern[str]) -> list[str]:
    """The declarations of a rule that may be wanted."""
    declarations = pattern(DECLARATION).findall(rule.string, rule.end("rule"), rule.end() - 1)
    return [each for each in declarations if wanted.search(each)]


# Media queries: those that hold on a screen of 1280 x 800 pixels, in the hands of nobody in
# particular.

WINDOW = {"width": 1280.0, "height": 800.0}
PIXELS = {"px": 1.0, "em": 16.0, "rem": 16.0}
USER = {
    "orientation": "landscape",
    "hover": "hover",
    "pointer": "fine",
    "prefers-color-scheme": "light",
    "prefers-reduced-motion": "no-preference",
}


def media_holds(media: Sequence[Any]) -> bool:
    """True if a list of media queries holds; an empty one does."""
    tokens = spaceless(media)
    return not tokens or any(map(_query_holds, split_at_commas(tokens)))


def split_at_commas(tokens: Sequence[Any]) -> list[list[Any]]:
    """The tokens between the commas."""
    parts: list[list[Any]] = [[]]
    for part in tokens:
        if part == ",":
            parts.append([])
        else:
            parts[-1].append(part)
    return parts


def spaceless(tokens: Iterable[Any]) -> list[Any]:
    return [token for token in tokens if token.type != "whitespace"]


def _query_holds(query: Sequence[Any]) -> bool:
    words = {token.lower_value for token in query if token.type == "ident"}
    features = [token.content for token in query if token.type == "() block"]
    holds: bool = words <= {"all", "screen", "and", "only", "not"} and all(
        map(_feature_holds, features)
    )
    return holds is not ("not" in words)


def _feature_holds(content: Sequence[Any]) -> bool:
    """True if the condition between parentheses holds, such as `min-width: 600px`."""
    tokens = spaceless(content)
    if len(tokens) != 3 or tokens[0].type != "ident" or tokens[1] != ":":
        return False
    name, value = tokens[0].lower_value, tokens[2]
    bound, _, dimension = name.replace("-device-", "-").partition("-")
    if dimension not in WINDOW or bound not in {"min", "max"}:
        return bool(value.type == "ident" and value.lower_value == USER.get(name))
    if value.type != "dimension" or value.lower_unit not in PIXELS:
        return False
    pixels: float = value.value * PIXELS[value.lower_unit]
    return WINDOW[dimension] >= pixels if bound == "min" else WINDOW[dimension] <= pixels
