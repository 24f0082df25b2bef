"""The rules of a page's own style sheets that hide or show elements.

What is not read: at-rules other than `@media`, nested rules, and conditions or selectors that the
library does not know (their rules count for nothing).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

import tinycss2

from dbce.html.css_prefilter import prefiltered
from dbce.html.media import holds, spaceless, split
from dbce.html.plain_css import PLAIN, NestedRule, UnusualError, plain_rules
from dbce.html.plain_selectors import PlainSelector, plain_selectors
from dbce.html.selectors import Selector, selectors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.etree import _Element as Element

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
        UnusualError: as `dbce.html.plain_css.plain_rules`.
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
