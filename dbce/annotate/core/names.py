"""What people type and pages send, checked: a name, or a sentence for the field it came from."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 40
"""Characters of a name."""

_NAME = re.compile(rf"[^\W_][\w .'\N{{RIGHT SINGLE QUOTATION MARK}}-]{{0,{LONGEST - 1}}}")


class Wrong(ValueError):  # noqa: N818 - says what the value is
    """What was given makes no sense; `field` names where, the message says what to give."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def name_of(typed: object, known: Iterable[str]) -> str:
    """An annotator's name.

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
