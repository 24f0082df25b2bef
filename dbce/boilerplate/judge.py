"""Stage 3: annotations become verdicts, and verdicts a marked page, batch by batch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import compress, groupby
from operator import mul
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from dbce import html
from dbce.boilerplate.verdicts import verdicts
from dbce.formats import judged_text
from dbce.html import Canonical, Charset, Document
from dbce.metadata import Metadata, declared_opening, describe, told, with_language_of
from dbce.model import (
    Annotation,
    Capture,
    Cross,
    Dropped,
    Label,
    Page,
    Stage,
    Status,
    TextRun,
    failed,
)
from dbce.quality import (
    KindSigns,
    PageSigns,
    is_shell,
    is_without_text,
    kind_signs,
    page_signs,
    text_instead,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dbce.model import Config, Origin, StoredText
    from dbce.quality import CrawlerTexts


Made = TypeVar("Made")
Make: TypeAlias = Callable[
    [Capture, Annotation | None, Document | Canonical, tuple[TextRun, ...]], Made
]
"""A function of a judged capture, its evidence, document and runs; it may use the document up."""

BATCH_PAGES = 64
"""Pages that a model is asked for at once."""

BATCH_BYTES = 4_000_000
"""Size of the bodies of a batch, beyond which it is full."""


class Known(NamedTuple):
    """A capture to judge, with its annotation; None if it stands alone.

    `document` is what was kept of it when it was parsed; without it its payload is parsed.
    """

    capture: Capture
    found: Annotation | None
    document: Canonical | None = None

    @property
    def size(self) -> int:
        """The bytes of its payload."""
        return self.document.size if self.document else len(self.capture.payload)


@dataclass(frozen=True, slots=True, eq=False)
class Annotated:
    """A capture with its verdicts.

    `cross` is the strongest one it was compared in, None if it has neither a neighbour nor a variant; `html` is the
    annotated page (UTF-8); `text` its main content as plain text; `metadata` is what the
    page says of itself; `walked` says that the page was beyond the scanner; `signs` are those by which its
    quality is judged, `kind_signs` those of its kind. `stored` is the text that its crawler stored, where `text` is that: then no
    verdict is on it.
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
    walked: bool
    signs: PageSigns
    kind_signs: KindSigns
    stored: StoredText | None = None

    @property
    def confidence(self) -> float:
        """Certainty of the verdicts, 0.5 to 1: of each the chance to be right, by characters."""
        sizes, chances = _sizes_and_chances(self.runs)
        sure = [chance if chance >= 1 / 2 else 1 - chance for chance in chances]
        weighed: float = sum(map(mul, sizes, sure))
        return weighed / sum(sizes)

    @property
    def expected_f1(self) -> float | None:
        """F1 that may be expected of the main text, 0 to 1, by characters; None where nothing is content, or nothing judged.

        Of texts that are kept, with probabilities that are right, it is twice the content among them over all that is
        kept and all content of the page (Lipton, Elkan and Naryanaswamy, 2014).
        """
        kept, right, content = _content_of(self.runs)
        return 2 * right / (kept + content) if kept and not self.stored else None

    @property
    def origin(self) -> Origin:
        """The place of the capture in its archive."""
        return self.capture.origin


def _sizes_and_chances(runs: Sequence[TextRun]) -> tuple[list[int], list[float]]:
    """The characters of each run, and its probability to be content."""
    sizes = [end - start for _, start, end, _, _ in runs]
    return sizes, [run.verdict.probability for run in runs]


def _content_of(runs: Sequence[TextRun]) -> tuple[int, float, float]:
    """Return the characters that are kept, how many of them may be expected to be content, and how many of all."""
    sizes, chances = _sizes_and_chances(runs)
    is_kept = [run.verdict.label is Label.CONTENT for run in runs]
    right: float = sum(map(mul, compress(sizes, is_kept), compress(chances, is_kept)))
    return sum(compress(sizes, is_kept)), right, sum(map(mul, sizes, chances))


def judge_in_batches(
    captures: Iterable[Known | Dropped],
    config: Config,
    make: Make[Made],
) -> Iterator[Made | Dropped]:
    """Captures with their annotations, judged; those dropped before pass through in their place.

    A model is asked for many pages at once, which costs less than page by page. A batch has pages of
    one file, for the self-trained method lets them teach each other, and a run sees a file at a time.
    """
    for _, of_file in groupby(captures, key=_filename):
        waiting: list[Known | Dropped] = []
        size = 0
        for item in of_file:
            waiting.append(item)
            size += 0 if isinstance(item, Dropped) else item.size
            if len(waiting) >= BATCH_PAGES or size >= BATCH_BYTES:
                yield from _judge_batch(waiting, config, make)
                waiting, size = [], 0
        yield from _judge_batch(waiting, config, make)


def _filename(item: Known | Dropped) -> str:
    return (item if isinstance(item, Dropped) else item.capture).origin.filename


def _judge_batch(
    items: Sequence[Known | Dropped], config: Config, make: Make[Made]
) -> Iterator[Made | Dropped]:
    done = iter(judge([item for item in items if not isinstance(item, Dropped)], config, make))
    for item in items:
        yield item if isinstance(item, Dropped) else next(done)


def judge(captures: Sequence[Known], config: Config, make: Make[Made]) -> list[Made | Dropped]:
    """The results of `make` on the captures, judged together; as Dropped what cannot be judged.

    The others are judged as they would be without it.
    """
    try:
        return list(_judged(captures, config, make))
    except Exception as e:  # noqa: BLE001 - whatever it is, it is of one of these pages
        if len(captures) == 1:
            return [failed(captures[0].capture, e, Stage.JUDGE)]
    alone = [judge([known], config, make)[0] for known in captures]
    sound = [
        known
        for known, result in zip(captures, alone, strict=True)
        if not isinstance(result, Dropped)
    ]
    if len(sound) == len(captures):
        return alone
    together = iter(judge(sound, config, make))
    return [result if isinstance(result, Dropped) else next(together) for result in alone]


def _judged(captures: Sequence[Known], config: Config, make: Make[Made]) -> Iterator[Made]:
    documents = [_document(item, config) for item in captures]
    pages = [(d.page, known.found) for d, known in zip(documents, captures, strict=True)]
    heads = [(declared_opening(of.declared), told(of.declared)) for of in documents]
    openings, of_itself = zip(*heads, strict=True) if heads else ((), ())
    judged = zip(captures, documents, verdicts(pages, config, openings, of_itself), strict=True)
    for known, document, runs in judged:
        yield make(known.capture, known.found, document, runs)


def _document(known: Known, config: Config) -> Document | Canonical:
    if known.document:
        return known.document
    payload, content_type = known.capture.payload, known.capture.content_type
    return html.load(payload, content_type, config.limits, to_judge=True)


def as_annotated(
    capture: Capture,
    annotation: Annotation | None,
    document: Document | Canonical,
    runs: tuple[TextRun, ...],
) -> Annotated:
    """A capture with its verdicts written into its page; it uses the document's tree up."""
    plain = document.canonical()
    text = judged_text(plain.page, runs, plain.markup)
    kept, right, _ = _content_of(runs)
    return Annotated(
        capture=capture,
        status=annotation.status if annotation else Status.SINGLE,
        charset=plain.charset,
        page=plain.page,
        cross=annotation.crosses[0] if annotation else None,
        runs=runs,
        html=html.marked(plain.skeleton, plain.page, runs),
        text=text,
        metadata=metadata_of(capture, plain, text),
        walked=plain.walked,
        signs=page_signs(
            capture.url, plain, text, capture.truncated, right / kept if kept else 0.0
        ),
        kind_signs=kind_signs(capture.url, plain.page, plain.declared),
    )


def with_stored_text(result: Annotated | Dropped, texts: CrawlerTexts) -> Annotated | Dropped:
    """The result with the text that the crawler stored, of a page that only scripts fill, if there is one."""
    if isinstance(result, Dropped):
        if not is_without_text(result):
            return result
        stored = text_instead(texts, result.surt, result.timestamp)
        return replace(result, stored=stored) if stored else result
    if not is_shell(result.signs):
        return result
    capture = result.capture
    stored = text_instead(texts, capture.surt, capture.timestamp, result.text)
    return as_stored(result, stored) if stored else result


def as_stored(result: Annotated, stored: StoredText) -> Annotated:
    """A judged capture with the text that its crawler stored as its main text; all else is of the page."""
    metadata = with_language_of(result.metadata, stored.text)
    return replace(result, stored=stored, text=stored.text, metadata=metadata)


def metadata_of(capture: Capture, document: Document | Canonical, text: str) -> Metadata:
    """The metadata of a page; `text` is its main content."""
    return describe(document.declared, document.page, capture.url, capture.timestamp, text)
