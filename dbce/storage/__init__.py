"""A folder of tables on any store: files that appear whole or not at all; a name is imported when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.model import lazily

if TYPE_CHECKING:
    from dbce.storage.fixity import (
        FIXITY,
        Damage,
        Fixity,
        SealedFolder,
        archive_root,
        check_file,
        check_names,
        damages,
        file_digest,
        fixity_of,
        seal,
    )
    from dbce.storage.folder import Digest, Folder
    from dbce.storage.jsonl import json_objects
    from dbce.storage.opened import (
        AHEAD,
        NEAR,
        Stored,
        buffered,
        fail,
        filesystem_of,
        open_stored,
        speaks_http,
        special,
    )
    from dbce.storage.parquet import Parquet, open_parquet, read_where, table_names, table_path
    from dbce.storage.run_lock import LOCK, TAKING, locked
    from dbce.storage.shelf import Shelf, Shelved
    from dbce.storage.table import ROWS_AT_ONCE, Table
    from dbce.storage.temporary import sweep_temporary, temporary_folder
    from dbce.storage.units import (
        BEGUN,
        WORK,
        accounts,
        files_of,
        has_begun,
        index_lines,
        is_done,
        mark_done,
        move_all,
        outcome_rows,
        outcomes_of,
        read_note,
        stem,
        tidy,
        write_note,
    )
    from dbce.storage.without_pandas import spare_pandas

__all__ = [
    "AHEAD",
    "BEGUN",
    "FIXITY",
    "LOCK",
    "NEAR",
    "ROWS_AT_ONCE",
    "TAKING",
    "WORK",
    "Damage",
    "Digest",
    "Fixity",
    "Folder",
    "Parquet",
    "SealedFolder",
    "Shelf",
    "Shelved",
    "Stored",
    "Table",
    "accounts",
    "archive_root",
    "buffered",
    "check_file",
    "check_names",
    "damages",
    "fail",
    "file_digest",
    "files_of",
    "filesystem_of",
    "fixity_of",
    "has_begun",
    "index_lines",
    "is_done",
    "json_objects",
    "locked",
    "mark_done",
    "move_all",
    "open_parquet",
    "open_stored",
    "outcome_rows",
    "outcomes_of",
    "read_note",
    "read_where",
    "seal",
    "spare_pandas",
    "speaks_http",
    "special",
    "stem",
    "sweep_temporary",
    "table_names",
    "table_path",
    "temporary_folder",
    "tidy",
    "write_note",
]

__getattr__ = lazily(
    __name__,
    {
        "fixity": (
            "FIXITY",
            "Damage",
            "Fixity",
            "SealedFolder",
            "check_file",
            "check_names",
            "damages",
            "file_digest",
            "fixity_of",
            "seal",
            "archive_root",
        ),
        "folder": ("Digest", "Folder"),
        "jsonl": ("json_objects",),
        "opened": (
            "AHEAD",
            "NEAR",
            "Stored",
            "buffered",
            "fail",
            "filesystem_of",
            "open_stored",
            "speaks_http",
            "special",
        ),
        "parquet": ("Parquet", "open_parquet", "read_where", "table_names", "table_path"),
        "run_lock": ("LOCK", "TAKING", "locked"),
        "shelf": ("Shelf", "Shelved"),
        "table": ("ROWS_AT_ONCE", "Table"),
        "temporary": ("sweep_temporary", "temporary_folder"),
        "units": (
            "BEGUN",
            "WORK",
            "accounts",
            "files_of",
            "has_begun",
            "index_lines",
            "is_done",
            "mark_done",
            "move_all",
            "outcome_rows",
            "outcomes_of",
            "read_note",
            "stem",
            "tidy",
            "write_note",
        ),
        "without_pandas": ("spare_pandas",),
    },
)
