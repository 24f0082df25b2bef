"""The pages of one file: read, migrated, rendered again, measured, and written as an account and conversion records.

Blocks, verdicts and layouts of the old pages come from the run. A failing page never stops the others.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from operator import itemgetter
from urllib.parse import urljoin

import pyarrow as pa

import dbce
from dbce import model
from dbce.archive import AnnotatedWriter, Source, read, verify
from dbce.html import DecodedText, decode
from dbce.model import Capture, Limits, Rendering
from dbce.output import Row, rows_of
from dbce.storage import Folder, SealedFolder, Table, mark_done
from dbce.visual import RenderedPage, Segmentation, contents, rows_with
from dbce.visual.block_verdicts import shares_of
from dbce.visual.migrate.account import (
    MIGRATED,
    LaidOutPage,
    MigrationAccount,
    Refusal,
    check_validity,
    compare_looks,
)
from dbce.visual.migrate.attributes import obsolete_in
from dbce.visual.migrate.page import MigratedPage, PageLooks, migrate
from dbce.visual.migrate.roles import LabelledBlock
from dbce.visual.migrate.tree import parse
from dbce.visual.render import Answers, RenderedFolder, Renderer, open_rendered, rendered_pages
from dbce.visual.segment import BLOCKS, DEFAULT, TABLES, BandOptions, Outline, block_of, segment

STORED = f"{DEFAULT}.parquet"
"""Table of blocks to use if the run has it; else pages are segmented anew."""

FINER = BandOptions(level=2)
"""Options for a page that is one block at first sight: it is cut at level 2 (docs/html5.md)."""

SECTION, ARTICLE = "section", "article"

NEEDED = (*MIGRATED.names[:5], "status", "reason")


@dataclass(frozen=True, slots=True)
class Unit:
    """The pages of a file: name of its tables, rows by record id, and their source, None if no archive has them."""

    name: str
    rows: Mapping[str, Row]
    source: Source | None


def units(run: str, sources: Sequence[Source]) -> list[Unit]:
    """Return the files of a run, including pages that were not rendered.

    Raises UsageError: it has no rendered pages, or none that is in the sources.
    """
    rendered = open_rendered(run)
    by_name = {source.name: source for source in sources}
    tables = {name: _rows(rendered, name) for name in rendered.names("pages/*.parquet")}
    _add_the_rest(tables, SealedFolder(run))
    files = []
    for name, rows in tables.items():
        source = by_name.get(next((row["warc_filename"] for row in rows.values()), ""))
        if source is not None and source.page is None:
            offsets = sorted({row["warc_record_offset"] for row in rows.values()})
            source = replace(source, offsets=tuple(offsets), piece=None)
        files.append(Unit(name.removeprefix("pages/"), rows, source))
    if files and not any(unit.source for unit in files):
        filenames = sorted({row["warc_filename"] for unit in files for row in unit.rows.values()})
        raise model.UsageError(
            f"--archive does not name {', '.join(filenames[:3]) or 'an archive'}, which {run} was rendered of"
        )
    return files


def _add_the_rest(tables: Mapping[str, dict[str, Row]], folder: Folder) -> None:
    """Add the judged pages of the same files that were not rendered, each to the table of its place in the file."""
    known = {key for rows in tables.values() for key in rows}
    starts = defaultdict(list)
    for name, rows in tables.items():
        first: dict[str, int] = {}
        for row in rows.values():
            file, offset = row["warc_filename"], row["warc_record_offset"]
            first[file] = min(offset, first.get(file, offset))
        for file, offset in first.items():
            starts[file].append((offset, name))
    for name in folder.names("pages/*.parquet"):
        for key, row in _rows(folder, name).items():
            if key in known or row["status"] not in (model.Status.ANNOTATED, model.Status.SINGLE):
                continue
            pieces = sorted(starts[row["warc_filename"]])
            index = bisect_right(pieces, row["warc_record_offset"], key=itemgetter(0))
            place = pieces[max(0, index - 1)][1] if pieces else name
            if place in tables:
                tables[place][key] = {**row, "status": "not-rendered", "reason": ""}


def _rows(folder: Folder, name: str) -> dict[str, Row]:
    rows = rows_of(folder, name, NEEDED)
    return {row["record_id"]: row for row in rows if row["record_id"]}


class UnitFacts:
    """Blocks and verdicts of the pages of one file."""

    def __init__(self, run: str, unit: Unit) -> None:
        folder = SealedFolder(run)
        self._content = contents(folder, unit.name, unit.rows)
        self._blocks = _stored_blocks(folder, unit.rows)

    def segmentation(self, page: RenderedPage) -> Segmentation:
        """Return the page in blocks, stored or new ones; of level 2 if it is one block at level 1."""
        content = self._content.get(page.record_id)
        coarse = self._blocks.get(page.record_id) or segment(page, content=content)
        return coarse if len(coarse.blocks) > 1 else segment(page, DEFAULT, FINER, content=content)

    def labelled_blocks(
        self, page: RenderedPage, segmentation: Segmentation
    ) -> list[LabelledBlock]:
        """Return the blocks with the words of content in each, by the verdicts.

        Without verdicts those outside links count. A terminal section that is mostly content is an
        article.
        """
        parents = {block.parent for block in segmentation.blocks}
        content = self._content.get(page.record_id) or _link_free_texts(page)
        shares = shares_of(page, segmentation.blocks, content)
        return [
            LabelledBlock(
                block.parent,
                ARTICLE
                if block.role == SECTION and n not in parents and share.label == model.Label.CONTENT
                else block.role,
                tuple(page.elements[element].xpath for element in block.elements),
                share.words * (share.content or 0),
            )
            for n, (block, share) in enumerate(zip(segmentation.blocks, shares, strict=True))
        ]


def _stored_blocks(folder: Folder, record_ids: Collection[str]) -> dict[str, Segmentation]:
    tables = folder.subfolder(TABLES)
    stored = f"{TABLES}/{STORED}"
    if not tables.exists(stored):
        return {}
    rows = defaultdict(list)
    for row in rows_with(tables, stored, record_ids, BLOCKS.names).to_pylist():
        rows[row["record_id"]].append(row)
    return {
        key: Segmentation(page_rows[0]["algorithm"], key, tuple(map(block_of, page_rows)))
        for key, page_rows in rows.items()
    }


def _link_free_texts(page: RenderedPage) -> dict[int, float]:
    """Return 1 for each text outside of links and 0 for those in them."""
    linked = Outline(page).in_link
    return {text.node: float(not linked[text.parent]) for text in page.texts if text.node >= 0}


TOGETHER = 50  # pages that the checker gets at a time: starting it costs more than ten of them
WARC = "warc"  # the folder of the conversion records and their index
PAGES = "pages"  # the folder of the tables: what became of each page


def write_unit(
    folder: Folder, run: str, unit: Unit, renderer: Renderer, config: Rendering, *, jar: str
) -> int:
    """Write the account and the records of a file, which appear together; return the number of its pages.

    `jar` is the Nu Html Checker, "" if pages are not checked.
    Raises StoreError: stored data differ from what was written, or a file of the archive cannot be read.
    """
    base = unit.name.removesuffix(".parquet")
    name = f"{base}.html5.warc.gz"
    lines: list[str] = []
    counts: Counter[str] = Counter()
    with ExitStack() as files:
        table = files.enter_context(folder.create(f"{PAGES}/{unit.name}"))
        stream = files.enter_context(folder.create(f"{WARC}/{name}", partial(verify, lines=lines)))
        records = AnnotatedWriter(stream, name, "conversion", config.digest(), dbce.__version__)
        rows = files.enter_context(Table(table, MIGRATED, pa.Table.from_pylist))
        accounts = _accounts(run, unit, renderer, config.limits)
        while batch := list(islice(accounts, TOGETHER)):
            if jar:
                _check([account for _, account in batch if account.migrated is not None], jar)
            for capture, account in batch:
                if capture is not None and account.migrated is not None and not account.reason:
                    html = account.migrated.html.encode("utf-8", "replace")
                    lines.append(records.write(capture, html))
                rows.add(account.as_row())
                counts[account.reason] += 1
        records.close()
    mark_done(folder, unit.name, {"refused": dict(counts)}, lines)
    return len(unit.rows)


def _accounts(
    run: str, unit: Unit, renderer: Renderer, limits: Limits
) -> Iterator[tuple[Capture | None, MigrationAccount]]:
    """Yield the pages of a file, in the order of their records, each with its account."""
    facts = UnitFacts(run, unit)
    captures = iter(() if unit.source is None else read(unit.source, limits))
    rendered_ids = {key for key, row in unit.rows.items() if row["status"] == "rendered"}
    read_ahead: dict[str, Capture | model.Reject] = {}
    screenshots = RenderedFolder(run, unit.name)
    for page in rendered_pages(run, unit.name):
        capture = read_ahead.pop(page.record_id, None)
        while capture is None and (read_next := next(captures, None)) is not None:
            if read_next.record_id == page.record_id:
                capture = read_next
            elif read_next.record_id in rendered_ids:
                read_ahead[read_next.record_id] = read_next
        row = unit.rows[page.record_id]
        has_screenshot = screenshots.has_screenshot(page.record_id)
        laid_out = page, screenshots.screenshot(page.record_id) if has_screenshot else None
        account = _measure_migration(capture, row, facts, laid_out, renderer)
        yield (capture if isinstance(capture, Capture) else None), account
    for key, row in unit.rows.items():
        if key not in rendered_ids:
            yield None, MigrationAccount(row).refuse(Refusal.NOT_RENDERED, row["reason"] or "")


def _check(accounts: Sequence[MigrationAccount], jar: str) -> None:
    """Validate pages before and after; refuse those with more errors, or with obsolete features left."""
    texts = [
        text
        for account in accounts
        if account.migrated
        for text in (account.original, account.migrated.html)
    ]
    checked = check_validity(texts, jar)
    for account, before, after in zip(accounts, checked[::2], checked[1::2], strict=True):
        account.validity = before, after
        if account.reason:
            continue
        if after.obsolete:
            account.refuse(Refusal.OBSOLETE, f"{after.obsolete} errors of the checker")
        elif before.is_whole and after.errors > before.errors:
            detail = f"{after.errors} errors of the checker, {before.errors} before"
            account.refuse(Refusal.INVALID, detail)


MEDIA = "text/html; charset=utf-8"


def _measure_migration(
    capture: Capture | model.Reject | None,
    row: Row,
    facts: UnitFacts,
    laid_out: tuple[RenderedPage, bytes | None],
    renderer: Renderer,
) -> MigrationAccount:
    """Return the account of a page; `laid_out` is the old rendered page, and its screenshot, if any."""
    account = MigrationAccount(row)
    if capture is None:
        return account.refuse(Refusal.NOT_FOUND, "no archive that is named has its record")
    if isinstance(capture, model.Reject):
        return account.refuse(Refusal.UNREADABLE, f"{capture.reason}: {capture.detail}")
    page, picture = laid_out
    try:
        decoded = decode(capture.payload, capture.content_type)
        account.original = decoded.text
        segmentation = facts.segmentation(page)
        looks = _looks(page, capture, decoded, renderer.answers)
        blocks = facts.labelled_blocks(page, segmentation)
        before = LaidOutPage(page, segmentation, picture)
        migrated = migrate(decoded.text, blocks, looks)
        _check_migrated(account, capture, migrated, before, renderer)
        if account.reason == Refusal.LAYOUT and (migrated.styled or migrated.mended):
            migrated = migrate(decoded.text, blocks, looks, leave=migrated.styled, moves=0)
            _check_migrated(account, capture, migrated, before, renderer)
    except model.InputError as e:
        account.refuse(Refusal.UNREADABLE, f"{e.reason}: {e.detail}")
    except Exception as e:  # noqa: BLE001 - of whatever kind, it is of this page alone
        account.refuse(Refusal.FAULT, model.fault_detail(e, capture.origin))
    return account


def _check_migrated(
    account: MigrationAccount,
    capture: Capture,
    migrated: MigratedPage,
    before: LaidOutPage,
    renderer: Renderer,
) -> MigrationAccount:
    """Return the account with a new form of the page, rendered in place of the old one, perhaps refused."""
    account.migrated, account.reason, account.detail = migrated, "", ""
    if not migrated.stable:
        return account.refuse(Refusal.UNWRITABLE, "written, it would be parsed otherwise")
    if migrated.losses:
        lost = ", ".join(f"{count} {kind}" for kind, count in migrated.losses.items())
        return account.refuse(Refusal.LOSS, f"on one side alone: {lost}")
    if obsolete := obsolete_in(parse(migrated.html).root):
        return account.refuse(Refusal.OBSOLETE, f"still there: {', '.join(sorted(obsolete))}")
    payload = migrated.html.encode("utf-8", "replace")
    rendered = renderer.render(replace(capture, payload=payload, content_type=MEDIA))
    if isinstance(rendered, model.Reject):
        return account.refuse(Refusal.NOT_LAID_OUT, f"{rendered.reason}: {rendered.detail}")
    finer = FINER if "level=2" in before.segmentation.algorithm else None
    cut = segment(rendered.page, DEFAULT, finer)
    after = LaidOutPage(rendered.page, cut, rendered.laid_out.screenshot)
    account.comparison = compare_looks(before, after)
    if account.comparison.is_good:
        return account
    counts = account.comparison.blocks
    return account.refuse(
        Refusal.LAYOUT, f"Cq {counts.quality} of {counts.gold} blocks, Cf {counts.false_alarms}"
    )


def _looks(
    page: RenderedPage, capture: Capture, decoded: DecodedText, answers: Answers
) -> PageLooks:
    body = page.styles[page.elements[0].style].color if page.elements else ""
    root = parse(decoded.text).root
    attributes = [element.attributes for element in root.elements("base")]
    base = next((mapping["href"] for mapping in attributes if "href" in mapping), "")
    sheets = (
        link.attributes.get("href", "")
        for link in root.elements("link")
        if "stylesheet" in link.attributes.get("rel", "").lower().split()
    )
    scripts = (element.attributes.get("src") for element in root.elements("script"))

    def archived_texts(references: Iterable[str]) -> tuple[str, ...]:
        """Return the texts of those addresses that the archive has."""
        urls = []
        for reference in references:
            with suppress(ValueError):  # an invalid host in brackets
                urls.append(urljoin(urljoin(capture.url, base), reference))
        replies = (answers.answer(url, capture.timestamp) for url in urls if url)
        return tuple(
            reply.payload.decode("utf-8", "replace")
            for reply in replies
            if reply is not None and reply.status < 400
        )

    with_source = (address for address in scripts if address is not None)
    return PageLooks(
        body, archived_texts(sheets), archived_texts(with_source), decoded.charset.name
    )
