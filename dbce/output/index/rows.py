"""Captures and sketches as rows of the index (docs/formats.md), the recipe of the sketches, and reading of both."""

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dbce import model
from dbce.archive import media_type, site
from dbce.boilerplate import Original, Place, Revisit, revisit_of, with_repeat
from dbce.model import Capture, Config, Origin, Reason, Reject, Repeat, Sketch, Stage, Status
from dbce.output.rows import TIME, Row, columns, strings
from dbce.storage import Folder, Parquet, open_parquet, read_table, stem

NUMBERS = ("signature", "words", "ends", "places")  # columns of uint32 numbers, little end first

SKETCH = pa.schema(
    [*strings("record_id", "site", "surt"), ("timestamp", TIME), *columns(pa.binary(), *NUMBERS)]
)
"""Columns that stage 2 compares."""

REVISIT = pa.schema(
    [*strings("refers_to", "refers_to_site", "refers_to_surt"), ("refers_to_time", TIME)]
)
"""Columns of a revisit on the capture that it repeats: record id, site and key of the URL, date."""

CAPTURE = pa.schema(
    [
        ("name", pa.string()),
        # `number` is the place in its source: in one gzip member all offsets are equal.
        *columns(pa.int64(), "number", "offset", "length"),
        *strings("url", "digest", "dated_by"),
        ("fetch_status", pa.int16()),
        ("content_mime_type", pa.string()),
        ("is_html", pa.bool_()),
        *strings("status", "reason", "stage", "detail"),  # status null: it has a sketch
        ("stored_text", pa.string()),  # of its JSON-LD, where it has no other
        *REVISIT,
        *SKETCH,
    ]
)
"""A capture after stage 1: what is known of it, and its sketch if it has one."""

# Recipe of the sketches of an index; sketches of two recipes cannot be compared.

FORMAT = 4  # changes whenever an index of an earlier one cannot be used
KEY = b"dbce"  # key of the recipe by which a file of the index was made


def recipe(config: Config) -> dict[bytes, bytes]:
    """The recipe by which sketches are made, as every file of an index carries it in its metadata."""
    names = ("signature", "num_perm", "seed", "site_by")
    values = {"format": FORMAT} | {name: getattr(config, name) for name in names}
    return {KEY: json.dumps(values).encode()}


def recipe_differences(config: Config, metadata: Mapping[bytes, bytes] | None) -> str:
    """Return the differences of a file's recipe, by its metadata, in words; "" if there are none."""
    try:
        stored = json.loads((metadata or {})[KEY])
    except (KeyError, ValueError):
        return "it is no file of an index"
    return ", ".join(
        f"its {name} is {stored.get(name)!r} and the run's is {value!r}"
        for name, value in json.loads(recipe(config)[KEY]).items()
        if stored.get(name) != value
    )


PLACE = ("name", "number")
"""The columns that say where a capture stands: its file, and its place in there."""


def capture_row(capture: Capture, sketch: Sketch) -> Row:
    return _identity(capture) | {
        "is_html": True,
        "site": sketch.site,
        **{name: getattr(sketch, name).tobytes() for name in NUMBERS},
    }


def dropped_row(dropped: Reject, site_by: str) -> Row:
    """The row of a capture that has none; `site_by` says what a site is (Config.site_by)."""
    revisit = revisit_of(dropped, site_by)  # columns are null where it does not say
    reference = {name: getattr(revisit, name) or None for name in REVISIT.names} if revisit else {}
    return (
        _identity(dropped)
        | reference
        | {
            "site": site(dropped.url, site_by) if dropped.url else None,
            "stored_text": dropped.stored.text if dropped.stored else None,
            **{name: getattr(dropped, name) for name in _OF_REJECT},
        }
    )


_OF_CAPTURE = ("record_id", "url", "surt", "timestamp", "digest", "dated_by")
_OF_REJECT = ("is_html", "status", "reason", "stage", "detail")


def _identity(capture: Capture | Reject) -> Row:
    return {
        "offset": capture.origin.offset,
        "length": capture.origin.length,
        **{name: getattr(capture, name) for name in _OF_CAPTURE},
        "fetch_status": capture.http_status,
        "content_mime_type": media_type(capture.content_type) or None,
    }


def dropped_of(row: Row, filename: str) -> Reject:
    """The value of a row without a sketch, of the archive file called `filename`."""
    text = row.get("stored_text")
    names = ("detail", "record_id", "url", "surt", "timestamp", "digest", "is_html")
    return Reject(
        status=Status(row["status"]),
        reason=Reason(row["reason"]),
        stage=Stage(row["stage"]),
        origin=Origin(filename, row["offset"], row["length"]),
        **{name: row[name] for name in names},
        dated_by=model.DateSource(row["dated_by"]) if row["dated_by"] else None,
        stored=model.StoredText(model.TextSource.JSON_LD, text) if text else None,
        content_type=row["content_mime_type"] or "",
        http_status=row["fetch_status"],
    )


def repeated_of(row: Row, filename: str, repeat: Repeat) -> Reject:
    """The value of a row of which stage 2 found out why it is not to be judged."""
    stage = {
        "status": Status.REJECTED if repeat.reason is Reason.FAULT else Status.SKIPPED,
        "reason": repeat.reason,
        "stage": Stage.COMPARE,
        "detail": "",
    }
    return with_repeat(dropped_of(row | stage, filename), repeat)


def place_in(row: Row) -> Place:
    return row["name"], row["number"]


def sketch_of(row: Row) -> Sketch:
    hashes = {name: np.frombuffer(row[name], np.uint32) for name in NUMBERS}
    return Sketch(**{name: row[name] for name in SKETCH.names} | hashes)


# Reading the index, of one archive file or of all.

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
    index: Folder, name: str, columns: Sequence[str] = IDENTITY, kept: Kept | None = None
) -> Iterator[Row]:
    """The rows of one archive file, in its order; all, or those that are kept."""
    read = list(dict.fromkeys([*columns, *(KEPT_BY if kept else ())]))
    with open_parquet(index, f"{stem(name)}.parquet") as table:
        for batch in table.iter_batches(ROWS, columns=read):
            yield from (batch.filter(kept(batch)) if kept else batch).to_pylist()


def check_recipe(index: Folder, config: Config) -> None:
    """Raise UsageError unless the sketches of an index, which are all of one recipe, fit a configuration."""
    for path in index.names("*.parquet")[:1]:
        with open_parquet(index, path) as table:
            metadata = table.schema_arrow.metadata
        if differences := recipe_differences(config, metadata):
            raise model.UsageError(
                f"{index.full_path(path)} cannot be compared: {differences}; use the settings that made it, or "
                "make the index anew: dbce run with --overwrite, dbce nightly with another --archive"
            )


KEPT_BY = ("status", "reason", "record_id", "timestamp")
"""What tells which kind of capture a row is of."""


def has_sketch(batch: pa.RecordBatch) -> pa.Array:
    return pc.is_null(batch["status"])


def rows_of_sites(
    index: Folder,
    sites: Collection[str],
    config: Config,
    columns: Sequence[str],
    kept: Kept = has_sketch,
) -> Iterator[Row]:
    """The rows that an index has of some sites, all where sites may mix; by default those with a sketch.

    Row groups that hold none of the sites, as their statistics tell, are not read. `check_recipe` says if their
    sketches can be compared.
    """
    wanted = sorted(sites)
    read = [*dict.fromkeys((*columns, "site", *KEPT_BY))]
    for path in index.names("*.parquet"):
        with open_parquet(index, path) as table:
            groups = None if config.across_sites else _groups(table, wanted)
            for batch in table.iter_batches(ROWS, row_groups=groups, columns=read):
                keep = kept(batch)
                if not config.across_sites:
                    of_sites = pc.is_in(batch["site"], pa.array(wanted, pa.string()))
                    keep = pc.and_(keep, of_sites)
                yield from batch.filter(keep).to_pylist()


def _groups(table: Parquet, sites: Sequence[str]) -> list[int]:
    """The row groups of a file that may hold one of the sites, given in order."""
    column = table.schema_arrow.names.index("site")
    groups = []
    for group in range(table.metadata.num_row_groups):
        statistics = table.metadata.row_group(group).column(column).statistics
        # A group that says nothing has nothing but captures that were dropped before their site
        # was asked for.
        if statistics is not None and statistics.has_min_max:
            first = bisect_left(sites, statistics.min)
            if first < len(sites) and sites[first] <= statistics.max:
                groups.append(group)
    return groups


def counts(index: Folder, *columns: str) -> Counter[tuple[str | None, ...]]:
    """Count the captures of an index by their values in some columns, the first that occur first."""
    totals: Counter[tuple[str | None, ...]] = Counter()
    for path in index.names("*.parquet"):
        groups = read_table(index, path, columns).group_by(columns, use_threads=False)
        for row in groups.aggregate([([], "count_all")]).to_pylist():
            totals[tuple(row[name] for name in columns)] += row["count_all"]
    return totals


# Captures of a kind: pages with their sketches, and what resolving revisits needs, little of few rows.

Value = TypeVar("Value")


class Kind(NamedTuple, Generic[Value]):
    """A kind of captures: the columns that are read of them, the mask of a batch's rows, the value of a row."""

    columns: Sequence[str]
    kept: Kept
    value_of: Callable[[Row], Value]


def is_revisit(batch: pa.RecordBatch) -> pa.Array:
    return pc.fill_null(
        pc.equal(batch["reason"], pa.scalar(Reason.REVISIT.value)), fill_value=False
    )


def is_original(batch: pa.RecordBatch) -> pa.Array:
    """Mark the rows that a revisit may repeat: those with an id and a date that are no revisits."""
    known = pc.and_(pc.not_equal(batch["record_id"], ""), pc.is_valid(batch["timestamp"]))
    return pc.and_not(known, is_revisit(batch))


_OF_REVISIT = ("record_id", "site", "surt", "timestamp", "digest", "is_html", "refers_to_time")
_REFERRED = ("refers_to", "refers_to_site", "refers_to_surt")
_OF_ORIGINAL = ("timestamp", "record_id", "surt", "digest", "is_html")


def _revisit(row: Row) -> tuple[Place, Revisit]:
    reference = {name: row[name] or "" for name in _REFERRED}
    return place_in(row), Revisit(**{name: row[name] for name in _OF_REVISIT} | reference)


def _original(row: Row) -> Original:
    return Original(row["status"] is not None, *(row[name] for name in _OF_ORIGINAL))


def _sketch(row: Row) -> tuple[Place, Sketch]:
    return place_in(row), sketch_of(row)


SKETCHES = Kind([*PLACE, *SKETCH.names], has_sketch, _sketch)
REVISITS = Kind([*PLACE, *_OF_REVISIT, *_REFERRED], is_revisit, _revisit)
ORIGINALS = Kind([*_OF_ORIGINAL, "status"], is_original, _original)


def captures_of_unit(index: Folder, name: str, kind: Kind[Value]) -> Iterator[Value]:
    """The captures of a kind that an index has of one archive file."""
    return map(kind.value_of, unit_rows(index, name, kind.columns, kind.kept))


def captures_of_sites(
    indexes: Iterable[Folder], sites: Collection[str], config: Config, kind: Kind[Value]
) -> Iterator[Value]:
    """The captures of a kind that some indexes have of some sites; as `rows_of_sites`."""
    for index in indexes:
        rows = rows_of_sites(index, sites, config, kind.columns, kind.kept)
        yield from map(kind.value_of, rows)


def originals(
    known: Iterable[Folder],
    sites: Collection[str],
    index: Folder,
    units: Iterable[str],
    config: Config,
) -> Iterator[Original]:
    """Yield captures that revisits may repeat: the known of some sites, and all of some units."""
    yield from captures_of_sites(known, sites, config, ORIGINALS)
    for unit in units:
        yield from captures_of_unit(index, unit, ORIGINALS)
