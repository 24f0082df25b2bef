"""Reading of the index what resolving revisits needs: little of few rows, and no sketches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from dbce.model import Reason
from dbce.output.index.read import rows_of_sites, unit_rows
from dbce.output.index.rows import PLACE, original_in, place_in, revisit_in
from dbce.output.index.schema import REVISIT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from dbce.boilerplate import Original, Place, Revisit
    from dbce.model import Config
    from dbce.output.index.rows import Row
    from dbce.storage import Folder

_ORIGINAL = ("record_id", "surt", "timestamp", "digest", "is_html", "status")
_REVISIT = (*PLACE, "record_id", "site", "surt", "timestamp", "digest", "is_html", *REVISIT.names)


def is_revisit(batch: pa.RecordBatch) -> pa.Array:
    """Mark the rows of revisits."""
    return pc.fill_null(
        pc.equal(batch["reason"], pa.scalar(Reason.REVISIT.value)), fill_value=False
    )


def is_original(batch: pa.RecordBatch) -> pa.Array:
    """Mark the rows that a revisit may repeat: those with an id and a date that are no revisits."""
    known = pc.and_(pc.not_equal(batch["record_id"], ""), pc.is_valid(batch["timestamp"]))
    return pc.and_not(known, is_revisit(batch))


def unit_revisits(index: Folder, name: str, config: Config) -> Iterator[tuple[Place, Revisit]]:
    """The revisits in one archive file, each with its place."""
    return map(_revisit, unit_rows(index, name, config, _REVISIT, is_revisit))


def known_revisits(
    indexes: Iterable[Folder], sites: Collection[str], config: Config
) -> Iterator[tuple[Place, Revisit]]:
    """The revisits that some indexes have of some sites, each with its place; of all where sites may mix."""
    for index in indexes:
        yield from map(_revisit, rows_of_sites(index, sites, config, _REVISIT, is_revisit))


def _revisit(row: Row) -> tuple[Place, Revisit]:
    return place_in(row), revisit_in(row)


def known_originals(index: Folder, sites: Collection[str], config: Config) -> Iterator[Original]:
    """Yield an index's captures of some sites that revisits may repeat; of all if sites may mix."""
    return map(original_in, rows_of_sites(index, sites, config, _ORIGINAL, is_original))


def originals(
    known: Iterable[Folder],
    sites: Collection[str],
    index: Folder,
    units: Iterable[str],
    config: Config,
) -> Iterator[Original]:
    """Yield captures that revisits may repeat: the known of some sites, and all of some units."""
    for earlier in known:
        yield from known_originals(earlier, sites, config)
    for unit in units:
        yield from map(original_in, unit_rows(index, unit, config, _ORIGINAL, is_original))
