"""Serving rendered pages to be drawn on."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from dbce.annotate.blocks.book import BlockBook
from dbce.annotate.blocks.desk import BlockDesk
from dbce.annotate.blocks.pages import Pages
from dbce.annotate.blocks.routes import add_annotator
from dbce.view.app import bare_app
from dbce.view.guard import Guard
from dbce.view.server import serve

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.view.server import Server


@contextmanager
def annotating(
    directory: str,
    gold: str,
    others: Sequence[str] = (),
    *,
    captures: int,
    host: str,
    port: int,
) -> Iterator[Server]:
    """A server on which rendered pages are drawn on into a gold file, which is its own till the end.

    `others` are gold files from which comes what other people drew; `host` and `port` are as for `dbce.view.server.start`, `captures` is how many pages are asked for.

    Raises:
        UsageError: there are no rendered pages, the gold file cannot be used, or the port not be had.
    """
    guard = Guard(host)
    pages = Pages(directory)
    book = BlockBook(Path(gold), pages, [Path(other) for other in others])
    try:
        app = bare_app(guard)
        add_annotator(app, BlockDesk(pages, book, pages.by_chance(captures)))
        yield serve(app, None, guard, port, "blocks")
    finally:
        book.close()
