"""Count of the elements that style sheets match: of two ways, the one that changes fewer matches is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element as Plain
from xml.etree.ElementTree import SubElement

import tinycss2
from cssselect2 import ElementWrapper, Matcher, compile_selector_list

from dbce.visual.migrate.tree import DomElement, DomText

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    Matches = frozenset[tuple[int, int]]

SELECTORS = 5_000
"""Selectors of a page that are counted; with more it is as if it had none."""

DEEPEST = 400
"""Levels of elements down to which they are: the library goes down one call a level."""


NESTING = ("media", "supports", "layer")


def selectors_of(sheets: Iterable[str]) -> list[Any]:
    """The compiled selectors of style sheets, those inside of at-rules too; unknown ones are left out."""
    selectors: list[Any] = []
    for sheet in sheets:
        for rule in _rules(tinycss2.parse_stylesheet(sheet, skip_comments=True)):
            try:
                compiled = compile_selector_list(rule.prelude)
            except (ValueError, AttributeError, RuntimeError, SyntaxError):  # none that it knows
                continue
            selectors += [selector for selector in compiled if not selector.never_matches]
            if len(selectors) > SELECTORS:
                return []
    return selectors


def _rules(rules: Iterable[Any]) -> Iterator[Any]:
    for rule in rules:
        if rule.type == "qualified-rule":
            yield rule
        elif (
            rule.type == "at-rule" and rule.content is not None and rule.lower_at_keyword in NESTING
        ):
            yield from _rules(tinycss2.parse_rule_list(rule.content, skip_comments=True))


def sheets_in(root: DomElement) -> list[str]:
    """The style sheets that a page has in itself."""
    return [
        "".join(child.text for child in style.children if isinstance(child, DomText))
        for style in root.elements("style")
    ]


def matches(root: DomElement, selectors: Sequence[Any]) -> Matches:
    """Return pairs (selector, element that it fits) as places; elements that were added count as -1."""
    plain, numbers = _plain(root)
    if plain is None or not selectors:
        return frozenset()
    matcher = Matcher()
    for place, selector in enumerate(selectors):
        matcher.add_selector(selector, place)
    pairs = set()
    for wrapper in ElementWrapper.from_html_root(plain).iter_subtree():
        number = numbers[id(wrapper.etree_element)]
        for _, _, _, place in matcher.match(wrapper):
            pairs.add((place, number))
    return frozenset(pairs)


def _plain(root: DomElement) -> tuple[Plain | None, dict[int, int]]:
    """The elements as the library wants them, and their numbers; none of a page nested too deep."""
    top = Plain(root.tag, dict(root.attributes))
    numbers = {id(top): root.number}
    left = [(root, top, 0)]
    while left:
        element, own, level = left.pop()
        if level > DEEPEST:
            return None, {}
        for child in element.children:
            if isinstance(child, DomElement):
                below = SubElement(own, child.tag, dict(child.attributes))
                numbers[id(below)] = child.number
                left.append((child, below, level + 1))
            elif isinstance(child, DomText) and not child.is_blank:
                own.text = "text"  # whether there is any is all that selectors ask
    return top, numbers
