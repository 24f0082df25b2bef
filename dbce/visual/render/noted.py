"""Places of the records of all files, noted between the stages of a job."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from dbce.storage import WORK, Folder, open_parquet, stem
from dbce.visual.render.places import Places, places_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from dbce.archive import Source


def to_note(folder: Folder, source: Source) -> bool:
    """Return whether the places of a file's records are still to be noted."""
    return not folder.exists(_noted(source.unit))


def find_places(folder: Folder, source: Source) -> None:
    """Note where the records of a file are."""
    with folder.create(_noted(source.unit)) as stream:
        pq.write_table(places_of(source), stream, compression="zstd")


def known_places(folder: Folder) -> Places:
    """All that was noted."""
    return Places(_tables(folder))


def _noted(unit: str) -> str:
    return f"{WORK}/places/{stem(unit)}.parquet"


def _tables(folder: Folder) -> Iterator[pa.Table]:
    for name in folder.names(f"{WORK}/places/*.parquet"):
        with open_parquet(folder, name) as table:
            yield table.read()
