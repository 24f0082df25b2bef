"""The server of `dbce label`, for every kind of gold."""

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
"""Name of gold of content, with which its addresses begin."""


@dataclass(frozen=True, slots=True)
class DeskSettings:
    """The folder that is labelled, the gold file, and the sample of captures."""

    directory: str
    gold: str
    places: Mapping[str, str]  # of input files, as for `dbce.view.server.start`
    order: str  # one of ORDERS
    captures: int  # number of pages
    others: Sequence[str] = ()  # gold files of other people, to import


@contextmanager
def serving(kind: str, settings: DeskSettings, *, host: str, port: int) -> Iterator[Server]:
    """Yield a server for a kind of gold, CONTENT or one of the wing; UsageError unless it can lock the gold file."""
    for gold in (settings.gold, *settings.others):
        if "://" in gold:
            raise UsageError(
                f"{gold} is not on this machine; gold labels are saved at every click: name a file on a disk, "
                "and copy it afterwards"
            )
    guard = Guard(host)
    desk: OpenDesk = _content
    if kind != CONTENT:
        desk = wing.require("DESKS", f"dbce label --{kind}")[kind]
    with desk(settings, guard) as (app, run):
        yield serve(app, run, guard, port, kind)


@contextmanager
def _content(settings: DeskSettings, guard: Guard) -> Iterator[Served]:
    run = open_view(settings.directory, settings.places)
    with closing(AnnotationStore(Path(settings.gold), NODE_GOLD)) as store:
        app = create_app(run, guard)
        add_labelling(app, LabelDesk(run, store, sample(run, settings.order, settings.captures)))
        yield app, run
