"""Account of a migration, a row per page (docs/html5.md): its layout before and after, its errors, its refusal.

Layouts are compared by blocks, pixels and height. Errors are those of the Nu Html Checker, an external program (java
-jar vnu.jar). The one on PyPI is of 2020 and does not support `:where()`, so it gets the added rules without
that.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from dbce.model import UsageError
from dbce.output import TIME, Row, columns, strings
from dbce.visual import RenderedPage, Segmentation, measure
from dbce.visual.migrate.page import MigratedPage

TOLERANCES = measure.Tolerances(relative=0.0, geometric=1.0, importance=0.0)
"""t_r, t_t and t_i of Sanoja and Gancarski's migration (thesis, table 5.3)."""

LEAST_QUALITY = 0.95  # minimum Cq/GTB of a page with the same layout
MOST_FALSE = 0.2  # maximum Cf of one: none, since blocks are counted


class LookComparison(NamedTuple):
    """A page before and after: counts of blocks, changed pixels, and heights.

    `changed_pixels` is their share of the larger picture; pixels of one only are changed. None without pictures.
    """

    blocks: measure.BlockCounts
    changed_pixels: float | None
    height_before: int
    height_after: int

    @property
    def quality(self) -> float:
        """Cq/GTB, at most 1: the share of old blocks that are still blocks.

        Cq counts blocks of both sides: where old blocks are merged and others split it may exceed GTB.
        """
        return min(1.0, self.blocks.quality / max(1, self.blocks.gold))

    @property
    def is_good(self) -> bool:
        """True if the blocks are the old ones, within LEAST_QUALITY and MOST_FALSE."""
        return self.quality >= LEAST_QUALITY and self.blocks.false_alarms <= MOST_FALSE


class LaidOutPage(NamedTuple):
    """A rendered page: its segmentation, and its screenshot as PNG, None without one."""

    page: RenderedPage
    segmentation: Segmentation
    picture: bytes | None


def compare_looks(before: LaidOutPage, after: LaidOutPage) -> LookComparison:
    correspondence = measure.CONVENTIONS["dbce"].correspond(_flat(before), _flat(after), TOLERANCES)
    old, new = before.picture, after.picture
    return LookComparison(
        correspondence.blocks,
        changed_pixels(old, new) if old and new else None,
        before.page.size[1],
        after.page.size[1],
    )


def _flat(side: LaidOutPage) -> measure.Flat:
    blocks = tuple(
        measure.MarkedBlock(str(n), "" if block.parent < 0 else str(block.parent), block.rect)
        for n, block in enumerate(side.segmentation.blocks)
    )
    marked = measure.MarkedPage(side.page.record_id, side.page.url, blocks)
    flat = measure.flat_on_page(marked, side.page, measure.contents(side.page))
    if any(block.elements or block.words for block in flat.blocks):
        return flat
    # A page of frames has neither elements nor words of its own. Empty blocks correspond to nothing, so here each
    # counts as an element.
    return replace(flat, blocks=tuple(block._replace(elements=1) for block in flat.blocks))


def changed_pixels(before: bytes, after: bytes) -> float:
    """Return the share of pixels that differ between two PNG pictures, of the area that contains both."""
    from PIL import Image

    old, new = (np.asarray(Image.open(BytesIO(png)).convert("RGB")) for png in (before, after))
    height, width = (max(old.shape[axis], new.shape[axis]) for axis in (0, 1))
    overlap = tuple(min(old.shape[axis], new.shape[axis]) for axis in (0, 1))
    equal = (old[: overlap[0], : overlap[1]] == new[: overlap[0], : overlap[1]]).all(axis=2).sum()
    return float(1 - equal / max(1, height * width))


PATIENCE = 600  # maximum seconds of the checker for the pages of one call

WHERE = re.compile(r"^:where\((.*)\)\{", re.MULTILINE)
OBSOLETE = re.compile(r"\bobsolete\b", re.IGNORECASE)

GAVE_UP = "Cannot recover after last error"
"""Message of the checker on a page that it stops reading."""


class Validity(NamedTuple):
    """Numbers of errors of a page, and of obsolete features among them; `is_whole` if the checker read all of it."""

    errors: int
    obsolete: int
    is_whole: bool


def check_validity(pages: Sequence[str], jar: str) -> list[Validity]:
    """Return the result of the checker for each page.

    Raises UsageError: there is no Java, or the checker does not answer as it should.
    """
    java = shutil.which("java")
    if java is None:
        raise UsageError("the Nu Html Checker needs Java: there is no java on the path")
    if not Path(jar).is_file():
        raise UsageError(f"there is no {jar}: scripts/setup/tools.sh nu makes one")
    errors: defaultdict[int, list[str]] = defaultdict(list)
    with TemporaryDirectory() as folder:
        files = [Path(folder, f"{number}.html") for number in range(len(pages))]
        for file, page in zip(files, pages, strict=True):
            file.write_text(WHERE.sub(r"\1{", page), encoding="utf-8", errors="replace")
        for message in _messages(java, jar, files) if files else ():
            if message["type"] == "error":
                number = int(re.sub(r"\D", "", message["url"].rpartition("/")[2]))
                errors[number].append(message["message"])
    return [_validity(errors[number]) for number in range(len(pages))]


def _validity(errors: Sequence[str]) -> Validity:
    obsolete = sum(OBSOLETE.search(error) is not None for error in errors)
    return Validity(len(errors), obsolete, not any(e.startswith(GAVE_UP) for e in errors))


def _messages(java: str, jar: str, files: Sequence[Path]) -> list[dict[str, str]]:
    java_options = ["-Xmx2g", "-Xss8m", "-XX:+UseSerialGC", "-jar", jar]
    checker_options = ["--format", "json", "--exit-zero-always"]
    process = subprocess.run(  # noqa: S603 - the program that the user names
        [java, *java_options, *checker_options, *map(str, files)],
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    try:
        messages: list[dict[str, str]] = json.loads(process.stderr)["messages"]
    except (ValueError, KeyError) as e:
        complaint = process.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise UsageError(f"{jar} does not answer: {complaint or e}") from e
    return messages


COUNTS = pa.map_(pa.string(), pa.int32())
COUNTED = ("elements", "attributes", "mended", "losses")


class Refusal(StrEnum):
    """Reason why a page keeps its old form."""

    NOT_RENDERED = "not-rendered"  # there are no blocks to give roles to
    NOT_FOUND = "not-found"  # no archive that is named has it
    UNREADABLE = "unreadable"  # it cannot be read, or decoded
    UNWRITABLE = "unwritable"  # its tree cannot be written so that it is parsed the same
    LOSS = "loss"  # something is on one side alone
    OBSOLETE = "obsolete"  # a feature that HTML has no more is left
    NOT_LAID_OUT = "not-laid-out"  # the browser fails on the new page
    LAYOUT = "layout"  # its blocks are not those of before
    INVALID = "invalid"  # the checker finds more errors than before
    FAULT = "fault"  # dbce itself fails on it, which is a bug


MIGRATED = pa.schema(
    [
        *strings("record_id", "url"),
        ("fetch_time", TIME),
        ("warc_filename", pa.string()),
        ("warc_record_offset", pa.int64()),
        *strings("status", "reason", "detail", "mode", "way"),
        *columns(pa.int32(), "selectors_rename", "selectors_wrap"),
        ("labels", pa.list_(pa.string())),
        *columns(COUNTS, "roles", *COUNTED),
        *columns(pa.int32(), "blocks_before", "blocks_after", *measure.BlockCounts._fields[:5]),
        *columns(pa.float64(), "quality", "changed_pixels"),
        *columns(pa.int32(), "height_before", "height_after", "errors_before", "errors_after"),
        *columns(pa.int32(), "obsolete_before", "obsolete_after"),
    ]
)
"""Row of a page, in the order of the records; missing measurements are null."""


@dataclass(slots=True)
class MigrationAccount:
    """Account of one page: its row in `rendered/pages`, and its changes and measurements so far."""

    row: Row
    reason: str = ""
    detail: str = ""
    migrated: MigratedPage | None = None
    comparison: LookComparison | None = None
    validity: tuple[Validity, Validity] | None = None
    original: str = field(default="", repr=False)

    def refuse(self, reason: Refusal, detail: str) -> MigrationAccount:
        """Set the reason why the page keeps its old form, and return this account."""
        self.reason, self.detail = reason, detail
        return self

    def as_row(self) -> Row:
        identity = {key: self.row[key] for key in MIGRATED.names[:5]}
        status = "refused" if self.reason else "migrated"
        columns = identity | {"status": status, "reason": self.reason or None}
        columns["detail"] = self.detail or None
        if self.migrated is not None:
            columns |= _page_columns(self.migrated)
        if self.comparison is not None:
            columns |= _look_columns(self.comparison)
        if self.validity is not None:
            before, after = self.validity
            columns |= {"errors_before": before.errors, "errors_after": after.errors}
            columns |= {"obsolete_before": before.obsolete, "obsolete_after": after.obsolete}
        return columns


def _page_columns(migrated: MigratedPage) -> Row:
    roles = [(role, how.value) for role, how in migrated.assignments]
    return {
        "mode": migrated.mode,
        "way": migrated.way,
        "selectors_rename": migrated.changed["rename"],
        "selectors_wrap": migrated.changed["wrap"],
        "labels": [r for r, how in roles if not how.startswith("left-") and r != "main"],
        "roles": sorted(Counter(how for _, how in roles).items()),
        **{name: sorted(getattr(migrated, name).items()) for name in COUNTED},
    }


def _look_columns(comparison: LookComparison) -> Row:
    blocks = comparison.blocks
    return {
        "blocks_before": blocks.gold,
        "blocks_after": blocks.computed,
        **{name: getattr(blocks, name) for name in blocks._fields[:5]},
        "quality": comparison.quality,
        "changed_pixels": comparison.changed_pixels,
        "height_before": comparison.height_before,
        "height_after": comparison.height_after,
    }
