"""The rules that a page gets where attributes and elements looked like something.

They stand in `:where()` before all that the page says itself, which is where browsers take such
attributes for rules, too (HTML Standard 15.2): whatever the page's own sheets say still wins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.visual.migrate.tree import Element, Text

if TYPE_CHECKING:
    from collections.abc import Iterable

MARK = "data-h5"
"""The attribute of elements that added rules are for: the names of these, with blanks between."""


class Sheet:
    """Rules for some elements, and for all of a kind."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._general: list[str] = []

    def style(self, element: Element, declarations: str) -> None:
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

    def element(self) -> Element | None:
        """The `style` element that holds the rules; None if there are none."""
        rules = "\n".join(self.rules())
        if not rules:
            return None
        style = Element("style", {MARK: "rules"})
        style.append(Text(f"\n{rules}\n"))
        return style
