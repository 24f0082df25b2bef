"""A choice among the captures of a finished run, by what its tables say of each."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from dbce.archive import Selection, parse_date, rank, surt
from dbce.model import Reason, Status, UsageError
from dbce.quality import PageKind
from dbce.storage import open_parquet

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dbce.storage import Folder

_PAGES = {
    name: name for name in ("record_id", "url", "url_surtkey", "fetch_time", "status", "reason")
}

_KIND = {"kind": "kind"}

_COLUMNS = {
    "pages": _PAGES,
    "nodes": _PAGES,
    "rejects": _PAGES,
    "index": _PAGES | {"url_surtkey": "surt", "fetch_time": "timestamp"},
}
"""Values that are asked of captures, each by its column in the table that says it: of nodes and rejects that is `pages`."""

STATUSES = (*(status.value for status in Status), *(reason.value for reason in Reason))
"""Values of `statuses`: what became of a capture, or the reason."""

KINDS = tuple(kind.value for kind in PageKind)
"""Values of `kinds`."""


@dataclass(frozen=True, slots=True)
class RowSelection:
    """A choice among the captures of a run; the default takes all.

    `among` is what can be asked of captures before they are read, too; it has no media types, which a run does not
    keep. `urls` are sort keys, `statuses` some of STATUSES, `kinds` kinds of pages. `cutoff` is that of `among`'s sample, None before it is drawn.
    """

    among: Selection = Selection()  # noqa: RUF009 - a value
    urls: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    cutoff: int | None = None

    @property
    def takes_all(self) -> bool:
        """Return whether there is nothing to choose."""
        return self == RowSelection()

    def options(self) -> dict[str, Any]:
        """Return the options that make this selection, as values that JSON knows; empty where all is taken."""
        own = {
            "urls": list(self.urls),
            "statuses": list(self.statuses),
            "kinds": list(self.kinds),
        }
        return self.among.options() | {name: values for name, values in own.items() if values}

    def ids(self, folder: Folder, name: str) -> pa.Array:
        """Return the record ids that are selected of a file of a table."""
        kind, _, rest = name.partition("/")
        stored = name if kind == "index" else f"pages/{rest}"
        if not folder.exists(stored):
            return pa.array([], pa.string())
        columns = self._columns(kind)
        rows = _read(folder, stored, columns).filter(self._condition(columns))
        if self.cutoff is not None:
            rows = rows.filter(pa.array([r <= self.cutoff for r, _ in _ranked(rows, columns)]))
        return rows["record_id"].combine_chunks()

    def drawn(self, folder: Folder) -> RowSelection:
        """Return the selection with its sample drawn from a run.

        Raises:
            UsageError: it leaves nothing of the run.
        """
        names = folder.names("pages/*.parquet")
        if self.among.sample is None:
            if not any(len(self.ids(folder, name)) for name in names):
                raise UsageError(f"no capture of {folder.uri} matches the selection")
            return self
        ranks = {r for name in names for r in self._ranks(folder, name)}
        least = heapq.nsmallest(self.among.sample, ranks)
        if not least:
            raise UsageError(f"no capture of {folder.uri} matches the selection")
        return replace(self, cutoff=least[-1])

    def _ranks(self, folder: Folder, name: str) -> Iterator[int]:
        columns = self._columns("pages")
        rows = _read(folder, name, columns).filter(self._condition(columns))
        return (r for r, _ in _ranked(rows, columns))

    def _columns(self, table: str) -> dict[str, str]:
        return _COLUMNS[table] | (_KIND if self.kinds else {})

    def _condition(self, columns: Mapping[str, str]) -> pc.Expression:
        """Return the condition on the columns of a capture, but for the sample."""
        key = pc.field(columns["url_surtkey"])
        time = pc.field(columns["fetch_time"])
        all_of = [pc.field("record_id").is_valid()]
        if self.urls:
            all_of.append(key.isin(list(self.urls)))
        if self.among.hosts:
            all_of.append(_any(_begin_with(key, _of_host(host)) for host in self.among.hosts))
        if self.among.url_prefixes:
            all_of.append(_any(_with_prefix(key, prefix) for prefix in self.among.url_prefixes))
        if self.among.since:
            all_of.append(time >= pa.scalar(parse_date(self.among.since), TIME))
        if self.among.until:
            # The second that is named belongs to it.
            all_of.append(
                pc.floor_temporal(time, unit="second")
                <= pa.scalar(parse_date(self.among.until), TIME)
            )
        if Reason.DUPLICATE_RECORD not in self.statuses:  # it has the id of another, which counts
            reason = pc.field("reason")
            all_of.append(reason.is_null() | (reason != Reason.DUPLICATE_RECORD))
        if self.statuses:
            chosen = list(self.statuses)
            all_of.append(pc.field("status").isin(chosen) | pc.field("reason").isin(chosen))
        if self.kinds:
            all_of.append(pc.field("kind").isin(list(self.kinds)))
        condition = all_of[0]
        for another in all_of[1:]:
            condition &= another
        return condition


TIME = pa.timestamp("us", tz="UTC")


def _read(folder: Folder, name: str, columns: Mapping[str, str]) -> pa.Table:
    with open_parquet(folder, name) as table:
        if "kind" in columns and "kind" not in table.schema_arrow.names:
            raise UsageError(f"{folder.uri} is of a dbce that told no kinds; make the run anew")
        return table.read(sorted(columns.values()))


def _ranked(rows: pa.Table, columns: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """Yield the number by which samples are drawn, and the record id, of each row."""
    for row in rows.to_pylist():
        time = row[columns["fetch_time"]]
        yield rank(row["url"] or "", f"{time:%Y%m%d%H%M%S}" if time else ""), row["record_id"]


def _any(conditions: Iterator[pc.Expression]) -> pc.Expression:
    condition = next(conditions)
    for another in conditions:
        condition |= another
    return condition


def _begin_with(key: pc.Expression, starts: Sequence[str]) -> pc.Expression:
    return _any(pc.starts_with(key, start) for start in starts)


def _of_host(host: str) -> tuple[str, ...]:
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
