"""The pages that every desk has, whatever kind of gold is made on it, and checks of requests.

`/KIND` asks for a name and lists the tasks, `/KIND/page` is a task, `/KIND/next` leads to the next one, and
`/KIND/review` shows the agreement; a kind of gold adds addresses for changes, to which pages send JSON.
That it comes from our own pages is checked before (`dbce.view.app`). A check returns a value, or raises a
sentence for the field that it came from.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from flask import Blueprint, current_app, jsonify, redirect, render_template, request, url_for
from werkzeug.exceptions import HTTPException

from dbce.annotate.core.queue import TaskQueue
from dbce.annotate.core.store import AnnotationStore
from dbce.model import DbceError, NotInRun

if TYPE_CHECKING:
    from flask import Flask, Response
    from werkzeug.wrappers import Response as AnyResponse

Json = dict[str, Any]

LONGEST = 40  # characters of a name

_NAME = re.compile(rf"[^\W_][\w .'\N{{RIGHT SINGLE QUOTATION MARK}}-]{{0,{LONGEST - 1}}}")


class FieldError(ValueError):
    """An invalid value; `field` names where it came from, the message says what to give."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def name_of(typed: object, known: Iterable[str]) -> str:
    """Return an annotator's name; FieldError if it is invalid, or a known one in another spelling."""
    name = " ".join(unicodedata.normalize("NFC", typed).split()) if isinstance(typed, str) else ""
    if not name:
        raise FieldError("by", "Give a name, so that labels can be told apart.")
    if not _NAME.fullmatch(name):
        raise FieldError(
            "by",
            f"A name has up to {LONGEST} letters, digits, spaces, dots, hyphens and apostrophes, and "
            "begins with a letter or digit.",
        )
    for existing in known:
        if existing.casefold() == name.casefold() and existing != name:
            raise FieldError("by", f"{existing} is here already; write the name the same way.")
    return name


def places_of(fields: Mapping[str, Any], field: str, count: int, noun: str) -> list[int]:
    """Return the places in a field, sorted; FieldError unless they are some of the `count` places of the page."""
    places = fields.get(field)
    if not isinstance(places, list) or not places:
        raise FieldError(field, f"Select the {noun} first.")
    if any(type(place) is not int or not 0 <= place < count for place in places):
        raise FieldError(field, f"This capture has {count} {noun}, numbered from 0.")
    return sorted(set(places))


def request_object() -> Json:
    """Return the JSON object of a request; FieldError of no field, or HTTPException, if it has none."""
    if not request.is_json:
        refusal = jsonify(field="", message="Changes are taken as JSON only.")
        refusal.status_code = 415
        raise HTTPException(response=refusal)
    try:
        body = request.get_json(silent=True)
        json.dumps(body, ensure_ascii=False).encode()  # as a journal has to
    except (RecursionError, UnicodeEncodeError) as e:  # thousands of brackets, half a character
        raise FieldError("", "This cannot be stored.") from e
    if not isinstance(body, dict):
        raise FieldError("", "Not a JSON object.")
    return body


SHARED = Blueprint(
    "desk", __name__, url_prefix="/desk", template_folder="templates", static_folder="static"
)
"""The templates and static files of all desks."""


class Desk(Protocol):
    @property
    def store(self) -> AnnotationStore[Any]: ...

    @property
    def queue(self) -> TaskQueue: ...


@dataclass(frozen=True, slots=True)
class DeskPages:
    """The pages of a kind of gold, with functions that return the variables of their templates."""

    name: str  # begins addresses (`/NAME/page`) and templates (`NAME_page.html`)
    title: str  # leads to them from the top of every page
    of_page: Callable[[str, str], Json]
    of_review: Callable[[], Json]
    of_start: Callable[[], Json] = dict

    def blueprint(self, module: str) -> Blueprint:
        """Return the routes of the pages; templates and static files lie beside the module."""
        pages = Blueprint(
            self.name,
            module,
            url_prefix=f"/{self.name}",
            template_folder="templates",
            static_folder="static",
        )
        pages.add_url_rule("", "start", self.start)
        pages.add_url_rule("/page", "page", self.page)
        pages.add_url_rule("/next", "next_page", self.next_page)
        pages.add_url_rule("/review", "review_page", self.review_page)
        pages.register_error_handler(FieldError, handle_field_error)
        pages.register_error_handler(DbceError, _handle_error)
        pages.app_context_processor(self.sections)
        return pages

    def start(self) -> str:
        desk = current_desk()
        people = desk.store.people()
        by, error, tasks = request.args.get("by"), None, None
        if by is not None:
            try:
                by = name_of(by, people)
                tasks = desk.queue.tasks(by)
            except FieldError as e:
                error = str(e)
        context = {"by": by, "wrong": error, "people": people, "tasks": tasks}
        return render_template(f"{self.name}_start.html", **context, **self.of_start())

    def page(self) -> str | AnyResponse:
        try:
            by = worker(request.args.get("by"))
        except FieldError:
            return redirect(url_for(f"{self.name}.start", by=request.args.get("by")))
        context = self.of_page(by, request.args.get("id", ""))
        return render_template(f"{self.name}_page.html", by=by, token=_token(), **context)

    def next_page(self) -> AnyResponse:
        """Redirect to the next open task, or back to the list."""
        by = request.args.get("by", "")
        page = current_desk().queue.next_after(by, request.args.get("id", ""))
        if page is None:
            return redirect(url_for(f"{self.name}.start", by=by))
        return redirect(url_for(f"{self.name}.page", by=by, id=page))

    def review_page(self) -> str:
        by, people = request.args.get("by", ""), current_desk().store.people()
        return render_template(
            f"{self.name}_review.html", by=by, people=people, token=_token(), **self.of_review()
        )

    def sections(self) -> Json:
        """Return the links that the desk adds to the menu of every page."""
        by, current = request.args.get("by") or None, request.endpoint
        work, review = (f"{self.name}.{page}" for page in ("start", "review_page"))
        return {
            "sections": (
                (url_for(work, by=by), self.title, current in (work, f"{self.name}.page")),
                (url_for(review, by=by), "Review", current == review),
            )
        }


def add_desk(app: Flask, pages: Blueprint, desk: Desk, **words: object) -> None:
    """Add the pages of a desk to an application; `words` are globals of all templates."""
    app.config["DESK"] = desk
    app.register_blueprint(SHARED)
    app.register_blueprint(pages)
    app.jinja_env.globals |= {"gold_file": str(desk.store.path), **words}


def current_desk() -> Any:
    return current_app.config["DESK"]


def worker(typed: object) -> str:
    return name_of(typed, current_desk().store.people())


def page_request() -> tuple[Any, str, str, Json]:
    """Return the desk, the annotator, the id of the page, and the JSON object of a request for a change."""
    body = request_object()
    return current_desk(), worker(body.get("by")), str(body.get("id")), body


def handle_field_error(error: FieldError) -> tuple[Response, int]:
    return jsonify(field=error.field, message=str(error)), 400


def _handle_error(error: Exception) -> tuple[Response, int] | tuple[str, int]:
    code = 404 if isinstance(error, NotInRun) else 500
    if request.method == "POST":
        return jsonify(field="", message=str(error)), code
    return render_template("error.html", message=str(error)), code


def _token() -> str:
    return str(current_app.config["TOKEN"])
