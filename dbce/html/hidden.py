"""Which elements a reader does not see when the page has loaded: by attribute, or by style.

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

    from dbce.html.selectors import Node
    from dbce.html.stylesheet import Rule
    from dbce.html.walk import Attributes, Walk

SHOWN = frozenset({"html", "body"})

STEPS_A_CHARACTER = 5  # of a `style` attribute


def hidden(found: Walk, said: Attributes) -> tuple[bool, ...]:
    """For each element of a page, its `<html>` first, whether it hides itself.

    What is in a hidden element is hidden with it; here it only counts for itself.
    """
    styled: dict[int, bool] = {}
    rules = page_rules(found.styles)
    if rules:
        named = list(zip(found.tags, said.ids, said.classes, strict=True))
        chosen = _chosen({rule.name for rule in rules if rule.hides or rule.important}, named)
        with suppress(TooCostlyError):
            styled = _decide(found.elements, named, chosen, rules)
    gone = {i for i, hides in styled.items() if hides}
    gone |= {i for i in said.hiders if _says_so(found.elements[i], styled=i in styled)}
    hides = [False] * len(found.tags)
    for i in gone:
        hides[i] = found.tags[i] not in SHOWN
    return tuple(hides)


def _says_so(element: Element, *, styled: bool) -> bool:
    """Whether its attributes hide it; `style` has no say of its own where the rules decided."""
    return (
        element.get("hidden") is not None
        or element.get("aria-hidden") == "true"
        or (not styled and HIDING.search(element.get("style", "")) is not None)
    )


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
    """Whether its style hides it, for each of the chosen elements where it could.

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
            found = sorted(rank for name in names for rank in ranks.get(name, ()))
            fits = fitting[named[i]] = [rules[rank] for rank in found]
        tree.step(STEPS_AN_ELEMENT + len(fits))
        hides = _hides(tree, elements[i], fits)
        if hides is not None:
            decided[i] = hides
    return decided


def _hides(tree: Tree, element: Element, rules: Sequence[Rule]) -> bool | None:
    """Whether the style of an element hides it, None if nothing could; the strongest rule last."""
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
    found: dict[str, bool] = {}
    for rule in reversed(rules):
        if rule.property_name not in found and _fits(rule, node):
            found[rule.property_name] = rule.hides
    return any(found.values()) if found else None


def _fits(rule: Rule, node: Node) -> bool:
    return rule.selector is None or matches(rule.selector, node)
