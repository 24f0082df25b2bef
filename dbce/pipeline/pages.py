"""The whole method on plain values: captures in, annotated captures out.

    from dbce.archive import capture
    from dbce.pipeline import annotate

    pages = [capture(url, html, at="20160101000000") for url, html in my_pages]
    for page in annotate(pages):
        print(page.capture.url, page.status)
        print(page.text)

Spark runs the same functions (dbce.engine.spark). The three stages are in dbce.boilerplate: `sketch`,
`compare` and `judge`.
"""

import pickle
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import chain, islice
from typing import Any, Generic, NamedTuple, TypeVar, cast

from dbce import boilerplate, engine, model
from dbce.archive import RecordIds
from dbce.boilerplate import JudgeInput, Made, Make
from dbce.html import Canonical, Document
from dbce.quality import CrawlerTexts
from dbce.storage import Shelf

Keep = Callable[[int, model.Capture, Document], None]

ALL = ""  # the one file that all captures count as being of, where none is read


def annotate(
    captures: Iterable[model.Capture | model.Reject], config: model.Config | None = None
) -> Iterator[boilerplate.Annotated | model.Reject]:
    """Every capture with its verdicts, in the order given; what cannot be judged as Reject.

    The captures are read twice: sketches are made first, since a page is compared with pages that come after it; once
    more where there are revisits, which may repeat what comes after them, and where a record is there twice. An
    iterator that cannot be read twice is kept in memory.
    """
    config = model.Config.or_default(config)
    if iter(captures) is captures:
        captures = list(captures)
    captures = OwnIds(captures)
    results = compare_all(captures, sketch_all(captures, config), config)
    yield from judge_all(captures, results, config, boilerplate.as_annotated)


class OwnIds:
    """Captures, of which those that share a record id have ids of their own, whenever they are gone through."""

    def __init__(self, captures: Iterable[model.Capture | model.Reject]) -> None:
        self._captures = captures

    def __iter__(self) -> Iterator[model.Capture | model.Reject]:
        ids = RecordIds()
        for c in self._captures:
            new = c.record_id and ids.id_of(c.record_id, c.url, c.timestamp, c.digest)
            yield c if new == c.record_id else replace(c, record_id=new)


class SketchedCaptures(NamedTuple):
    """Captures after stage 1, by their numbers in the input."""

    sketches: dict[int, model.Sketch]
    dropped: dict[int, model.Reject]  # all others


def sketch_all(
    captures: Iterable[model.Capture | model.Reject], config: model.Config, keep: Keep | None = None
) -> SketchedCaptures:
    """Return the sketches of stage 1; `keep` takes each capture that has one, its number and document, to use up."""
    if config.is_literal:
        raise model.UsageError(
            "the method thesis is for dbce run and jobs/annotate.py; choose another"
        )
    results = SketchedCaptures({}, {})
    for number, capture in enumerate(captures):
        if isinstance(capture, model.Reject):
            results.dropped[number] = capture
            continue
        result = boilerplate.sketch_parsed(capture, config)
        if isinstance(result, model.Reject):
            results.dropped[number] = result
            continue
        results.sketches[number], document = result
        if keep is not None:
            keep(number, capture, document)
    return results


class ComparedCaptures(NamedTuple):
    """Captures after stage 2; a page without annotation is judged by itself."""

    annotations: dict[str, model.Annotation]  # by record id
    dropped: dict[int, model.Reject]  # those that are not judged, and why, by number


def compare_all(
    captures: Iterable[model.Capture | model.Reject],
    sketched: SketchedCaptures,
    config: model.Config,
) -> ComparedCaptures:
    """Return the results of comparing all captures."""
    new: list[tuple[boilerplate.Place, model.Sketch | boilerplate.Revisit]] = [
        ((ALL, number), page) for number, page in sketched.sketches.items()
    ]
    for number, dropped in sketched.dropped.items():
        if revisit := boilerplate.revisit_of(dropped, config.site_by):
            new.append(((ALL, number), revisit))
    near = boilerplate.neighbourhood(new, _originals(captures, sketched.sketches))
    repeats = {number: repeat for (_, number), repeat in near.repeats.items()}
    annotations = {}
    for (_, number), result in boilerplate.compare_neighbourhood(near, config):
        if isinstance(result, model.Repeat):
            repeats[number] = result
        else:
            annotations[result.record_id] = result
    return ComparedCaptures(annotations, _with_repeats(captures, sketched.dropped, repeats))


def _originals(
    captures: Iterable[model.Capture | model.Reject], sketches: Collection[int]
) -> Iterator[boilerplate.Original]:
    for number, capture in enumerate(captures):
        if isinstance(capture, model.Reject) and capture.refers_to:
            continue
        if original := boilerplate.original_of(capture, is_dropped=number not in sketches):
            yield original


def _with_repeats(
    captures: Iterable[model.Capture | model.Reject],
    dropped: Mapping[int, model.Reject],
    repeats: Mapping[int, model.Repeat],
) -> dict[int, model.Reject]:
    """Return what is dropped, with repeats and captures that cannot be compared; reads such pages again."""
    results = {
        number: boilerplate.with_repeat(reject, repeats[number]) if number in repeats else reject
        for number, reject in dropped.items()
    }
    pages = repeats.keys() - dropped.keys()
    for number, capture in enumerate(captures if pages else ()):
        if number in pages and isinstance(capture, model.Capture):
            repeat = repeats[number]
            results[number] = model.drop(capture, repeat.reason, repeat.detail, model.Stage.COMPARE)
    return results


def judge_all(
    captures: Iterable[model.Capture | model.Reject],
    compared: ComparedCaptures,
    config: model.Config,
    make: Make[Made],
) -> Iterator[Made | model.Reject]:
    """Yield the result of `make` for every capture, or why it has no verdicts, in input order."""
    pages = (JudgeInput(c, None) if isinstance(c, model.Capture) else None for c in captures)
    return boilerplate.judge_in_batches(_with_annotations(pages, compared), config, make)


# Captures judged as `annotate` does, but read once, and by several processes where they are asked for.
#
# Batch by batch captures become sketches, and what they were parsed to waits: the first pages as they are, the others
# on a shelf, pickled. This process compares the sketches; batch by batch the pages are judged.

AT_HAND = 300_000  # elements of pages that wait as they are, with their texts some 200 bytes each

Plain = Callable[[Document], Canonical]

MakeWith = Callable[[CrawlerTexts], Make[Made]]
"""A function that makes results, by the texts that crawlers stored; it can be pickled, and so can what it makes."""


class _Page(NamedTuple):
    """A page that waits to be judged, and its size; the document is pickled where it comes from another process."""

    capture: model.Capture
    document: Canonical | bytes | None
    size: int
    annotation: model.Annotation | None = None

    def judge_input(self) -> JudgeInput:
        document = self.document
        if isinstance(document, bytes):
            document = cast("Canonical", pickle.loads(document))  # noqa: S301 - from a process of ours
        return JudgeInput(self.capture, self.annotation, document)


class _StoredTexts(NamedTuple):
    """Texts that crawlers stored of a batch of captures, by the URLs and times of these."""

    nearest_to: Mapping[tuple[str, datetime], model.StoredText]

    def nearest(self, surt: str, at: datetime) -> model.StoredText | None:
        return self.nearest_to.get((surt, at))


NO_TEXTS = _StoredTexts({})


class _ToJudge(NamedTuple):
    """A batch for stage 3: pages, and captures that have no verdicts."""

    captures: Sequence[_Page | model.Reject]
    texts: CrawlerTexts


@dataclass(frozen=True, slots=True)
class _Work(Generic[Made]):
    """Stages 1 and 3 on batches, in whatever process."""

    config: model.Config
    make: MakeWith[Made]
    plain: Plain
    to_pickle: bool

    def __call__(self, batch: Sequence[model.Capture | model.Reject] | _ToJudge) -> Any:
        return self._judge(batch) if isinstance(batch, _ToJudge) else self._sketch(batch)

    def _sketch(
        self, captures: Sequence[model.Capture | model.Reject]
    ) -> tuple[SketchedCaptures, dict[int, _Page]]:
        pages = {}

        def keep(number: int, capture: model.Capture, document: Document) -> None:
            known = _known_page(capture, document, self.plain)
            waits: Canonical | bytes | None = known.document
            if self.to_pickle:  # once: the process that asked for it passes it on as it is
                waits = pickle.dumps(waits, pickle.HIGHEST_PROTOCOL)
            pages[number] = _Page(known.capture, waits, known.size)

        return sketch_all(captures, self.config, keep), pages

    def _judge(self, batch: _ToJudge) -> list[Made | model.Reject]:
        captures = [c if isinstance(c, model.Reject) else c.judge_input() for c in batch.captures]
        return list(boilerplate.judge_in_batches(captures, self.config, self.make(batch.texts)))


def _known_page(capture: model.Capture, document: Document, plain: Plain) -> JudgeInput:
    try:
        canonical = plain(document)
    except Exception:  # noqa: BLE001 - whatever it is, it shows again when the page is judged
        return JudgeInput(capture, None)
    return JudgeInput(replace(capture, payload=b""), None, canonical)


def judge_captures(
    captures: Iterable[model.Capture | model.Reject],
    config: model.Config,
    make: MakeWith[Made],
    plain: Plain,
    *,
    texts: CrawlerTexts = NO_TEXTS,
    processes: int = 1,
) -> Iterator[Made | model.Reject]:
    """Yield the results of `make` for every capture, in the order given; of so many processes they are the same.

    A page waits as `plain` has it of its document. The captures are read again only where there are revisits, which may
    repeat what comes after them, and where a record is there twice. `texts` are asked when all captures are read.

    Raises:
        StoreError: the disk for temporary files is full, or a process was killed twice over a batch.
        UsageError: a method that is not for single pages.
    """
    captures = OwnIds(captures)
    rest = iter(captures)
    first = [*islice(rest, 2)]
    alone = first[0] if len(first) == processes == 1 and not config.is_literal else None
    if isinstance(alone, model.Capture):
        # It is compared with none: no sketch is made of it.
        document = boilerplate.document_of(alone, config)
        known = (
            document if isinstance(document, model.Reject) else _known_page(alone, document, plain)
        )
        yield from boilerplate.judge_in_batches([known], config, make(texts))
        return
    sketched = SketchedCaptures({}, {})
    of_batches = _Work(config, make, plain, to_pickle=processes > 1)
    with _workers(processes, of_batches) as work, Shelf[_Page]() as shelf:
        at_hand: dict[int, _Page] = {}  # the first pages, which are judged first
        places: dict[int, int] = {}
        elements = 0
        for batch, pages in work(boilerplate.batches(chain(first, rest), _size)):
            end = len(sketched.sketches) + len(sketched.dropped)
            sketched.sketches.update((end + n, sketch) for n, sketch in batch.sketches.items())
            sketched.dropped.update((end + n, reject) for n, reject in batch.dropped.items())
            for number, page in pages.items():
                known = page.document  # pickled, it waits on the shelf
                elements += len(known.page.tags) if isinstance(known, Canonical) else AT_HAND
                if elements <= AT_HAND:
                    at_hand[end + number] = page
                else:
                    places[end + number] = shelf.put(page)
        compared = compare_all(captures, sketched, config)
        pages = (
            None
            if number in compared.dropped
            else at_hand.pop(number, None) or shelf.take(places[number])
            for number in range(len(sketched.sketches) + len(sketched.dropped))
        )
        to_judge = boilerplate.batches(_with_annotations(pages, compared), _size)
        for results in work(_ToJudge(batch, _texts_of(batch, texts)) for batch in to_judge):
            yield from results


Waiting = TypeVar("Waiting", JudgeInput, _Page)


def _with_annotations(
    pages: Iterable[Waiting | None], compared: ComparedCaptures
) -> Iterator[Waiting | model.Reject]:
    """Every page with what comparing it has found; in the place of None, or of a dropped one, why it is not judged."""
    for number, page in enumerate(pages):
        if page is None or number in compared.dropped:
            yield compared.dropped[number]
        else:
            yield page._replace(annotation=compared.annotations.get(page.capture.record_id))


def _texts_of(batch: Sequence[_Page | model.Reject], texts: CrawlerTexts) -> CrawlerTexts:
    captures = (page.capture for page in batch if isinstance(page, _Page))
    pages = ((capture.surt, capture.timestamp) for capture in captures)
    return _StoredTexts({of: text for of in pages if (text := texts.nearest(*of))})


def _size(capture: model.Capture | model.Reject | _Page) -> int:
    if isinstance(capture, _Page):
        return capture.size
    return 0 if isinstance(capture, model.Reject) else len(capture.payload)


@contextmanager
def _workers(
    processes: int, work: _Work[Made]
) -> Iterator[Callable[[Iterable[Any]], Iterator[Any]]]:
    if processes == 1:
        yield partial(map, work)
        return
    with engine.Pool(processes, partial(_open_work, work), _lost_batch) as pool:
        yield pool.in_order


def _open_work(work: _Work[Made]) -> AbstractContextManager[_Work[Made]]:
    engine.collect_rarely()
    return nullcontext(work)


def _lost_batch(batch: Sequence[model.Capture | model.Reject] | _ToJudge) -> Any:
    first = batch.captures[0] if isinstance(batch, _ToJudge) else batch[0]
    origin = first.capture.origin if isinstance(first, _Page) else first.origin
    raise model.StoreError(
        f"a process working on pages of {origin.filename} was killed twice, as the system does when memory runs "
        "out; free memory, or use fewer processes"
    )
