"""Who draws on which pages, and what their page shows of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbce.view.not_in_run import NotInRun
from dbce.visual.segment import overlaps

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from dbce.annotate.blocks.book import BlockBook
    from dbce.annotate.blocks.pages import Pages
    from dbce.annotate.blocks.sheet import Sheet
    from dbce.output import Row
    from dbce.visual.measure import MarkedPage


@dataclass(frozen=True, slots=True)
class Task:
    """A page, and how many blocks somebody has drawn on it."""

    record_id: str
    row: Row
    blocks: int


class BlockDesk:
    """Rendered pages, the gold that is made of them, and the pages that are asked for, in order."""

    def __init__(self, pages: Pages, book: BlockBook, asked: Sequence[str]) -> None:
        self.pages = pages
        self.book = book
        self._asked = asked

    def tasks(self, by: str) -> list[Task]:
        """The pages that are asked for, then others that somebody has begun."""
        begun = [one for one in self.book.people().get(by, ()) if one in self.pages.rows]
        every = dict.fromkeys((*self._asked, *begun))
        return [
            Task(one, self.pages.rows[one], len(self.book.session(by, one).tree)) for one in every
        ]

    def next_after(self, by: str, record_id: str) -> str | None:
        """The next page on which somebody has drawn nothing; after the last the first."""
        tasks = self.tasks(by)
        ids = [task.record_id for task in tasks]
        first = ids.index(record_id) + 1 if record_id in ids else 0
        return next((t.record_id for t in (*tasks[first:], *tasks[:first]) if not t.blocks), None)

    def strays(self) -> list[str]:
        """Pages of the gold that cannot be drawn on here, a sentence each."""
        found = {}
        for by, keys in self.book.people().items():
            for key in keys:
                if why := self.pages.misfit(self.book.drawn_by(by, key)):
                    found[key] = why
        return list(found.values())

    def drawn(self, by: str, record_id: str) -> MarkedPage:
        """A page with the blocks of somebody, which can be drawn on.

        Raises:
            NotInRun: there is no such page, or its blocks do not fit it.
        """
        self.pages.sheet(record_id)
        found = self.book.drawn(by, self.pages.about(record_id))
        if why := self.pages.misfit(found):
            raise NotInRun(f"{why}; it stays in the gold as it is")
        return found

    def state(self, by: str, record_id: str) -> dict[str, Any]:
        """All that the page shows of somebody's blocks: see `blocks.js`."""
        drawn = self.drawn(by, record_id)
        sheet = self.pages.sheet(record_id)
        session = self.book.session(by, record_id)
        return {
            "blocks": _shown(sheet.counted(drawn)),
            "overlaps": _overlapping(drawn),
            "covered": round(sheet.coverage(drawn), 4),
            "undo": session.can_undo,
            "redo": session.can_redo,
        }


def elements_of(sheet: Sheet) -> list[list[Any]]:
    """The elements that can be picked: place, place of the one around, x, y, w, h, tag; -1 for none."""
    valid = set(sheet.valid)
    found: list[list[Any]] = []
    for place in sheet.valid:
        above = sheet.page.elements[place].parent
        while above >= 0 and above not in valid:
            above = sheet.page.elements[above].parent
        box = sheet.box(place) or ()
        found.append([place, above, *(round(v, 1) for v in box), sheet.page.elements[place].tag])
    return found


def _shown(drawn: MarkedPage) -> list[dict[str, Any]]:
    depth: dict[str, int] = {}
    holding = {block.parent for block in drawn.blocks}
    for block in drawn.blocks:
        depth[block.id] = depth.get(block.parent, 0) + 1
    return [
        {
            "id": block.id,
            "parent": block.parent,
            "depth": depth[block.id],
            "rect": block.rect,
            "label": block.label,
            "type": block.type,
            "from": block.origin,
            "words": block.words,
            "holds": block.id in holding,
        }
        for block in drawn.blocks
    ]


def _overlapping(drawn: MarkedPage) -> list[tuple[str, str]]:
    placed = [(block.id, block.rect) for block in drawn.terminal if block.rect]
    pairs = overlaps([rect for _, rect in placed])
    return [(placed[one][0], placed[other][0]) for one, other in pairs]
