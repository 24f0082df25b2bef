"""Checks of all that people type and pages send: a value, or a sentence for the field that it came from."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import TYPE_CHECKING, Any

from flask import jsonify, request
from werkzeug.exceptions import HTTPException

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from flask import Response

    Json = dict[str, Any]

LONGEST = 40
"""Characters of a name."""

_NAME = re.compile(rf"[^\W_][\w .'\N{{RIGHT SINGLE QUOTATION MARK}}-]{{0,{LONGEST - 1}}}")


class Wrong(ValueError):  # noqa: N818 - says what the value is
    """A value that makes no sense; `field` names where it came from, the message says what to give."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def name_of(typed: object, known: Iterable[str]) -> str:
    """Return an annotator's name.

    Raises:
        Wrong: it is none, or one of the known ones in another spelling.
    """
    name = " ".join(unicodedata.normalize("NFC", typed).split()) if isinstance(typed, str) else ""
    if not name:
        raise Wrong("by", "Give a name, so that labels can be told apart.")
    if not _NAME.fullmatch(name):
        raise Wrong(
            "by",
            f"A name has up to {LONGEST} letters, digits, spaces, dots, hyphens and apostrophes, and "
            "begins with a letter or digit.",
        )
    for other in known:
        if other.casefold() == name.casefold() and other != name:
            raise Wrong("by", f"{other} is here already; write the name the same way.")
    return name


def places_of(given: Mapping[str, Any], field: str, count: int, what: str) -> list[int]:
    """Return the places that a field gives, in order; the page has `count` of them, which are `what`.

    Raises:
        Wrong: they are no places, or none.
    """
    places = given.get(field)
    if not isinstance(places, list) or not places:
        raise Wrong(field, f"Choose the {what} first.")
    if any(type(place) is not int or not 0 <= place < count for place in places):
        raise Wrong(field, f"This capture has {count} {what}, numbered from 0.")
    return sorted(set(places))


def given_object() -> Json:
    """Return the JSON object of a request.

    Raises:
        HTTPException: it is none.
    """
    if not request.is_json:
        raise HTTPException(response=_refused("Changes are taken as JSON only.", 415))
    try:
        given = request.get_json(silent=True)
        json.dumps(given, ensure_ascii=False).encode()  # as a journal has to
    except (RecursionError, UnicodeEncodeError) as e:  # thousands of brackets, half a character
        raise HTTPException(response=_refused("This cannot be stored.", 400)) from e
    if not isinstance(given, dict):
        raise HTTPException(response=_refused("Not a JSON object.", 400))
    return given


def _refused(message: str, code: int) -> Response:
    answer = jsonify(field="", message=message)
    answer.status_code = code
    return answer
