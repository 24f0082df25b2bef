"""The pages of one file: read, migrated, laid out again, measured, and written as an account and conversion records.

A page that something is wrong with never stops the others.
"""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import pyarrow as pa

import dbce
from dbce.archive import AnnotatedWriter, read, verify
from dbce.html import decode
from dbce.model import Capture, Dropped, InputError, fault_detail
from dbce.storage import Table, mark_done
from dbce.visual.migrate.layout_check import LaidOutPage, alike
from dbce.visual.migrate.obsolete import obsolete_in
from dbce.visual.migrate.page import PageLooks, migrate
from dbce.visual.migrate.schema import MIGRATED, MigrationAccount, Refusal
from dbce.visual.migrate.tree import parse
from dbce.visual.migrate.unit_inputs import FINER, UnitFacts
from dbce.visual.migrate.validity import check
from dbce.visual.render import RenderedFolder, rendered_pages
from dbce.visual.segment import DEFAULT, segment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dbce.html import Decoded
    from dbce.model import Limits, Rendering
    from dbce.output import Row
    from dbce.storage import Folder
    from dbce.visual import RenderedPage, Segmentation
    from dbce.visual.migrate.page import Migrated
    from dbce.visual.migrate.tree import DomElement
    from dbce.visual.migrate.unit_inputs import Unit
    from dbce.visual.render import Answers, Renderer

TOGETHER = 50
"""Pages that the checker gets at a time: starting it costs more than ten of them."""

WARC = "warc"
"""The folder of the conversion records and their index."""

PAGES = "pages"
"""The folder of the tables: what became of each page."""


def write_unit(
    folder: Folder, run: str, unit: Unit, renderer: Renderer, config: Rendering, *, jar: str
) -> None:
    """Writes the account and the records of a file; they appear together.

    `jar` is the Nu Html Checker, "" if pages are not checked.

    Raises:
        StoreError: what is stored is not what was written, or a file of the archive cannot be read.
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
        while some := list(islice(accounts, TOGETHER)):
            if jar:
                _check([account for _, account in some if account.migrated is not None], jar)
            for capture, account in some:
                if capture is not None and account.migrated is not None and not account.reason:
                    html = account.migrated.html.encode("utf-8", "replace")
                    lines.append(records.write(capture, html))
                rows.add(account.as_row())
                counts[account.reason] += 1
        records.close()
    mark_done(folder, unit.name, {"input": unit.name, "refused": dict(counts)}, lines)


def _accounts(
    run: str, unit: Unit, renderer: Renderer, limits: Limits
) -> Iterator[tuple[Capture | None, MigrationAccount]]:
    """The pages of a file, in the order of their records, and what became of each."""
    known = UnitFacts(run, unit)
    captures: Iterator[Capture | Dropped] = iter(())
    if unit.source is not None:
        captures = iter(read(unit.source, limits))
    wanted = {key for key, row in unit.rows.items() if row["status"] == "rendered"}
    read_already: dict[str, Capture | Dropped] = {}
    shots = RenderedFolder(run, unit.name)
    for page in rendered_pages(run, unit.name):
        capture = read_already.pop(page.record_id, None)
        while capture is None and (read_next := next(captures, None)) is not None:
            if read_next.record_id == page.record_id:
                capture = read_next
            elif read_next.record_id in wanted:
                read_already[read_next.record_id] = read_next
        row = unit.rows[page.record_id]
        is_drawn = shots.has_screenshot(page.record_id)
        laid_out = page, shots.screenshot(page.record_id) if is_drawn else None
        account = measured(capture, row, known, laid_out, renderer)
        yield (capture if isinstance(capture, Capture) else None), account
    for key, row in unit.rows.items():
        if key not in wanted:
            yield None, MigrationAccount(row).refuse(Refusal.NOT_RENDERED, row["reason"] or "")


def _check(accounts: Sequence[MigrationAccount], jar: str) -> None:
    """Has pages checked before and after, and refuses those that are worse, or not rid of what is obsolete."""
    texts = [
        text
        for migration in accounts
        if migration.migrated
        for text in (migration.original, migration.migrated.html)
    ]
    checked = check(texts, jar)
    for account, (before, after) in zip(
        accounts, zip(checked[::2], checked[1::2], strict=True), strict=True
    ):
        account.validity = before, after
        if account.reason:
            continue
        if after.obsolete:
            account.refuse(Refusal.OBSOLETE, f"{after.obsolete} errors of the checker")
        elif before.is_whole and after.errors > before.errors:
            what = f"{after.errors} errors of the checker, {before.errors} before"
            account.refuse(Refusal.INVALID, what)


MEDIA = "text/html; charset=utf-8"


def measured(
    capture: Capture | Dropped | None,
    row: Row,
    known: UnitFacts,
    laid_out: tuple[RenderedPage, bytes | None],
    renderer: Renderer,
) -> MigrationAccount:
    """The account of a page; with `laid_out`, the page and its picture, if one was taken, as they were before."""
    account = MigrationAccount(row)
    if capture is None:
        return account.refuse(Refusal.NOT_FOUND, "no archive that is named has its record")
    if isinstance(capture, Dropped):
        return account.refuse(Refusal.UNREADABLE, f"{capture.reason}: {capture.detail}")
    try:
        return _measured(account, capture, known, laid_out, renderer)
    except InputError as e:
        return account.refuse(Refusal.UNREADABLE, f"{e.reason}: {e.detail}")
    except Exception as e:  # noqa: BLE001 - of whatever kind, it is of this page alone
        return account.refuse(Refusal.FAULT, fault_detail(e, capture.origin))


def _measured(
    account: MigrationAccount,
    capture: Capture,
    known: UnitFacts,
    laid_out: tuple[RenderedPage, bytes | None],
    renderer: Renderer,
) -> MigrationAccount:
    page, picture = laid_out
    decoded = decode(capture.payload, capture.content_type)
    segmentation = known.segmentation(page)
    looks = _looks(page, capture, decoded, renderer.answers)
    blocks, before = known.labelled(page, segmentation), LaidOutPage(page, segmentation, picture)
    account.original = decoded.text
    migrated = migrate(decoded.text, blocks, looks)
    account = _judged(account, capture, migrated, before, renderer)
    if account.reason == Refusal.LAYOUT and (migrated.styled or migrated.mended):
        migrated = migrate(decoded.text, blocks, looks, leave=migrated.styled, moves=0)
        account = _judged(account, capture, migrated, before, renderer)
    return account


def _judged(
    account: MigrationAccount,
    capture: Capture,
    migrated: Migrated,
    before: LaidOutPage,
    renderer: Renderer,
) -> MigrationAccount:
    """The account with a new form of the page, which is refused or not."""
    account.migrated, account.reason, account.detail = migrated, "", ""
    if not migrated.stable:
        return account.refuse(Refusal.UNWRITABLE, "written, it would be parsed otherwise")
    if migrated.losses:
        lost = ", ".join(f"{count} {kind}" for kind, count in migrated.losses.items())
        return account.refuse(Refusal.LOSS, f"on one side alone: {lost}")
    if left := obsolete_in(parse(migrated.html).root):
        return account.refuse(Refusal.OBSOLETE, f"still there: {', '.join(sorted(left))}")
    return _laid_out(account, capture, migrated.html, before, renderer)


def _laid_out(
    account: MigrationAccount, capture: Capture, html: str, before: LaidOutPage, renderer: Renderer
) -> MigrationAccount:
    """The account with what the new page looks like, laid over the archive in the place of the old one."""
    payload = html.encode("utf-8", "replace")
    again = renderer.render(replace(capture, payload=payload, content_type=MEDIA))
    if isinstance(again, Dropped):
        return account.refuse(Refusal.NOT_LAID_OUT, f"{again.reason}: {again.detail}")
    cut = _alike_cut(again.page, before.segmentation)
    after = LaidOutPage(again.page, cut, again.laid_out.screenshot)
    account.alike = alike(before, after)
    if account.alike.is_good:
        return account
    counts = account.alike.blocks
    return account.refuse(
        Refusal.LAYOUT,
        f"Cq {counts.quality} of {counts.gold} blocks, Cf {counts.false_alarms}",
    )


def _alike_cut(page: RenderedPage, before: Segmentation) -> Segmentation:
    """The page in blocks, by the algorithm that cut it before."""
    is_finer = "level=2" in before.algorithm
    return segment(page, DEFAULT, FINER if is_finer else None)


def _looks(page: RenderedPage, capture: Capture, decoded: Decoded, answers: Answers) -> PageLooks:
    body = page.styles[page.elements[0].style].color if page.elements else ""
    root = parse(decoded.text).root
    base = next(
        (
            element.attributes["href"]
            for element in root.elements("base")
            if "href" in element.attributes
        ),
        "",
    )

    def answered(asked: Iterable[str]) -> tuple[str, ...]:
        """The texts of addresses, so far as the archive has them."""
        urls = (_joined(capture.url, base, reference) for reference in asked)
        replies = (answers.answer(url, capture.timestamp) for url in urls if url)
        return tuple(
            reply.payload.decode("utf-8", "replace")
            for reply in replies
            if reply is not None and reply.status < 400
        )

    return PageLooks(body, answered(_sheets(root)), answered(_scripts(root)), decoded.charset)


def _joined(url: str, base: str, reference: str) -> str:
    """An address on a page; "" if it is none."""
    try:
        return urljoin(urljoin(url, base), reference)
    except ValueError:  # of a host in brackets that is none
        return ""


def _sheets(root: DomElement) -> Iterator[str]:
    for link in root.elements("link"):
        if "stylesheet" in link.attributes.get("rel", "").lower().split():
            yield link.attributes.get("href", "")


def _scripts(root: DomElement) -> Iterator[str]:
    return (
        script.attributes["src"] for script in root.elements("script") if "src" in script.attributes
    )
