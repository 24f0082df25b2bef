"""How two snapshots look beside each other: their pictures, and the blocks that they were cut into."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dbce.hashing import hash_strings
from dbce.output import Folder
from dbce.visual import contents
from dbce.visual.changes.addresses import NAMED_BY, without_player
from dbce.visual.changes.blocks import changed_blocks
from dbce.visual.changes.picture import Pictures, compare_pictures
from dbce.visual.changes.snapshot import Blocks, Look
from dbce.visual.changes.words import words
from dbce.visual.joined import shares_of
from dbce.visual.measure import has_area, union
from dbce.visual.render import open_rendered, pages_of_file, screenshot_at
from dbce.visual.segment import segment

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from dbce.visual import Block, Rect, RenderedPage
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

    `name` is that of its tables. A page that cannot be cut has no blocks.

    Raises:
        UsageError: no finished rendering is there.
    """
    rendered = open_rendered(uri)
    if not rendered.exists(f"pages/{name}"):
        return
    content = contents(Folder(uri), name)
    for row, page in pages_of_file(rendered, f"pages/{name}"):
        if page.record_id in wanted:
            found = row["resources_found"]
            blocks = _blocks(page, content.get(page.record_id, {}))
            yield (
                page.record_id,
                Look(
                    *(name, row["screenshot_offset"], page.size[1]),
                    *(1.0 if found is None else found, blocks),
                ),
            )


def _blocks(page: RenderedPage, content: dict[int, float]) -> Blocks:
    """The terminal blocks of a page; a text, link or image is in the first that has its centre."""
    every = segment(page).blocks
    parents = {block.parent for block in every}
    told = zip(every, shares_of(page, every, content), strict=True)
    terminal = [pair for n, pair in enumerate(told) if n not in parents]
    cut, shares = [block for block, _ in terminal], [share for _, share in terminal]
    texts = _held(cut, ((text.rects, text.text) for text in page.texts))
    addresses = _held(cut, _addresses(page))
    found = [
        words([" ".join(said)])[0] + named for said, named in zip(texts, addresses, strict=True)
    ]
    return Blocks(
        hash_strings([word for of_one in found for word in of_one]),
        np.cumsum([len(of_one) for of_one in found]).astype(np.uint32),
        np.array([share.content or 0 for share in shares], np.float32),
        np.zeros(len(cut), np.uint32),
        np.array([share.importance for share in shares], np.float32),
        np.array([block.rect for block in cut], np.float32).reshape(-1, 4),
    )


def _addresses(page: RenderedPage) -> Iterator[tuple[Sequence[Rect], str]]:
    """Where the links and images of a page are, and their addresses, each as what no word can be."""
    for element in page.elements:
        address = element.attributes.get(NAMED_BY.get(element.tag, ""), "").strip()
        if address and element.rect is not None:
            yield (element.rect,), f"{element.tag} {without_player(address)}"


def _held(blocks: Sequence[Block], boxed: Iterable[tuple[Sequence[Rect], str]]) -> list[list[str]]:
    """For each block what has its centre in it and in none before."""
    found: list[list[str]] = [[] for _ in blocks]
    for rects, held in boxed:
        box = union(filter(has_area, rects))
        if box is not None:
            place = _holder(blocks, box.x + box.w / 2, box.y + box.h / 2)
            if place is not None:
                found[place].append(held)
    return found


def _holder(blocks: Sequence[Block], x: float, y: float) -> int | None:
    return next(
        (
            n
            for n, block in enumerate(blocks)
            if block.rect.x <= x <= block.rect.x + block.rect.w
            and block.rect.y <= y <= block.rect.y + block.rect.h
        ),
        None,
    )
