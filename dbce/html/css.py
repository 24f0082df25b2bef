"""Declarations of a page's own style sheets, found by the names of elements; and white space, which is one of them.

Linked and imported sheets are not loaded.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from typing import NamedTuple

from lxml.etree import _Element as Element

from dbce.html.walk import Attributes, NamePattern, elements_by, elements_like, elements_of_tags
from dbce.model import Page

# The rules that declare one thing, such as white space, found by their letters: to parse sheets whole takes a
# hundred times as long. A selector counts if it is made of tags, classes and ids alone, and `>` is read as "within":
# of 7,900 pages of 17 sets none reads otherwise than with all selectors held against the tree.

CHARACTERS = 250_000  # of all sheets of a page at most; of 2,600 pages none has more than 114,000
STEPS = 1_000_000  # elements that a page's rules are held against at most, its own and those around; half a second
LEVELS = 30  # elements around one that are looked at
COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)  # one that does not end is all that is left
PLAIN = re.compile(r"(?:[\w.#*>\s-]|[^\x00-\x7f])+")  # a selector without conditions and siblings
NAME = re.compile(r"[.#]?(?:[\w-]|[^\x00-\x7f])+")


class Rule(NamedTuple):
    """A selector with the declarations behind it: names of the element, then of those around it from the inside out.

    `rank` is the number of its ids, classes and tags, and its place: of two that fit, the higher one holds.
    """

    rank: tuple[int, int, int, int]
    names: tuple[frozenset[str], ...]
    declarations: str


class DeclaringRules:
    """The rules of a page's sheets that make a declaration, but those for print and those that name no tag, class or id."""

    def __init__(self, sheets: str, declaration: re.Pattern[str]) -> None:
        self._by_name = _rules_by_name(sheets, declaration)
        self._names: dict[Element, frozenset[str]] = {}
        self._left = STEPS

    def likely(self, page: Page) -> list[int]:
        """The elements of a page that a rule may fit: those with a tag, a class or an id by which there are some."""
        of_rules = self._by_name
        if not of_rules:
            return []
        by_classes, by_ids = elements_by(page.classes), elements_by(page.ids)
        fitting = elements_of_tags(page, *of_rules).union(
            *(those for name, those in by_ids.items() if f"#{name}" in of_rules),
            *(
                those
                for classes, those in by_classes.items()
                if any(f".{name}" in of_rules for name in classes.split())
            ),
        )
        return sorted(fitting)

    def fitting(self, element: Element) -> list[str]:
        """Declarations of those that fit an element, the one that holds last; none once they took more than STEPS."""
        names = self._names_of(element) if self._by_name and self._left >= 0 else ()
        rules = [rule for name in names if name in self._by_name for rule in self._by_name[name]]
        self._left -= sum([LEVELS if len(rule.names) > 1 else 1 for rule in rules])
        if self._left < 0:
            return []
        return [
            rule.declarations
            for rule in sorted(rules, key=itemgetter(0))
            if self._fits(rule, element)
        ]

    def _fits(self, rule: Rule, element: Element) -> bool:
        required, *around = rule.names
        above = islice(element.iterancestors(), LEVELS)
        return required <= self._names_of(element) and all(
            any(names <= self._names_of(each) for each in above) for names in around
        )

    def _names_of(self, element: Element) -> frozenset[str]:
        """Tag, classes and id of an element, as selectors write them."""
        if (names := self._names.get(element)) is None:
            classes = (f".{name}" for name in element.get("class", "").split())
            tag_and_id = str(element.tag), f"#{element.get('id', '')}"
            names = self._names[element] = frozenset((*tag_and_id, *classes))
        return names


@lru_cache(maxsize=32)  # pages of one template have one sheet
def _rules_by_name(sheets: str, declaration: re.Pattern[str]) -> dict[str, list[Rule]]:
    """Rules by a name without which no element fits."""
    rules: dict[str, list[Rule]] = {}
    if len(sheets) > CHARACTERS:
        return rules
    around: list[tuple[str, bool]] = [("", False)]  # what is open, and if it is for print
    for number, block in enumerate(COMMENT.sub("", sheets).split("}")):
        *opened, declarations = block.split("{")
        declarations = declarations.lower()  # in which a search takes a third of the time
        declares = declaration.search(declarations) is not None
        if len(opened) == 1 and not declares:  # as most, and nothing is open that was not before
            continue
        for rule in opened:
            around.append((rule, around[-1][1] or ("@media" in rule and "print" in rule)))
        if len(around) > 1 and not around[-1][1] and declares:
            for selector in around[-1][0].rpartition(";")[2].split(","):
                parts = tuple(map(_names_in, reversed(selector.replace(">", " ").split())))
                if PLAIN.fullmatch(selector) and parts and parts[0]:
                    kinds = [name[0] for part in parts for name in part]
                    ids, classes = kinds.count("#"), kinds.count(".")
                    rank = ids, classes, len(kinds) - ids - classes, number
                    # By an id, or else by a class.
                    rules.setdefault(min(parts[0]), []).append(Rule(rank, parts, declarations))
        del around[max(len(around) - 1, 1) :]
    return rules


def _names_in(selector: str) -> frozenset[str]:
    return frozenset(n if n[0] in ".#" else n.lower() for n in NAME.findall(selector))


# White space of elements, by their `style`, rules of the page and classes that say it everywhere.

WHITE_SPACE = re.compile(r"white-space\s*:\s*(pre(?:-wrap|-line)?|break-spaces|normal|nowrap)")
KEEPS_LINES = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)")
# Classes of Tailwind, Vuetify and Primer.
UTILITY = NamePattern(
    r"(?:^|\s)(?:white-?space|text|ws)-(pre(?:-wrap|-line)?|break-spaces|normal|nowrap)(?:$|\s)",
    "-pre -break-spaces -normal -nowrap",
    re.NOFLAG,
)


def white_space(page: Page, elements: Sequence[Element], attrs: Attributes) -> dict[int, str]:
    """Values of `white-space` that a page declares, by element, none where no line is kept."""
    utilities = elements_like(page.classes, UTILITY)
    in_sheets = "white-space" in attrs.sheets and KEEPS_LINES.search(attrs.sheets) is not None
    has_styles = in_sheets or any(KEEPS_LINES.search(value) for _, _, value in attrs.hiders)
    if not utilities and not has_styles:  # as of most pages
        return {}
    sheets = attrs.sheets if has_styles else ""
    # What takes it back counts only where something keeps lines, and reset sheets do so everywhere.
    keeping = DeclaringRules(sheets, KEEPS_LINES)
    is_kept = any(keeping.fitting(elements[n]) for n in keeping.likely(page))
    rules = DeclaringRules(sheets, WHITE_SPACE) if is_kept else None
    styles = {n: style for n, name, style in attrs.hiders if has_styles and name == "style"}
    values = {}
    for n in sorted({*styles, *utilities, *(rules.likely(page) if rules else ())}):
        written = styles.get(n, ""), *reversed(rules.fitting(elements[n]) if rules else ())
        match = next(filter(None, map(WHITE_SPACE.search, written)), None)
        if match is None and n in utilities:
            match = UTILITY.pattern.search(page.classes[n])
        if match:
            values[n] = match[1]
    return values if any(map(keeps_lines, values.values())) else {}


def keeps_lines(value: str) -> bool:
    """True of a value of `white-space` with which line feeds are seen."""
    return value.startswith(("pre", "break"))


# Sizes as pages name them in `font`, which is older than sheets.

FONT_SIZE = re.compile(r"\s*([+-]?)(\d+)")


def legacy_font_size(raw: str) -> int | None:
    """Return the size, 1 to 7, that a `font` asks for (HTML Standard 2.3.4 and 15.3.1); None if it asks for none."""
    number = FONT_SIZE.match(raw)
    if number is None:
        return None
    size = int(number[2].lstrip("0")[:3] or 0)
    if number[1]:
        size = 3 + (size if number[1] == "+" else -size)
    return min(max(size, 1), 7)
