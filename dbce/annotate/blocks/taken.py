"""Block gold that was there before its journal, as events."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from dbce.annotate.blocks.sessions import COMMAND, Sessions, about_of, sessions_of
from dbce.annotate.blocks.tree import deleted
from dbce.annotate.core.journal import events_of
from dbce.annotate.core.paths import journal_path
from dbce.model import UsageError
from dbce.visual.measure import block_fields, block_gold_objects, located

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any

    from dbce.annotate.blocks.pages import Pages
    from dbce.annotate.blocks.sessions import About
    from dbce.annotate.core.journal import Event
    from dbce.visual.measure import MarkedPage

SOMEBODY = "gold"
"""Whose gold it is that does not say who drew it."""


def taken_over(path: Path, pages: Pages) -> list[Event]:
    """The pages of a file of block gold, an event each.

    Blocks without a rectangle get that of their elements. A page that is not rendered here, or that its
    blocks do not fit, stays as it is.

    Raises:
        UsageError: it is no block gold, has a page twice, or none of its pages is here.
    """
    found = [(fields, page) for _, fields, page in block_gold_objects(str(path))]
    names = Counter(page.record_id or page.url for _, page in found)
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise UsageError(f"{path} has two lines of {twice[0]}; block gold has one a page")
    if not any(pages.record_of(page) for _, page in found):
        raise UsageError(
            f"{path} is gold of other pages: none of its {len(found)} is rendered in {pages.uri}"
        )
    return [_event(fields, page, pages) for fields, page in found]


def drawn_in(gold: Path, pages: Pages) -> Iterator[tuple[str, str, MarkedPage]]:
    """(name, key, page) of all that people drew in a file: as its journal has it, or the file if it has none.

    Raises:
        UsageError: as `taken_over`, or the journal is none.
    """
    journal = journal_path(gold)
    if journal.exists():
        events, _ = events_of(journal.read_bytes(), journal, COMMAND)
        done = sessions_of(events, str(journal))
    else:
        done = Sessions(taken_over(gold, pages))
    for by, keys in done.people().items():
        for key in keys:
            yield by, key, done.drawn_by(by, key)


def taken_event(by: str, page: MarkedPage, others: About | None = None) -> Event:
    """The event by which somebody's blocks come into a journal as they are.

    `others` are fields of the page that block gold does not know, and keeps.
    """
    return {
        "by": by,
        "at": max((block.at for block in page.blocks), default=""),
        "capture": (others or {}) | about_of(page),
        "op": {"kind": "taken over", "blocks": [block_fields(block) for block in page.blocks]},
    }


def _event(fields: dict[str, Any], page: MarkedPage, pages: Pages) -> Event:
    said = Counter(block.by for block in page.blocks if block.by)
    by = said.most_common(1)[0][0] if said else SOMEBODY
    others = {name: value for name, value in fields.items() if name != "blocks"}
    return taken_event(by, page if pages.misfit(page) else _placed(page, pages), others)


def _placed(page: MarkedPage, pages: Pages) -> MarkedPage:
    """The page named by its record, with rectangles; what is not laid out is no block."""
    record_id = pages.record_of(page) or ""
    shown = pages.sheet(record_id).page
    there, _ = located(page, shown)
    places = {block.id: block.rect for block in there.blocks}
    tree = page.blocks
    for block in page.blocks:
        if block.id not in places:
            tree = deleted(tree, block.id)
    blocks = tuple(replace(block, rect=places[block.id]) for block in tree)
    return replace(
        page, record_id=record_id, blocks=blocks, viewport=shown.viewport, size=shown.size
    )
