"""Heading gold: JSON lines, what one person says of one page, without the page's text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from dbce.annotate.headings.outline import Outline
from dbce.model import UsageError
from dbce.visual.headings import gold_heading

if TYPE_CHECKING:
    from pathlib import Path

    from dbce.visual.headings import GoldHeading

WRONG = (KeyError, TypeError, ValueError, AttributeError)
"""What `outline_of` raises of a line that is none."""


def read_heading_gold(path: Path) -> list[Outline]:
    """The outlines of a file of heading gold.

    Raises:
        UsageError: it cannot be read, or is none.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as e:
        raise UsageError(f"cannot read {path}: {e}") from e
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found.append(outline_of(json.loads(line)))
        except WRONG as e:
            raise UsageError(f"{path}, line {number}: no heading gold") from e
    return found


def line_of(outline: Outline) -> dict[str, Any]:
    """An outline as a line of heading gold."""
    return {
        "record_id": outline.record_id,
        "url": outline.url,
        "timestamp": outline.timestamp,
        "set": outline.set,
        "kind": outline.kind,
        "body": outline.body,
        "headings": [_fields(heading) for heading in outline.headings],
        "by": outline.by,
        "at": outline.at,
    }


def outline_of(line: dict[str, Any]) -> Outline:
    """The outline of a line of heading gold.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: it is none.
    """
    headings = tuple(map(gold_heading, line["headings"]))
    about = {name: str(line[name]) for name in line.keys() - {"headings"}}
    return Outline(**about, headings=headings)


def _fields(heading: GoldHeading) -> dict[str, Any]:
    end = {} if heading.end is None else {"end": heading.end}
    return {
        "nodes": list(heading.nodes),
        "images": list(heading.images),
        "level": heading.level,
        "optional": heading.optional,
        "hash": heading.hash,
    } | end
