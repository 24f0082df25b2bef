"""The smallest kind of gold, notes on pages; and builders: notes, a disk that is full."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from dbce.annotate.core.store import AnnotationStore, GoldKind, Retractable
from dbce.model import UsageError
from dbce.storage import Folder, json_objects


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
    with patch.object(Folder, "write", full):
        yield
