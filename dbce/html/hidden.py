"""Elements that a reader does not see when the page has loaded: hidden by attribute, or by style.

Styles are resolved as a browser with a window of 1280 x 800 pixels would: `style` attributes and the
page's own `<style>` elements; among them importance, specificity and order decide. Linked and
imported sheets are not loaded, no script is run, and nobody hovers over anything.

Scripts show a page that hides itself whole (against frames of others, or until a font has come):
`<html>` and `<body>` are never hidden.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from dbce.html.selectors import STEPS_AN_ELEMENT, TooCostlyError, Tree, matches
from dbce.html.stylesheet import HIDING, STYLED, inline_rules, page_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lxml.etree import _Element as Element

    from dbce.html.selectors import StyledElement
    from dbce.html.stylesheet import Rule
    from dbce.html.walk import Attributes, Walk

SHOWN = frozenset({"html", "body"})

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
            styled = _decide(tree.elements, named, chosen, rules)
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
    elements: Sequence[Element],
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
    fitting: dict[tuple[str, str, str], list[Rule]] = {}
    tree = Tree()
    decided = {}
    for i in chosen:
        fits = fitting.get(named[i])
        if fits is None:
            tag, own_id, classes = named[i]
            names = {"*", tag, own_id, *classes.split()}
            own_ranks = sorted(rank for name in names for rank in ranks.get(name, ()))
            fits = fitting[named[i]] = [rules[rank] for rank in own_ranks]
        tree.step(STEPS_AN_ELEMENT + len(fits))
        hides = _hides(tree, elements[i], fits)
        if hides is not None:
            decided[i] = hides
    return decided


def _hides(tree: Tree, element: Element, rules: Sequence[Rule]) -> bool | None:
    """True if the style of an element hides it, None if nothing could; the strongest rule last."""
    style = element.get("style", "")
    if STYLED.search(style):
        tree.step(STEPS_A_CHARACTER * len(style))
        rules = sorted((*rules, *inline_rules(style)), key=lambda rule: rule.weight)
    if not any(rule.hides for rule in rules):
        return None
    node = tree.node(element)
    # Most elements are hidden by none, and then nobody asks what shows them, unless their `style` looks
    # as if it hides them.
    if not HIDING.search(style) and not any(rule.hides and _fits(rule, node) for rule in rules):
        return None
    decided: dict[str, bool] = {}
    for rule in reversed(rules):
        if rule.property_name not in decided and _fits(rule, node):
            decided[rule.property_name] = rule.hides
    return any(decided.values()) if decided else None


def _fits(rule: Rule, node: StyledElement) -> bool:
    return rule.selector is None or matches(rule.selector, node)
