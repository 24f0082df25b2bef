"""Lines with their markup: the leaves of the tree."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from dbce.formats.part import Part, text_of
from dbce.formats.places import absolute
from dbce.html import around
from dbce.model import printable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from dbce.formats.lines import Line, Token
    from dbce.formats.places import Places
    from dbce.model import Page

    Details = Mapping[int, Mapping[str, str]]
    Children = list[Part | str]

# Of characters without width alone nothing is seen.
SEEN = re.compile(r"[^\s\u00ad\u200b-\u200f\u2060\ufeff]")


class Leaves:
    """A maker of leaves, of the lines of one page without the text nodes `left_out`.

    `base` is the address that its links are relative to.
    """

    def __init__(
        self,
        page: Page,
        place: Places,
        details: Details,
        left_out: Collection[int],
        base: str,
    ) -> None:
        self._page = page
        self._place = place
        self._details = details
        self._base = base
        self._texts: Counter[int] = Counter()
        if verbatim := {element for element, own in details.items() if "text" in own}:
            code_of = around(page, verbatim)
            self._texts.update(
                code_of[node.element]
                for number, node in enumerate(page.nodes)
                if number not in left_out
            )

    def leaf(self, line: Line) -> Part | None:
        """A paragraph, a heading or a `<pre>`; None where nothing would be seen."""
        if line.place.verbatim >= 0:
            language = self._details.get(line.place.verbatim, {}).get("language", "")
            text = printable(self._verbatim(line))
            return Part("pre", (text,), language) if SEEN.search(text) else None
        children: Children = []
        for tokens in line.rows:
            row = self._row(tokens)
            if children and row:
                children.append(Part("br"))
            children += row
        if not SEEN.search(text_of(children)):
            return None
        return Part(line.place.heading or "p", tuple(children))

    def _verbatim(self, line: Line) -> str:
        """The text as it stands there; where only a part is content, that part, row by row."""
        pre = line.place.verbatim
        if self._texts[pre] == sum(map(len, line.rows)):
            return self._details[pre]["text"]
        rows = ("".join(f" {t.text}" if t.spaced else t.text for t in row) for row in line.rows)
        return "\n".join(row.strip() for row in rows)

    def _row(self, tokens: Sequence[Token]) -> Children:
        """White space is collapsed, and stands outside of markup, where all formats can have it."""
        opened: list[tuple[tuple[str, int], Children]] = [(("", -1), [])]
        spaced = False
        last = ""
        for token in tokens:
            text = " ".join(printable(token.text).split())
            spaced = spaced or token.spaced or token.text[:1].isspace()
            if not text:
                continue
            markup = self._place[token.element].markup
            same = 0
            for (own, _), other in zip(opened[1:], markup, strict=False):
                if own != other:
                    break
                same += 1
            # Links beside each other, such as tags of a post, are set apart by style sheets.
            is_next_link = _has_link(around for around, _ in opened[same + 1 :])
            if is_next_link and _has_link(markup[same:]):
                spaced = spaced or (last.isalnum() and text[0].isalnum())
            last = text[-1]
            self._close(opened, same)
            if (spaced and opened[0][1]) or (spaced and same):
                _add(opened[-1][1], " ")
            opened += [(around, []) for around in markup[same:]]
            _add(opened[-1][1], self._child(token, text))
            spaced = token.text[-1:].isspace()
        self._close(opened, 0)
        return opened[0][1]

    def _child(self, token: Token, text: str) -> Part | str:
        if token.formula:
            return Part("math", (text,), "display" if token.formula == "displayed" else "")
        if token.image is None:
            return text
        return Part("img", (text,), absolute(self._base, token.image) or "#")

    def _href(self, element: int) -> str:
        return self._details.get(element, {}).get("href", "")

    def _close(self, opened: list[tuple[tuple[str, int], Children]], until: int) -> None:
        """Closes markup; a link that leads nowhere is only its text."""
        while len(opened) > until + 1:
            (name, element), children = opened.pop()
            link = "" if name != "a" else absolute(self._base, self._href(element))
            if name == "a" and not link:
                for child in children:
                    _add(opened[-1][1], child)
            else:
                opened[-1][1].append(Part(name, tuple(children), link))


def _has_link(markup: Iterable[tuple[str, int]]) -> bool:
    return any(name == "a" for name, _ in markup)


def _add(children: Children, child: Part | str) -> None:
    if isinstance(child, str) and children and isinstance(before := children[-1], str):
        children[-1] = before + child
    else:
        children.append(child)
