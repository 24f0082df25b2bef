"""One archive file through stages 1 and 3: the unit of work of a run, on one machine or many."""

from __future__ import annotations

import gc
from itertools import chain, repeat
from typing import TYPE_CHECKING

from dbce import index
from dbce.archive import read
from dbce.boilerplate import as_annotated, judge_in_batches, sketch
from dbce.index import capture_row, dropped_of, dropped_row, repeated_of, unit_rows
from dbce.model import Capture, Dropped, Reason, Repeat, Stage, Status
from dbce.output import write_unit
from dbce.progress import LOG

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from dbce.archive import Source
    from dbce.config import Config
    from dbce.index import Row
    from dbce.model import Annotation
    from dbce.run.stores import Stores

CHANGED = {
    "status": Status.REJECTED,
    "reason": Reason.DAMAGED,
    "stage": Stage.READ,
    "detail": "not there any more: the file has changed since it was first read",
}

NOTHING = (-1, None)
"""A capture that there is not."""


def collect_rarely() -> None:
    """Makes Python look for garbage less often; for processes that do nothing but a run's work.

    Trees, nodes and runs of many pages live at a time, and hardly any are in a cycle. Looking through
    all of them again and again took a quarter of the time of a run.
    """
    gc.set_threshold(50_000)


def nobody(_offset: int) -> None:
    """Is told how far a file is read, and does nothing about it."""


def index_file(
    source: Source, stores: Stores, config: Config, reached: Callable[[int], None] = nobody
) -> int:
    """Stage 1: reads an archive file and puts what it holds into the index; its captures.

    `reached` is told the offset of every capture.
    """
    with stores.at_work(source):
        sketched = _sketched(source, config, reached)
        return index.write_unit(stores.index, source.unit, sketched, config)


def _sketched(source: Source, config: Config, reached: Callable[[int], None]) -> Iterator[Row]:
    for capture in _hinted(source, read(source, config.limits, verify=config.verify)):
        reached(capture.origin.offset)
        result = capture if isinstance(capture, Dropped) else sketch(capture, config)
        if isinstance(result, Dropped):
            if result.status is Status.REJECTED:
                _tell(result)
            yield dropped_row(result, config.site_by)
        elif isinstance(capture, Capture):
            yield capture_row(capture, result)


def _hinted(source: Source, captures: Iterable[Capture | Dropped]) -> Iterator[Capture | Dropped]:
    """The captures; says once how to mend a file where several share a gzip member."""
    before: Capture | Dropped | None = None
    hinted = not source.uri.endswith(".gz")
    for capture in captures:
        if not hinted and before and before.origin == capture.origin and capture.origin.length:
            hinted = True
            LOG.warning(
                "warning: %s has several records in one gzip member, so that none can be read by "
                "itself; warcio recompress IN OUT mends that",
                source.uri,
            )
        before = capture
        yield capture


def _tell(rejected: Dropped) -> None:
    """One line on a reject, in logs that are for machines; people find them in `rejects`."""
    at = rejected.origin
    LOG.debug(
        "rejected: %s, %s",
        rejected.reason,
        rejected.detail,
        extra={"stage": "read", "file": at.filename, "record": rejected.record_id or at.offset},
    )


def judge_file(
    source: Source,
    stores: Stores,
    found: Iterable[tuple[int, Annotation | Repeat]],
    config: Config,
    reached: Callable[[int], None] = nobody,
) -> None:
    """Stage 3: reads an archive file once more and writes its outputs.

    `found` is what the comparison knows of captures, in the order of their numbers: an annotation, or
    what it is that a capture repeats. `reached` is told the offset of every capture.
    """
    with stores.at_work(source):
        rows = _telling(unit_rows(stores.index, source.unit, config), reached)
        again = read(source, config.limits, verify=config.verify)
        known = _with_annotations(source.name, rows, again, found)
        results = judge_in_batches(known, config, as_annotated)
        write_unit(stores.out, source.unit, results, config)


def _telling(rows: Iterable[Row], reached: Callable[[int], None]) -> Iterator[Row]:
    for row in rows:
        reached(row["offset"])
        yield row


def _with_annotations(
    name: str,
    rows: Iterable[Row],
    again: Iterable[Capture | Dropped],
    found: Iterable[tuple[int, Annotation | Repeat]],
) -> Iterator[tuple[Capture, Annotation | None] | Dropped]:
    """Every row of the index with the capture that it is of, as the file has it now."""
    known = iter(found)
    number, this = next(known, NOTHING)
    for row, capture in zip(rows, chain(again, repeat(None)), strict=False):
        own = None
        if number == row["number"]:
            own = this
            number, this = next(known, NOTHING)
        if isinstance(own, Repeat):
            yield repeated_of(row, name, own)
        elif row["status"] is not None:
            yield dropped_of(row, name)
        elif isinstance(capture, Capture) and _is_the_same(capture, row):
            yield capture, own
        else:
            yield dropped_of(row | CHANGED, name)


def _is_the_same(capture: Capture, row: Row) -> bool:
    identity = (capture.record_id, capture.origin.offset, capture.digest)
    return identity == (row["record_id"], row["offset"], row["digest"])
