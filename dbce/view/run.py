"""A finished run that is looked at: its folder, its account, and its tables.

The tables are asked with SQL as they lie on disk; nothing is copied, and only this run's folder is read.
"""

import os
import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from threading import Lock

import duckdb

from dbce import output
from dbce.archive import STANDARD_INPUT, file_of, is_below, normal, parse_date, surt
from dbce.model import NO_TIME, ROLES, Config, NotInRun, Reason, UsageError, unescape_bytes
from dbce.output import INDEX, JUDGED, NightsFolder, Row, part_of
from dbce.storage import Folder

CHANGES = "changes"  # the table that `dbce changes` writes into the folder of a run

JUDGED_ONLY = "status IN ({})".format(", ".join(f"'{status}'" for status in JUDGED))
"""Condition: the capture has verdicts."""

SUMMARY = (
    "record_id, url, url_host_name, site, fetch_time, status, reason, title, confidence, cross_bits, "
    "runs_content, runs_boilerplate, runs_invalid, words, words_content, words_content / nullif(words, 0) AS content"
)
"""What a list tells of a capture."""

_AGAIN = "again"  # the table of captures that a later night has judged again
_ONCE = f"reason IS DISTINCT FROM '{Reason.DUPLICATE_RECORD}'"
_VIEWS = {
    # `number` is the row's place in its file, `file` which that is.
    "pages": f"SELECT * EXCLUDE (filename), filename AS file FROM {{}} WHERE {_ONCE}",  # noqa: S608 - our own names
    "rejects": "SELECT * FROM {}",
    "nodes": "SELECT * EXCLUDE (filename), filename AS file FROM {}",
    # What lies in the files of `pages`, row by row, also what a later night has judged again.
    "stored": "SELECT filename AS file, file_row_number, status, runs_content, runs_boilerplate, "
    "runs_invalid FROM {}",
    CHANGES: "SELECT * FROM {}",
    INDEX: 'SELECT record_id, url, surt, timestamp, name, "offset", digest, reason, detail FROM {}',
}


class Tables:
    """Tables `pages`, `nodes`, `rejects`, `index` and `changes` of a run in a local folder, else UsageError."""

    def __init__(self, folder: Folder) -> None:
        root = local_path(folder)
        self._connection = duckdb.connect(":memory:")
        self._keeping = Lock()
        for name, select in _VIEWS.items():
            names = folder.names(f"{'pages' if name == 'stored' else name}/*.parquet")
            check_inside(root, map(folder.full_path, names))
            for each in names:
                folder.check(each)
            if names:
                source = self._source(folder, names, every=name == "stored")
                self._connection.execute(f'CREATE VIEW "{name}" AS {select.format(source)}')
        self.has_changes = bool(folder.names(f"{CHANGES}/*.parquet"))
        self.has_index = bool(folder.names(f"{INDEX}/*.parquet"))
        for setting in (
            "TimeZone = 'UTC'",
            f"allowed_directories = {_literal([f'{root}/'])}",
            "enable_external_access = false",
            "lock_configuration = true",
        ):
            self._connection.execute(f"SET {setting}")

    def _source(self, folder: Folder, names: Sequence[str], *, every: bool) -> str:
        """SQL for the rows of files: all, or those that count."""
        source = _read(folder, names)
        if every or not isinstance(folder, NightsFolder):
            return source
        if folder.shown_condition(names[0]) is None:
            return source
        self._connection.register("judged_again", folder.revised_captures)
        self._connection.execute(f"CREATE TABLE IF NOT EXISTS {_AGAIN} AS FROM judged_again")
        self._connection.unregister("judged_again")
        again = [name for name in names if part_of(name) in folder.revised_parts]
        first = [name for name in names if name not in set(again)]
        selects = (
            [f"SELECT * FROM {_read(folder, first)} t ANTI JOIN {_AGAIN} USING (record_id)"]  # noqa: S608 - our own names
            if first
            else []
        )
        if not names[0].startswith("rejects/"):  # what could not be judged again keeps its verdicts
            selects += [
                f"SELECT * FROM {_read(folder, list(of_part))} t SEMI JOIN "  # noqa: S608 - our own names
                f"(FROM {_AGAIN} WHERE part = '{part}') USING (record_id)"
                for part, of_part in groupby(again, part_of)
            ]
        return f"({' UNION ALL BY NAME '.join(selects)})"

    def rows(self, sql: str, values: Sequence[object] | dict[str, object] = ()) -> list[Row]:
        """Return the rows of a query; any number of threads may call this at a time."""
        with self._connection.cursor() as cursor:
            cursor.execute(sql, values)
            names = [column[0] for column in cursor.description or ()]
            return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def row(self, sql: str, values: Sequence[object] | dict[str, object] = ()) -> Row | None:
        return next(iter(self.rows(sql, values)), None)

    def keep(self, name: str, select: str) -> None:
        """Works a table out once and keeps it in memory under a name."""
        # Whoever asks meanwhile waits instead of doing it again.
        with self._keeping, self._connection.cursor() as cursor:
            cursor.execute(f'CREATE TABLE IF NOT EXISTS "{name}" AS {select}')

    def close(self) -> None:
        self._connection.close()


def _read(folder: Folder, names: Sequence[str]) -> str:
    files = _literal(map(folder.full_path, names))
    return f"read_parquet({files}, filename=true, file_row_number=true)"


def local_path(folder: Folder) -> str:
    """Return the path of a folder, links resolved; UsageError if it is not on this machine."""
    if not folder.renames:
        raise UsageError(f"{folder.uri} is not on this machine; copy the run's folder here first")
    return str(os.path.realpath(folder.path))


def check_inside(root: str, files: Iterable[str]) -> None:
    """Makes sure that no link leads out of the run's folder, with a UsageError."""
    for file in files:
        real = Path(os.path.realpath(file))
        if not real.is_relative_to(root):
            raise UsageError(f"{file} is a link that leads out of the run's folder; remove it")


def _literal(paths: Iterable[str]) -> str:
    return "[{}]".format(", ".join("'{}'".format(path.replace("'", "''")) for path in paths))


_BEFORE = f"""
    SELECT coalesce(sum(runs_content + runs_boilerplate + runs_invalid), 0)::BIGINT AS n
    FROM stored WHERE file = ? AND file_row_number < ? AND {JUDGED_ONLY}
"""  # noqa: S608 - our own words


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run, or all nights of a nightly archive as one."""

    folder: Folder
    manifest: output.Manifest
    tables: Tables
    places: Mapping[str, str]  # of input files that may be opened, by name
    elsewhere: tuple[str, ...]  # folders of others

    @property
    def config(self) -> Config:
        return output.config_of(self.manifest)

    def page(self, record_id: str) -> output.Row:
        """Return the row of `pages` of a capture; NotInRun if there is none."""
        row = self.tables.row("SELECT * FROM pages WHERE record_id = ?", [record_id])
        if row is None:
            raise NotInRun(f"this run has no capture {record_id}")
        return row

    def nearest(self, url: str, at: str) -> output.Row:
        """Return the row of the capture of a URL that is nearest to a time, else the latest; NotInRun if there is none."""
        row = self.tables.row(
            "SELECT * FROM pages WHERE url_surtkey = ? ORDER BY abs(epoch(fetch_time) - ?) NULLS LAST, fetch_time, record_id",
            [surt(url), (parse_date(at) or NO_TIME).timestamp()],
        )
        if row is None:
            raise NotInRun(f"this run has no capture of {url}")
        return row

    def runs(self, page: output.Row) -> list[output.Row]:
        """Return the text runs of a capture, in document order; none of one without verdicts."""
        if page["status"] not in output.JUDGED:
            return []
        # Both tables of a file are in one order, so what stands before the capture says where its
        # rows begin.
        before = self.tables.row(_BEFORE, [page["file"], page["file_row_number"]])
        count = sum(page[f"runs_{label}"] for label in ("content", "boilerplate", "invalid"))
        name = self.folder.name_of(page["file"]).removeprefix("pages/")
        table = output.table_at(self.folder, f"nodes/{name}", (before or {})["n"], count)
        rows: list[output.Row] = table.to_pylist()
        if len(rows) == count and all(row["record_id"] == page["record_id"] for row in rows):
            return rows
        # A folder that was put together by hand.
        return output.node_rows(self.folder, page["record_id"])

    def members(self, page: output.Row) -> dict[str, output.Row]:
        """Return the captures of a page's cross by role, without its own, what a list tells of each."""
        wanted = {role: page[role] for role in ROLES[1:] if page[role]}
        by_id = self._summaries(wanted.values())
        return {role: by_id[record_id] for role, record_id in wanted.items() if record_id in by_id}

    def _summaries(self, record_ids: Iterable[str]) -> dict[str, output.Row]:
        rows = self.tables.rows(
            f"SELECT {SUMMARY} FROM pages WHERE list_contains(?, record_id)",  # noqa: S608 - bound
            [list(record_ids)],
        )
        return {row["record_id"]: row for row in rows}

    def variant(self, page: output.Row) -> output.Row | None:
        """Return the capture of another URL that is the same document as a page, if the folder has it."""
        other = page["variant_of"]
        return self._summaries([other]).get(other) if other else None

    def snapshots(self, page: output.Row) -> list[output.Row]:
        return self.tables.rows(
            f"SELECT {SUMMARY}, content_digest, damage, damage_reason FROM pages WHERE url_surtkey = ? "  # noqa: S608 - bound
            "AND fetch_time IS NOT NULL ORDER BY fetch_time, record_id",
            [page["url_surtkey"]],
        )

    def details(self, page: output.Row) -> dict[str, str]:
        """Return why captures of the page's URL have no verdicts, by record id, as the index has it."""
        if not self.tables.has_index:
            return {}
        rows = self.tables.rows(
            f'SELECT record_id, detail FROM "{output.INDEX}" WHERE surt = ?',  # noqa: S608 - our own name
            [page["url_surtkey"]],
        )
        return {row["record_id"]: row["detail"] for row in rows}

    def changes(self, page: output.Row) -> dict[str, output.Row]:
        """Return the `dbce changes` rows of the page's URL, by record id; {} without a table."""
        if not self.tables.has_changes:
            return {}
        of_url = "SELECT * FROM changes WHERE url_surtkey = ?"
        rows = self.tables.rows(of_url, [page["url_surtkey"]])
        return {row["record_id"]: row for row in rows}

    def annotated_html(self, page: output.Row) -> bytes:
        """Return the annotated HTML of a capture; NotInRun if it was not judged."""
        if page["status"] not in output.JUDGED:
            raise NotInRun(f"this capture has no verdicts: {page['status']} ({page['reason']})")
        return output.annotated_page(self.folder, page)


def open_view(uri: str, places: Mapping[str, str]) -> Run:
    """A run to look at; `places` come before those that its account names; UsageError without a finished run on this machine.

    Somebody else may have written the account: of what it names only what lies below the run's folder
    is opened, and what is among `places` too, under whichever name.
    """
    folder, manifest = output.open_whole(uri)
    manifest = output.recount(folder, manifest)
    noted = {
        name: unescape_bytes(place)
        for name, place in manifest.get("places", {}).items()
        if isinstance(place, str) and place != STANDARD_INPUT  # which nobody has any more
    }
    root, named = _real(folder.path), set(places.values())
    opened = {
        name: place
        for name, place in noted.items()
        if place in named or ("://" not in place and is_below(_real(file_of(place)), root))
    }
    elsewhere = {
        posixpath.dirname(place)
        for name, place in noted.items()
        if name not in {**opened, **places}
    }
    return Run(folder, manifest, Tables(folder), {**opened, **places}, tuple(sorted(elsewhere)))


def _real(path: str) -> str:
    return normal(os.path.realpath(path))
