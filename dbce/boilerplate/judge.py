"""Stage 3: annotations become verdicts, and verdicts a marked page, batch by batch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from dbce import html
from dbce.boilerplate.verdicts import verdicts
from dbce.errors import failed
from dbce.html import Document, main_text
from dbce.metadata import Metadata, describe
from dbce.model import (
    Annotation,
    Capture,
    Cross,
    Dropped,
    Page,
    Stage,
    Status,
    TextRun,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dbce.config import Config
    from dbce.model import Origin


Made = TypeVar("Made")
Make: TypeAlias = Callable[[Capture, Annotation | None, Document, tuple[TextRun, ...]], Made]
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
        html=html.annotate(document.root, document.page, document.handles, runs, capture.payload),
        text=text,
        metadata=metadata,
    )


def metadata_of(capture: Capture, document: Document, text: str) -> Metadata:
    """What a page says of itself; `text` is its main content."""
    said = html.read_said(document.root, capture.payload)
    return describe(said, document.page, capture.url, capture.timestamp, text)
