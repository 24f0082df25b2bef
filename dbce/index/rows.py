"""Captures and sketches as rows of the index, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dbce.model import Dropped, Origin, Reason, Sketch, Stage, Status

if TYPE_CHECKING:
    from dbce.model import Capture, Hashes

Row = dict[str, Any]


def capture_row(capture: Capture, sketch: Sketch) -> Row:
    """The row of a capture that has a sketch."""
    return _identity(capture) | {
        "is_html": True,
        "site": sketch.site,
        "signature": sketch.signature.tobytes(),
        "words": sketch.words.tobytes(),
        "ends": sketch.ends.tobytes(),
        "places": sketch.places.tobytes(),
    }


def dropped_row(dropped: Dropped) -> Row:
    """The row of a capture that has none."""
    return _identity(dropped) | {
        "is_html": dropped.is_html,
        "status": dropped.status,
        "reason": dropped.reason,
        "stage": dropped.stage,
        "detail": dropped.detail,
    }


def _identity(capture: Capture | Dropped) -> Row:
    return {
        "name": capture.origin.filename,
        "offset": capture.origin.offset,
        "length": capture.origin.length,
        "record_id": capture.record_id,
        "url": capture.url,
        "surt": capture.surt,
        "timestamp": capture.timestamp,
        "digest": capture.digest,
    }


def dropped_of(row: Row) -> Dropped:
    """The value of a row without a sketch."""
    return Dropped(
        status=Status(row["status"]),
        reason=Reason(row["reason"]),
        stage=Stage(row["stage"]),
        detail=row["detail"],
        origin=Origin(row["name"], row["offset"], row["length"]),
        record_id=row["record_id"],
        url=row["url"],
        surt=row["surt"],
        timestamp=row["timestamp"],
        digest=row["digest"],
        is_html=row["is_html"],
    )


def sketch_of(row: Row) -> Sketch:
    """The sketch in a row that has one."""
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


def _hashes(data: bytes) -> Hashes:
    return np.frombuffer(data, dtype=np.uint32)
