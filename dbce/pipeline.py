"""The whole method on plain values: captures in, annotated captures out.

    from dbce.archive import capture
    from dbce.pipeline import annotate

    pages = [capture(url, html, at="20160101000000") for url, html in my_pages]
    for page in annotate(pages):
        print(page.capture.url, page.status)
        print(page.text)

Spark runs the same functions (dbce.spark): stage 1 is dbce.sketch, stage 2 dbce.compare, and `judge`
here is stage 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, TypeVar

from dbce import html
from dbce.compare import Failed, compare_all
from dbce.config import Config
from dbce.faults import drop, failed
from dbce.metadata import Metadata, describe
from dbce.model import (
    Annotation,
    Capture,
    Cross,
    Dropped,
    Page,
    Reason,
    Sketch,
    Stage,
    Status,
    TextRun,
)
from dbce.revisits import (
    DUPLICATE,
    original_of,
    repeat_of,
    repeated,
    resolve,
    revisit_of,
    snapshots,
)
from dbce.sketch import sketch
from dbce.text import main_text
from dbce.verdicts import verdicts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from dbce.html import Document
    from dbce.model import Origin
    from dbce.revisits import Original, Revisit

    Make: TypeAlias = Callable[[Capture, Annotation | None, Document, tuple[TextRun, ...]], "Made"]


Made = TypeVar("Made")
"""What is made of a judged capture, its evidence, document and runs; the document may be used up."""

BATCH_PAGES = 64
"""Pages that a model is asked for at once."""

BATCH_BYTES = 4_000_000
"""Size of the bodies of a batch, beyond which it is full."""


@dataclass(frozen=True, slots=True)
class Charset:
    """What a page was decoded from: Python's name, who named it, and how often that did not fit.

    `source` is one of `dbce.html.decode.Source`; `replacements` counts the U+FFFD in the text.
    """

    name: str
    source: str
    replacements: int


@dataclass(frozen=True, slots=True, eq=False)
class Annotated:
    """A capture with its verdicts.

    `cross` is the strongest one it was compared in, None if `status` is single; `html` is the
    annotated page (UTF-8); `text` its main content, one line a block; `metadata` is what the
    page says of itself.
    """

    capture: Capture
    status: Status
    charset: Charset
    page: Page
    cross: Cross | None
    runs: tuple[TextRun, ...]
    html: bytes
    text: str
    metadata: Metadata

    @property
    def confidence(self) -> float:
        """How sure the verdicts are, 0.5 to 1: of each the chance to be right, by characters."""
        sure = [(r.end - r.start, max(p := r.verdict.probability, 1 - p)) for r in self.runs]
        return sum(n * p for n, p in sure) / sum(n for n, _ in sure)

    @property
    def origin(self) -> Origin:
        """Where the capture stands."""
        return self.capture.origin


def annotate(
    captures: Iterable[Capture | Dropped], config: Config | None = None
) -> Iterator[Annotated | Dropped]:
    """Every capture with its verdicts, in the order given; what cannot be judged as Dropped.

    The captures are read twice: sketches are made first, since a page is compared with pages that
    come after it; once more where there are revisits, which may repeat what comes after them. An
    iterator that cannot be read twice is kept in memory.
    """
    return judged(captures, config or Config(), as_annotated)


def judged(
    captures: Iterable[Capture | Dropped], config: Config, make: Make[Made]
) -> Iterator[Made | Dropped]:
    """What `make` makes of every capture, as `annotate` goes through them."""
    if iter(captures) is captures:
        captures = list(captures)
    sketches, dropped = sketch_all(captures, config)
    unchanged = _resolve_revisits(captures, sketches, dropped, config)
    of = sketches.keys() if unchanged else None
    annotations: dict[str, Annotation] = {}
    failures: dict[str, str] = {}
    for one in compare_all(sketches | unchanged, config, of):
        if isinstance(one, Failed):
            failures[one.record_id] = one.detail
        else:
            annotations[one.record_id] = one
    for number, capture in enumerate(captures if failures else ()):
        if number not in dropped and isinstance(capture, Capture) and capture.record_id in failures:
            detail = failures[capture.record_id]
            dropped[number] = drop(capture, Reason.FAULT, detail, Stage.COMPARE)
    yield from judge_all(captures, dropped, annotations, config, make)


# Stage 1: a capture becomes a sketch.


def sketch_all(
    captures: Iterable[Capture | Dropped], config: Config
) -> tuple[dict[str, Sketch], dict[int, Dropped]]:
    """(sketches by record id, what has none by its place in the input)."""
    sketches: dict[str, Sketch] = {}
    dropped: dict[int, Dropped] = {}
    for number, capture in enumerate(captures):
        result = capture if isinstance(capture, Dropped) else sketch(capture, config)
        if isinstance(result, Dropped):
            dropped[number] = result
        elif isinstance(capture, Capture) and result.record_id in sketches:
            dropped[number] = drop(capture, DUPLICATE.reason, DUPLICATE.detail)
        else:
            sketches[result.record_id] = result
    return sketches, dropped


def _resolve_revisits(
    captures: Iterable[Capture | Dropped],
    sketches: Mapping[str, Sketch],
    dropped: dict[int, Dropped],
    config: Config,
) -> dict[str, Sketch]:
    """The revisits that are snapshots, by record id; puts what came of each into `dropped`."""
    places: dict[str, int] = {}
    revisits: list[Revisit] = []
    for number, one in dropped.items():
        if revisit := revisit_of(one, config.site_by):
            if revisit.record_id in sketches or revisit.record_id in places:
                dropped[number] = repeated(one, DUPLICATE)
            else:
                places[revisit.record_id] = number
                revisits.append(revisit)
    resolved = resolve(revisits, _originals(captures, dropped))
    for record_id, number in places.items():
        dropped[number] = repeated(dropped[number], repeat_of(resolved[record_id]))
    return snapshots(revisits, resolved, sketches)


def _originals(
    captures: Iterable[Capture | Dropped], dropped: Mapping[int, Dropped]
) -> Iterator[Original]:
    for number, one in enumerate(captures):
        if isinstance(one, Dropped) and one.refers_to:
            continue
        without = dropped.get(number)
        is_dropped = without is not None and without.reason is not Reason.DUPLICATE_RECORD
        if original := original_of(one, is_dropped=is_dropped):
            yield original


# Stage 3: annotations become verdicts.


def judge_all(
    captures: Iterable[Capture | Dropped],
    dropped: Mapping[int, Dropped],
    annotations: Mapping[str, Annotation],
    config: Config,
    make: Make[Made],
) -> Iterator[Made | Dropped]:
    """What `make` makes of every capture, or why it has no verdicts, in the order of the input."""

    def with_annotations() -> Iterator[tuple[Capture, Annotation | None] | Dropped]:
        for number, capture in enumerate(captures):
            if number in dropped or isinstance(capture, Dropped):
                yield dropped[number]
            else:
                yield capture, annotations.get(capture.record_id)

    return judge_in_batches(with_annotations(), config, make)


def judge_in_batches(
    captures: Iterable[tuple[Capture, Annotation | None] | Dropped],
    config: Config,
    make: Make[Made],
) -> Iterator[Made | Dropped]:
    """Captures with their annotations, judged; those dropped before pass through in their place.

    A model is asked for many pages at once, which costs less than page by page. A batch has pages of
    one file, for the self-trained method lets them teach each other, and a run sees a file at a time.
    """
    for _, of_file in groupby(captures, key=_filename):
        waiting: list[tuple[Capture, Annotation | None] | Dropped] = []
        size = 0
        for item in of_file:
            waiting.append(item)
            size += 0 if isinstance(item, Dropped) else len(item[0].payload)
            if len(waiting) >= BATCH_PAGES or size >= BATCH_BYTES:
                yield from _judge_batch(waiting, config, make)
                waiting, size = [], 0
        yield from _judge_batch(waiting, config, make)


def _filename(item: tuple[Capture, Annotation | None] | Dropped) -> str:
    return (item if isinstance(item, Dropped) else item[0]).origin.filename


def _judge_batch(
    items: Sequence[tuple[Capture, Annotation | None] | Dropped], config: Config, make: Make[Made]
) -> Iterator[Made | Dropped]:
    done = iter(judge([item for item in items if not isinstance(item, Dropped)], config, make))
    for item in items:
        yield item if isinstance(item, Dropped) else next(done)


def judge(
    captures: Sequence[tuple[Capture, Annotation | None]], config: Config, make: Make[Made]
) -> list[Made | Dropped]:
    """What `make` makes of the captures, judged together; as Dropped what cannot be judged.

    The others are judged as they would be without it.
    """
    try:
        return list(_judged(captures, config, make))
    except Exception as e:  # noqa: BLE001 - whatever it is, it is of one of these pages
        if len(captures) == 1:
            return [failed(captures[0][0], e, Stage.JUDGE)]
    alone = [judge([one], config, make)[0] for one in captures]
    sound = [
        one for one, found in zip(captures, alone, strict=True) if not isinstance(found, Dropped)
    ]
    if len(sound) == len(captures):
        return alone
    together = iter(judge(sound, config, make))
    return [found if isinstance(found, Dropped) else next(together) for found in alone]


def _judged(
    captures: Sequence[tuple[Capture, Annotation | None]], config: Config, make: Make[Made]
) -> Iterator[Made]:
    documents = [html.load(c.payload, c.content_type, config.limits) for c, _ in captures]
    pages = [(d.page, found) for d, (_, found) in zip(documents, captures, strict=True)]
    judged = zip(captures, documents, verdicts(pages, config), strict=True)
    for (capture, found), document, runs in judged:
        yield make(capture, found, document, runs)


def as_annotated(
    capture: Capture, found: Annotation | None, document: Document, runs: tuple[TextRun, ...]
) -> Annotated:
    """A capture with its verdicts written into its page; it uses the document's tree up."""
    text = main_text(document.page, runs)
    metadata = metadata_of(capture, document, text)  # before the tree is marked
    return Annotated(
        capture=capture,
        status=Status.SINGLE if found is None else Status.ANNOTATED,
        charset=Charset(document.charset, document.charset_source, document.replacements),
        page=document.page,
        cross=found.crosses[0] if found else None,
        runs=runs,
        html=html.annotate(document.root, document.page, document.handles, runs),
        text=text,
        metadata=metadata,
    )


def metadata_of(capture: Capture, document: Document, text: str) -> Metadata:
    """What a page says of itself; `text` is its main content."""
    said = html.read_said(document.root, capture.payload)
    return describe(said, document.page, capture.url, capture.timestamp, text)
