"""Captures and sketches as rows of the index, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dbce.archive import media_type, site
from dbce.boilerplate import Original, Revisit, repeated, revisit_of
from dbce.model import DateSource, Dropped, Origin, Reason, Sketch, Stage, Status
from dbce.output.index.schema import REVISIT

if TYPE_CHECKING:
    from dbce.boilerplate import Place
    from dbce.model import Capture, Hashes, Repeat

Row = dict[str, Any]

PLACE = ("name", "number")
"""The columns that say where a capture stands: its file, and its place in there."""


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


def dropped_row(dropped: Dropped, site_by: str) -> Row:
    """The row of a capture that has none; `site_by` says what a site is (Config.site_by)."""
    said = revisit_of(dropped, site_by)
    return (_identity(dropped) | (_reference(said) if said else {})) | {
        "site": site(dropped.url, site_by) if dropped.url else None,
        "is_html": dropped.is_html,
        "status": dropped.status,
        "reason": dropped.reason,
        "stage": dropped.stage,
        "detail": dropped.detail,
    }


def _reference(one: Revisit) -> Row:
    """Return the columns of a revisit's reference; null where the revisit does not say."""
    return {name: getattr(one, name) or None for name in REVISIT.names}


def _identity(capture: Capture | Dropped) -> Row:
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


def dropped_of(row: Row, filename: str) -> Dropped:
    """The value of a row without a sketch, of the archive file called `filename`."""
    return Dropped(
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
        content_type=row["content_mime_type"] or "",
        http_status=row["fetch_status"],
    )


def repeated_of(row: Row, filename: str, repeat: Repeat) -> Dropped:
    """The value of a row of which stage 2 found out why it is not to be judged."""
    stage = {
        "status": Status.REJECTED if repeat.reason is Reason.FAULT else Status.SKIPPED,
        "reason": repeat.reason,
        "stage": Stage.COMPARE,
        "detail": "",
    }
    return repeated(dropped_of(row | stage, filename), repeat)


def place_in(row: Row) -> Place:
    """Return the place of a row's capture."""
    return row["name"], row["number"]


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


def revisit_in(row: Row) -> Revisit:
    """The revisit in a row that has one."""
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
