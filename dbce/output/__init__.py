"""The folder that a run leaves: tables, annotated WARC files, the run's account."""

from dbce.output.archive_parts import (
    COMPACTED,
    NIGHTS,
    RUN,
    compact_in,
    complete_nights,
    index_names,
    indexes,
    listed_nights,
    seal_archive,
)
from dbce.output.archives import package
from dbce.output.crawler_texts import TextsOfRun, storing_texts
from dbce.output.extracts import extracts, has_text
from dbce.output.listing import list_captures, list_sites, list_urls
from dbce.output.manifest import Done, finish, recounted
from dbce.output.metrics import NAME as METRICS
from dbce.output.metrics import as_prometheus
from dbce.output.nights import (
    REVISED,
    Manifest,
    NightsFolder,
    digest_of,
    home_of,
    is_readable,
    open_run,
    open_whole,
    part_of,
)
from dbce.output.path_diagnosis import no_run
from dbce.output.quality import (
    CaptureQuality,
    MonthQuality,
    capture_qualities,
    month_qualities,
)
from dbce.output.quarantine import ASIDE, SetAside, at_work, count_tries, forget_tries, set_aside
from dbce.output.read import (
    annotated_page,
    annotated_pages,
    config_of,
    find_pages,
    find_snapshots,
    node_rows,
    node_rows_at,
    rows_of,
    table_at,
)
from dbce.output.rows import Row, check_page_row, node_rows_of, page_row, reject_row
from dbce.output.runs import fits, text_runs
from dbce.output.same_text import SameText, same_texts
from dbce.output.schemas import JUDGED, NEIGHBOURS, NODES, PAGES, REJECTS, TIME
from dbce.output.selected import KINDS, STATUSES, RowSelection
from dbce.output.sibling_tables import rows_with, tables_beside
from dbce.output.summary import summary
from dbce.output.unit_writer import (
    ANNOTATIONS,
    INDEX,
    OUTPUTS,
    is_compared,
    kept_digest,
    mark_compared,
    mark_read,
    sketch_notes,
    write_unit,
)
from dbce.output.url_lookup import no_such_url, snapshots_of
from dbce.output.whole_tables import TableFiles, WholeTable, shown_rows, tables_of

__all__ = [
    "ANNOTATIONS",
    "ASIDE",
    "COMPACTED",
    "INDEX",
    "JUDGED",
    "KINDS",
    "METRICS",
    "NEIGHBOURS",
    "NIGHTS",
    "NODES",
    "OUTPUTS",
    "PAGES",
    "REJECTS",
    "REVISED",
    "RUN",
    "STATUSES",
    "TIME",
    "CaptureQuality",
    "Done",
    "Manifest",
    "MonthQuality",
    "NightsFolder",
    "Row",
    "RowSelection",
    "SameText",
    "SetAside",
    "TableFiles",
    "TextsOfRun",
    "WholeTable",
    "annotated_page",
    "annotated_pages",
    "as_prometheus",
    "at_work",
    "capture_qualities",
    "check_page_row",
    "compact_in",
    "complete_nights",
    "config_of",
    "count_tries",
    "digest_of",
    "extracts",
    "find_pages",
    "find_snapshots",
    "finish",
    "fits",
    "forget_tries",
    "has_text",
    "home_of",
    "index_names",
    "indexes",
    "is_compared",
    "is_readable",
    "kept_digest",
    "list_captures",
    "list_sites",
    "list_urls",
    "listed_nights",
    "mark_compared",
    "mark_read",
    "month_qualities",
    "no_run",
    "no_such_url",
    "node_rows",
    "node_rows_at",
    "node_rows_of",
    "open_run",
    "open_whole",
    "package",
    "page_row",
    "part_of",
    "recounted",
    "reject_row",
    "rows_of",
    "rows_with",
    "same_texts",
    "seal_archive",
    "set_aside",
    "shown_rows",
    "sketch_notes",
    "snapshots_of",
    "storing_texts",
    "summary",
    "table_at",
    "tables_beside",
    "tables_of",
    "text_runs",
    "write_unit",
]
