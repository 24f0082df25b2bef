"""The main content of pages in one step, from archives or from memory; `import dbce` shows the latter."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeVar

import dbce
from dbce import archive, engine, formats, html, quality
from dbce.archive import Source, capture, timestamp14
from dbce.boilerplate import Make, metadata_of
from dbce.html import Canonical, Document
from dbce.metadata import Metadata
from dbce.model import (
    NO_TIME,
    Annotation,
    Capture,
    Config,
    CrawlerText,
    FormatName,
    InputError,
    Reason,
    Reject,
    Status,
    StoredText,
    TextRun,
    UsageError,
    stable_id,
)
from dbce.pipeline.pages import NO_TEXTS, judge_captures
from dbce.storage import Shelf

ADDRESS = re.compile(r"\s*https?://[^\s<]+\s*")
Result = TypeVar("Result")
Given = Capture | tuple[str | None, str | bytes] | tuple[str | None, str | bytes, str | None]


@dataclass(frozen=True, slots=True)
class Extracted:
    """Result for a page: its main content in a format, and its metadata.

    `status` is annotated, single (no other page of its template was there), skipped or rejected; `reason` says why it
    is one of the last two, whose text is empty. `timestamp` is 14 digits in UTC, or None.
    """

    url: str
    timestamp: str | None
    status: Status
    reason: Reason | None
    text: str
    metadata: Metadata


def extract(
    html: str | bytes,
    url: str | None = None,
    format: FormatName = "markdown",  # noqa: A002
    *,
    images: bool = False,
    links: formats.Links = "keep",
    including: Iterable[str] = (),
    without: Iterable[str] = (),
    config: Config | None = None,
) -> str:
    """The main content of one page in a format; "" of a page without any.

    `url` makes links absolute and may hold a date. Links are kept in their lines, as their "text", or in Markdown as
    references to addresses at the "end". `including` names parts that are content besides, `without` parts that are
    left out (captions, comments, tables, notes, byline, images); `images` is `including=["images"]`. Pages of one site
    tell more together: see `extract_all`.

    Raises:
        InputError: the page cannot be read; the error carries the reason.
        TypeError: `html` is no page, or `url` no text.
        ValueError: there is no such format, it has no such links, or there is no such part.
    """
    form, parts = _form(format, links, images, including, without)
    if isinstance(html, str) and ADDRESS.fullmatch(html):
        raise TypeError("html is an address; give the HTML of a page, as str or bytes")
    (page,) = extracts(
        *([_capture(0, (url, html))], Config.or_default(config)),
        markup=form.markup,
        parts=parts,
        sources=form.sources,
        metadata=form.alone_metadata,
    )
    if not isinstance(page, Reject):
        return form.alone(page)
    if page.status is Status.REJECTED:
        raise InputError(page.reason, page.detail)
    return ""


def extract_all(
    pages: Iterable[Given],
    format: FormatName = "markdown",  # noqa: A002
    *,
    images: bool = False,
    links: formats.Links = "keep",
    including: Iterable[str] = (),
    without: Iterable[str] = (),
    config: Config | None = None,
    processes: int = 1,
) -> Iterator[Extracted]:
    """Yield the result for every page, in order; the pages are compared with each other. Parts are as in `extract`.

    A page is (url, html) or (url, html, timestamp), or a capture of `dbce.archive`. `html` is text or bytes,
    `timestamp` 14 digits or an ISO date in UTC; several timestamps of a URL are its snapshots. All pages are kept in
    memory. Several `processes` are other Pythons of this machine, with the same results.

    Raises:
        StoreError: a process was killed twice over the same pages.
        TypeError: something in `pages` is no page; the message has its number, from 0.
        ValueError: there is no such format, part or number of processes, no such links in it, or a timestamp is no date.
    """
    form, parts = _form(format, links, images, including, without)
    if not isinstance(processes, int) or processes < 1:
        raise ValueError(f"{processes!r} processes are none; give 1 or more")
    captures = [*_captures(pages)]
    results = extracts(
        *(captures, Config.or_default(config)),
        markup=form.markup,
        parts=parts,
        sources=form.sources,
        processes=processes,
    )
    return (_result(r, form) for r in results)


def extracts(
    captures: Iterable[Capture | Reject],
    config: Config,
    *,
    markup: bool,
    parts: formats.MainParts = formats.AS_JUDGED,
    headings: formats.Headings | None = None,
    sources: bool = False,
    metadata: bool = True,
    texts: quality.CrawlerTexts = NO_TEXTS,
    processes: int = 1,
) -> Iterator[formats.Extract | Reject]:
    """Yield the extract of every capture, in order; with `markup` also as blocks.

    Captures are read once, and not kept in memory (`judge_captures`). `headings` is that of `dbce.formats.annotated_content`;
    with `sources` blocks have theirs, and without `metadata` none is looked for. A page that only scripts fill has its
    text from `texts`, which may come together while captures are read.
    """
    to_make = _ExtractMaker(markup, parts, headings, sources, metadata, config.model_name)
    make, plain = to_make.with_texts, to_make.plain
    results = judge_captures(captures, config, make, plain, texts=texts, processes=processes)
    extracted = (_stored_extract(r, texts, markup) if isinstance(r, Reject) else r for r in results)
    return _collecting_rarely(extracted)


def _collecting_rarely(results: Iterator[Result]) -> Iterator[Result]:
    """Yield results, with Python looking for garbage less often while each is made: the values of a page are in no cycle.

    To look through them took 7 % of the time of a page, and 17 % of that of many. Of calls at the same time the first one
    sets the threshold back.
    """
    while True:
        before = gc.get_threshold()
        is_often = 0 < before[0] < engine.GARBAGE_THRESHOLD
        if is_often:
            engine.collect_rarely()
        try:
            result = next(results)
        except StopIteration:
            return
        finally:
            if is_often:
                gc.set_threshold(*before)
        yield result


def _stored_extract(
    dropped: Reject, texts: quality.CrawlerTexts, markup: bool
) -> formats.Extract | Reject:
    """The extract of a page without any text that has that of its crawler, or of its JSON-LD."""
    if not quality.is_without_text(dropped):
        return dropped
    stored = quality.text_instead(texts, dropped.surt, dropped.timestamp) or dropped.stored
    if stored is None:
        return dropped
    extract = formats.Extract(
        *(dropped.record_id, dropped.url, dropped.surt, dropped.timestamp, dropped.status),
        *(Metadata(), ""),
        origin=dropped.origin,
        digest=dropped.digest,
        version=dbce.__version__,
    )
    return formats.with_stored_text(extract, stored.text, stored.record, markup=markup)


@dataclass(frozen=True, slots=True)
class _ExtractMaker:
    """Maker of extracts: what each is to have, and the function that makes one of a judged capture."""

    markup: bool
    parts: formats.MainParts
    headings: formats.Headings | None
    sources: bool
    metadata: bool
    model: str

    def plain(self, document: Document) -> Canonical:
        """The page as its extract is made of it; one that is not read as it is written has to be written and read."""
        is_written = self.markup and (self.headings is not None or not document.reads_as_written)
        to_format = (self.markup or self.parts.images) and not is_written
        return document.canonical(to_write=is_written, to_format=to_format)

    def with_texts(self, texts: quality.CrawlerTexts) -> Make[formats.Extract]:
        return partial(self._extract, texts)

    def _extract(
        self,
        texts: quality.CrawlerTexts,
        capture: Capture,
        annotation: Annotation | None,
        document: Document | Canonical,
        runs: tuple[TextRun, ...],
        _signs: quality.KindSigns,
    ) -> formats.Extract:
        page = document if isinstance(document, html.Canonical) else self.plain(document)
        runs = self.parts.select(page.page, runs)
        content = self._content(page, runs, capture.url)
        stored = quality.text_instead(texts, capture.surt, capture.timestamp, content.text)
        if stored:
            signs = quality.page_signs(capture.url, page, content.text, capture.truncated)
            stored = stored if quality.is_shell(signs) else None
        # A stored text is headed by its page's title.
        has_metadata = self.metadata or stored is not None
        extract = formats.Extract(
            record_id=capture.record_id,
            url=capture.url,
            surt=capture.surt,
            timestamp=None if capture.timestamp == NO_TIME else capture.timestamp,
            status=annotation.status if annotation else Status.SINGLE,
            metadata=metadata_of(capture, page, content.text) if has_metadata else Metadata(),
            text=content.text,
            origin=capture.origin,
            blocks=content.blocks,
            title=content.title,
            digest=capture.digest,
            version=dbce.__version__,
            model=self.model,
        )
        if stored:
            return formats.with_stored_text(extract, stored.text, stored.record, markup=self.markup)
        return extract

    def _content(self, page: Canonical, runs: tuple[TextRun, ...], url: str) -> formats.Content:
        images, sources = self.parts.images, self.sources
        if page.skeleton.html:
            marked = html.annotated_html(page.skeleton, page.page, runs)
            text = None if images else formats.judged_text(page.page, runs, page.markup)
            content: formats.Content = formats.annotated_content(
                marked, url, images=images, headings=self.headings, sources=sources, text=text
            )
            return content if text is None else content._replace(text=text)
        if self.markup:
            return formats.judged_content(page, runs, url, images=images, sources=sources)
        text = formats.judged_text(page.page, runs, page.markup, images=images)
        return formats.Content((), "", text)


def _form(
    name: str, links: formats.Links, images: bool, including: Iterable[str], without: Iterable[str]
) -> tuple[formats.Format, formats.MainParts]:
    parts = [*including, "images"] if images else including
    try:
        return formats.format_of(name, links), formats.main_parts(parts, without)
    except UsageError as e:
        raise ValueError(str(e)) from e


def _captures(pages: Iterable[Given]) -> Iterator[Capture]:
    for number, page in enumerate(pages):
        try:
            yield _capture(number, page)
        except (TypeError, ValueError) as e:
            kind = TypeError if isinstance(e, TypeError) else ValueError
            raise kind(f"page {number}: {e}") from e


def _capture(number: int, page: Given) -> Capture:
    """A page as a capture; equal pages are told apart by their number."""
    if isinstance(page, Capture):
        return page
    if not isinstance(page, (tuple, list)) or len(page) not in (2, 3):
        raise TypeError(
            f"it is {_kind(page)}; give (url, html), (url, html, timestamp) or a capture"
        )
    url, source, *time = page
    if not isinstance(source, (str, bytes)):
        raise TypeError(f"html is {_kind(source)}; give the HTML of a page, as str or bytes")
    for name, value in (("url", url), ("timestamp", time[0] if time else None)):
        if value is not None and not isinstance(value, str):
            raise TypeError(f"{name} is {_kind(value)}; give a str, or None where it is not known")
    at = time[0] if time and time[0] else NO_TIME.isoformat()
    return capture(url or "", source, at, record_id=stable_id("page", str(number), url or "", at))


def _kind(value: object) -> str:
    return "None" if value is None else f"of type {type(value).__name__}"


def _result(result: formats.Extract | Reject, form: formats.Format) -> Extracted:
    is_dated = result.timestamp and result.timestamp != NO_TIME
    stamp = timestamp14(result.timestamp) if is_dated and result.timestamp else None
    if isinstance(result, Reject):
        return Extracted(result.url, stamp, result.status, result.reason, "", Metadata())
    return Extracted(result.url, stamp, result.status, None, form.alone(result), result.metadata)


class ArchivedPages(AbstractContextManager["ArchivedPages"]):
    """The captures of archive files, which are read anew each time, and the texts that crawlers stored of them.

    Texts are taken as the files are read first, and are on a shelf: some 200 bytes of memory each, once they are many.
    """

    def __init__(self, sources: Sequence[Source], config: Config) -> None:
        self._sources, self._config = sources, config
        self._shelf, self._places = Shelf[str](), quality.TextsByUrl[int]()
        self._is_read = False

    def __exit__(self, *_: object) -> None:
        self._shelf.__exit__()

    def __iter__(self) -> Iterator[Capture | Reject]:
        take_text = None if self._is_read else self._add_text
        self._is_read = True
        limits, verify = self._config.limits, self._config.verify
        for source in self._sources:
            yield from archive.read(source, limits, verify=verify, take_text=take_text)

    def _add_text(self, text: CrawlerText) -> None:
        place = self._shelf.put(text.stored.text)
        known = quality.TextAt(text.timestamp, text.kind, text.stored.record, place)
        self._places.add(text.surt, known)

    def nearest(self, surt: str, at: datetime) -> StoredText | None:
        """Return the text of a URL that was taken nearest to a time, None if none was near."""
        text = self._places.nearest(surt, at)
        return StoredText(text.record, self._shelf.take(text.place)) if text else None
