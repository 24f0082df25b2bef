"""The folder that a run leaves: tables, annotated WARC files, the run's account."""

from dbce.output.begun import BEGUN, begin, begun, has_begun, is_free, is_to_write, locked, resumed
from dbce.output.extracts import extracts
from dbce.output.manifest import Done, Manifest, finish
from dbce.output.metrics import NAME
from dbce.output.quarantine import ASIDE, TRIES, at_work, count_tries, forget_tries, set_aside
from dbce.output.read import (
    STAMP,
    annotated_page,
    config_of,
    find_pages,
    find_snapshots,
    node_rows,
    node_rows_at,
    open_run,
    rows_of,
    table_at,
)
from dbce.output.rows import Row, reject_row
from dbce.output.schemas import JUDGED, NEIGHBOURS, NODES, PAGES, REJECTS, TIME
from dbce.output.sibling_tables import rows_with, tables_beside
from dbce.output.summary import summary
from dbce.output.unit_writer import (
    ANNOTATIONS,
    INDEX,
    OUTPUTS,
    WORK,
    is_compared,
    is_done,
    stem,
    write_unit,
)
from dbce.storage import Folder, Parquet, Table, open_parquet

__all__ = [
    "ANNOTATIONS",
    "ASIDE",
    "BEGUN",
    "INDEX",
    "JUDGED",
    "NAME",
    "NEIGHBOURS",
    "NODES",
    "OUTPUTS",
    "PAGES",
    "REJECTS",
    "STAMP",
    "TIME",
    "TRIES",
    "WORK",
    "Done",
    "Folder",
    "Manifest",
    "Parquet",
    "Row",
    "Table",
    "annotated_page",
    "at_work",
    "begin",
    "begun",
    "config_of",
    "count_tries",
    "extracts",
    "find_pages",
    "find_snapshots",
    "finish",
    "forget_tries",
    "has_begun",
    "is_compared",
    "is_done",
    "is_free",
    "is_to_write",
    "locked",
    "node_rows",
    "node_rows_at",
    "open_parquet",
    "open_run",
    "reject_row",
    "resumed",
    "rows_of",
    "rows_with",
    "set_aside",
    "stem",
    "summary",
    "table_at",
    "tables_beside",
    "write_unit",
]
