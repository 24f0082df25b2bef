"""Looks of two snapshots beside each other: their pictures, and the blocks that they were cut into."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dbce.output import tables_beside
from dbce.quality import DamageKind
from dbce.storage import SealedFolder
from dbce.visual import contents
from dbce.visual.changes.blocks import changed_blocks
from dbce.visual.changes.boxes import boxes_of
from dbce.visual.changes.picture import Pictures, compare_pictures
from dbce.visual.changes.snapshot import Look
from dbce.visual.render import open_rendered, pages_of_file, rendered_ids, screenshot_at

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from dbce.output import Row
    from dbce.visual.changes.blocks import ChangedBlocks
    from dbce.visual.changes.snapshot import BlockColumns

FEWER = 0.2
"""Share less of what it asked for that a damaged page has found, and the share fewer in number, at least."""

LACKING = {
    "style_sheets": DamageKind.NO_STYLE,
    "images": DamageKind.NO_PICTURES,
    "requests": DamageKind.NO_RESOURCES,
}
"""Columns of what may be missing, the worst first: of one all can be missing, and hardly count among the rest."""


class VisibleChanges(NamedTuple):
    """Visible differences of two rendered snapshots; `old` and `new` are their looks."""

    old: Look
    new: Look
    blocks: ChangedBlocks
    pictures: Pictures

    def features(self) -> dict[str, float]:
        """Features, by name, that tell a change of content from pictures."""
        pictures, heights = self.pictures, (self.old.height, self.new.height)
        return {
            "rows changed": 1 - pictures.rows_kept,
            "rows changed, root": (1 - pictures.rows_kept) ** 0.5,
            "structural dissimilarity": 1 - pictures.ssim,
            "structural dissimilarity, top": 1 - pictures.ssim_top,
            "pixels changed, root": pictures.pixels**0.5,
            "pixels changed at the top, root": pictures.pixels_top**0.5,
            "difference hash": pictures.difference_hash / 64,
            "height changed": 1 - min(heights) / max(1, *heights),
        }


def lacking(old: Look, new: Look) -> DamageKind | None:
    """First kind of LACKING of which the newer one found so much less that it looks otherwise, or None.

    Less as a share, and in number: a page that asks for more, which no crawl went for, has lost nothing.
    """
    return next((damage for kind, damage in LACKING.items() if _lacks(old, new, kind)), None)


def _lacks(old: Look, new: Look, kind: str) -> bool:
    before, after = (getattr(look, f"{kind}_found") for look in (old, new))
    less = old.share_found(kind) - new.share_found(kind) >= FEWER
    return less and bool(after <= (1 - FEWER) * before)


def see(folder: str, old: Look, new: Look) -> VisibleChanges:
    """Return the visible differences of two snapshots of the pages rendered in a run's folder."""
    rendered = open_rendered(folder)
    pictures = [screenshot_at(rendered, look.file, look.offset) for look in (old, new)]
    return VisibleChanges(
        old, new, changed_blocks(old.blocks, new.blocks), compare_pictures(*pictures)
    )


def read_looks(uri: str, name: str, wanted: Container[str]) -> Iterator[tuple[str, Look]]:
    """Yield (record id, look) of those rendered captures of an input file that are wanted and have a picture.

    `name` is that of its tables in the run; it may have been rendered in other pieces. A page that cannot
    be cut has no blocks.

    Raises:
        UsageError: no finished rendering is there.
    """
    rendered = open_rendered(uri)
    for table in tables_beside(rendered, "pages", name):
        record_ids = [record_id for record_id in rendered_ids(uri, table) if record_id in wanted]
        if not record_ids:
            continue
        content = contents(SealedFolder(uri), table, record_ids)
        for row, page in pages_of_file(rendered, f"pages/{table}"):
            if page.record_id in wanted and row["screenshot_offset"] is not None:
                blocks = boxes_of(page, content.get(page.record_id, {}))
                yield page.record_id, look_of(row, table, blocks)


def look_of(row: Row, name: str, blocks: BlockColumns) -> Look:
    """Return the look of a page by its row in the table `pages` called `name`, and the blocks it was cut into.

    Folders of older versions do not have all columns: then nothing of a kind was asked for.
    """
    kinds = (kind for lacking_kind in LACKING for kind in (lacking_kind, f"{lacking_kind}_found"))
    counts = {kind: row.get(kind) or 0 for kind in kinds}
    return Look(name, row["screenshot_offset"], row["height"], blocks=blocks, **counts)
