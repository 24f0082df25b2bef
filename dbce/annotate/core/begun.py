"""What all desks begin with: who works, what there is to do, and what comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from flask import redirect, request, url_for

from dbce.annotate.core.names import Wrong, name_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from werkzeug.wrappers import Response as AnyResponse


class Book(Protocol):
    """What people have said."""

    def people(self) -> Mapping[str, Sequence[str]]:
        """The record ids of what each has spoken of, by name."""


class Desk(Protocol):
    """What is worked on."""

    @property
    def book(self) -> Book:
        """What was said."""

    def tasks(self, by: str) -> Sequence[Any]:
        """What somebody is asked for, and how much of it is done."""

    def next_after(self, by: str, record_id: str) -> str | None:
        """The next that is not done; None if all is."""


def who_works(desk: Desk) -> dict[str, Any]:
    """What a start page shows: `by`, what is `wrong` with that name, all `people`, and the `tasks` of this one."""
    people = desk.book.people()
    by, wrong, tasks = request.args.get("by"), None, None
    if by is not None:
        try:
            by = name_of(by, people)
            tasks = desk.tasks(by)
        except Wrong as e:
            wrong = str(e)
    return {"by": by, "wrong": wrong, "people": people, "tasks": tasks}


def to_the_next(desk: Desk, mode: str) -> AnyResponse:
    """To the next that is not done, or back to the list of a mode, the name of its blueprint."""
    by, after = request.args.get("by", ""), request.args.get("id", "")
    found = desk.next_after(by, after)
    if found is None:
        return redirect(url_for(f"{mode}.start", by=by))
    return redirect(url_for(f"{mode}.page", by=by, id=found))
