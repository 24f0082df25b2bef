"""Every list of a page as a file: CSV for spreadsheets, JSON lines for programs."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING

import pandas as pd
from flask import Response, request

from dbce.report.table import table
from dbce.view.not_in_run import NotInRun

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

FORMATS = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson"}
"""The media types of the formats that lists come in."""


def asked_format() -> str:
    """The format that the request names, "" if it wants a page.

    Raises:
        NotInRun: there is no such format.
    """
    name = request.args.get("format", "")
    if name and name not in FORMATS:
        raise NotInRun(f"lists come as {' or '.join(FORMATS)}, and not as {name[:20]}")
    return name


def exported(name: str, rows: Iterable[Mapping[str, object]], form: str) -> Response:
    """A list as a file of that name to be kept; rows are alike and flat."""
    body = _csv(name, rows) if form == "csv" else _lines(rows)
    answer = Response(body, content_type=FORMATS[form])
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.{form}"'
    return answer


def _csv(name: str, rows: Iterable[Mapping[str, object]]) -> bytes:
    """CSV as that of `dbce report`: no spreadsheet takes a text of an archive for a formula."""
    return table(name, "", pd.DataFrame(list(rows))).csv()


def _lines(rows: Iterable[Mapping[str, object]]) -> Iterator[bytes]:
    for row in rows:
        yield json.dumps(row, ensure_ascii=False, default=_plain).encode() + b"\n"


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%dT%H:%M:%SZ}"
    raise TypeError(f"{type(value).__name__} has no place in a list")
