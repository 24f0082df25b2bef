"""`dbce list`."""

from __future__ import annotations

import json
import sys
from datetime import datetime
from typing import TYPE_CHECKING

from dbce import archive
from dbce.commands.settings import open_chosen
from dbce.model import UsageError
from dbce.output import list_captures, list_sites, list_urls, no_such_url, open_whole
from dbce.progress import without_control

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator

    from dbce.output import Row

LEFT = ("status", "reason", "kind", "url", "title", "site", "record_id")
"""Columns of texts; all others are numbers and times, which stand at the right."""

LISTS = {"captures": list_captures, "urls": list_urls, "sites": list_sites}

ONLY_JSON = {"reason", "record_id", "text_first_seen", "kind_probability", "expected_f1"}
"""Columns that a table leaves out; of a reason its status tells."""

ON_TERMINAL = 60
"""Characters of a title in a table; JSON has all."""


def list_command(options: Namespace) -> None:
    """`dbce list`: captures, URLs or sites of a run."""
    if options.url and options.of not in (None, "captures"):
        raise UsageError(f"--of {options.of} lists the whole run; leave {options.url} out")
    folder, _ = open_chosen(options.directory, options)
    whole, _ = open_whole(options.directory)
    if options.url:
        rows = list(list_captures(folder, whole, archive.surt(options.url)))
        if not rows:
            raise no_such_url(folder, options.url)
    else:
        rows = list(LISTS[options.of or "urls"](folder, whole))
    lines = _objects(rows) if options.json else _table(rows)
    for line in lines:
        sys.stdout.buffer.write(f"{line}\n".encode("utf-8", "replace"))


def _objects(rows: Iterable[Row]) -> Iterator[str]:
    for row in rows:
        yield json.dumps({name: _plain(value) for name, value in row.items()}, ensure_ascii=False)


def _plain(value: object) -> object:
    return archive.timestamp14(value) if isinstance(value, datetime) else value


def _table(rows: list[Row]) -> Iterator[str]:
    """The lines of a table: a heading, and a line a row."""
    if not rows:
        return
    shown = [
        {name: _cell(name, value) for name, value in row.items() if name not in ONLY_JSON}
        | ({"status": _status(row)} if "status" in row else {})
        for row in rows
    ]
    names = list(shown[0])
    widths = {name: max(len(name), *(len(row[name]) for row in shown)) for name in names}
    for row in ({name: name for name in names}, *shown):
        cells = [
            row[name].ljust(widths[name]) if name in LEFT else row[name].rjust(widths[name])
            for name in names
        ]
        yield "  ".join(cells).rstrip()


def _status(row: Row) -> str:
    return f"{row['status']}: {row['reason']}" if row["reason"] else str(row["status"])


def _cell(name: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return archive.timestamp14(value)
    if isinstance(value, int):
        return f"{value:,}"
    text = without_control(str(value))
    return f"{text[: ON_TERMINAL - 1]}…" if name == "title" and len(text) > ON_TERMINAL else text
