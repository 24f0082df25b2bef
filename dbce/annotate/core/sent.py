"""Requests that change something: the JSON that they carry, and what those who err are told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from dbce.annotate.core.names import Wrong
from dbce.model import DbceError
from dbce.view.not_in_run import NotInRun

if TYPE_CHECKING:
    from flask import Blueprint, Response

Json = dict[str, Any]


def given_object() -> Json:
    """The JSON object of a request.

    Raises:
        HTTPException: it is none.
    """
    if not request.is_json:
        raise HTTPException(response=_refused("Changes are taken as JSON only.", 415))
    given = request.get_json(silent=True)
    if not isinstance(given, dict):
        raise HTTPException(response=_refused("Not a JSON object.", 400))
    return given


def tell_errors(pages: Blueprint) -> None:
    """Has those who err told what is wrong, on all pages of a blueprint."""
    pages.register_error_handler(Wrong, _wrong)
    pages.register_error_handler(DbceError, _failed)
    pages.register_error_handler(NotInRun, _failed)


def _wrong(error: Wrong) -> tuple[Response, int]:
    """What was sent makes no sense: which field, and what to give."""
    return jsonify(field=error.field, message=str(error)), 400


def _failed(error: Exception) -> tuple[Response, int] | tuple[str, int]:
    """What cannot be done, as the one who asks can read it."""
    code = 404 if isinstance(error, NotInRun) else 500
    if request.method == "POST":
        return jsonify(field="", message=str(error)), code
    return render_template("error.html", message=str(error)), code


def _refused(message: str, code: int) -> Response:
    answer = jsonify(field="", message=message)
    answer.status_code = code
    return answer
