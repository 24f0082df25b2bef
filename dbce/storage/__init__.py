"""A folder of tables on any store: files that appear whole or not at all; what needs Arrow is imported when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.model import lazily
from dbce.storage.fixity import (
    FIXITY,
    Damage,
    Fixity,
    SealedFolder,
    archive_root,
    damages,
    file_digest,
    fixity_of,
    seal,
)
from dbce.storage.folder import (
    AHEAD,
    NEAR,
    Digest,
    Folder,
    StoredFile,
    buffered_reader,
    check_writable,
    fail,
    filesystem_of,
    json_objects,
    open_stored,
    read_json_objects,
    speaks_http,
    special,
    write_file,
)
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
    write_note,
)

if TYPE_CHECKING:
    from dbce.storage.parquet import (
        ROWS_AT_ONCE,
        Parquet,
        Table,
        open_parquet,
        spare_pandas,
    )


__getattr__ = lazily(__name__)
