"""How two snapshots look beside each other: their pictures, and the blocks that they were cut into."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dbce.output import Folder, tables_beside
from dbce.visual import contents
from dbce.visual.changes.blocks import changed_blocks
from dbce.visual.changes.boxes import boxes_of
from dbce.visual.changes.picture import Pictures, compare_pictures
from dbce.visual.changes.snapshot import Look
from dbce.visual.render import open_rendered, pages_of_file, rendered_ids, screenshot_at

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from dbce.visual.changes.blocks import ChangedBlocks

FEWER = 0.2
"""How much less of what it asked for a page may have found before that is damage."""


class Seen(NamedTuple):
    """How two snapshots that were rendered differ; `old` and `new` are how they looked."""

    old: Look
    new: Look
    blocks: ChangedBlocks
    pictures: Pictures

    @property
    def lacks_resources(self) -> bool:
        """Whether the newer one found so much less of its style sheets and images that it looks otherwise."""
        return self.old.resources - self.new.resources >= FEWER

    def features(self) -> dict[str, float]:
        """What a change of content is told by from pictures, by name."""
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


def see(folder: str, old: Look, new: Look) -> Seen:
    """How two snapshots of the pages rendered in a run's folder differ."""
    rendered = open_rendered(folder)
    pictures = [screenshot_at(rendered, one.file, one.offset) for one in (old, new)]
    return Seen(old, new, changed_blocks(old.blocks, new.blocks), compare_pictures(*pictures))


def read_looks(uri: str, name: str, wanted: Container[str]) -> Iterator[tuple[str, Look]]:
    """(record id, look) of the rendered captures of an input file that are wanted.

    `name` is that of its tables in the run; it may have been rendered in other pieces. A page that cannot
    be cut has no blocks.

    Raises:
        UsageError: no finished rendering is there.
    """
    rendered = open_rendered(uri)
    for table in tables_beside(rendered, "pages", name):
        record_ids = [one for one in rendered_ids(uri, table) if one in wanted]
        if not record_ids:
            continue
        content = contents(Folder(uri), table, record_ids)
        for row, page in pages_of_file(rendered, f"pages/{table}"):
            if page.record_id in wanted:
                found = row["resources_found"]
                blocks = boxes_of(page, content.get(page.record_id, {}))
                place = (table, row["screenshot_offset"], page.size[1])
                yield page.record_id, Look(*place, 1.0 if found is None else found, blocks)
