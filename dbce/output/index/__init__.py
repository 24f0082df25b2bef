"""The index: what stage 1 keeps of every capture, written once, read by all later comparisons.

A folder of Parquet files, one for each archive file that was read, or few that hold what many such
folders held (dbce.output.index.write). Stage 2 reads nothing else.
"""

from dbce.output.index.kept_pages import keep_pages, kept_file, read_kept_pages
from dbce.output.index.rows import (
    CAPTURE,
    IDENTITY,
    ORIGINALS,
    PLACE,
    REVISITS,
    SKETCHES,
    capture_row,
    captures_of_sites,
    captures_of_unit,
    check_recipe,
    counts,
    dropped_of,
    dropped_row,
    has_unit,
    originals,
    place_in,
    repeated_of,
    rows_of_sites,
    sketch_of,
    unit_rows,
    unit_size,
)
from dbce.output.index.write import (
    Compaction,
    ids_of_their_own,
    make_compact,
    new_ids,
    rename,
    write_groups,
    write_unit,
)
