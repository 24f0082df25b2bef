"""A choice among the captures of a finished run, by what its tables say of each."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from operator import and_, or_
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dbce.archive import UNDECLARED, Selection, parse_date, rank, surt, timestamp14
from dbce.model import Reason, Status, UsageError
from dbce.output.rows import TIME, is_first_record
from dbce.quality import PageKind
from dbce.storage import Folder, open_parquet

_PAGES = {
    name: name for name in ("record_id", "url", "url_surtkey", "fetch_time", "status", "reason")
}

_COLUMNS = dict.fromkeys(("pages", "nodes", "rejects"), _PAGES) | {
    "index": _PAGES | {"url_surtkey": "surt", "fetch_time": "timestamp"}
}
"""Values that are asked of captures, each by its column in the table that says it: of nodes and rejects that is `pages`."""

STATUSES = (*(status.value for status in Status), *(reason.value for reason in Reason))
"""Values of `statuses`: what became of a capture, or the reason. HTTP statuses, three digits, are values too."""

_REVISITS = (Reason.REVISIT, Reason.UNCHANGED, Reason.UNCHANGED_NO_PAGE)

KINDS = tuple(kind.value for kind in PageKind)


@dataclass(frozen=True, slots=True)
class RowSelection:
    """A choice among the captures of a run; the default takes all.

    `among` is what can be asked of captures before they are read, too. `urls` are sort keys, `statuses` some of STATUSES
    or HTTP statuses, `kinds` kinds of pages. `cutoff` is that of `among`'s sample, None before it is drawn.
    """

    among: Selection = Selection()  # noqa: RUF009 - a value
    urls: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    cutoff: int | None = None

    @property
    def takes_all(self) -> bool:
        return self == RowSelection()

    def options(self) -> dict[str, Any]:
        """Return the options that make this selection, as values that JSON knows; empty where all is taken."""
        of_rows = {name: list(getattr(self, name)) for name in ("urls", "statuses", "kinds")}
        return self.among.options() | {name: values for name, values in of_rows.items() if values}

    def condition(self, folder: Folder, name: str) -> pc.Expression | None:
        """The condition on the rows of a table's file by which they are taken; None: all are."""
        if name.partition("/")[0] not in _COLUMNS:
            return None
        return pc.field("record_id").isin(_selected_ids(folder, self, name))

    def ids(self, folder: Folder, name: str) -> pa.Array:
        kind, _, rest = name.partition("/")
        stored = name if kind == "index" else f"pages/{rest}"
        if not folder.exists(stored):
            return pa.array([], pa.string())
        rows = self._rows(folder, stored)
        if self.cutoff is not None:
            is_drawn = [rank <= self.cutoff for rank in _row_ranks(rows)]
            rows = rows.filter(pa.array(is_drawn, pa.bool_()))
        return rows["record_id"].combine_chunks()

    def draw_sample(self, folder: Folder) -> RowSelection:
        """Return the selection with its sample drawn from a run; UsageError if it leaves nothing of that."""
        names = folder.names("pages/*.parquet")
        if self.among.sample is None:
            if not any(len(self.ids(folder, name)) for name in names):
                raise UsageError(f"no capture of {folder.uri} matches the selection")
            return self
        ranks = {r for name in names for r in _row_ranks(self._rows(folder, name))}
        least = heapq.nsmallest(self.among.sample, ranks)
        if not least:
            raise UsageError(f"no capture of {folder.uri} matches the selection")
        return replace(self, cutoff=least[-1])

    def _rows(self, folder: Folder, name: str) -> pa.Table:
        """Return the rows of a file that meet all conditions but that of the sample; columns are called as in `pages`."""
        values_of = {
            "kind": self.kinds,
            "content_mime_type": self.among.mimes,
            "fetch_status": self._fetch_statuses,
        }
        columns = _COLUMNS[name.partition("/")[0]]
        columns = columns | {column: column for column, values in values_of.items() if values}
        conditions = (*self._url_conditions(), *self._answer_conditions())
        is_taken = reduce(and_, conditions, pc.field("record_id").is_valid())
        return _read(folder, name, columns).filter(is_taken)

    @property
    def _fetch_statuses(self) -> list[int]:
        return [int(status) for status in self.statuses if status.isdecimal()]

    def _url_conditions(self) -> Iterator[pc.Expression]:
        time, key = pc.field("fetch_time"), pc.field("url_surtkey")
        if self.urls:
            yield key.isin(list(self.urls))
        if self.among.hosts:
            yield _any_of(_begin_with(key, _host_prefixes(host)) for host in self.among.hosts)
        if self.among.url_prefixes:
            yield _any_of(_with_prefix(key, prefix) for prefix in self.among.url_prefixes)
        if self.among.since:
            yield time >= pa.scalar(parse_date(self.among.since), TIME)
        if self.among.until:
            # The second that is named belongs to it.
            second = pc.floor_temporal(time, unit="second")
            yield second <= pa.scalar(parse_date(self.among.until), TIME)

    def _answer_conditions(self) -> Iterator[pc.Expression]:
        """Yield the conditions on what was answered, and on what became of it."""
        if Reason.DUPLICATE_RECORD not in self.statuses:  # it has the id of another, which counts
            yield is_first_record()
        if self.statuses:
            chosen = list(self.statuses)
            became = pc.field("status").isin(chosen) | pc.field("reason").isin(chosen)
            if answered := self._fetch_statuses:
                became |= pc.field("fetch_status").isin(answered)
            yield became
        if self.among.mimes:
            yield _declared_as(self.among.mimes)
        if self.kinds:
            yield pc.field("kind").isin(list(self.kinds))


@lru_cache(maxsize=16)
def _selected_ids(folder: Folder, selection: RowSelection, name: str) -> pa.Array:
    """The record ids of a file; a table is read some rows at a time, and asks as often."""
    if selection.kinds and name.startswith("index/"):
        # An index knows no kinds, and a compact one is of many files.
        return pa.concat_arrays(
            [_selected_ids(folder, selection, of) for of in folder.names("pages/*.parquet")]
        )
    return selection.ids(folder, name)


def _read(folder: Folder, name: str, columns: Mapping[str, str]) -> pa.Table:
    with open_parquet(folder, name) as table:
        missing = {*columns.values()}.difference(table.schema_arrow.names)
        if missing:
            absent = ", ".join(sorted(missing))
            raise UsageError(
                f"{folder.uri} was made by a version of dbce that stored no {absent}; run dbce again"
            )
        stored = [*columns.values()]
        return table.read(stored).select(stored).rename_columns([*columns])


def _row_ranks(rows: pa.Table) -> Iterator[int]:
    """Yield the number by which samples are drawn of each row."""
    for row in rows.to_pylist():
        time = row["fetch_time"]
        yield rank(row["url"] or "", timestamp14(time) if time else "")


def _any_of(conditions: Iterable[pc.Expression]) -> pc.Expression:
    return reduce(or_, conditions)


def _declared_as(mimes: Sequence[str]) -> pc.Expression:
    """Return the condition that a capture is declared as one of some media types; revisits have none of their own."""
    declared = pc.field("content_mime_type")
    patterns = (f"^{'.*'.join(map(re.escape, mime.split('*')))}$" for mime in mimes)
    fits = _any_of(pc.match_substring_regex(declared, pattern) for pattern in patterns)
    if UNDECLARED in mimes:
        fits |= declared.is_null()
    return fits | pc.field("reason").isin(list(_REVISITS))


def _begin_with(key: pc.Expression, starts: Sequence[str]) -> pc.Expression:
    return _any_of(pc.starts_with(key, start) for start in starts)


def _host_prefixes(host: str) -> tuple[str, ...]:
    """Return the beginnings of the sort keys of a host, or of `*.NAME`."""
    name = surt(f"http://{host.removeprefix('*.')}/").partition(")")[0]
    below = (f"{name},",) if host.startswith("*.") else ()
    return (f"{name})", f"{name}:", *below)


def _with_prefix(key: pc.Expression, prefix: str) -> pc.Expression:
    """Return the condition that a sort key begins with that of a prefix; of a folder it takes none beside it."""
    start = surt(prefix)
    if prefix.endswith("/") and not start.endswith("/"):
        return (key == start) | _begin_with(key, (f"{start}/", f"{start}?"))
    return pc.starts_with(key, start)
