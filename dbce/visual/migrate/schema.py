"""The account of a migration: a row a page (docs/html5.md)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

import pyarrow as pa

from dbce.output import TIME
from dbce.visual.migrate.roles import How

if TYPE_CHECKING:
    from dbce.output import Row
    from dbce.visual.migrate.layout_check import Alike
    from dbce.visual.migrate.page import Migrated
    from dbce.visual.migrate.validity import Validity

COUNTS = pa.map_(pa.string(), pa.int32())


class Refusal(StrEnum):
    """Why a page keeps its old form."""

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
        ("record_id", pa.string()),
        ("url", pa.string()),
        ("fetch_time", TIME),
        ("warc_filename", pa.string()),
        ("warc_record_offset", pa.int64()),
        ("status", pa.string()),
        ("reason", pa.string()),
        ("detail", pa.string()),
        ("mode", pa.string()),
        ("way", pa.string()),
        ("selectors_rename", pa.int32()),
        ("selectors_wrap", pa.int32()),
        ("labels", pa.list_(pa.string())),
        ("roles", COUNTS),
        ("elements", COUNTS),
        ("attributes", COUNTS),
        ("mended", COUNTS),
        ("losses", COUNTS),
        ("blocks_before", pa.int32()),
        ("blocks_after", pa.int32()),
        ("correct", pa.int32()),
        ("oversegmented", pa.int32()),
        ("undersegmented", pa.int32()),
        ("missed", pa.int32()),
        ("false_alarms", pa.int32()),
        ("quality", pa.float64()),
        ("changed_pixels", pa.float64()),
        ("height_before", pa.int32()),
        ("height_after", pa.int32()),
        ("errors_before", pa.int32()),
        ("errors_after", pa.int32()),
        ("obsolete_before", pa.int32()),
        ("obsolete_after", pa.int32()),
    ]
)
"""A row a page, in the order of the records; what was not measured is null."""


@dataclass(slots=True)
class MigrationAccount:
    """Account of one page: its row in `rendered/pages`, and what was done and measured so far."""

    row: Row
    reason: str = ""
    detail: str = ""
    migrated: Migrated | None = None
    alike: Alike | None = None
    validity: tuple[Validity, Validity] | None = None
    original: str = field(default="", repr=False)

    def refuse(self, reason: Refusal, detail: str = "") -> MigrationAccount:
        """Note the reason why the page keeps its old form, and return this account."""
        self.reason, self.detail = reason, detail
        return self

    def as_row(self) -> Row:
        """The row of the account."""
        kept = {key: self.row[key] for key in MIGRATED.names[:5]}
        status = "refused" if self.reason else "migrated"
        columns = kept | {"status": status, "reason": self.reason or None}
        columns["detail"] = self.detail or None
        if self.migrated is not None:
            columns |= _of_page(self.migrated)
        if self.alike is not None:
            columns |= _of_layout(self.alike)
        if self.validity is not None:
            before, after = self.validity
            columns |= {"errors_before": before.errors, "errors_after": after.errors}
            columns |= {"obsolete_before": before.obsolete, "obsolete_after": after.obsolete}
        return columns


def _of_page(migrated: Migrated) -> Row:
    given = migrated.given
    roles = Counter(role.how.value for role in given)
    left = (How.FORBIDDEN, How.APART, How.NOT_FOUND, How.STYLED)
    return {
        "mode": migrated.mode,
        "way": migrated.way,
        "selectors_rename": migrated.changed["rename"],
        "selectors_wrap": migrated.changed["wrap"],
        "labels": [role.role for role in given if role.how not in left and role.role != "main"],
        "roles": sorted(roles.items()),
        "elements": sorted(migrated.elements.items()),
        "attributes": sorted(migrated.attributes.items()),
        "mended": sorted(migrated.mended.items()),
        "losses": sorted(migrated.losses.items()),
    }


def _of_layout(alike: Alike) -> Row:
    blocks = alike.blocks
    return {
        "blocks_before": blocks.gold,
        "blocks_after": blocks.computed,
        **{name: getattr(blocks, name) for name in blocks._fields[:5]},
        "quality": alike.quality,
        "changed_pixels": alike.changed_pixels,
        "height_before": alike.height_before,
        "height_after": alike.height_after,
    }
