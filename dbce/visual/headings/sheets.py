"""Pages styled by their own style sheets, without a browser: elements have no boxes, but fonts have styles.

Not supported: at-rules other than `@media`, nested rules, and conditions or selectors that the libraries do not know
(their rules are ignored). Linked and imported sheets are not loaded.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from itertools import compress, count
from operator import itemgetter
from typing import Any, NamedTuple

import tinycss2

from dbce import html
from dbce.formats import NO_LIMITS
from dbce.html import INLINE, NAME, Document, HtmlElement
from dbce.visual import KEPT, Element, RenderedPage, Style, Text
from dbce.visual.headings import font_values, selectors
from dbce.visual.headings.font_values import ComputedStyle, Values

ROOTS = ("body", "frameset")  # root elements of a rendered page

WINDOW = (1280, 800)
"""Width and height in pixels of the window for media queries."""


def from_sheets(document: Document, record_id: str, url: str, timestamp: datetime) -> RenderedPage:
    """Return a page without layout: elements have no boxes, and styles are computed from its own sheets.

    Elements are inline or block by their tags. Hidden elements have the visibility `hidden`.
    """
    page = document.page
    looks = computed_styles(document)
    attributes = [
        {name: str(value) for name in KEPT if (value := element.get(name)) is not None}
        for element in document.elements
    ]
    paths = html.element_xpaths(page)
    root = next((n for n, tag in enumerate(page.tags) if tag in ROOTS and page.parents[n] == 0), 0)
    end = html.subtree_end(page.parents, root)
    hidden = html.subtree_mask(page, compress(count(), page.hidden))
    items = [(place, 0, place) for place in range(root, end)]
    items += (
        (text.after, 1, node)
        for node, text in enumerate(page.nodes)
        if root <= text.element < end and text.text.strip()
    )
    styles: dict[Style, int] = {}
    elements: list[Element] = []
    texts: list[Text] = []
    for order, (_, is_text, n) in enumerate(sorted(items)):
        if is_text:
            text = page.nodes[n]
            texts.append(Text(text.element - root, order, text.text, (), n))
            continue
        parent, tag = -1 if n == root else page.parents[n] - root, page.tags[n]
        style = styles.setdefault(_style(tag, looks[n], hidden=bool(hidden[n])), len(styles))
        elements.append(Element(parent, order, tag, paths[n], None, style, attributes[n]))
    return RenderedPage(
        record_id=record_id,
        url=url,
        timestamp=timestamp,
        viewport=WINDOW,
        size=(0, 0),
        elements=tuple(elements),
        styles=tuple(styles),
        texts=tuple(texts),
    )


def _style(tag: str, looks: ComputedStyle, *, hidden: bool) -> Style:
    return Style(
        display="inline" if tag in INLINE else "block",
        visibility="hidden" if hidden else "visible",
        position="static",
        floating="none",
        opacity=1.0,
        font_size=looks.font_size,
        font_style=looks.font_style,
        font_weight=looks.font_weight,
        text_decoration=looks.text_decoration,
        text_align="start",
        color=looks.color,
        background_color="rgba(0, 0, 0, 0)",
        background_image=False,
        border=(0.0, 0.0, 0.0, 0.0),
        writing_mode="horizontal-tb",
        direction="ltr",
    )


# Five properties are computed, those that distinguish headings (Manabe and Tajima, VLDB 2015, 4.2),
# as Chromium computes them: from the defaults of browsers, attributes such as `color` of `<font>`,
# the page's `<style>` elements and `style` attributes. No
# script is run.

STYLED = re.compile(r"font|color|text-decoration", re.IGNORECASE)
LINK = "rgb(0, 0, 238)"  # of unvisited links (HTML Standard, 15.3.4)


class FontRule(NamedTuple):
    """The declarations of one selector on fonts and color.

    `weight` is the precedence: whether it is important, whether it is in an attribute, and its specificity.
    """

    weight: tuple[bool, bool, tuple[int, int, int]]
    values: Values
    selector: selectors.Selector


def computed_styles(document: Document) -> list[ComputedStyle]:
    """Return the computed style of each element's text, by its index; pages with too many rules are styled without them."""
    tree = html.walk_again(document.root, document.page.tags, NO_LIMITS)
    cascade = Cascade(page_font_rules(html.sheets_of(document.root)))
    body = document.root.find("body")
    link = LINK if body is None else font_values.color_of(body.get("link", "")) or LINK
    quirks = _is_quirky(document.root)
    looks: list[ComputedStyle] = []
    for element, parent in zip(tree.elements, tree.parents, strict=True):
        above = looks[parent] if parent >= 0 else font_values.INITIAL
        css = (
            font_values.by_tag(element, quirks=quirks)
            | font_values.hints(element, link)
            | cascade.values(element)
        )
        looks.append(
            font_values.computed_style(above, css, looks[0].font_size if looks else above.font_size)
        )
    return looks


class Cascade:
    """The rules of a page, to be matched against its elements."""

    def __init__(self, rules: Sequence[FontRule]) -> None:
        self._tree = selectors.Tree()
        self._rules = rules
        self._ranks: dict[str, list[int]] = {}
        for rank, rule in enumerate(rules):
            self._ranks.setdefault(rule.selector.name, []).append(rank)

    def values(self, element: HtmlElement) -> Values:
        """Return the values of an element by rules and its `style` attribute; stronger ones override."""
        inline = element.get("style") or ""
        declared = _declarations(selectors.tokens_of(inline)) if STYLED.search(inline) else []
        weighted = [((important, True, (0, 0, 0)), values) for values, important in declared]
        names = ("*", str(element.tag), element.get("id", ""), *element.get("class", "").split())
        ranks = sorted({rank for name in names for rank in self._ranks.get(name, ())})
        with suppress(selectors.TooCostlyError):
            self._tree.step(selectors.STEPS_AN_ELEMENT + len(ranks))
            node = self._tree.node(element) if ranks else None
            fits = [self._rules[rank] for rank in ranks]
            fitting = [r[:2] for r in fits if node and selectors.matches(r.selector, node)]
            weighted = fitting + weighted
        values: Values = {}
        for _, rule_values in sorted(weighted, key=itemgetter(0)):
            values |= rule_values
        return values


def page_font_rules(styles: Iterable[HtmlElement]) -> list[FontRule]:
    """Return the rules of a page's sheets on fonts and color, the strongest last."""
    sheets = [
        (style.text or "", style.get("media", ""))
        for style in styles
        if (style.get("type") or "text/css").lower() == "text/css"
        and style.get(NAME) is None  # ours, which colors verdicts
    ]
    if sum(len(text) for text, _ in sheets) > selectors.CHARACTERS:
        return []
    rules = [
        rule
        for css, media in sheets
        if media_holds(selectors.tokens_of(media))
        for rule in _rules(css)
    ]
    if len(rules) > selectors.RULES:
        return []
    return sorted(rules, key=itemgetter(0))  # equals stay in the order of the page


@lru_cache(maxsize=32)  # pages of one template have one sheet
def _rules(sheet: str) -> tuple[FontRule, ...]:
    rules: list[FontRule] = []
    for rule in top_rules(tinycss2.parse_stylesheet(selectors.tokens_of(sheet))):
        declarations = _declarations(rule.content)
        fitting = selectors.selectors_of(rule.prelude) if declarations else []
        rules += [
            FontRule((important, False, selector.specificity), values, selector)
            for selector in fitting
            for values, important in declarations
        ]
        if len(rules) > selectors.RULES:  # one too many makes `page_font_rules` drop all
            break
    return tuple(rules)


def _declarations(block: Any) -> list[tuple[Values, bool]]:
    return [
        (values, item.important)
        for item in tinycss2.parse_blocks_contents(block)
        if item.type == "declaration" and item.lower_name in font_values.FIELDS
        if (values := font_values.declared_values(item.lower_name, item.value))
    ]


def _is_quirky(root: HtmlElement) -> bool:
    """Return whether browsers use quirks mode: the page has no doctype, or an old one."""
    doctype = str(root.getroottree().docinfo.doctype or "")  # type: ignore[attr-defined]  # the stubs lack it
    old = re.search(r"HTML 3|HTML 4\.0\d? (?:Transitional|Frameset)", doctype)
    return not doctype or (old is not None and "http" not in doctype)


def top_rules(rules: Iterable[Any]) -> Iterator[Any]:
    """Yield applicable rules in order, including those inside of `@media`."""
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


# Media queries: those that hold on a screen of that size with default user preferences.

SIDES = dict(zip(("width", "height"), WINDOW, strict=True))
MEDIA_PIXELS = {"px": 1.0, "em": 16.0, "rem": 16.0}
USER = {
    "orientation": "landscape",
    "hover": "hover",
    "pointer": "fine",
    "prefers-color-scheme": "light",
    "prefers-reduced-motion": "no-preference",
}


def media_holds(media: Sequence[Any]) -> bool:
    """Return whether a list of media queries holds; an empty one does."""
    tokens = selectors.spaceless(media)
    return not tokens or any(map(_query_holds, selectors.split_at_commas(tokens)))


def _query_holds(query: Sequence[Any]) -> bool:
    words = {token.lower_value for token in query if token.type == "ident"}
    features = [token.content for token in query if token.type == "() block"]
    holds: bool = words <= {"all", "screen", "and", "only", "not"} and all(
        map(_feature_holds, features)
    )
    return holds is not ("not" in words)


def _feature_holds(content: Sequence[Any]) -> bool:
    """Return whether the condition between parentheses holds, such as `min-width: 600px`."""
    tokens = selectors.spaceless(content)
    if len(tokens) != 3 or tokens[0].type != "ident" or tokens[1] != ":":
        return False
    name, value = tokens[0].lower_value, tokens[2]
    bound, _, dimension = name.replace("-device-", "-").partition("-")
    if dimension not in SIDES or bound not in {"min", "max"}:
        return bool(value.type == "ident" and value.lower_value == USER.get(name))
    if value.type != "dimension" or value.lower_unit not in MEDIA_PIXELS:
        return False
    pixels: float = value.value * MEDIA_PIXELS[value.lower_unit]
    return SIDES[dimension] >= pixels if bound == "min" else SIDES[dimension] <= pixels
