"""Tables of a run as they lie on disk, asked with SQL; nothing is copied, and only this run's folder is read."""

import os
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from threading import Lock

import duckdb

from dbce.model import Reason, UsageError
from dbce.output import INDEX, JUDGED, NightsFolder, Row, part_of
from dbce.storage import Folder

CHANGES = "changes"  # the table that `dbce changes` writes into the folder of a run

JUDGED_ONLY = "status IN ({})".format(", ".join(f"'{status}'" for status in JUDGED))
"""Condition: the capture has verdicts."""

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
        if (
            every
            or not isinstance(folder, NightsFolder)
            or folder.shown_condition(names[0]) is None
        ):
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
    protocols = folder.fs.protocol
    if "file" not in ((protocols,) if isinstance(protocols, str) else protocols):
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
