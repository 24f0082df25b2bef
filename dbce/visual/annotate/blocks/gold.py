"""Block gold, which `dbce evaluate-blocks` reads, as people make it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from dbce.annotate.core.store import AnnotationStore, Event, GoldKind, Key, Line, journal_beside
from dbce.model import UsageError
from dbce.visual.annotate.blocks.history import (
    DrawingHistory,
    PageFields,
    Tree,
    delete_block,
    page_fields,
)
from dbce.visual.annotate.blocks.pages import Pages
from dbce.visual.measure import (
    MarkedPage,
    block_fields,
    block_gold_objects,
    fields_of,
    locate_blocks,
    page_of,
)

SOMEBODY = "gold"
"""The name of whoever made gold that does not say who drew it."""


def block_gold(pages: Pages) -> GoldKind[DrawingHistory]:
    """Return the kind of gold that is drawn on some pages."""
    return GoldKind(
        DrawingHistory, parse_line, partial(import_events, pages=pages), partial(_complete, pages)
    )


def parse_line(line: Line) -> tuple[Key, Tree]:
    """Return the name of the page of a line, and its blocks without what is counted in them.

    Raises:
        ValueError: it is no block gold.
    """
    page = page_of(line)
    blocks = tuple(replace(block, elements=None, words=None) for block in page.blocks)
    return (page.record_id or page.url,), blocks


def import_events(path: Path, pages: Pages) -> list[Event]:
    """Return the pages of a file of block gold, an event each.

    Blocks without a rectangle get that of their elements. A page that is not rendered here, or that its
    blocks do not fit, stays as it is.

    Raises:
        UsageError: it is no block gold, has a page twice, or none of its pages is here.
    """
    gold = list(block_gold_objects(str(path)))
    names = Counter(page.record_id or page.url for _, page in gold)
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise UsageError(f"{path} has two lines of {twice[0]}; block gold has one a page")
    if not any(pages.record_of(page) for _, page in gold):
        raise UsageError(
            f"{path} is gold of other pages: none of its {len(gold)} is rendered in {pages.uri}"
        )
    return [_event(fields, page, pages) for fields, page in gold]


def read_drawn_pages(gold: Path, pages: Pages) -> Iterator[tuple[str, str, MarkedPage]]:
    """Yield (person, page, blocks) of all that people drew in a file, by its journal if it has one.

    Raises:
        UsageError: as `import_events`, or the journal is none.
    """
    history = journal_beside(gold, DrawingHistory()) or DrawingHistory(import_events(gold, pages))
    for by, names in history.people().items():
        for name in names:
            yield by, name, history.marked_page(by, name)


def import_file(store: AnnotationStore[DrawingHistory], other: Path, pages: Pages) -> None:
    """Note what people drew in another file who have done nothing here on the same page.

    Raises:
        UsageError, StoreError: as `read_drawn_pages`, and `AnnotationStore.note`.
    """
    with store.turn() as history:
        new = [
            _taken_event(by, page)
            for by, name, page in read_drawn_pages(other, pages)
            if history.drawing(by, name).made == 0
        ]
        store.note(*new)


def with_counts(line: Line, pages: Pages) -> Line:
    """Return a line of gold with the words and elements in its blocks, as far as the page is here."""
    return line | fields_of(pages.with_counts(page_of(line)))


def _complete(pages: Pages, line: Line, stored: Line | None) -> Line:
    """Return a line as the file has it where it has the same blocks, counted: a page is not read for it."""
    is_same = stored and parse_line(stored) == parse_line(line)
    if stored and is_same and all(b.words is not None for b in page_of(stored).blocks):
        return stored
    return with_counts(line, pages)


def _taken_event(by: str, page: MarkedPage, others: PageFields | None = None) -> Event:
    """Return the event by which somebody's blocks come into a journal as they are.

    `others` are fields of the page that block gold does not know, and keeps.
    """
    return {
        "by": by,
        "at": max((block.at for block in page.blocks), default=""),
        "capture": (others or {}) | page_fields(page),
        "op": {"kind": "taken over", "blocks": [block_fields(block) for block in page.blocks]},
    }


def _event(fields: Line, page: MarkedPage, pages: Pages) -> Event:
    said = Counter(block.by for block in page.blocks if block.by)
    by = said.most_common(1)[0][0] if said else SOMEBODY
    others = {name: value for name, value in fields.items() if name != "blocks"}
    return _taken_event(by, page if pages.misfit(page) else _with_rectangles(page, pages), others)


def _with_rectangles(page: MarkedPage, pages: Pages) -> MarkedPage:
    """Return the page named by its record, with rectangles; what is not laid out is no block."""
    record_id = pages.record_of(page) or ""
    shown = pages.sheet(record_id).page
    there, _ = locate_blocks(page, shown)
    places = {block.id: block.rect for block in there.blocks}
    tree = page.blocks
    for block in page.blocks:
        if block.id not in places:
            tree = delete_block(tree, block.id)
    blocks = tuple(replace(block, rect=places[block.id]) for block in tree)
    return replace(
        page, record_id=record_id, blocks=blocks, viewport=shown.viewport, size=shown.size
    )
