"""What our own pages send to change something: JSON objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import jsonify, request
from werkzeug.exceptions import HTTPException

if TYPE_CHECKING:
    from flask import Response

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


def _refused(message: str, code: int) -> Response:
    answer = jsonify(field="", message=message)
    answer.status_code = code
    return answer
