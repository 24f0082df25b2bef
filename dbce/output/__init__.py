"""The folder that a run leaves: tables, annotated WARC files, the run's account."""

from dbce.output.crawler_texts import TextsOfRun, storing_texts
from dbce.output.manifest import RunTotals, as_prometheus, count_outcomes, finish, recount, summary
from dbce.output.nights import (
    COMPACTED,
    INDEX,
    METRICS,
    NIGHTS,
    REVISED,
    Manifest,
    NightsFolder,
    compact_in,
    complete_nights,
    digest_of,
    home_of,
    index_names,
    indexes,
    is_readable,
    listed_nights,
    no_run,
    open_run,
    open_whole,
    part_of,
    seal_archive,
)
from dbce.output.quality import (
    CaptureQuality,
    SameText,
    capture_qualities,
    month_qualities,
    same_texts,
)
from dbce.output.read import (
    annotated_page,
    annotated_pages,
    config_of,
    extracts,
    find_pages,
    find_snapshots,
    has_text,
    no_such_url,
    node_rows,
    rows_of,
    snapshots_of,
    table_at,
)
from dbce.output.row_selection import KINDS, STATUSES, RowSelection
from dbce.output.rows import (
    JUDGED,
    NEIGHBOURS,
    NODES,
    PAGES,
    REJECTS,
    TIME,
    Row,
    columns,
    fits,
    node_rows_of,
    page_row,
    reject_row,
    strings,
    text_runs,
)
from dbce.output.unit_writer import (
    ANNOTATIONS,
    COMPARED,
    OUTPUTS,
    kept_digest,
    mark_read,
    package,
    sketch_notes,
    write_unit,
)
from dbce.output.whole_tables import (
    WholeTable,
    list_captures,
    list_sites,
    list_urls,
    run_table,
    shown_rows,
)
