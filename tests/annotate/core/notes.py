"""The smallest kind of gold, notes on pages, with its desk; and builders: notes, a disk that is full."""

import errno
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest
from flask import Response, jsonify
from flask.testing import FlaskClient
from jinja2 import ChoiceLoader, DictLoader

from dbce.annotate.core.agreement import common_pages, observed_agreement
from dbce.annotate.core.pages import (
    DeskPages,
    FieldError,
    add_desk,
    current_desk,
    request_object,
    worker,
)
from dbce.annotate.core.queue import TaskQueue
from dbce.annotate.core.store import AnnotationStore, GoldKind, Retractable
from dbce.model import NotInRun, UsageError
from dbce.storage import json_objects
from dbce.view.app import bare_app
from dbce.view.guard import Guard
from tests.view.visitor import let_in


class NoteHistory:
    """Values: what each person noted last of each page."""

    def __init__(self) -> None:
        self._notes = Retractable[str]()

    def add(self, event: dict) -> tuple[str, ...]:
        if "undo" in event:
            _, page = self._notes.take_back(event["undo"])
        else:
            page = event["page"]
            self._notes.add((event["by"], page), event["note"])
        return (page,)

    def people(self) -> dict[str, list[str]]:
        pages: dict[str, list[str]] = {}
        for by, page in self._notes:
            if self.last(by, page) is not None:
                pages.setdefault(by, []).append(page)
        return pages

    def last(self, by: str, page: str) -> str | None:
        return next(reversed(self._notes.values_of((by, page)).values()), None)

    def lines(self, key: tuple[str, ...]) -> list[dict]:
        (page,) = key
        notes = {by: self.last(by, page) for by, whose in self._notes if whose == page}
        return [note(text, page, by) for by, text in notes.items() if text is not None]


def note(text: str, page: str = "a", by: str = "Anna") -> dict:
    """A line of gold, and the event by which somebody notes it."""
    return {"by": by, "page": page, "note": text}


def parse_line(line: dict) -> tuple:
    return (line["page"],), (line["by"], line["note"])


def import_events(path: Path) -> list[dict]:
    return [note(line["note"], line["page"], line["by"]) for _, line in json_objects(str(path))]


NOTES = GoldKind(NoteHistory, parse_line, import_events)


class NoteTask(NamedTuple):
    record_id: str
    note: str | None

    @property
    def is_done(self) -> bool:
        return self.note is not None


class NoteDesk:
    """Tasks: pages `a`, `b` and `c`, of which the first two are asked for."""

    def __init__(self, store: AnnotationStore[NoteHistory]) -> None:
        self.store = store
        rows = {page: {"record_id": page} for page in "abc"}
        self.queue = TaskQueue(
            store.people, [rows["a"], rows["b"]], lambda ids: map(rows.get, ids), self._task
        )

    def note(self, by: str, page: str) -> str | None:
        if page not in ("a", "b", "c"):
            raise NotInRun(f"there is no page {page}")
        with self.store.turn() as history:
            return history.last(by, page)

    def agreed(self) -> list[tuple[str, str, float | None]]:
        with self.store.turn() as history:
            notes = {
                by: {page: history.last(by, page) for page in pages}
                for by, pages in history.people().items()
            }
        return [
            (one, other, observed_agreement(Counter(both.values())))
            for one, other, both in common_pages(notes)
        ]

    def _task(self, by: str, row: dict) -> NoteTask:
        return NoteTask(row["record_id"], self.note(by, row["record_id"]))


def _page(by: str, page: str) -> dict:
    return {"note": current_desk().note(by, page)}


notes = DeskPages("notes", "Notes", _page, lambda: {"agreed": current_desk().agreed()}).blueprint(
    __name__
)


@notes.post("/say")
def say() -> Response:
    """Notes something of a page: `by`, `id`, `note`."""
    desk, given = current_desk(), request_object()
    by, page, text = worker(given.get("by")), str(given.get("id")), given.get("note")
    desk.note(by, page)
    if not isinstance(text, str):
        raise FieldError("note", "A note is a text.")
    desk.store.note(note(text, page, by))
    return jsonify(said="Saved.")


TEMPLATES = {
    "notes_start.html": "{{ by or '' }}|{{ wrong or '' }}|{{ tasks | map('first') | join(' ') if tasks else '' }}",
    "notes_page.html": "{{ by }}|{{ note }}|{{ token }}",
    "notes_review.html": "{{ by }}|{{ people | join(' ') }}|{{ agreed }}",
}
"""Pages of a line each; those of a real kind lie in its folder `templates`."""


def client_of(desk: NoteDesk) -> FlaskClient:
    """What asks the application without a network; an error in it is an error of the test."""
    app = bare_app(Guard(token="secret"))
    app.jinja_loader = ChoiceLoader([app.jinja_loader, DictLoader(TEMPLATES)])
    add_desk(app, notes, desk)
    return let_in(app)


@contextmanager
def opened(path: Path, kind: GoldKind = NOTES) -> Iterator[AnnotationStore]:
    store = AnnotationStore(path, kind)
    try:
        yield store
    finally:
        store.close()


def refuses_to_open(path: Path, sentence: str, kind: GoldKind = NOTES) -> None:
    """Holds that a store does not open a file, and says why."""
    with pytest.raises(UsageError, match=sentence), opened(path, kind):
        pass


def full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@contextmanager
def no_room_for_gold() -> Iterator[None]:
    """A disk with room for a line of the journal still, and not for the whole gold file."""
    with patch.object(Path, "replace", full):
        yield
