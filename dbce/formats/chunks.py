"""The main text of a page in chunks of a limited size that end where its structures end, for search and language models."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from itertools import pairwise
from typing import Any, NamedTuple

from dbce.formats.part import Part, mean_probability, parts_of
from dbce.html import HEADINGS
from dbce.model import UsageError, count_words

WORDS = "words"

TokenCounter = Callable[[str], int]

WHITE_SPACE = re.compile(r"\s+")
BREAKS = (re.compile(r"(\n+)"), re.compile(r"[.!?…؟।][^\w\s]{0,3}(\s+)|[。！？][^\w\s]{0,3}()"))
"""Places at which a long paragraph or code is cut: behind lines, then behind sentences. The group is what stands between two."""


@dataclass(frozen=True, slots=True)
class Chunking:
    """The size of chunks, at most, in words or in tokens of a `tokenizer`: `words`, `tiktoken:NAME` or `transformers:NAME`."""

    size: int = 300
    tokenizer: str = WORDS

    def counter(self) -> TokenCounter:
        """Function that counts the words or tokens of a text.

        Raises:
            UsageError: there is no such tokenizer, its package is not installed, or the size is not positive.
        """
        if self.size < 1:
            raise UsageError(f"--size must be at least 1 (got {self.size})")
        if self.tokenizer == WORDS:
            return count_words
        package, _, name = self.tokenizer.partition(":")
        if package not in COUNTERS or not name:
            raise UsageError(
                f"no tokenizer {self.tokenizer!r}; give words, tiktoken:NAME or transformers:NAME"
            )
        try:
            return COUNTERS[package](name)
        except ModuleNotFoundError as e:
            raise UsageError(
                f"--tokenizer {self.tokenizer} needs more: pip install {package}"
            ) from e
        except (KeyError, ValueError, OSError) as e:
            reason = " ".join(str(e).split())
            raise UsageError(f"cannot load the tokenizer {self.tokenizer}: {reason}") from e


@cache
def _tiktoken(name: str) -> TokenCounter:
    library = import_module("tiktoken")
    known = name in library.list_encoding_names()
    encoding = library.get_encoding(name) if known else library.encoding_for_model(name)
    return lambda text: len(encoding.encode(text, disallowed_special=()))


@cache
def _transformers(name: str) -> TokenCounter:
    tokenizer = import_module("transformers").AutoTokenizer.from_pretrained(name)
    return lambda text: len(tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])


COUNTERS = {"tiktoken": _tiktoken, "transformers": _transformers}
"""Makers of counters, by the package that has the tokenizer."""


class Span(NamedTuple):
    """A range of the main text: a structure with what is in it, a line, or a part of one; `level` is that of a heading."""

    start: int
    end: int
    level: int = 0
    probability: float | None = None
    inside: tuple[Span, ...] = ()


@dataclass(slots=True)
class _Chunker:
    """Chunks that are done, and the spans of the last one, while spans come in order."""

    text: str
    size: int
    count: TokenCounter
    chunks: list[dict[str, Any]] = field(default_factory=list)
    path: list[tuple[int, str]] = field(default_factory=list)
    path_above: tuple[tuple[int, str], ...] = ()
    spans: list[Span] = field(default_factory=list)

    def add(self, span: Span) -> None:
        """Put a span into the last chunk, into one of its own, or cut it."""
        if self.spans and self._fits(self.spans[0].start, span.end):
            self.spans.append(span)
        elif self._fits(span.start, span.end) or not (pieces := _pieces(self.text, span)):
            self.close()
            self.path_above = tuple(self.path)
            self.spans = [span]
        else:
            for piece in pieces:
                self.add(piece)

    def add_heading(self, span: Span) -> None:
        """Begin a section: a chunk holds no end of the section before."""
        if self.spans and not 0 < self.spans[-1].level < span.level:
            self.close()
        while self.path and self.path[-1][0] >= span.level:
            del self.path[-1]
        self.add(span)
        self.path.append((span.level, " ".join(self.text[span.start : span.end].split())))

    def close(self) -> None:
        if not self.spans:
            return
        start, end = self.spans[0].start, self.spans[-1].end
        text = self.text[start:end]
        chunk = {
            "chunk": len(self.chunks) + 1,
            "start": start,
            "end": end,
            "size": self.count(text),
            "headings": [{"level": level, "text": heading} for level, heading in self.path_above],
            "probability": mean_probability(_line_weights(self.spans)),
            "text": text,
        }
        self.chunks.append(chunk)
        self.spans = []

    def _fits(self, start: int, end: int) -> bool:
        return self.count(self.text[start:end]) <= self.size


def chunks(
    blocks: Sequence[Part], text: str, size: int, count: TokenCounter
) -> list[dict[str, Any]]:
    """The chunks of a page in order, as objects of JSON: docs/page-chunks.schema.json.

    `text` is the main text. If the blocks have no places in it, each of its lines is a block.
    """
    chunker = _Chunker(text, size, count)
    for span in _spans(blocks) or [Span(*line.span()) for line in re.finditer("[^\n]+", text)]:
        if span.level:
            chunker.add_heading(span)
        else:
            chunker.add(span)
    chunker.close()
    return chunker.chunks


def _spans(parts: Sequence[Part]) -> list[Span]:
    """The spans of parts that hold text; none if the text is that of another page."""
    spans = [_span(part) for part in parts if _holds_text(part)]
    known = [span for span in spans if span]
    return known if len(known) == len(spans) else []


def _span(part: Part) -> Span | None:
    if source := part.source:
        if source.start is None or source.end is None:
            return None
        level = HEADINGS.get(part.tag, 0)
        return Span(source.start, source.end, level, source.probability)
    inside = sorted(_spans(parts_of(part)))  # a caption stands before what it is behind
    return Span(inside[0].start, inside[-1].end, inside=tuple(inside)) if inside else None


def _holds_text(part: Part) -> bool:
    """True unless it is an empty cell, or a row or an item of such."""
    return part.source is not None or any(map(_holds_text, parts_of(part)))


def _pieces(text: str, span: Span) -> Sequence[Span]:
    """The next smaller spans of one: what is in a structure, lines, sentences, then halves; none of a single character."""
    if span.inside:
        return span.inside
    for breaks in BREAKS:
        ends = [
            each.span(each.lastindex or 0) for each in breaks.finditer(text, span.start, span.end)
        ]
        pieces = _split_at(span, ends)
        if len(pieces) > 1:
            return pieces
    return _halves(text, span)


def _split_at(span: Span, gaps: Sequence[tuple[int, int]]) -> list[Span]:
    around = [(span.start, span.start), *gaps, (span.end, span.end)]
    return [
        span._replace(start=before[1], end=after[0])
        for before, after in pairwise(around)
        if before[1] < after[0]
    ]


def _halves(text: str, span: Span) -> list[Span]:
    """A line in two, at the white space that is nearest to its middle; in the middle where there is none."""
    middle = (span.start + span.end) // 2
    gaps = (each.span() for each in WHITE_SPACE.finditer(text, span.start, span.end))
    inner = [gap for gap in gaps if span.start < gap[0] and gap[1] < span.end]
    gap = min(inner, key=lambda boundary: abs(boundary[0] - middle), default=(middle, middle))
    halves = _split_at(span, [gap])
    return halves if len(halves) > 1 else []


def _line_weights(spans: Sequence[Span]) -> Iterator[tuple[int, float]]:
    """The characters and the probability of each line of some spans."""
    for span in spans:
        if span.inside:
            yield from _line_weights(span.inside)
        elif span.probability is not None:
            yield max(span.end - span.start, 1), span.probability
