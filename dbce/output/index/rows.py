"""Captures and sketches as rows of the index, and back: its columns (docs/formats.md), and the recipe of the sketches."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Self

import numpy as np
import pyarrow as pa

from dbce.archive import media_type, site
from dbce.boilerplate import Original, Place, Revisit, revisit_of, with_repeat
from dbce.model import (
    Capture,
    Config,
    DateSource,
    Origin,
    Reason,
    Reject,
    Repeat,
    Sketch,
    Stage,
    Status,
    StoredText,
    TextSource,
)
from dbce.output.rows import TIME, Row, columns, strings

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


@dataclass(frozen=True, slots=True)
class Recipe:
    """Recipe by which sketches are made; every file of an index carries its own."""

    format: int
    signature: str
    num_perm: int
    seed: int
    site_by: str

    @classmethod
    def from_config(cls, config: Config) -> Self:
        return cls(FORMAT, config.signature, config.num_perm, config.seed, config.site_by)

    def metadata(self) -> dict[bytes, bytes]:
        return {KEY: json.dumps(asdict(self)).encode()}

    def differences(self, metadata: Mapping[bytes, bytes] | None) -> str:
        """Return the differences from a file's metadata in words; "" if there are none."""
        try:
            stored = json.loads((metadata or {})[KEY])
        except (KeyError, ValueError):
            return "it is no file of an index"
        own = asdict(self)
        return ", ".join(
            f"its {name} is {stored.get(name)!r} and the run's is {own[name]!r}"
            for name in own
            if stored.get(name) != own[name]
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
    said = revisit_of(dropped, site_by)  # columns are null where it does not say
    reference = {name: getattr(said, name) or None for name in REVISIT.names} if said else {}
    return (
        _identity(dropped)
        | reference
        | {
            "site": site(dropped.url, site_by) if dropped.url else None,
            "is_html": dropped.is_html,
            "status": dropped.status,
            "reason": dropped.reason,
            "stage": dropped.stage,
            "detail": dropped.detail,
            "stored_text": dropped.stored.text if dropped.stored else None,
        }
    )


_OF_CAPTURE = ("record_id", "url", "surt", "timestamp", "digest", "dated_by")


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
    own = ("detail", "record_id", "url", "surt", "timestamp", "digest", "is_html")
    return Reject(
        status=Status(row["status"]),
        reason=Reason(row["reason"]),
        stage=Stage(row["stage"]),
        origin=Origin(filename, row["offset"], row["length"]),
        **{name: row[name] for name in own},
        dated_by=DateSource(row["dated_by"]) if row["dated_by"] else None,
        stored=StoredText(TextSource.JSON_LD, text) if text else None,
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


def revisit_in(row: Row) -> Revisit:
    own = ("record_id", "site", "surt", "timestamp", "digest", "is_html", "refers_to_time")
    said = {name: row[name] or "" for name in ("refers_to", "refers_to_site", "refers_to_surt")}
    return Revisit(**{name: row[name] for name in own} | said)


def original_in(row: Row) -> Original:
    """Return the capture that a revisit may repeat, from a row with a record id and a date."""
    own = ("timestamp", "record_id", "surt", "digest", "is_html")
    return Original(row["status"] is not None, *(row[name] for name in own))
