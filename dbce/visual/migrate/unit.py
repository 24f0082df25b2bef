"""The pages of one file: read, measured, and written as an account and conversion records."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import pyarrow as pa

import dbce
from dbce.archive import AnnotatedWriter, read, verify
from dbce.model import Capture
from dbce.storage import Table, mark_done
from dbce.visual.migrate.measured import measured
from dbce.visual.migrate.schema import MIGRATED, Account, Refusal
from dbce.visual.migrate.unit_inputs import Known
from dbce.visual.migrate.validity import check
from dbce.visual.render import RenderedFolder, rendered_pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.model import Dropped, Limits, Rendering
    from dbce.storage import Folder
    from dbce.visual.migrate.unit_inputs import Unit
    from dbce.visual.render import Renderer

TOGETHER = 50
"""Pages that the checker gets at a time: starting it costs more than ten of them."""

WARC = "warc"
"""The folder of the conversion records and their index."""


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
        table = files.enter_context(folder.create(unit.name))
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
) -> Iterator[tuple[Capture | None, Account]]:
    """The pages of a file, in the order of their records, and what became of each."""
    known = Known(run, unit)
    captures: Iterator[Capture | Dropped] = iter(())
    if unit.source is not None:
        captures = iter(read(unit.source, limits))
    wanted = {key for key, row in unit.rows.items() if row["status"] == "rendered"}
    read_already: dict[str, Capture | Dropped] = {}
    shots = RenderedFolder(run, unit.name)
    for page in rendered_pages(run, unit.name):
        capture = read_already.pop(page.record_id, None)
        while capture is None and (one := next(captures, None)) is not None:
            if one.record_id == page.record_id:
                capture = one
            elif one.record_id in wanted:
                read_already[one.record_id] = one
        row = unit.rows[page.record_id]
        laid_out = page, shots.screenshot(page.record_id)
        account = measured(capture, row, known, laid_out, renderer)
        yield (capture if isinstance(capture, Capture) else None), account
    for key, row in unit.rows.items():
        if key not in wanted:
            yield None, Account(row).refuse(Refusal.NOT_RENDERED, row["reason"] or "")


def _check(accounts: Sequence[Account], jar: str) -> None:
    """Has pages checked before and after, and refuses those that are worse, or not rid of what is obsolete."""
    texts = [text for one in accounts if one.migrated for text in (one.original, one.migrated.html)]
    found = check(texts, jar)
    for account, (before, after) in zip(
        accounts, zip(found[::2], found[1::2], strict=True), strict=True
    ):
        account.validity = before, after
        if account.reason:
            continue
        if after.obsolete:
            account.refuse(Refusal.OBSOLETE, f"{after.obsolete} errors of the checker")
        elif before.is_whole and after.errors > before.errors:
            what = f"{after.errors} errors of the checker, {before.errors} before"
            account.refuse(Refusal.INVALID, what)
