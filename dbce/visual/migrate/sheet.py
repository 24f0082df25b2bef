"""The rules that a page gets where attributes and elements looked like something.

They stand in `:where()` before all that the page says itself, which is where browsers take such
attributes for rules, too (HTML Standard 15.2): whatever the page's own sheets say still wins.

Values of old attributes are written as CSS has them (HTML Standard 2.3).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tinycss2.color4 import parse_color

from dbce.visual.migrate.tree import DomElement, DomText

if TYPE_CHECKING:
    from collections.abc import Iterable

MARK = "data-h5"
"""The attribute of elements that added rules are for: the names of these, with blanks between."""


class Sheet:
    """Rules for some elements, and for all of a kind."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._general: list[str] = []

    def style(self, element: DomElement, declarations: str) -> None:
        """Lets an element look as some declarations say."""
        name = self._names.setdefault(declarations, f"r{len(self._names) + 1}")
        marks = element.attributes.get(MARK, "").split()
        if name not in marks:
            element.attributes[MARK] = " ".join([*marks, name])

    def add(self, selector: str, declarations: str) -> None:
        """Lets all that a selector fits look so."""
        rule = f":where({selector}){{{declarations}}}"
        if rule not in self._general:
            self._general.append(rule)

    def rules(self) -> Iterable[str]:
        """All rules: those of a kind of element first."""
        yield from self._general
        for declarations, name in self._names.items():
            yield f':where([{MARK}~="{name}"]){{{declarations}}}'

    def element(self) -> DomElement | None:
        """The `style` element that holds the rules; None if there are none."""
        rules = "\n".join(self.rules())
        if not rules:
            return None
        style = DomElement("style", {MARK: "rules"})
        style.append(DomText(f"\n{rules}\n"))
        return style


NUMBER = re.compile(r"\s*\+?(\d+(?:\.\d*)?|\.\d+)")
LONGEST = 128
"""Characters of a legacy colour that count; the standard's parser cuts off the others."""


def length(raw: str | None, *, zero: bool = True) -> str | None:
    """A dimension ("50", "50%", "50px") as a CSS length; None if it is none, or a 0 that is not wanted."""
    number = NUMBER.match(raw or "")
    if number is None:
        return None
    value = float(number[1])
    if value == 0 and not zero:
        return None
    is_share = (raw or "")[number.end() :].startswith("%")
    return f"{value:g}{'%' if is_share else 'px'}"


def pixels(raw: str | None) -> int | None:
    """A number of pixels that is not negative; None if it is none."""
    number = re.match(r"\s*\+?(\d{1,6})", raw or "")
    return int(number[1]) if number else None


def colour(raw: str | None) -> str | None:
    """A legacy colour as `#rrggbb`, or its name; None if it is none."""
    word = (raw or "").strip()
    if not word or word.lower() == "transparent":
        return None
    if re.fullmatch(r"[A-Za-z]+", word) and parse_color(word) is not None:
        return word.lower()
    if re.fullmatch(r"#[0-9A-Fa-f]{3}", word):
        return "#" + "".join(digit * 2 for digit in word[1:].lower())
    return f"#{_digits(word)}"


def _digits(word: str) -> str:
    """Six digits of whatever was written: the rules for parsing a legacy colour value."""
    wide = "".join("00" if ord(letter) > 0xFFFF else letter for letter in word)[:LONGEST]
    wide = re.sub(r"[^0-9A-Fa-f]", "0", wide.removeprefix("#"))
    wide += "0" * (-len(wide) % 3 if wide else 3)
    size = len(wide) // 3
    parts = [wide[n * size : (n + 1) * size] for n in range(3)]
    parts = [part[-8:] for part in parts]
    while len(parts[0]) > 2 and all(part[0] == "0" for part in parts):
        parts = [part[1:] for part in parts]
    return "".join(part[:2].rjust(2, "0") for part in parts).lower()


def url(raw: str) -> str:
    """An address as CSS writes it."""
    quoted = re.sub(r'["\\\n\r\f<]', lambda bad: f"\\{ord(bad[0]):x} ", raw.strip())
    return f'url("{quoted}")'
