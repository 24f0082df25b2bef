"""The computed style of each element's text, as far as a page's own sheets tell, without a browser.

Five properties are computed, those that set headings apart (Manabe and Tajima, VLDB 2015, 4.2), as
Chromium computes them: from what browsers give elements by themselves, attributes such as `color` of
`<font>`, the page's `<style>` elements and `style` attributes. Linked and imported sheets are not
loaded, and no script is run.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import tinycss2

from dbce.html.css_prefilter import prefiltered
from dbce.html.font_values import DECLARED, ComputedStyle, applied, color_of, declared
from dbce.html.media import holds
from dbce.html.selectors import STEPS_AN_ELEMENT, TooCostlyError, Tree, matches
from dbce.html.skeleton import NAME
from dbce.html.stylesheet import CHARACTERS, RULES, Ranked, selectors_of, tokens_of, top_rules
from dbce.html.user_agent import by_tag, hints
from dbce.html.walk import walk_again

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lxml.etree import _Element as Element

    from dbce.html.document import Document
    from dbce.html.font_values import Values
    from dbce.html.selectors import Selector
    from dbce.model import Limits

STYLED = re.compile(r"font|color|text-decoration", re.IGNORECASE)

ROOT = ComputedStyle(16.0, "normal", 400, "none", "rgb(0, 0, 0)", monospace=False)
"""The style that a browser begins with."""

LINK = "rgb(0, 0, 238)"  # of links that nobody has followed (HTML Standard, 15.3.4)


@dataclass(frozen=True, slots=True, eq=False)
class FontRule(Ranked):
    """The declarations of one selector on how text looks."""

    selector: Selector | None
    values: Values
    important: bool


def computed_styles(document: Document, limits: Limits) -> list[ComputedStyle]:
    """The computed style of the text of each element of a page, by the index of the element.

    Of a page with more rules than `dbce.html.hidden` takes none counts.
    """
    tree = walk_again(document.root, document.page.tags, limits)
    cascade = Cascade(page_font_rules(tree.styles))
    body = document.root.find("body")
    link = LINK if body is None else color_of(body.get("link", "")) or LINK
    quirks = _is_quirky(document.root)
    looks: list[ComputedStyle] = []
    for element, parent in zip(tree.elements, tree.parents, strict=True):
        above = looks[parent] if parent >= 0 else ROOT
        own = by_tag(element, quirks=quirks) | hints(element, link) | cascade.values(element)
        looks.append(applied(above, own, looks[0].font_size if looks else ROOT.font_size))
    return looks


class Cascade:
    """The rules of a page, and the choice of those that an element gets."""

    def __init__(self, rules: Sequence[FontRule]) -> None:
        self._tree = Tree()
        self._rules = rules
        self._ranks: dict[str, list[int]] = {}
        for rank, rule in enumerate(rules):
            self._ranks.setdefault(rule.name, []).append(rank)

    def values(self, element: Element) -> Values:
        """The values that rules and its `style` attribute give an element, the strongest last."""
        inline = element.get("style") or ""
        own = inline_font_rules(inline) if STYLED.search(inline) else []
        names = ("*", str(element.tag), element.get("id", ""), *element.get("class", "").split())
        ranks = sorted({rank for name in names for rank in self._ranks.get(name, ())})
        with suppress(TooCostlyError):
            self._tree.step(STEPS_AN_ELEMENT + len(ranks))
            node = self._tree.node(element) if ranks else None
            fits = [self._rules[rank] for rank in ranks]
            fitting = [r for r in fits if node and r.selector and matches(r.selector, node)]
            own = fitting + own
        values: Values = {}
        for rule in sorted(own, key=lambda rule: rule.weight):
            values |= rule.values
        return values


def page_font_rules(styles: Iterable[Element]) -> list[FontRule]:
    """The rules of a page's sheets on how text looks, the strongest last."""
    sheets = [
        (style.text or "", style.get("media", ""))
        for style in styles
        if (style.get("type") or "text/css").lower() == "text/css"
        and style.get(NAME) is None  # ours, which colors verdicts
    ]
    if sum(len(text) for text, _ in sheets) > CHARACTERS:
        return []
    rules = [rule for text, media in sheets if holds(tokens_of(media)) for rule in _rules(text)]
    if len(rules) > RULES:
        return []
    return sorted(rules, key=lambda rule: rule.weight)  # equals stay in the order of the page


def inline_font_rules(style: str) -> list[FontRule]:
    """The rules of a `style` attribute."""
    return [FontRule(None, *declaration) for declaration in _declarations(tokens_of(style))]


@lru_cache(maxsize=32)  # pages of one template have one sheet
def _rules(sheet: str) -> tuple[FontRule, ...]:
    rules: list[FontRule] = []
    for rule in top_rules(tinycss2.parse_stylesheet(tokens_of(prefiltered(sheet, STYLED)))):
        declarations = _declarations(rule.content)
        selectors = selectors_of(rule.prelude) if declarations else []
        rules += [
            FontRule(selector, *declaration)
            for selector in selectors
            for declaration in declarations
        ]
        if len(rules) > RULES:  # no rule of the page counts then: one too many says so
            break
    return tuple(rules)


def _declarations(block: Any) -> list[tuple[Values, bool]]:
    """(values, whether they are important) of each declaration that counts."""
    counting = []
    for item in tinycss2.parse_blocks_contents(block):
        if item.type == "declaration" and item.lower_name in DECLARED:
            values = declared(item.lower_name, item.value)
            if values:
                counting.append((values, item.important))
    return counting


def _is_quirky(root: Element) -> bool:
    """True if a browser lays the page out in quirks mode: it has no doctype, or an old one."""
    doctype = str(root.getroottree().docinfo.doctype or "")  # type: ignore[attr-defined]  # the stubs lack it
    old = re.search(r"HTML 3|HTML 4\.0\d? (?:Transitional|Frameset)", doctype)
    return not doctype or (old is not None and "http" not in doctype)
