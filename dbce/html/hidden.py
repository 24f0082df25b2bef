"""Elements that a reader does not see when the page has loaded: hidden by attribute, or by the rules of style sheets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import tinycss2

from dbce.html.css import (
    PLAIN,
    NestedRule,
    UnusualError,
    holds,
    plain_rules,
    prefiltered,
    spaceless,
    split,
)
from dbce.html.selectors import (
    STEPS_AN_ELEMENT,
    Columns,
    Names,
    PlainSelector,
    Selector,
    StyledElement,
    TooCostlyError,
    Tree,
    matches,
    plain_selectors,
    selectors,
    sets_of,
)
from dbce.html.walk import Attributes, Walk

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


# The rules of a page's own style sheets that hide or show elements.
#
# What is not read: at-rules other than `@media`, nested rules, and conditions or selectors that
# the library does not know (their rules count for nothing).

HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)", re.IGNORECASE)
# A set in front, not a flag: the places where it may begin are then looked for three times as fast.
STYLED = re.compile(r"[dDvV](?i:(?<=d)isplay|(?<=v)isibility)")

# Beyond one of these, which are half a second or one (and so is STEPS in selectors.py), no sheet of
# the page is read. Of 2,600 pages none needs more than 114,000 characters, 200 rules and 24,000 steps.
CHARACTERS = 250_000  # of all sheets; 0.4 to 2.5 us each
RULES = 2_000  # a selector with a property; 50 us each

VALUES = {
    "display": re.compile(r"[a-z-]+"),
    "visibility": re.compile(r"visible|hidden|collapse|inherit|initial|unset|revert"),
}
HIDES = frozenset({"none", "hidden", "collapse"})


Declared: TypeAlias = "tuple[str, bool, bool]"
"""A property, whether its value hides, and whether it is important."""


class Ranked:
    """A declaration or more of one selector; `selector` is None in a `style` attribute."""

    __slots__ = ()

    selector: Selector | PlainSelector | None
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


@dataclass(frozen=True, slots=True, eq=False)
class Rule(Ranked):
    """The declaration of one property by one selector."""

    selector: Selector | PlainSelector | None
    property_name: str
    hides: bool
    important: bool


def page_rules(styles: Iterable[Element]) -> list[Rule]:
    """The rules of a page's `<style>` elements, the strongest last; none if none of them hides."""
    sheets = [sheet for style in styles if (sheet := _sheet(style)) is not None]
    if not any(HIDING.search(text) for text, _ in sheets):
        return []
    if sum(len(text) + len(media) for text, media in sheets) > CHARACTERS:
        return []
    rules = [rule for text, media in sheets if _holds(media) for rule in _rules(text)]
    if len(rules) > RULES or not any(rule.hides for rule in rules):
        return []
    return sorted(rules, key=lambda rule: rule.weight)  # equals stay in the order of the page


def inline_rules(style: str) -> list[Rule]:
    """The rules of a `style` attribute."""
    declared = _plain_declared([style]) if style.count(";") <= style.endswith(";") else None
    if declared is None:
        declared = parsed_declarations(tokens_of(style))
    return [Rule(None, *declaration) for declaration in declared]


def _sheet(style: Element) -> tuple[str, str] | None:
    """(rules, media) of a `<style>`; None where it is no CSS or can neither hide nor show."""
    text = style.text or ""
    if not STYLED.search(text) or (style.get("type") or "text/css").lower() != "text/css":
        return None
    return text, style.get("media", "")


@lru_cache(maxsize=32)  # pages of one template have one sheet
def _rules(sheet: str) -> tuple[Rule, ...]:
    """The rules of a style sheet that hide or show, in its order."""
    try:
        return _up_to_limit(plainly_read(sheet))
    except UnusualError:
        return _up_to_limit(parsed_rules(sheet))


def _up_to_limit(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """The rules, of too many one more than there may be: no sheet of the page is read then."""
    return tuple(islice(rules, RULES + 1))


def plainly_read(sheet: str) -> Iterator[Rule]:
    """The rules of a sheet, read without a parser where they are plain.

    Raises:
        UnusualError: as `dbce.html.css.plain_rules`.
    """
    for rule in plain_rules(sheet, STYLED):
        if not all(map(_holds, rule.media)):
            continue
        if isinstance(rule, NestedRule):
            yield from parsed_rules(rule.css)
            continue
        declared = _plain_declared(rule.declarations)
        if declared is None:
            declared = parsed_declarations(tokens_of(";".join(rule.declarations)))
        if declared:
            fitting = plain_selectors(rule.prelude)
            for selector in _parsed_selectors(rule.prelude) if fitting is None else fitting:
                yield from (Rule(selector, *declaration) for declaration in declared)


@lru_cache(maxsize=512)
def _holds(media: str) -> bool:
    """True if the condition of `@media` or of a sheet does."""
    return holds(tokens_of(media))


def parsed_rules(sheet: str) -> Iterator[Rule]:
    """The rules of a sheet as the parser finds them."""
    for rule in top_rules(tinycss2.parse_stylesheet(tokens_of(prefiltered(sheet, STYLED)))):
        declared = parsed_declarations(rule.content)
        for selector in selectors_of(rule.prelude) if declared else ():
            yield from (Rule(selector, *declaration) for declaration in declared)


@lru_cache(maxsize=512)  # many sheets begin with the same rules, which make browsers alike
def _parsed_selectors(prelude: str) -> tuple[Selector, ...]:
    return tuple(selectors_of(tokens_of(prelude)))


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
        elif _is_media(rule) and holds(rule.prelude):
            levels.append(iter(tinycss2.parse_rule_list(rule.content)))


def _is_media(rule: Any) -> bool:
    return rule.type == "at-rule" and rule.lower_at_keyword == "media" and rule.content is not None


def _plain_declared(declarations: Iterable[str]) -> list[Declared] | None:
    """The declarations that count, of texts; None if one is more than a name and a word."""
    counting = []
    for text in declarations:
        declaration = PLAIN.match(text)
        if declaration is None:
            return None
        name, value, important = declaration.groups()
        if (name := name.lower()) in VALUES:
            if value is None:
                return None
            counting += _counting(name, value.lower(), important is not None)
    return counting


def parsed_declarations(block: Any) -> list[Declared]:
    """The declarations that count, of tokens."""
    counting = []
    for item in tinycss2.parse_blocks_contents(block):
        if item.type != "declaration" or item.lower_name not in VALUES:
            continue
        words = spaceless(item.value)
        if len(words) == 1 and words[0].type == "ident":
            counting += _counting(item.lower_name, words[0].lower_value, item.important)
    return counting


def _counting(name: str, value: str, is_important: bool) -> list[Declared]:
    return [(name, value in HIDES, is_important)] if VALUES[name].fullmatch(value) else []


def selectors_of(prelude: Sequence[Any]) -> list[Selector]:
    """The selectors of a rule; none if they are too many, or one is unknown."""
    return [] if len(split(prelude)) > RULES else selectors(prelude)


# Elements that a reader does not see when the page has loaded: hidden by attribute, or by style.
#
# Styles are resolved as a browser with a window of 1280 x 800 pixels would: `style` attributes
# and the page's own `<style>` elements; among them importance, specificity and order decide.
# Linked and imported sheets are not loaded, no script is run, and nobody hovers over anything.
#
# Scripts show a page that hides itself whole (against frames of others, or until a font has
# come): `<html>` and `<body>` are never hidden.

SHOWN = frozenset({"html", "body"})

ATTRIBUTES_A_STEP = 10  # elements asked for an attribute
STEPS_A_CHARACTER = 5  # of a `style` attribute, which is parsed for each element that has one


def hidden(tree: Walk, own: Attributes) -> tuple[bool, ...]:
    """Flags of all elements of a page, its `<html>` first: true of those that hide themselves.

    What is in a hidden element is hidden with it; here it only counts for itself.
    """
    styled: dict[int, bool] = {}
    rules = page_rules(tree.styles)
    if rules:
        named = list(zip(tree.tags, own.ids, own.classes, strict=True))
        chosen = _chosen({rule.name for rule in rules if rule.hides or rule.important}, named)
        with suppress(TooCostlyError):
            styled = _decide(tree, own, named, chosen, rules)
    gone = {i for i, hides in styled.items() if hides}
    gone |= {i for i, name, value in own.hiders if _says_so(name, value, styled=i in styled)}
    hides = [False] * len(tree.tags)
    for i in gone:
        hides[i] = tree.tags[i] not in SHOWN
    return tuple(hides)


def _says_so(name: str, value: str, *, styled: bool) -> bool:
    """True if an attribute hides its element; `style` has no say where the rules decided."""
    if name == "style":
        return not styled and HIDING.search(value) is not None
    return name == "hidden" or value == "true"


def _chosen(names: set[str], named: Sequence[tuple[str, str, str]]) -> list[int]:
    """The elements that have one of the names, as tag, id or class; all, if "*" is a name."""
    if "*" in names:
        return list(range(len(named)))
    lists = {classes for _, _, classes in named}  # the same few, again and again
    wanted = {classes for classes in lists if not names.isdisjoint(classes.split())}
    return [
        i
        for i, (tag, own_id, classes) in enumerate(named)
        if tag in names or own_id in names or classes in wanted
    ]


def _decide(
    tree: Walk,
    own: Attributes,
    named: Sequence[tuple[str, str, str]],
    chosen: Iterable[int],
    rules: Sequence[Rule],
) -> dict[int, bool]:
    """Flags of those of the chosen elements that a style can hide: true where it does.

    `named` are the tag, id and classes of every element.
    """
    ranks: dict[str, list[int]] = {}
    for rank, rule in enumerate(rules):
        ranks.setdefault(rule.name, []).append(rank)
    candidates: dict[tuple[str, str, str], Candidates] = {}
    page = StyledPage(tree, own)
    styles = {i: value for i, name, value in own.hiders if name == "style"}
    decided = {}
    for i in chosen:
        fitting = candidates.get(named[i])
        if fitting is None:
            tag, own_id, classes = named[i]
            names = {"*", tag, own_id, *classes.split()}
            own_ranks = sorted(rank for name in names for rank in ranks.get(name, ()))
            fitting = page.candidates(i, [rules[rank] for rank in own_ranks])
            candidates[named[i]] = fitting
        page.steps.step(STEPS_AN_ELEMENT + len(fitting.rules))
        hides = _hides(page, i, styles.get(i, ""), fitting)
        if hides is not None:
            decided[i] = hides
    return decided


class Candidates(NamedTuple):
    """The rules that elements of the same names can fit, those of them that hide, and whether any that names them does."""

    rules: list[Rule]
    hiding: list[Rule]
    may_hide: bool


class StyledPage:
    """A page that rules are held against: by its columns or, where that is not enough, its tree."""

    def __init__(self, tree: Walk, own: Attributes) -> None:
        self._elements = tree.elements
        sets = sets_of(own.classes)
        names = Names(frozenset(tree.tags), frozenset(own.ids), frozenset().union(*sets.values()))
        self._columns = Columns(tree.parents, tree.tags, own.ids, own.classes, sets, names)
        self._having: dict[str, frozenset[int]] = {}
        self._nodes: dict[int, StyledElement] = {}
        self._below: dict[tuple[PlainSelector, int], bool] = {}
        self.steps = Tree()

    def candidates(self, element: int, rules: list[Rule]) -> Candidates:
        """Those of the rules that elements of this one's names can fit."""
        fitting = [rule for rule in rules if self._may_fit(rule, element)]
        hiding = [rule for rule in fitting if rule.hides]
        return Candidates(fitting, hiding, any(rule.hides for rule in rules))

    def _may_fit(self, rule: Rule, element: int) -> bool:
        """True if an element of this one's names may fit a rule, by what there is on the page."""
        selector = rule.selector
        if isinstance(selector, PlainSelector):
            return self._columns.may_fit(selector, element)
        return selector is None or not selector.attribute or bool(self._with(selector.attribute))

    def fits(self, rule: Rule, element: int) -> bool:
        """True if an element fits one of its candidates."""
        selector = rule.selector
        if selector is None:
            return True
        if isinstance(selector, PlainSelector):
            return not selector.is_child or self._is_below(selector, element)
        if selector.attribute and element not in self._with(selector.attribute):
            return False
        known = self._nodes.get(element)
        if known is None:
            known = self._nodes[element] = self.steps.node(self._elements[element])
        return matches(selector, known)

    def _is_below(self, selector: PlainSelector, element: int) -> bool:
        """True if what is above an element fits, which is the same for all that stand beside it."""
        place = selector, self._columns.parents[element]
        if place not in self._below:
            self._below[place] = self._columns.is_below(selector, element, self.steps)
        return self._below[place]

    def _with(self, attribute: str) -> frozenset[int]:
        """The elements that have an attribute."""
        having = self._having.get(attribute)
        if having is None:
            self.steps.step(len(self._elements) // ATTRIBUTES_A_STEP)
            having = frozenset(
                i for i, e in enumerate(self._elements) if e.get(attribute) is not None
            )
            self._having[attribute] = having
        return having


def _hides(page: StyledPage, element: int, style: str, own: Candidates) -> bool | None:
    """True if the style of an element hides it, None if nothing could; the strongest rule last."""
    rules: Sequence[Rule] = own.rules
    hiding, may_hide = own.hiding, own.may_hide
    if STYLED.search(style):
        page.steps.step(STEPS_A_CHARACTER * len(style))
        inline = inline_rules(style)
        hiding = [*hiding, *(rule for rule in inline if rule.hides)]
        may_hide = may_hide or bool(hiding)
        rules = sorted((*rules, *inline), key=lambda rule: rule.weight)
    if not may_hide:
        return None
    # Most elements are hidden by none, and then nobody asks what shows them, unless their `style` looks
    # as if it hides them.
    if not HIDING.search(style) and not any(page.fits(rule, element) for rule in hiding):
        return None
    decided: dict[str, bool] = {}
    for rule in reversed(rules):
        if rule.property_name not in decided and page.fits(rule, element):
            decided[rule.property_name] = rule.hides
    return any(decided.values()) if decided else None
