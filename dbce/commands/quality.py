"""`dbce quality`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import TYPE_CHECKING

from dbce import archive
from dbce.commands import TOO_MANY_REJECTS
from dbce.commands.settings import open_chosen
from dbce.model import UsageError
from dbce.output import capture_qualities, month_qualities, open_whole
from dbce.progress import LOG, without_control

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from dbce.output import CaptureQuality, Row


def quality_command(options: Namespace) -> int:
    """`dbce quality`: damaged captures of a run, by site and month or one by one."""
    allowed = options.max_damaged
    if allowed is not None and not 0 <= allowed <= 1:
        raise UsageError(f"--max-damaged is {allowed}; give a share of the captures, 0 to 1")
    folder, _ = open_chosen(options.directory, options, options.urls or ())
    captures = capture_qualities(folder, open_whole(options.directory)[0])
    rows = list(_captures(captures) if options.of == "captures" else _months(captures))
    lines = map(_json, rows) if options.json else _lines(rows)
    for line in lines:
        sys.stdout.buffer.write(f"{line}\n".encode("utf-8", "replace"))
    damaged = sum(captured.damage is not None for captured in captures)
    if allowed is None or damaged <= allowed * len(captures):
        return 0
    LOG.warning(
        "warning: damaged captures: %d of %d, more than --max-damaged %s allows",
        *(damaged, len(captures), allowed),
    )
    return TOO_MANY_REJECTS


def _captures(captures: Sequence[CaptureQuality]) -> Iterator[Row]:
    """The rows of damaged captures."""
    for captured in captures:
        if captured.damage:
            yield {
                "timestamp": archive.timestamp14(captured.time) if captured.time else "",
                "damage": str(captured.damage.kind),
                "reason": captured.damage.reason,
                "url": captured.url,
                "record_id": captured.record_id,
            }


def _months(captures: Sequence[CaptureQuality]) -> Iterator[Row]:
    for month in month_qualities(captures):
        yield {
            "site": month.site,
            "month": month.month,
            "captures": month.captures,
            "damaged": month.damaged,
            "content_share": round(month.content_share, 3),
            "kinds": month.kinds,
        }


def _json(row: Row) -> str:
    return json.dumps(row, ensure_ascii=False)


def _lines(rows: Sequence[Row]) -> Iterator[str]:
    """The lines of a table; a last one sums all months up."""
    if not rows:
        yield "no damaged captures"
        return
    names = [name for name in rows[0] if name != "record_id"]
    cells = [[_cell(row[name]) for name in names] for row in rows]
    widths = [
        max(len(name), *map(len, column))
        for name, column in zip(names, zip(*cells, strict=True), strict=True)
    ]
    for line in (names, *cells):
        aligned = (
            cell.rjust(width)
            if name in {"captures", "damaged", "content_share"}
            else cell.ljust(width)
            for name, cell, width in zip(names, line, widths, strict=True)
        )
        yield "  ".join(aligned).rstrip()
    if "damaged" in names:
        yield f"damaged captures: {sum(row['damaged'] for row in rows)} of {sum(row['captures'] for row in rows)}"


def _cell(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {number}" for name, number in Counter(value).most_common())
    return without_control(str(value))
