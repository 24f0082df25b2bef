"""Serving pages to be worked on: `dbce label`, whatever kind of gold it makes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from flask import Flask

from dbce import wing
from dbce.annotate.content.desk import LabelDesk, add_labelling
from dbce.annotate.content.history import NODE_GOLD
from dbce.annotate.core.queue import sample
from dbce.annotate.core.store import AnnotationStore
from dbce.model import UsageError
from dbce.view.app import create_app
from dbce.view.guard import Guard
from dbce.view.run import Run, open_view
from dbce.view.server import Server, serve

Served = tuple[Flask, Run | None]
OpenDesk = Callable[["DeskSettings", Guard], AbstractContextManager[Served]]

CONTENT = "label"
"""The kind of gold that says what is content, by the name that its addresses begin with."""


@dataclass(frozen=True, slots=True)
class DeskSettings:
    """The folder that is worked on, the gold file, and what people are asked for."""

    directory: str
    gold: str
    places: Mapping[str, str]  # of input files, as for `dbce.view.server.start`
    order: str  # one of ORDERS
    captures: int  # number of pages
    others: Sequence[str] = ()  # gold files from which comes what other people did


@contextmanager
def serving(kind: str, asked: DeskSettings, *, host: str, port: int) -> Iterator[Server]:
    """Give a server for gold of a kind, CONTENT or one of the wing; the gold file is its own till the end, or UsageError."""
    for gold in (asked.gold, *asked.others):
        if "://" in gold:
            raise UsageError(
                f"{gold} is not on this machine; gold labels are saved at every click: name a file on a disk, "
                "and copy it afterwards"
            )
    guard = Guard(host)
    desk: OpenDesk = _content
    if kind != CONTENT:
        desk = wing.require("DESKS", f"dbce label --{kind}")[kind]
    with desk(asked, guard) as (app, run):
        yield serve(app, run, guard, port, kind)


@contextmanager
def _content(asked: DeskSettings, guard: Guard) -> Iterator[Served]:
    run = open_view(asked.directory, asked.places)
    with closing(AnnotationStore(Path(asked.gold), NODE_GOLD)) as store:
        app = create_app(run, guard)
        add_labelling(app, LabelDesk(run, store, sample(run, asked.order, asked.captures)))
        yield app, run
