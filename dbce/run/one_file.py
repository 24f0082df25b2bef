"""One archive file through stages 1 and 3: the unit of work of a run, on one machine or many."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from dbce.archive import check_there, read, size, state
from dbce.boilerplate import Known, as_annotated, judge_in_batches, sketch_parsed, with_stored_text
from dbce.html import Document
from dbce.model import Capture, Dropped, Reason, Repeat, Stage, Status, StoreError
from dbce.output import TextsOfRun, index, kept_digest, mark_read, storing_texts, write_unit
from dbce.output.index import (
    Row,
    capture_row,
    dropped_of,
    dropped_row,
    repeated_of,
    unit_rows,
    unit_size,
)
from dbce.progress import LOG

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dbce.archive import Source
    from dbce.engine import Reached
    from dbce.html import Canonical
    from dbce.model import Annotation, Config
    from dbce.run.stores import Stores

CHANGED = {
    "status": Status.REJECTED,
    "reason": Reason.DAMAGED,
    "stage": Stage.READ,
    "detail": "not there any more: the file has changed since it was first read",
}

Keep: TypeAlias = Callable[[int, Capture, Document], None]
"""Takes a capture with its number and what it was parsed to, which it may use up."""

Again: TypeAlias = Callable[[Row], Known | None]
"""Finds the capture of a row again; it is asked for every row, in order."""

NOTHING = (-1, None)
"""A capture that there is not."""


def untold(_share: float) -> None:
    """Takes the share of a file that is done where nobody asks for it."""


def index_file(source: Source, stores: Stores, config: Config, reached: Reached = untold) -> int:
    """Stage 1: read an archive file and put what it holds into the index; the number of its captures.

    `reached` is told after every capture the share of the file that is read.
    """
    with stores.at_work(source):
        with ExitStack() as at_the_end:
            keep: Keep = _keep_nothing
            if config.keep_pages == "yes":
                keeps = index.keeping(stores.out, source.unit, state(source.uri))
                keep = at_the_end.enter_context(keeps)
            sketched = _sketched(source, stores, config, keep, _share_of(source, reached))
            captures = index.write_unit(stores.index, source.unit, sketched, config)
        kept = stores.out.take_digests().get(index.kept_file(source.unit))
        mark_read(stores.out, source.unit, stores.index, kept)
        return captures


def _sketched(
    source: Source, stores: Stores, config: Config, keep: Keep, reached: Callable[[int], None]
) -> Iterator[Row]:
    """Rows of the captures; the texts that crawlers stored are kept when the rows end."""
    with storing_texts(stores.out, source.unit) as take_text:
        captures = read(source, config.limits, verify=config.verify, take_text=take_text)
        for number, capture in enumerate(_hinted(source, captures)):
            reached(capture.origin.offset)
            result = capture if isinstance(capture, Dropped) else sketch_parsed(capture, config)
            if isinstance(result, Dropped):
                if result.status is Status.REJECTED:
                    _tell(result)
                yield dropped_row(result, config.site_by)
            elif isinstance(capture, Capture):
                sketch, document = result
                keep(number, capture, document)
                yield capture_row(capture, sketch)


def _keep_nothing(_number: int, _capture: Capture, _document: Document) -> None:
    """Stage 3 reads the archive again."""


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
    reached: Reached = untold,
) -> int:
    """Stage 3: write the outputs of an archive file; the number of its captures.

    What stage 1 kept of it is judged, if the file is as it was then; else it is read once more.
    `found` is what the comparison knows of captures, in the order of their numbers: an annotation, or
    what it is that a capture repeats. `reached` is told after every capture the share that is done.
    """
    with stores.at_work(source):
        rows = _telling(unit_rows(stores.index, source.unit, config), _share_of(source, reached))
        digest = kept_digest(stores.out, source.unit)
        kept = digest and index.kept(stores.out, source.unit, state(source.uri), digest)
        if kept is None:
            again = _from_file(read(source, config.limits, verify=config.verify))
        else:
            again = _from_kept(source.name, kept)
        known = _with_annotations(source, rows, again, found)
        judged = judge_in_batches(known, config, as_annotated)
        texts = TextsOfRun(stores.out, partial(_surts, source, stores, config))
        results = (with_stored_text(result, texts) for result in judged)
        write_unit(stores.out, source.unit, results, config)
    index.forget(stores.out, source.unit)
    return unit_size(stores.index, source.unit)


def _surts(source: Source, stores: Stores, config: Config) -> set[str]:
    """The sort keys of the URLs of a file's HTML captures."""
    rows = unit_rows(stores.index, source.unit, config, ["surt", "is_html"])
    return {row["surt"] for row in rows if row["is_html"]}


def _telling(rows: Iterable[Row], reached: Callable[[int], None]) -> Iterator[Row]:
    for row in rows:
        reached(row["offset"])
        yield row


def _with_annotations(
    source: Source,
    rows: Iterable[Row],
    again: Again,
    found: Iterable[tuple[int, Annotation | Repeat]],
) -> Iterator[Known | Dropped]:
    """Every row of the index with the capture that it is of, and what was found of it.

    Raises:
        StoreError: the file has vanished since it was first read.
    """
    name = source.name
    annotations = iter(found)
    number, this = next(annotations, NOTHING)
    for row in rows:
        own, known = None, again(row)
        if number == row["number"]:
            own = this
            number, this = next(annotations, NOTHING)
        if isinstance(own, Repeat):
            yield repeated_of(row, name, own)
        elif row["status"] is not None:
            yield dropped_of(row, name)
        elif known and _is_the_same(known.capture, row):
            yield known._replace(found=own)
        else:
            check_there(source.uri)
            yield dropped_of(row | CHANGED, name)


def _from_file(captures: Iterable[Capture | Dropped]) -> Again:
    """Row for row what a file has now."""
    each = iter(captures)

    def again(_row: Row) -> Known | None:
        capture = next(each, None)
        return Known(capture, None) if isinstance(capture, Capture) else None

    return again


def _from_kept(name: str, pages: Iterator[tuple[int, Capture, Canonical]]) -> Again:
    """Return a function from a row with a sketch to its kept page; None for other rows."""

    def again(row: Row) -> Known | None:
        if row["status"] is not None:
            return None
        number, capture, document = next(pages)
        if number != row["number"]:
            raise StoreError(
                f"capture {row['number']} of {name} is not where it was kept; remove the folder "
                "work/kept of the run, then continue with --resume"
            )
        return Known(capture, None, document)

    return again


def _is_the_same(capture: Capture, row: Row) -> bool:
    identity = (capture.record_id, capture.origin.offset, capture.digest)
    return identity == (row["record_id"], row["offset"], row["digest"])


def _share_of(source: Source, reached: Reached) -> Callable[[int], None]:
    """Makes of the offset of a capture the share of its file that is done."""
    if source.offsets is not None:
        number = {offset: n for n, offset in enumerate(source.offsets, 1)}
        return lambda offset: reached(number.get(offset, 0) / len(number))
    with suppress(OSError, StoreError):  # who reads it says so
        start, stop = (source.piece.start, source.piece.stop) if source.piece else (0, None)
        length = max((stop or size(source.uri)) - start, 1)
        return lambda offset: reached((offset - start) / length)
    return lambda _: reached(0)
