"""A folder of tables on any store: files that appear whole or not at all; what needs Arrow is imported when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.model import lazily
from dbce.storage.fixity import (
    AGAIN,
    FIXITY,
    Damage,
    Fixity,
    SealedFolder,
    archive_root,
    damages,
    file_digest,
    fixity_of,
    is_of_others,
    seal,
)
from dbce.storage.folder import (
    AHEAD,
    NEAR,
    Digest,
    Folder,
    RawFile,
    buffered_reader,
    fail,
    filesystem_of,
    open_stored,
    speaks_http,
    special,
)
from dbce.storage.named_files import check_writable, json_objects, read_json_objects, write_file
from dbce.storage.temporary import Shelf, ShelfItems, sweep_temporary, temporary_folder
from dbce.storage.units import (
    BEGUN,
    LOCK,
    TAKING,
    WORK,
    accounts,
    files_of,
    folder_lock,
    has_begun,
    index_lines,
    is_done,
    mark_done,
    move_all,
    outcomes_of,
    read_note,
    stem,
    tidy,
    warn_once,
    write_note,
)

if TYPE_CHECKING:
    from dbce.storage.parquet import (
        ROWS_AT_ONCE,
        Parquet,
        Table,
        create_table,
        open_parquet,
        read_table,
        spare_pandas,
    )

__getattr__ = lazily(__name__)
