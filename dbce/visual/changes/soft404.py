"""Pages that answer, and are no page any more: errors told in words ("soft 404") and parked domains."""

from __future__ import annotations

from dbce.quality import ERROR_PHRASES, LITTLE, PARKED_PHRASES, SHORT

__all__ = ["ERROR", "LITTLE", "PARKED", "SHORT", "STATUS", "gone"]

ERROR = "error page"
PARKED = "parked"
STATUS = "http status"


def gone(title: str, texts: list[str] | None) -> str:
    """Return what stands in a page's place, by its words: ERROR, PARKED, or "" where nothing says so.

    `texts` are all of the page or, if it has more than SHORT words, those of its content, where it has any; None if
    these have more than LITTLE.
    """
    if texts is None:
        return ""
    text = " ".join([title, *texts]).lower()
    if PARKED_PHRASES.search(text):
        return PARKED
    return ERROR if ERROR_PHRASES.search(text) else ""
