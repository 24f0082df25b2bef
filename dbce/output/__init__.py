"""The folder that a run leaves: tables, annotated WARC files, the run's account."""

from dbce.output.extracts import extracts
from dbce.output.manifest import Done, Manifest, finish
from dbce.output.metrics import NAME as METRICS
from dbce.output.quarantine import ASIDE, SetAside, at_work, count_tries, forget_tries, set_aside
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
    is_compared,
    write_unit,
)

__all__ = [
    "ANNOTATIONS",
    "ASIDE",
    "INDEX",
    "JUDGED",
    "METRICS",
    "NEIGHBOURS",
    "NODES",
    "OUTPUTS",
    "PAGES",
    "REJECTS",
    "STAMP",
    "TIME",
    "Done",
    "Manifest",
    "Row",
    "SetAside",
    "annotated_page",
    "at_work",
    "config_of",
    "count_tries",
    "extracts",
    "find_pages",
    "find_snapshots",
    "finish",
    "forget_tries",
    "is_compared",
    "node_rows",
    "node_rows_at",
    "open_run",
    "reject_row",
    "rows_of",
    "rows_with",
    "set_aside",
    "summary",
    "table_at",
    "tables_beside",
    "write_unit",
]
