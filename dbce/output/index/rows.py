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
    Hashes,
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
from dbce.output.rows import Row

SKETCH = pa.schema(
    [
        ("record_id", pa.string()),
        ("site", pa.string()),
        ("surt", pa.string()),
        ("timestamp", pa.timestamp("us", tz="UTC")),
        ("signature", pa.binary()),
        ("words", pa.binary()),
        ("ends", pa.binary()),
        ("places", pa.binary()),
    ]
)
"""Columns that stage 2 compares; the last four columns are NUMBERS."""

NUMBERS = ("signature", "words", "ends", "places")
"""Columns of uint32 numbers, little end first."""

REVISIT = pa.schema(
    [
        ("refers_to", pa.string()),
        ("refers_to_site", pa.string()),
        ("refers_to_surt", pa.string()),
        ("refers_to_time", pa.timestamp("us", tz="UTC")),
    ]
)
"""Columns of a revisit on the capture that it repeats: record id, site and key of the URL, date."""

CAPTURE = pa.schema(
    [
        ("name", pa.string()),
        ("number", pa.int64()),  # place in its source: in one gzip member all offsets are equal
        ("offset", pa.int64()),
        ("length", pa.int64()),
        ("url", pa.string()),
        ("digest", pa.string()),
        ("dated_by", pa.string()),
        ("fetch_status", pa.int16()),
        ("content_mime_type", pa.string()),
        ("is_html", pa.bool_()),
        ("status", pa.string()),  # null: has a sketch
        ("reason", pa.string()),
        ("stage", pa.string()),
        ("detail", pa.string()),
        ("stored_text", pa.string()),  # of its JSON-LD, where it has no other
        *REVISIT,
        *SKETCH,
    ]
)
"""A capture after stage 1: what is known of it, and its sketch if it has one."""


# Recipe of the sketches of an index; sketches of two recipes cannot be compared.

FORMAT = 4
"""Changes whenever an index of an earlier one cannot be used."""

KEY = b"dbce"
"""Key of the recipe by which a file of the index was made."""


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
        "signature": sketch.signature.tobytes(),
        "words": sketch.words.tobytes(),
        "ends": sketch.ends.tobytes(),
        "places": sketch.places.tobytes(),
    }


def dropped_row(dropped: Reject, site_by: str) -> Row:
    """The row of a capture that has none; `site_by` says what a site is (Config.site_by)."""
    said = revisit_of(dropped, site_by)
    return (_identity(dropped) | (_reference(said) if said else {})) | {
        "site": site(dropped.url, site_by) if dropped.url else None,
        "is_html": dropped.is_html,
        "status": dropped.status,
        "reason": dropped.reason,
        "stage": dropped.stage,
        "detail": dropped.detail,
        "stored_text": dropped.stored.text if dropped.stored else None,
    }


def _reference(one: Revisit) -> Row:
    """Return the columns of a revisit's reference; null where the revisit does not say."""
    return {name: getattr(one, name) or None for name in REVISIT.names}


def _identity(capture: Capture | Reject) -> Row:
    return {
        "offset": capture.origin.offset,
        "length": capture.origin.length,
        "record_id": capture.record_id,
        "url": capture.url,
        "surt": capture.surt,
        "timestamp": capture.timestamp,
        "digest": capture.digest,
        "dated_by": capture.dated_by,
        "fetch_status": capture.http_status,
        "content_mime_type": media_type(capture.content_type) or None,
    }


def dropped_of(row: Row, filename: str) -> Reject:
    """The value of a row without a sketch, of the archive file called `filename`."""
    text = row.get("stored_text")
    return Reject(
        status=Status(row["status"]),
        reason=Reason(row["reason"]),
        stage=Stage(row["stage"]),
        detail=row["detail"],
        origin=Origin(filename, row["offset"], row["length"]),
        record_id=row["record_id"],
        url=row["url"],
        surt=row["surt"],
        timestamp=row["timestamp"],
        digest=row["digest"],
        is_html=row["is_html"],
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
    return Sketch(
        record_id=row["record_id"],
        site=row["site"],
        surt=row["surt"],
        timestamp=row["timestamp"],
        signature=_hashes(row["signature"]),
        words=_hashes(row["words"]),
        ends=_hashes(row["ends"]),
        places=_hashes(row["places"]),
    )


def revisit_in(row: Row) -> Revisit:
    return Revisit(
        record_id=row["record_id"],
        site=row["site"],
        surt=row["surt"],
        timestamp=row["timestamp"],
        digest=row["digest"],
        is_html=row["is_html"],
        refers_to=row["refers_to"] or "",
        refers_to_site=row["refers_to_site"] or "",
        refers_to_surt=row["refers_to_surt"] or "",
        refers_to_time=row["refers_to_time"],
    )


def original_in(row: Row) -> Original:
    """Return the capture that a revisit may repeat, from a row with a record id and a date."""
    return Original(
        is_dropped=row["status"] is not None,
        timestamp=row["timestamp"],
        record_id=row["record_id"],
        surt=row["surt"],
        digest=row["digest"],
        is_html=row["is_html"],
    )


def _hashes(data: bytes) -> Hashes:
    return np.frombuffer(data, dtype=np.uint32)
