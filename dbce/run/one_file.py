"""One archive file through stages 1 and 3, stage 2 in one process between them, and the folders of all."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from operator import itemgetter
from sys import intern
from typing import TypeAlias, TypeVar

from dbce import boilerplate, model, thesis
from dbce.archive import Source, check_there, read, share_done, state
from dbce.engine import Found, ReportProgress, no_progress
from dbce.html import Canonical, Document, strip
from dbce.output import Row, TextsOfRun, index, kept_digest, mark_read, storing_texts, write_unit
from dbce.quality import KindSigns
from dbce.run.quarantine import mark_at_work
from dbce.storage import Folder, Shelf, ShelfItems, stem


@dataclass(frozen=True, slots=True)
class Stores:
    """The index that a run writes, the folder of its outputs, and the indexes that it compares with.

    The captures of the indexes in `known` may become neighbours; they are not judged again. With
    `is_night` it is noted which files are worked at.
    """

    index: Folder
    out: Folder
    known: tuple[Folder, ...] = ()
    is_night: bool = False

    def mark_at_work(self, source: Source) -> AbstractContextManager[None]:
        return mark_at_work(self.out, source) if self.is_night else nullcontext()


# Stage 2 of a run in one process: who is compared, read from its index and from those of before.
#
# What the run has itself is read file by file; of what is known from before only the sites that
# this touches. Of a capture no more stays in memory than says where it belongs: its sketch is on
# a shelf until its block is compared, and so is what was found of it until its file is judged.

Sketches: TypeAlias = Shelf[model.Sketch]
Result: TypeAlias = tuple[int, model.Annotation | model.Repeat]
"""The number of a capture in its file, and what stage 2 found of it."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A page whose sketch is on a shelf, at `at`: what tells with whom it is compared."""

    record_id: str
    site: str
    surt: str
    timestamp: datetime
    at: int


def compare_units(
    units: Sequence[str],
    stores: Stores,
    config: model.Config,
    reached: Callable[[float], None],
    results: Shelf[Result],
) -> dict[str, ShelfItems[Result]]:
    """Return the stage 2 results for the captures of some files that a run has in its index.

    By file, in the order of their numbers: the annotation of a page, what a duplicate or a revisit
    repeats, or why a page cannot be compared; a page without neighbours is not there. `reached` is
    told the share of pages that are done; `results` is where what is found waits.
    """
    by_unit: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    with Shelf[model.Sketch]() as sketches, Shelf[str]() as bodies:
        new = list(new_captures(units, stores.index, sketches))
        sites = boilerplate.sites_of(capture for _, capture in new)
        known = known_captures(sites, stores.known, config, sketches)
        originals = index.originals(stores.known, sites, stores.index, units, config)
        near = boilerplate.neighbourhood(new, originals, known)
        for (unit, number), repeat in near.repeats.items():
            by_unit[unit].append((number, results.put((number, repeat))))
        if config.is_literal:
            each = _compare_entries(near.to_compare, stores.out, config, bodies)
        else:
            each = boilerplate.compare_neighbourhood(near, config, sketch_of=sketch_on(sketches))
        for count, ((unit, number), result) in enumerate(each, 1):
            reached(count / len(near.to_compare))
            by_unit[unit].append((number, results.put((number, result))))
    return {unit: ShelfItems(results, [at for _, at in sorted(by_unit[unit])]) for unit in units}


def _compare_entries(
    asked: Mapping[str, boilerplate.Place], out: Folder, config: model.Config, bodies: Shelf[str]
) -> Iterator[tuple[boilerplate.Place, model.Annotation | model.Repeat]]:
    """Stage 2 by the method of the thesis; bodies are on their shelf until they are compared."""
    entries, at = [], {}
    for unit in sorted({unit for unit, _ in asked.values()}):
        for row in thesis.read_entries(out, unit):
            if asked.get(row["record_id"]) == (unit, row["number"]):
                entries.append(thesis.entry_of(row))
                at[row["record_id"]] = bodies.put(row["body"])
    for record_id, result in thesis.compare(entries, lambda r: bodies.take(at[r]), config):
        yield asked[record_id], result


def new_captures(
    units: Iterable[str], folder: Folder, shelf: Sketches
) -> Iterator[tuple[boilerplate.Place, Waiting | boilerplate.Revisit]]:
    """The pages and revisits of some files, each with its place; sketches are put on the shelf."""
    for unit in units:
        yield from _waiting(index.captures_of_unit(folder, unit, index.SKETCHES), shelf)
        yield from index.captures_of_unit(folder, unit, index.REVISITS)


def known_captures(
    sites: Collection[str], indexes: Sequence[Folder], config: model.Config, shelf: Sketches
) -> Iterator[tuple[boilerplate.Place, Waiting | boilerplate.Revisit]]:
    """The pages and revisits that some indexes have of some sites, each with its place; as `new_captures`."""
    of_sites = partial(index.captures_of_sites, indexes, sites, config)
    yield from _waiting(of_sites(index.SKETCHES), shelf)
    yield from of_sites(index.REVISITS)


def _waiting(
    captures: Iterable[tuple[boilerplate.Place, model.Sketch]], shelf: Sketches
) -> Iterator[tuple[boilerplate.Place, Waiting]]:
    for (name, number), sketch in captures:
        at = shelf.put(sketch)
        # Of names and sites there are few, of captures many.
        waiting = Waiting(sketch.record_id, intern(sketch.site), sketch.surt, sketch.timestamp, at)
        yield (intern(name), number), waiting


def sketch_on(shelf: Sketches) -> Callable[[Waiting], model.Sketch]:
    """Return the function that takes the sketch of a page from a shelf; that of a snapshot is of its own time."""
    return lambda waiting: boilerplate.snapshot(waiting, shelf.take(waiting.at))


# Stages 1 and 3: the unit of work of a run, on one machine or many.

CHANGED = {
    "status": model.Status.REJECTED,
    "reason": model.Reason.DAMAGED,
    "stage": model.Stage.READ,
    "detail": "not there any more: the file has changed since it was first read",
}

Value = TypeVar("Value")


def index_file(
    source: Source, reached: ReportProgress = no_progress, *, stores: Stores, config: model.Config
) -> int:
    """Stage 1: read an archive file and put what it holds into the index; the number of its captures.

    `reached` is told after every capture the share of the file that is read.
    """
    with stores.mark_at_work(source):
        sketched = _sketch_rows(source, stores, config, reached)
        captures = index.write_unit(stores.index, source.unit, sketched, config)
        kept = stores.out.take_digests().get(index.kept_file(source.unit))
        mark_read(stores.out, source.unit, stores.index, kept)
        return captures


def _sketch_rows(
    source: Source, stores: Stores, config: model.Config, reached: ReportProgress
) -> Iterator[Row]:
    """Rows of the captures; what is kept of them, and the texts that crawlers stored, is whole when the rows end."""
    with ExitStack() as at_the_end:
        take_text = at_the_end.enter_context(storing_texts(stores.out, source.unit))
        keep = None
        if config.keep_pages == "yes":
            keeps = index.keep_pages(stores.out, source.unit, state(source.uri))
            keep = at_the_end.enter_context(keeps)
        keep_entry = None
        if config.is_literal:
            keep_entry = at_the_end.enter_context(thesis.keep_entries(stores.out, source.unit))
        captures = read(source, config.limits, verify=config.verify, take_text=take_text)
        share = share_done(source)
        for number, capture in enumerate(_hint_shared_members(source, captures)):
            reached(share(capture.origin.offset))
            if isinstance(capture, model.Reject):
                yield _dropped_row(capture, config)
                continue
            result = boilerplate.sketch_parsed(capture, config, "write")
            if keep_entry and not isinstance(result, model.Reject):
                entry = thesis.read_entry(capture, config)
                if isinstance(entry, model.Reject):
                    result = entry
                else:
                    keep_entry(number, *entry)
            if isinstance(result, model.Reject):
                yield _dropped_row(result, config)
            else:
                sketch, document = result
                if keep:
                    keep(number, capture, document)
                yield index.capture_row(capture, sketch)


def separate_captures(units: Sequence[str], stores: Stores, config: model.Config) -> None:
    """Give captures that share a record id ids of their own, in the index of a run and what is kept beside it.

    It can be called again: who has an id of its own keeps it.
    """
    for unit, ids in index.new_ids(stores.index, units, stores.known, config).items():
        kept = kept_digest(stores.out, unit)
        mark_read(stores.out, unit, stores.index, kept)  # nobody knows its digest until it is there
        file = f"{stem(unit)}.parquet"
        if config.is_literal:
            index.rename(stores.out, f"{thesis.ENTRIES}/{file}", ids)
        index.rename(stores.index, file, ids)
        mark_read(stores.out, unit, stores.index, kept)


def _hint_shared_members(
    source: Source, captures: Iterable[model.Capture | model.Reject]
) -> Iterator[model.Capture | model.Reject]:
    """The captures; says once how to mend a file where several share a gzip member."""
    before: model.Capture | model.Reject | None = None
    hinted = not source.uri.endswith(".gz")
    for capture in captures:
        if not hinted and before and before.origin == capture.origin and capture.origin.length:
            hinted = True
            model.LOG.warning(
                "warning: %s has several records in one gzip member, so that none can be read by "
                "itself; warcio recompress IN OUT mends that",
                source.uri,
            )
        before = capture
        yield capture


def _dropped_row(dropped: model.Reject, config: model.Config) -> Row:
    """The row of a capture without a sketch; logs for machines tell of a reject, which people find in `rejects`."""
    if dropped.status is model.Status.REJECTED:
        at = dropped.origin
        model.LOG.debug(
            "rejected: %s, %s",
            dropped.reason,
            dropped.detail,
            extra={"stage": "read", "file": at.filename, "record": dropped.record_id or at.offset},
        )
    return index.dropped_row(dropped, config.site_by)


def judge_file(
    unit: tuple[Source, Found],
    reached: ReportProgress = no_progress,
    *,
    stores: Stores,
    config: model.Config,
) -> int:
    """Stage 3: write the outputs of an archive file; the number of its captures.

    What stage 1 kept of it is judged, if the file is as it was then; else it is read once more. `unit` is that file and
    what the comparison knows of its captures. `reached` is told after every capture the share that is done.
    """
    source, compared = unit
    with stores.mark_at_work(source):
        rows = index.unit_rows(stores.index, source.unit)
        digest = kept_digest(stores.out, source.unit)
        kept = digest and index.read_kept_pages(stores.out, source.unit, state(source.uri), digest)
        if kept:
            pages = ((n, boilerplate.JudgeInput(capture, None, page)) for n, capture, page in kept)
        else:
            again = enumerate(read(source, config.limits, verify=config.verify))
            captures = ((n, capture) for n, capture in again if isinstance(capture, model.Capture))
            pages = ((n, boilerplate.JudgeInput(capture, None)) for n, capture in captures)
        known = _with_annotations(source, rows, pages, compared, reached)
        is_as_thesis = config.marks == "dbce" and config.is_literal
        make = _as_elements if is_as_thesis else boilerplate.as_annotated
        judged = boilerplate.judge_in_batches(known, config, make)
        texts = TextsOfRun(stores.out, partial(_surts, source, stores))
        results = (boilerplate.with_stored_text(result, texts) for result in judged)
        write_unit(stores.out, source.unit, results, config)
    stores.out.remove(index.kept_file(source.unit))
    return index.unit_size(stores.index, source.unit)


def _as_elements(
    capture: model.Capture,
    annotation: model.Annotation | None,
    document: Document | Canonical,
    runs: tuple[model.TextRun, ...],
    signs: KindSigns,
) -> boilerplate.Annotated:
    """A capture with its verdicts, and as its annotated page the thesis' document, if it was in a cross."""
    result = boilerplate.as_annotated(capture, annotation, document, runs, signs)
    if annotation is None or not annotation.body:
        return result
    page = strip(result.html).decode()
    return replace(result, html=thesis.document(page, annotation.body).encode())


def _surts(source: Source, stores: Stores) -> set[str]:
    rows = index.unit_rows(stores.index, source.unit, ["surt", "is_html"])
    return {row["surt"] for row in rows if row["is_html"]}


def _with_annotations(
    source: Source,
    rows: Iterable[Row],
    pages: Iterator[tuple[int, boilerplate.JudgeInput]],
    compared: Found,
    reached: ReportProgress,
) -> Iterator[boilerplate.JudgeInput | model.Reject]:
    """Every row of the index with its capture, and what was found of it; StoreError if the file has vanished since."""
    name, share = source.name, share_done(source)
    page_at, found_at = _by_number(pages), _by_number(iter(compared))
    for row in rows:
        reached(share(row["offset"]))
        known, result = page_at(row["number"]), found_at(row["number"])
        if isinstance(result, model.Repeat):
            yield index.repeated_of(row, name, result)
        elif row["status"] is not None:
            yield index.dropped_of(row, name)
        elif known and capture_identity(known.capture) == row_identity(row):
            capture = replace(known.capture, record_id=row["record_id"])
            yield known._replace(capture=capture, annotation=result)
        else:
            check_there(source.uri)
            yield index.dropped_of(row | CHANGED, name)


def _by_number(numbered: Iterator[tuple[int, Value]]) -> Callable[[int], Value | None]:
    """Return a function that gives what has a number, if anything; it is asked for every number, in order."""
    known: tuple[int, Value | None] = -1, None

    def value_of(number: int) -> Value | None:
        nonlocal known
        if known[0] < number:
            known = next(numbered, (-1, None))
        return known[1] if known[0] == number else None

    return value_of


row_identity: Callable[[Row], tuple[object, ...]] = itemgetter(
    "offset", "url", "timestamp", "digest", "length"
)
"""Returns what a row of the index says of the record that it is of, by which a cut one is told; its record id may be its own alone."""


def capture_identity(capture: model.Capture) -> tuple[object, ...]:
    """The same of a capture that was read again."""
    origin = capture.origin
    return origin.offset, capture.url, capture.timestamp, capture.digest, origin.length
