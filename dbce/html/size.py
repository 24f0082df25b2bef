"""Whether a page is more than can be parsed, told from its text alone.

The parser makes a hundred times the memory of a tag of three letters, before anybody can count
elements; and it compares every attribute of an element with every other.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dbce.model import InputError, Reason

if TYPE_CHECKING:
    from dbce.model import Limits

ATTRIBUTES = 10_000  # of one element: a tenth of a second
SHORT = 100_000  # characters of a page that is not looked at: 25,000 attributes, a second

# As the HTML standard reads a start tag (13.2.5.8 and 13.2.5.32 to 39). Nothing is tried twice, so a
# hostile page costs linear time too.
_ATTRIBUTE = (
    r"[\s/]*+[^\s/>][^\s/>=]*+"
    r"(?:\s*+=\s*+(?:\"[^\"]*+\"?+|'[^']*+'?+|[^\s>\"'][^\s>]*+)?+)?+"
)
_TAG = re.compile(rf"<[A-Za-z][^\s/>]*+(?:{_ATTRIBUTE}){{0,{ATTRIBUTES}}}+({_ATTRIBUTE})?+")
_NO_MARKUP = re.compile(
    r"<(script|style|textarea|title)\b[^>]*+>.*?(?:</\1|\Z)|<!--.*?(?:-->|\Z)",
    re.IGNORECASE | re.DOTALL,
)


def check_size(text: str, limits: Limits) -> None:
    """Looks how many tags and comments there are, and how many attributes an element has.

    Raises:
        InputError: TOO_MANY_ELEMENTS.
    """
    opened = text.count("<") - text.count("</")
    if opened > limits.elements:
        detail = f"{opened} tags and comments, the limit is {limits.elements}"
        raise InputError(Reason.TOO_MANY_ELEMENTS, detail)
    if len(text) > SHORT and _crowded(text) and _crowded(_NO_MARKUP.sub("", text)):
        detail = f"an element with more than {ATTRIBUTES} attributes"
        raise InputError(Reason.TOO_MANY_ELEMENTS, detail)


def _crowded(text: str) -> bool:
    """Whether a tag has more than ATTRIBUTES."""
    return any(tag[1] is not None for tag in _TAG.finditer(text))
