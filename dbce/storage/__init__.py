"""A folder of tables on any store: files that appear whole or not at all."""

from dbce.storage.folder import Folder
from dbce.storage.jsonl import json_objects
from dbce.storage.opened import (
    AHEAD,
    NEAR,
    Stored,
    fail,
    filesystem_of,
    open_stored,
    speaks_http,
    special,
)
from dbce.storage.parquet import Parquet, open_parquet, read_where
from dbce.storage.table import Table

__all__ = [
    "AHEAD",
    "NEAR",
    "Folder",
    "Parquet",
    "Stored",
    "Table",
    "fail",
    "filesystem_of",
    "json_objects",
    "open_parquet",
    "open_stored",
    "read_where",
    "speaks_http",
    "special",
]
