"""Stage 3: evidence becomes a verdict on every text run, and verdicts a marked page, batch by batch."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from dbce import html, metadata, model, quality, thesis
from dbce.boilerplate import classify, decide
from dbce.boilerplate.word_labels import (
    COMMENT,
    DENSITY,
    JOINT,
    RULES,
    WordLabels,
    pattern_verdicts,
    text_runs,
    without_invalid,
)
from dbce.formats import judged_text
from dbce.html import Canonical, Charset, Document
from dbce.kernel import compiled
from dbce.metadata import Metadata, Opening, SelfDescription
from dbce.model import CONTENT, Annotation, Capture, Config, Label, Page, Reject, TextRun
from dbce.quality import CrawlerTexts, KindSigns, PageKind, PageSigns

Item = TypeVar("Item")
Made = TypeVar("Made")
Make: TypeAlias = Callable[
    [Capture, Annotation | None, Document | Canonical, tuple[TextRun, ...], KindSigns], Made
]
"""A function of a judged capture, its evidence, document, runs and signs of its kind; it may use the document up."""

BATCH_PAGES = 64  # pages that a model is asked for at once
BATCH_BYTES = 4_000_000  # size of the bodies of a batch, beyond which it is full


class JudgeInput(NamedTuple):
    """A capture to judge, its annotation if it does not stand alone, and what was kept of it when it was parsed."""

    capture: Capture
    annotation: Annotation | None
    document: Canonical | None = None

    @property
    def size(self) -> int:
        return self.document.size if self.document else len(self.capture.payload)


@dataclass(frozen=True, slots=True, eq=False)
class Annotated:
    """A capture with its verdicts.

    `cross` is the strongest one it was compared in, None if it has neither a neighbour nor a variant; `html` is the
    annotated page (UTF-8); `text` its main content as plain text, with the F1 that may be expected of it, None where
    nothing is content, or nothing judged; `confidence` is that of the verdicts, 0.5 to 1; `metadata` is what the
    page says of itself; `walked` says that the page was beyond the scanner; `signs` are those by which its
    quality is judged, `kind_signs` those of its kind. `stored` is the text that its crawler stored, where `text` is that: then no
    verdict is on it.
    """

    capture: Capture
    status: model.Status
    charset: Charset
    page: Page
    cross: model.Cross | None
    runs: tuple[TextRun, ...]
    confidence: float
    html: bytes
    text: str
    expected_f1: float | None
    metadata: Metadata
    walked: bool
    signs: PageSigns
    kind_signs: KindSigns
    stored: model.StoredText | None = None

    @property
    def origin(self) -> model.Origin:
        return self.capture.origin


def _expectations(runs: tuple[TextRun, ...]) -> tuple[float, float, float | None]:
    """Expected share of verdicts that are right, and of what is kept that is content, and F1 of that, by characters.

    Of texts that are kept, with probabilities that are right, F1 is twice the content among them over all that is
    kept and all content of the page (Lipton, Elkan and Naryanaswamy, 2014).
    """
    every, right, content, kept, right_of_kept = compiled.weigh(runs, Label.CONTENT)
    if not kept:
        return right / every, 0.0, None
    return right / every, right_of_kept / kept, 2 * right_of_kept / (kept + content)


def judge_in_batches(
    captures: Iterable[JudgeInput | Reject], config: Config, make: Make[Made]
) -> Iterator[Made | Reject]:
    """Captures with their annotations, judged; those dropped before pass through in their place."""
    for batch in batches(captures, lambda item: 0 if isinstance(item, Reject) else item.size):
        done = iter(judge([item for item in batch if not isinstance(item, Reject)], config, make))
        for item in batch:
            yield item if isinstance(item, Reject) else next(done)


def batches(
    items: Iterable[Item],
    size_of: Callable[[Item], int],
    most: tuple[int, int] | None = None,
) -> Iterator[list[Item]]:
    """Batches of so many captures and bytes at most; by default those that a model is asked for at once, which costs less than page by page."""
    most_pages, most_bytes = most or (BATCH_PAGES, BATCH_BYTES)
    waiting: list[Item] = []
    size = 0
    for item in items:
        waiting.append(item)
        size += size_of(item)
        if len(waiting) >= most_pages or size >= most_bytes:
            yield waiting
            waiting, size = [], 0
    if waiting:
        yield waiting


def judge(captures: Sequence[JudgeInput], config: Config, make: Make[Made]) -> list[Made | Reject]:
    """Results of `make` on the captures, judged together, those that cannot be judged as a Reject and without a trace."""
    try:
        return list(_judge_together(captures, config, make))
    except Exception as e:  # noqa: BLE001 - whatever it is, it is of one of these pages
        if len(captures) == 1:
            return [model.reject_fault(captures[0].capture, e, model.Stage.JUDGE)]
    alone = [judge([known], config, make)[0] for known in captures]
    sound = [
        known
        for known, result in zip(captures, alone, strict=True)
        if not isinstance(result, Reject)
    ]
    if len(sound) == len(captures):
        return alone
    together = iter(judge(sound, config, make))
    return [result if isinstance(result, Reject) else next(together) for result in alone]


def _judge_together(
    captures: Sequence[JudgeInput], config: Config, make: Make[Made]
) -> Iterator[Made]:
    documents = [
        known.document
        or html.load(known.capture.payload, known.capture.content_type, config.limits, "write")
        for known in captures
    ]
    pages = [
        page_evidence(known.capture.url, of, known.annotation, config)
        for known, of in zip(captures, documents, strict=True)
    ]
    judged = verdicts(pages, config)
    for known, document, runs, of in zip(captures, documents, judged, pages, strict=True):
        yield make(known.capture, known.annotation, document, runs, of.signs)


def as_annotated(
    capture: Capture,
    annotation: Annotation | None,
    document: Document | Canonical,
    runs: tuple[TextRun, ...],
    signs_of_kind: KindSigns,
) -> Annotated:
    """A capture with its verdicts written into its page, whose tree is used up."""
    plain = document.canonical()
    text = judged_text(plain.page, runs, plain.markup)
    confidence, precision, expected_f1 = _expectations(runs)
    return Annotated(
        capture=capture,
        status=annotation.status if annotation else model.Status.SINGLE,
        charset=plain.charset,
        page=plain.page,
        cross=annotation.crosses[0] if annotation else None,
        runs=runs,
        confidence=confidence,
        html=html.annotated_html(plain.skeleton, plain.page, runs),
        text=text,
        expected_f1=expected_f1,
        metadata=metadata_of(capture, plain, text),
        walked=plain.walked,
        signs=quality.page_signs(capture.url, plain, text, capture.truncated, precision),
        kind_signs=signs_of_kind,
    )


def with_stored_text(result: Annotated | Reject, texts: CrawlerTexts) -> Annotated | Reject:
    """Result with the text stored by the crawler, if there is one, of a page filled by scripts alone."""
    if isinstance(result, Reject):
        if not quality.is_without_text(result):
            return result
        stored = quality.text_instead(texts, result.surt, result.timestamp)
        return replace(result, stored=stored) if stored else result
    if not quality.is_shell(result.signs):
        return result
    capture = result.capture
    stored = quality.text_instead(texts, capture.surt, capture.timestamp, result.text)
    return as_stored(result, stored) if stored else result


def as_stored(result: Annotated, stored: model.StoredText) -> Annotated:
    """A judged capture with the text that its crawler stored as its main text; all else is of the page."""
    known = metadata.with_language_of(result.metadata, stored.text)
    return replace(result, stored=stored, text=stored.text, expected_f1=None, metadata=known)


def metadata_of(capture: Capture, document: Document | Canonical, text: str) -> Metadata:
    return metadata.describe(
        document.declared_metadata, document.page, capture.url, capture.timestamp, text
    )


# Stage 3 on one page or many: the evidence on every word becomes a verdict on every text run.

HALF = 0.5 + 1e-9
"""Share of votes from which on a line is content by patterns: an equal share is none for content."""

DENSITY_TRUST = 0.75
"""Probability of a verdict by densities alone; a rule of thumb until verdicts are calibrated."""

NO_SIGNS = KindSigns((), {}, asks=False)
"""Those of a page whose kind nobody asks for."""


class PageEvidence(NamedTuple):
    """All that is known of a page before it is judged.

    `opening` is the headline and standfirst that it declares, `description` what else it says of itself, `signs` are those
    of its kind.
    """

    page: Page
    annotation: Annotation | None
    opening: Opening = Opening()
    description: SelfDescription | None = None
    signs: KindSigns = NO_SIGNS


def page_evidence(
    url: str, document: Document | Canonical, annotation: Annotation | None, config: Config
) -> PageEvidence:
    page, head = document.page, document.declared_metadata
    opening, signs = metadata.declared_opening(head), quality.kind_signs(url, page, head)
    is_article = quality.is_likely(PageKind.ARTICLE, signs) and not signs.declares("Recipe")
    is_article &= config.comments == "drop"
    opening = opening._replace(is_article=is_article)
    return PageEvidence(page, annotation, opening, metadata.self_description(head), signs)


def verdicts(pages: Sequence[PageEvidence], config: Config) -> list[tuple[TextRun, ...]]:
    """Runs of pages with their verdicts, by the method that is configured."""
    if config.method == "joint":
        judgements = _judge_by_models(pages, config)
        judged = [_by_model(of, its, config) for of, its in zip(pages, judgements, strict=True)]
    else:
        judged = [_by_patterns(of, config) for of in pages]
    if not config.is_dialled:
        return judged
    return [
        decide.with_dial(of.page, runs, config, of.opening)
        for of, runs in zip(pages, judged, strict=True)
    ]


def _judge_by_models(pages: Sequence[PageEvidence], config: Config) -> list[classify.Judgement]:
    """Judgements of pages; where the models are those of the package, those of forums have one of their own.

    Posts of a forum look as comments do elsewhere: a model that learned from forums keeps comments on other pages.
    """
    keeps = config.comments == "keep"
    of_forums = [not config.model and quality.is_likely(PageKind.FORUM, of.signs) for of in pages]
    judged: dict[int, classify.Judgement] = {}
    for for_forums in dict.fromkeys(of_forums):
        chosen = [n for n, is_of_forum in enumerate(of_forums) if is_of_forum == for_forums]
        trained = classify.load_model(config.model, for_forums=for_forums)
        compared = [(pages[n].page, pages[n].annotation) for n in chosen]
        descriptions = [pages[n].description for n in chosen]
        labels = classify.judge_jointly(compared, trained, descriptions, keep_comments=keeps)
        judged.update(zip(chosen, labels, strict=True))
    return [judged[n] for n in range(len(pages))]


def _by_model(of: PageEvidence, judged: classify.Judgement, config: Config) -> tuple[TextRun, ...]:
    page, annotation = of.page, of.annotation
    rules = np.array([JOINT, COMMENT], np.uint8).take(judged.comments)
    word_labels = WordLabels(judged.labels, judged.probabilities.round(4), rules)
    structures: decide.Structures = None
    if config.by_structures:
        word_labels, structures = decide.labels_by_structures(
            judged.ends, word_labels, judged.lines_of(page), of.opening
        )
    comparisons = len(annotation.crosses) if annotation and annotation.knows_other_pages else 0
    bits = _bits(judged.ends, annotation)
    return text_runs(page.nodes, judged.ends, bits, word_labels, comparisons, structures=structures)


def _bits(ends: model.Hashes, annotation: Annotation | None) -> NDArray[np.uint8]:
    """Every word's bits in the strongest cross; of a page that stands alone, 10000."""
    words = int(ends[-1])
    if annotation is None:
        return np.full(words, 16, dtype=np.uint8)
    return classify.element_bits(annotation, annotation.crosses[0], words)


def _by_patterns(of: PageEvidence, config: Config) -> tuple[TextRun, ...]:
    """Runs by the patterns of the strongest cross; without *up* by the page's densities."""
    page, annotation = of.page, of.annotation
    ends = np.cumsum([len(node.text.split()) for node in page.nodes], dtype=np.uint32)
    if annotation and annotation.body:
        return _by_elements(page, annotation, ends)
    bits = _bits(ends, annotation)
    comparisons = 0
    if annotation is None or not annotation.knows_other_pages:
        word_labels = _alone(page, ends)
    else:
        comparisons = 1
        labels = classify.pattern_labels(annotation.crosses[0].bits, bits)
        word_labels = pattern_verdicts(labels)
        if config.method == "T002":
            word_labels = without_invalid(word_labels)
    structures: decide.Structures = None
    if config.by_structures:
        lines = decide.line_values(page, ends, word_labels, HALF)
        word_labels, structures = decide.labels_by_structures(ends, word_labels, lines, of.opening)
    return text_runs(page.nodes, ends, bits, word_labels, comparisons, structures=structures)


def _by_elements(page: Page, annotation: Annotation, ends: model.Hashes) -> tuple[TextRun, ...]:
    """By the `<dbce>` elements of the thesis' method."""
    words = [word for node in page.nodes for word in node.text.split()]
    labels, chances, bits, rules = zip(*thesis.word_verdicts(words, annotation.body), strict=True)
    word_labels = WordLabels(
        labels=np.array(labels, dtype=np.uint8),
        probabilities=np.array(chances, dtype=np.float64).round(4),
        rules=np.array([RULES.index(rule) for rule in rules], dtype=np.uint8),
    )
    by_word = np.array(bits, dtype=np.uint8)
    return text_runs(page.nodes, ends, by_word, word_labels, len(annotation.crosses))


def _alone(page: Page, ends: model.Hashes) -> WordLabels:
    labels = np.repeat(classify.density_labels(page), np.diff(ends, prepend=0))
    return WordLabels(
        labels=labels,
        probabilities=np.where(labels == CONTENT, DENSITY_TRUST, 1 - DENSITY_TRUST),
        rules=np.full(len(labels), DENSITY, dtype=np.uint8),
    )
