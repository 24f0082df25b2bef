"""The gold of headings: JSON lines, one object a page and annotator.

Its fields are `record_id`, `url`, `timestamp`, `set`, `kind`, `body` (the XPath of the content body), `by`,
`at`, and `headings`, each with `nodes` (numbers as in the table `nodes` of a run), `images` (XPaths, of a
heading that is a picture), `level` (1 at the top of the body), `optional`, `hash` (the first 12 hexadecimal
digits of the SHA-1 of its text with white space collapsed, which the gold does not hold itself) and `end`
(the number of the node that its block ends before, if that is not the next heading of its level or a higher
one). Of a heading nodes or images are needed, all else has a default.
"""

from dataclasses import dataclass
from functools import partial
from hashlib import sha1
from typing import Any

from dbce.model import UsageError
from dbce.storage import read_json_objects


def digest(text: str) -> str:
    """Return the `hash` of the text of a heading."""
    return sha1(" ".join(text.split()).encode(), usedforsecurity=False).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class GoldHeading:
    """A heading marked by an annotator; an `optional` one may be found or not."""

    nodes: tuple[int, ...]
    images: tuple[str, ...]
    level: int
    optional: bool
    hash: str
    end: int | None = None

    @property
    def parts(self) -> frozenset[int | str]:
        return frozenset((*self.nodes, *self.images))


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A content body with its headings, in the order of the file; `group` is any field."""

    record_id: str
    url: str
    body: str
    by: str
    group: str
    headings: tuple[GoldHeading, ...]


def read_heading_gold(uri: str, by: str = "", group: str = "") -> list[GoldPage]:
    """Return the pages of a file: those of one annotator, or else the first one of each page.

    `group` names the field that scores are grouped by.
    Raises UsageError: the file cannot be read, or a line is no heading gold.
    """
    pages: dict[str, GoldPage] = {}
    for page in read_json_objects(uri, partial(_page, group=group)):
        if by in ("", page.by):
            pages.setdefault(page.record_id, page)
    if not pages:
        whose = f" of annotator {by}" if by else ""
        raise UsageError(f"{uri} holds no heading gold{whose}")
    return list(pages.values())


def read_bodies(uri: str) -> dict[str, str]:
    """Return the XPath of each page's content body, by its record id; the first of several lines counts.

    Raises UsageError: the file cannot be read, or a line names no body.
    """
    bodies: dict[str, str] = {}
    for record_id, body in read_json_objects(uri, _record_and_body, "bodies"):
        bodies.setdefault(record_id, body)
    return bodies


def _record_and_body(fields: dict[str, Any]) -> tuple[str, str]:
    record_id, body = fields.get("record_id"), fields.get("body")
    if not isinstance(record_id, str) or not isinstance(body, str):
        raise ValueError("it needs record_id and body")  # noqa: TRY004 - of the input
    return record_id.strip("<>"), body


def _page(fields: dict[str, Any], group: str) -> GoldPage:
    record_id, body = _record_and_body(fields)
    headings = fields.get("headings")
    if not isinstance(headings, list):
        raise ValueError("no list of headings")  # noqa: TRY004 - of the input
    return GoldPage(
        record_id=record_id,
        url=str(fields.get("url", "")),
        body=body,
        by=str(fields.get("by", "")),
        group=str(fields.get(group, "")),
        headings=tuple(map(gold_heading, headings)),
    )


def gold_heading(fields: Any) -> GoldHeading:
    """Return a heading of a line of gold. Raises ValueError: it is invalid."""
    if not isinstance(fields, dict):
        raise ValueError(f"a heading is {fields!r}, not an object")  # noqa: TRY004 - of the input
    nodes, images = fields.get("nodes", []), fields.get("images", [])
    level, end = fields.get("level", 1), fields.get("end")
    if not _is_list_of(nodes, int) or not _is_list_of(images, str) or not (nodes or images):
        raise ValueError("a heading needs nodes, a list of numbers, or images, one of XPaths")
    if type(level) is not int or level < 1:
        raise ValueError(f"level is {level!r}; it must be a whole number from 1 on")
    if end is not None and type(end) is not int:
        raise ValueError(f"end is {end!r}; it must be the number of a node")
    return GoldHeading(
        nodes=tuple(nodes),
        images=tuple(images),
        level=level,
        optional=bool(fields.get("optional", False)),
        hash=str(fields.get("hash", "")),
        end=end,
    )


def _is_list_of(values: Any, kind: type) -> bool:
    return isinstance(values, list) and all(type(value) is kind for value in values)
