"""Captures judged as `dbce.pipeline.annotate` does, but read once, and by several processes where they are asked for.

Batch by batch captures become sketches, and what they were parsed to waits on a shelf, pickled. This process compares the
sketches; batch by batch the pages are taken from the shelf and judged.
"""

from __future__ import annotations

import pickle
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeAlias, cast

from dbce import boilerplate, engine
from dbce.boilerplate import JudgeInput, Made, Make
from dbce.model import Annotation, Capture, Config, Reject, StoredText, StoreError, UsageError
from dbce.pipeline.pages import ComparedCaptures, OwnIds, SketchedCaptures, compare_all, sketch_all
from dbce.storage import Shelf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from dbce.html import Canonical, Document
    from dbce.quality import CrawlerTexts

Plain: TypeAlias = "Callable[[Document], Canonical]"

MakeWith: TypeAlias = "Callable[[CrawlerTexts], Make[Made]]"
"""A function that makes results, by the texts that crawlers stored; it can be pickled, and so can what it makes."""


class _Page(NamedTuple):
    """A page that waits to be judged: its `JudgeInput`, pickled where it comes from another process; its file and size."""

    known: JudgeInput | bytes
    filename: str
    size: int


class _StoredTexts(NamedTuple):
    """Texts that crawlers stored of a batch of captures, by the URLs and times of these."""

    nearest_to: Mapping[tuple[str, datetime], StoredText]

    def nearest(self, surt: str, at: datetime) -> StoredText | None:
        return self.nearest_to.get((surt, at))


NO_TEXTS = _StoredTexts({})


class _WaitingPage(NamedTuple):
    """A page that is to be judged, with what was found of it, and as what a crawler's text of it is known."""

    page: _Page
    found: Annotation | None
    surt: str
    timestamp: datetime


class _ToJudge(NamedTuple):
    """A batch for stage 3: pages, and captures that have no verdicts."""

    captures: Sequence[_WaitingPage | Reject]
    texts: CrawlerTexts


class _Work(Generic[Made]):
    """Stages 1 and 3 on batches, in whatever process."""

    def __init__(
        self, config: Config, make: MakeWith[Made], plain: Plain, *, to_pickle: bool
    ) -> None:
        self._config = config
        self._make = make
        self._plain = plain
        self._to_pickle = to_pickle

    def __call__(self, batch: Sequence[Capture | Reject] | _ToJudge) -> Any:
        return self._judge(batch) if isinstance(batch, _ToJudge) else self._sketch(batch)

    def _sketch(
        self, captures: Sequence[Capture | Reject]
    ) -> tuple[SketchedCaptures, dict[int, _Page]]:
        pages = {}

        def keep(number: int, capture: Capture, document: Document) -> None:
            known = _known_page(capture, document, self._plain)
            # Once: the process that asked for it passes it on as it is.
            waits = pickle.dumps(known, pickle.HIGHEST_PROTOCOL) if self._to_pickle else known
            pages[number] = _Page(waits, capture.origin.filename, known.size)

        return sketch_all(captures, self._config, keep), pages

    def _judge(self, batch: _ToJudge) -> list[Made | Reject]:
        captures = [one if isinstance(one, Reject) else _input(one) for one in batch.captures]
        return list(boilerplate.judge_in_batches(captures, self._config, self._make(batch.texts)))


def _input(waiting: _WaitingPage) -> JudgeInput:
    known = waiting.page.known
    if isinstance(known, bytes):
        known = cast("JudgeInput", pickle.loads(known))  # noqa: S301 - from a process of ours
    return known._replace(found=waiting.found)


def _known_page(capture: Capture, document: Document, plain: Plain) -> JudgeInput:
    try:
        canonical = plain(document)
    except Exception:  # noqa: BLE001 - whatever it is, it shows again when the page is judged
        return JudgeInput(capture, None)
    return JudgeInput(replace(capture, payload=b""), None, canonical)


def judge_captures(
    captures: Iterable[Capture | Reject],
    config: Config,
    make: MakeWith[Made],
    plain: Plain,
    *,
    texts: CrawlerTexts = NO_TEXTS,
    processes: int = 1,
) -> Iterator[Made | Reject]:
    """Yield the results of `make` for every capture, in the order given; of so many processes they are the same.

    A page waits as `plain` has it of its document. The captures are read again only where there are revisits, which may
    repeat what comes after them, and where a record is there twice. `texts` are asked when all captures are read.

    Raises:
        StoreError: the disk for temporary files is full, or a process was killed twice over a batch.
        UsageError: no processes, or a method that is not for single pages.
    """
    captures = OwnIds(captures)
    sketched = SketchedCaptures({}, {})
    of_batches = _Work(config, make, plain, to_pickle=processes > 1)
    with _workers(processes, of_batches) as work, Shelf[_Page]() as shelf:
        # The first batch, which is judged first: a page alone never waits elsewhere.
        at_hand: dict[int, _Page] = {}
        places: dict[int, int] = {}
        for batch, pages in work(boilerplate.batches(captures, _filename, _size)):
            end = len(sketched.sketches) + len(sketched.dropped)
            sketched.sketches.update((end + n, one) for n, one in batch.sketches.items())
            sketched.dropped.update((end + n, one) for n, one in batch.dropped.items())
            if end == 0:
                at_hand = pages
            else:
                places |= {end + number: shelf.put(page) for number, page in pages.items()}
        compared = compare_all(captures, sketched, config)
        waiting = _in_turn(
            *(sketched, compared),
            lambda number: at_hand.pop(number, None) or shelf.take(places[number]),
        )
        to_judge = boilerplate.batches(waiting, _filename, _size)
        for results in work(_ToJudge(batch, _texts_of(batch, texts)) for batch in to_judge):
            yield from results


def _in_turn(
    sketched: SketchedCaptures, compared: ComparedCaptures, take: Callable[[int], _Page]
) -> Iterator[_WaitingPage | Reject]:
    """All captures in the order given; `take` gives the page of a number."""
    for number in range(len(sketched.sketches) + len(sketched.dropped)):
        if number in compared.dropped:
            yield compared.dropped[number]
            continue
        of = sketched.sketches[number]
        found = compared.annotations.get(of.record_id)
        yield _WaitingPage(take(number), found, of.surt, of.timestamp)


def _texts_of(batch: Sequence[_WaitingPage | Reject], texts: CrawlerTexts) -> CrawlerTexts:
    pages = ((one.surt, one.timestamp) for one in batch if isinstance(one, _WaitingPage))
    return _StoredTexts({of: text for of in pages if (text := texts.nearest(*of))})


def _filename(one: Capture | Reject | _WaitingPage) -> str:
    return one.page.filename if isinstance(one, _WaitingPage) else one.origin.filename


def _size(one: Capture | Reject | _WaitingPage) -> int:
    if isinstance(one, _WaitingPage):
        return one.page.size
    return 0 if isinstance(one, Reject) else len(one.payload)


@contextmanager
def _workers(
    processes: int, work: _Work[Made]
) -> Iterator[Callable[[Iterable[Any]], Iterator[Any]]]:
    if processes == 1:
        yield partial(map, work)
        return
    if processes < 1:
        raise UsageError(f"{processes} processes are none; give 1 or more")
    with engine.Pool(processes, partial(_open_work, work), _lost_batch) as pool:
        yield pool.in_order


def _open_work(work: _Work[Made]) -> AbstractContextManager[_Work[Made]]:
    engine.collect_rarely()
    return nullcontext(work)


def _lost_batch(batch: Sequence[Capture | Reject] | _ToJudge) -> Any:
    first = batch.captures[0] if isinstance(batch, _ToJudge) else batch[0]
    raise StoreError(
        f"a process working on pages of {_filename(first)} was killed twice, as the system does when memory runs "
        "out; free memory, or use fewer processes"
    )
