"""Serving a run to be labelled."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from dbce.annotate.content.book import Book
from dbce.annotate.content.desk import Desk
from dbce.annotate.content.routes import add_label_mode
from dbce.annotate.content.sample import sample
from dbce.annotate.headings.book import HeadingBook
from dbce.annotate.headings.desk import HeadingDesk
from dbce.annotate.headings.routes import add_heading_mode
from dbce.view.app import create_app
from dbce.view.guard import Guard
from dbce.view.run import open_view
from dbce.view.server import serve
from dbce.visual.render import open_rendered

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dbce.view.server import Server


@contextmanager
def labelling(
    directory: str,
    gold: str,
    places: Mapping[str, str],
    *,
    order: str,
    captures: int,
    host: str,
    port: int,
    headings: bool = False,
) -> Iterator[Server]:
    """A server on which a finished run is labelled into a gold file, which is its own till the end.

    `places`, `host` and `port` are as for `dbce.view.server.start`, `order` is one of ORDERS. With
    `headings` these are labelled, of pages that were rendered into the folder of the run.

    Raises:
        UsageError: there is no finished run, or no rendering where it is needed, the gold file cannot
            be used, or the port not be had.
    """
    run = open_view(directory, places)
    if headings:
        open_rendered(directory)
    book = (HeadingBook if headings else Book)(Path(gold))
    try:
        guard = Guard(host)
        app = create_app(run, guard)
        asked = sample(run, order, captures)
        if isinstance(book, HeadingBook):
            add_heading_mode(app, HeadingDesk(run, book, asked))
        else:
            add_label_mode(app, Desk(run, book, asked))
        yield serve(app, run, guard, port, "headings" if headings else "label")
    finally:
        book.close()
