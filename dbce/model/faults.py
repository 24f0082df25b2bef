"""Faults of single captures: an error costs that capture, even if nobody foresaw it, and the rest goes on."""

import traceback
from pathlib import PurePath

from dbce.model.errors import DbceError
from dbce.model.progress import LOG
from dbce.model.values import Capture, Origin, Reason, Reject, Stage, Status

NOT_OF_A_RECORD = (DbceError, MemoryError, OSError)  # of the machine, a store or a request
LONGEST = 300  # characters of a detail at most
OF_CAPTURE = (
    *("origin", "record_id", "url", "surt", "timestamp", "digest", "dated_by", "content_type"),
    "http_status",
)


def reject_fault(capture: Capture, error: Exception, stage: Stage) -> Reject:
    """The capture, rejected because of an error that nobody foresaw; one that says nothing about it is raised."""
    return drop(capture, Reason.FAULT, fault_detail(error, capture.origin), stage)


def drop(capture: Capture, reason: Reason, detail: str, stage: Stage | None = None) -> Reject:
    """The capture, skipped or rejected for a reason found after it was read."""
    skipped = reason in (Reason.NO_TEXT, Reason.TEXT_IN_SCRIPT, Reason.DUPLICATE_RECORD)
    found_in = Stage.DECODE if reason is Reason.UNDECODABLE else Stage.PARSE
    return Reject(
        status=Status.SKIPPED if skipped else Status.REJECTED,
        reason=reason,
        stage=stage or found_in,
        detail=detail,
        is_html=True,
        **{name: getattr(capture, name) for name in OF_CAPTURE},
    )


def fault_detail(error: Exception, at: Origin | str) -> str:
    """Return an unexpected error and where it was raised, as the detail of a reject; also log it.

    `at` is where the record stands or, where nobody knows that, its id. An error that says nothing about it is raised.
    """
    if isinstance(error, NOT_OF_A_RECORD):
        raise error
    frames = traceback.extract_tb(error.__traceback__)
    places = [
        (path.name, f.lineno) for f in frames if "dbce" in (path := PurePath(f.filename)).parts
    ]
    line = " ({}:{})".format(*places[-1]) if places else ""  # the last of our code
    detail = f"{type(error).__name__}: {error}{line}"
    detail = " ".join(detail.encode("utf-8", "replace").decode().split())[:LONGEST]
    where = at if isinstance(at, str) else f"at {at.offset} of {at.filename}"
    known = {"record": at} if isinstance(at, str) else {"file": at.filename, "record": at.offset}
    LOG.warning(
        "warning: a record is rejected that dbce fails on, %s: %s; please report it",
        *(where, detail),
        extra=known,
    )
    return detail
