"""What the pages of label mode send, checked: a value, or a sentence for the field it came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dbce.annotate.content.spans import Mark
from dbce.annotate.core.names import Wrong

if TYPE_CHECKING:
    from collections.abc import Mapping

_PLACES = {"runs": "text runs", "items": "texts and images"}
"""What the places of a field are those of."""


def mark_of(given: Mapping[str, Any]) -> Mark:
    """The mark that is given.

    Raises:
        Wrong: it is none.
    """
    try:
        return Mark(str(given.get("label")))
    except ValueError as e:
        raise Wrong("label", f"A label is one of {', '.join(Mark)}.") from e


def places_of(given: Mapping[str, Any], count: int, field: str = "runs") -> list[int]:
    """The places that a field gives, in order; the capture has `count` of them.

    Raises:
        Wrong: they are no places, or none.
    """
    name = _PLACES[field]
    places = given.get(field)
    if not isinstance(places, list) or not places:
        raise Wrong(field, f"Choose the {name} first.")
    if any(type(place) is not int or not 0 <= place < count for place in places):
        raise Wrong(field, f"This capture has {count} {name}, numbered from 0.")
    return sorted(set(places))
