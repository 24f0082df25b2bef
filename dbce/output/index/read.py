"""Reading the index, of one archive file or of all; and the little of it that resolving revisits needs."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from dbce.boilerplate import Original, Place, Revisit
from dbce.model import Config, Reason, Sketch, Status, UsageError
from dbce.output.index.rows import (
    CAPTURE,
    NUMBERS,
    PLACE,
    REVISIT,
    SKETCH,
    Recipe,
    original_in,
    place_in,
    revisit_in,
    sketch_of,
)
from dbce.output.rows import Row
from dbce.storage import Folder, Parquet, open_parquet, stem

Kept = Callable[[pa.RecordBatch], pa.Array]

ROWS = 256  # rows that are in memory at a time, some megabytes with their sketches

IDENTITY = [name for name in CAPTURE.names if name not in NUMBERS]
"""All that is known of a capture but its sketch."""


def has_unit(index: Folder, name: str) -> bool:
    return index.exists(f"{stem(name)}.parquet")


def unit_size(index: Folder, name: str) -> int:
    with open_parquet(index, f"{stem(name)}.parquet") as table:
        return int(table.metadata.num_rows)


def unit_rows(
    index: Folder,
    name: str,
    config: Config,
    columns: Sequence[str] = IDENTITY,
    kept: Kept | None = None,
) -> Iterator[Row]:
    """The rows of one archive file, in its order; all, or those that are kept.

    Raises:
        UsageError: its sketches were made by another recipe.
    """
    path = f"{stem(name)}.parquet"
    read = list(dict.fromkeys([*columns, *(KEPT_BY if kept else ())]))
    with open_parquet(index, path) as table:
        _check(index.full_path(path), table, config)
        for batch in table.iter_batches(ROWS, columns=read):
            yield from (batch.filter(kept(batch)) if kept else batch).to_pylist()


def _check(path: str, table: Parquet, config: Config) -> None:
    if differences := Recipe.from_config(config).differences(table.schema_arrow.metadata):
        raise UsageError(
            f"{path} cannot be compared: {differences}; use the settings that made it, or make the index "
            "anew: dbce run with --overwrite, dbce nightly with another --archive"
        )


def check_recipe(index: Folder, config: Config) -> None:
    """Raise UsageError unless the sketches of an index, which are all of one recipe, fit a configuration."""
    for path in index.names("*.parquet")[:1]:
        with open_parquet(index, path) as table:
            _check(index.full_path(path), table, config)


KEPT_BY = ("status", "reason", "record_id", "timestamp")
"""What tells which kind of capture a row is of."""


def has_sketch(batch: pa.RecordBatch) -> pa.Array:
    return pc.is_null(batch["status"])


def unit_sketches(index: Folder, name: str, config: Config) -> Iterator[tuple[Place, Sketch]]:
    columns = [*PLACE, *SKETCH.names]
    return map(_sketch, unit_rows(index, name, config, columns, has_sketch))


def known_sketches(
    indexes: Iterable[Folder], sites: Collection[str], config: Config
) -> Iterator[tuple[Place, Sketch]]:
    """The sketches that some indexes have of some sites, each with its place; of all where sites may mix.

    Raises:
        UsageError: they were made by another recipe.
    """
    columns = [*PLACE, *SKETCH.names]
    for index in indexes:
        yield from map(_sketch, rows_of_sites(index, sites, config, columns))


def _sketch(row: Row) -> tuple[Place, Sketch]:
    return place_in(row), sketch_of(row)


def rows_of_sites(
    index: Folder,
    sites: Collection[str],
    config: Config,
    columns: Sequence[str],
    kept: Kept = has_sketch,
) -> Iterator[Row]:
    """The rows that an index has of some sites, all where sites may mix; by default those with a sketch.

    Row groups that hold none of the sites, as their statistics tell, are not read.

    Raises:
        UsageError: their sketches were made by another recipe.
    """
    wanted = sorted(sites)
    read = [*dict.fromkeys((*columns, "site", *KEPT_BY))]
    for path in index.names("*.parquet"):
        with open_parquet(index, path) as table:
            _check(index.full_path(path), table, config)
            groups = _groups(table, None if config.across_sites else wanted)
            for batch in table.iter_batches(ROWS, row_groups=groups, columns=read):
                keep = kept(batch)
                if not config.across_sites:
                    of_sites = pc.is_in(batch["site"], pa.array(wanted, pa.string()))
                    keep = pc.and_(keep, of_sites)
                yield from batch.filter(keep).to_pylist()


def _groups(table: Parquet, sites: Sequence[str] | None) -> list[int]:
    """The row groups of a file that may hold one of the sites, given in order; None: of any site."""
    every = range(table.metadata.num_row_groups)
    if sites is None:
        return list(every)
    column = table.schema_arrow.names.index("site")
    found = []
    for group in every:
        said = table.metadata.row_group(group).column(column).statistics
        # A group that says nothing has nothing but captures that were dropped before their site
        # was asked for.
        if said is not None and said.has_min_max:
            first = bisect_left(sites, said.min)
            if first < len(sites) and sites[first] <= said.max:
                found.append(group)
    return found


def outcomes(index: Folder) -> Counter[str]:
    """Count the captures of an index with a sketch ("") and those dropped, by reason.

    Reasons are given with the status, as in "rejected/damaged".
    """
    found: Counter[str] = Counter()
    for path in index.names("*.parquet"):
        with open_parquet(index, path) as table:
            read = table.read(["status", "reason"])
        counted = read.group_by(["status", "reason"]).aggregate([([], "count_all")])
        for row in counted.to_pylist():
            outcome = f"{row['status']}/{row['reason']}" if row["status"] else ""
            found[outcome] += row["count_all"]
    return found


def rejects_by_file(index: Folder) -> Counter[str]:
    found: Counter[str] = Counter()
    for path in index.names("*.parquet"):
        with open_parquet(index, path) as table:
            read = table.read(["name", "status"])
        rejected = read.filter(pc.equal(read["status"], Status.REJECTED))
        found.update(rejected["name"].to_pylist())
    return found


# Reading of the index what resolving revisits needs: little of few rows, and no sketches.

_ORIGINAL = ("record_id", "surt", "timestamp", "digest", "is_html", "status")
_REVISIT = (*PLACE, "record_id", "site", "surt", "timestamp", "digest", "is_html", *REVISIT.names)


def is_revisit(batch: pa.RecordBatch) -> pa.Array:
    return pc.fill_null(
        pc.equal(batch["reason"], pa.scalar(Reason.REVISIT.value)), fill_value=False
    )


def is_original(batch: pa.RecordBatch) -> pa.Array:
    """Mark the rows that a revisit may repeat: those with an id and a date that are no revisits."""
    known = pc.and_(pc.not_equal(batch["record_id"], ""), pc.is_valid(batch["timestamp"]))
    return pc.and_not(known, is_revisit(batch))


def unit_revisits(index: Folder, name: str, config: Config) -> Iterator[tuple[Place, Revisit]]:
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
