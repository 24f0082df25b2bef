"""Elements that a reader does not see when the page has loaded: hidden by attribute, or by style.

Styles are resolved as a browser with a window of 1280 x 800 pixels would: `style` attributes and the
page's own `<style>` elements; among them importance, specificity and order decide. Linked and
imported sheets are not loaded, no script is run, and nobody hovers over anything.

Scripts show a page that hides itself whole (against frames of others, or until a font has come):
`<html>` and `<body>` are never hidden.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from dbce.html.plain_selectors import Columns, Names, PlainSelector, sets_of
from dbce.html.selectors import STEPS_AN_ELEMENT, TooCostlyError, Tree, matches
from dbce.html.stylesheet import HIDING, STYLED, inline_rules, page_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dbce.html.selectors import StyledElement
    from dbce.html.stylesheet import Rule
    from dbce.html.walk import Attributes, Walk

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
