"""Serving pages to be worked on: `dbce label`, whatever kind of gold it makes."""

from __future__ import annotations

from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dbce.annotate.blocks.desk import BlockDesk
from dbce.annotate.blocks.gold import block_gold, take
from dbce.annotate.blocks.pages import Pages
from dbce.annotate.blocks.routes import add_drawing
from dbce.annotate.content.desk import LabelDesk
from dbce.annotate.content.gold import NODE_GOLD
from dbce.annotate.content.routes import add_labelling
from dbce.annotate.core.queue import sample
from dbce.annotate.core.store import AnnotationStore
from dbce.annotate.headings.desk import HeadingDesk
from dbce.annotate.headings.history import HEADING_GOLD
from dbce.annotate.headings.routes import add_headings
from dbce.view.app import bare_app, create_app
from dbce.view.guard import Guard
from dbce.view.run import open_view
from dbce.view.server import serve
from dbce.visual.render import open_pictures, open_rendered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from flask import Flask

    from dbce.view.run import Run
    from dbce.view.server import Server

    OpenDesk = tuple[Flask, Run | None]


@dataclass(frozen=True, slots=True)
class Asked:
    """The folder that is worked on, the gold file, and what people are asked for.

    `places` says where input files lie, as for `dbce.view.server.start`; `order` is one of ORDERS, `captures` the
    number of pages. `others` are gold files from which comes what other people did.
    """

    directory: str
    gold: str
    places: Mapping[str, str]
    order: str
    captures: int
    others: Sequence[str] = ()


@contextmanager
def serving(kind: str, asked: Asked, *, host: str, port: int) -> Iterator[Server]:
    """Give a server on which gold of one of KINDS is made; the gold file is its own till the end.

    Raises:
        UsageError: there is no finished run or no rendering where it is needed, the gold file cannot be
            used, or the port not be had.
    """
    guard = Guard(host)
    with KINDS[kind](asked, guard) as (app, run):
        yield serve(app, run, guard, port, kind)


@contextmanager
def _content(asked: Asked, guard: Guard) -> Iterator[OpenDesk]:
    run = open_view(asked.directory, asked.places)
    with closing(AnnotationStore(Path(asked.gold), NODE_GOLD)) as store:
        app = create_app(run, guard)
        add_labelling(app, LabelDesk(run, store, sample(run, asked.order, asked.captures)))
        yield app, run


@contextmanager
def _headings(asked: Asked, guard: Guard) -> Iterator[OpenDesk]:
    run = open_view(asked.directory, asked.places)
    open_rendered(asked.directory)
    with closing(AnnotationStore(Path(asked.gold), HEADING_GOLD)) as store:
        app = create_app(run, guard)
        add_headings(app, HeadingDesk(run, store, sample(run, asked.order, asked.captures)))
        yield app, run


@contextmanager
def _blocks(asked: Asked, guard: Guard) -> Iterator[OpenDesk]:
    open_pictures(asked.directory)  # one draws on what people saw, and not on a wireframe
    pages = Pages(asked.directory)
    with closing(AnnotationStore(Path(asked.gold), block_gold(pages))) as store:
        for other in asked.others:
            take(store, Path(other), pages)
        app = bare_app(guard)
        add_drawing(app, BlockDesk(pages, store, pages.by_chance(asked.captures)))
        yield app, None


KINDS: dict[str, Callable[[Asked, Guard], AbstractContextManager[OpenDesk]]] = {
    "label": _content,
    "headings": _headings,
    "blocks": _blocks,
}
"""The desk of each kind of gold, by the name that its addresses begin with."""
