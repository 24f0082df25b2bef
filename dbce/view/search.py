"""Finding captures: what was typed, checked, and the rows of a page of results."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dbce.archive import parse_date
from dbce.model import Status
from dbce.output.read import STAMP
from dbce.view.signals import CHANGE, DISAGREEMENT, worked_out

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dbce.view.tables import Row, Tables

ROWS = 50
"""Captures on a page of results."""

LONGEST = 500
"""Characters that may be searched for."""

PLACES = {
    "any": "anywhere",
    "url": "in the URL",
    "host": "in the host name",
    "title": "in the title",
    "text": "in the main text",
}
_COLUMNS = {
    "any": ("url", "title", "text"),
    "url": ("url",),
    "host": ("url_host_name",),
    "title": ("title",),
    "text": ("text",),
}

SORTS = {
    "url": "URL and time",
    "sure": "least sure",
    "disagreement": "most disagreement between evidence",
    "change": "largest change since the snapshot before",
    "time": "latest",
    "content": "least content",
}
_IDENTITY = "site, url_surtkey, fetch_time, record_id"
_ORDER = {
    "url": _IDENTITY,
    "sure": f"confidence ASC NULLS LAST, {_IDENTITY}",
    "disagreement": f"disagreement DESC NULLS LAST, {_IDENTITY}",
    "change": f"change DESC NULLS LAST, {_IDENTITY}",
    "time": f"fetch_time DESC NULLS LAST, {_IDENTITY}",
    "content": f"content ASC NULLS LAST, {_IDENTITY}",
}

STATUSES = {"judged": "judged", **{status.value: status.value for status in Status}, "all": "all"}

SUMMARY = (
    "record_id, url, url_host_name, site, fetch_time, status, reason, title, confidence, cross_bits, "
    "runs_content, runs_boilerplate, runs_invalid, "
    "runs_content / nullif(runs_content + runs_boilerplate + runs_invalid, 0) AS content"
)
"""What a list tells of a capture."""


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for; `errors` says by field what was typed that makes no sense."""

    words: str = ""
    place: str = "any"
    site: str = ""
    status: str = "judged"
    sort: str = "url"
    since: str = ""
    until: str = ""
    page: int = 1
    errors: Mapping[str, str] = field(default_factory=dict)

    def typed(self, **changes: object) -> dict[str, object]:
        """The fields that are not as they are to begin with, for an address; with changes."""
        names = ("words", "place", "site", "status", "sort", "since", "until", "page")
        now = {name: getattr(self, name) for name in names} | changes
        return {name: value for name, value in now.items() if value != getattr(_NOTHING, name)}


_NOTHING = Search()


@dataclass(frozen=True, slots=True)
class Results:
    """A page of what was found, and how much there is in all."""

    rows: list[Row]
    total: int
    first: int

    @property
    def last(self) -> int:
        """The number of the last row of the page, from 1."""
        return self.first + len(self.rows) - 1


def read_search(typed: Mapping[str, str], sites: Mapping[str, object]) -> Search:
    """What was typed as a search; fields that make no sense are as if not typed."""
    errors: dict[str, str] = {}
    found: dict[str, Any] = {}
    words = typed.get("words", "").strip()
    if len(words) > LONGEST:
        errors["words"] = f"{len(words)} characters; search for {LONGEST} at most"
    else:
        found["words"] = words
    choices: dict[str, Mapping[str, object]]
    choices = {"place": PLACES, "status": STATUSES, "sort": SORTS, "site": {"": ""} | dict(sites)}
    for name, allowed in choices.items():
        value = typed.get(name, getattr(_NOTHING, name))
        if value in allowed:
            found[name] = value
        else:
            errors[name] = f"there is no {value[:80]!r} here"
    for name in ("since", "until"):
        found[name] = value = typed.get(name, "").strip()
        if value and not _digits(value):
            found[name] = ""
            errors[name] = "give a year or a date: 2016, 201605 or 2016-05-24"
    page = typed.get("page", "1")
    if page.isascii() and page.isdigit() and int(page[:9]) > 0:
        found["page"] = int(page[:9])
    else:
        errors["page"] = f"{page[:20]!r} is no number of a page"
    return Search(**found, errors=errors)


def search(tables: Tables, asked: Search) -> Results:
    """The captures that are asked for, those of one page of results."""
    conditions, values = _conditions(asked)
    where = " AND ".join(conditions) or "true"
    total = (tables.row(f"SELECT count(*) AS n FROM pages WHERE {where}", values) or {})["n"]  # noqa: S608 - typed values are bound
    columns, joined = SUMMARY, "pages"
    for signal in (DISAGREEMENT, CHANGE):
        if asked.sort == signal:
            columns += f", {signal}.value AS {signal}"
            joined += f" LEFT JOIN {worked_out(tables, signal)} USING (record_id)"
    last_page = max(1, -(-total // ROWS))
    first = (min(asked.page, last_page) - 1) * ROWS
    # The narrow columns are sorted first and the others read for the rows of the page alone.
    rows = tables.rows(
        f"SELECT {columns} FROM {joined} WHERE {where} ORDER BY {_ORDER[asked.sort]} "  # noqa: S608 - typed values are bound
        f"LIMIT {ROWS} OFFSET {first}",
        values,
    )
    return Results(rows, total, first + 1)


def _conditions(asked: Search) -> tuple[list[str], dict[str, object]]:
    conditions: list[str] = []
    values: dict[str, object] = {}
    if asked.words:
        values["words"] = asked.words.lower()
        either = (f"contains(lower({column}), $words)" for column in _COLUMNS[asked.place])
        conditions.append(f"({' OR '.join(either)})")
    if asked.site:
        values["site"] = asked.site
        conditions.append("site = $site")
    if asked.status != "all":
        values["statuses"] = (
            [Status.ANNOTATED, Status.SINGLE] if asked.status == "judged" else [asked.status]
        )
        conditions.append("list_contains($statuses, status)")
    for name, sign in (("since", ">="), ("until", "<=")):
        if typed := getattr(asked, name):
            # Compared as far as was typed: until 2016 means to the end of it.
            values[name] = digits = _digits(typed)
            stamp = f"left(strftime(fetch_time, '{STAMP}'), {len(digits)})"
            conditions.append(f"{stamp} {sign} ${name}")
    return conditions, values


def _digits(typed: str) -> str:
    """The digits of a year, date or time; "" if it is none."""
    return re.sub(r"[-:T ]", "", typed) if parse_date(typed) is not None else ""
