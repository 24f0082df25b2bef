"""Agreement of block roles: blocks that people drew, and how many get the role they gave.

    python -m scripts.experiments.block_roles DIR GOLD

DIR is what `dbce render` left of the pages of Kreuzer's set, GOLD its `kreuzer.blocks.jsonl`. Each page's gold, both
levels as one tree, is given roles by algorithm 5 and by that of `dbce`; a row a half, level and way. Where DIR has a
run on the same file too, `dbce` is also asked with its verdicts known.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

from dbce.storage import Folder
from dbce.visual import Block, Segmentation, contents
from dbce.visual.evaluate.blocks.sides import read_gold
from dbce.visual.evaluate.results import half
from dbce.visual.measure import locate_blocks
from dbce.visual.measure.marked_pages import MarkedPage, plain_xpath
from dbce.visual.render import read_rendered, rendered_ids, rendered_names
from dbce.visual.segment.band_roles import with_band_roles
from dbce.visual.segment.bom import with_roles
from dbce.visual.segment.boxes import FLOW, Outline

if TYPE_CHECKING:
    from collections.abc import Iterator

LEVELS = (1, 2)


def gold_by_url(uri: str) -> dict[int, dict[str, MarkedPage]]:
    """The gold of each level by URL."""
    sides = {level: read_gold(uri, level, "") for level in LEVELS}
    return {
        level: {side.url: side.blocks for side in found if isinstance(side.blocks, MarkedPage)}
        for level, found in sides.items()
    }


def tree(outline: Outline, pages: list[MarkedPage]) -> tuple[Segmentation, list[tuple[int, str]]]:
    """The gold as a segmentation; level and role of each of its blocks but the page."""
    places = {plain_xpath(e.xpath): n for n, e in enumerate(outline.page.elements)}
    blocks = [Block(-1, outline.rect, (0,), FLOW, "", 0.0)]
    labels = []
    outer: list[tuple[int, int]] = []  # of each block of level 1: its place, its element
    for level, page in enumerate(pages, 1):
        for block in page.blocks:
            if block.rect is None:
                continue
            element = places[plain_xpath(block.xpaths[0])]
            around = [n for n, e in outer if e <= element < outline.end[e]]
            parent = around[0] if level > 1 and around else 0
            if level == 1:
                outer.append((len(blocks), element))
            blocks.append(Block(parent, block.rect, (element,), FLOW, "", 0.0))
            labels.append((level, block.label))
    return Segmentation("gold", outline.page.record_id, tuple(blocks)), labels


def pairs(folder: str, gold: str) -> Iterator[tuple[str, str, int, str, str]]:
    """Half, way, level, role that people gave, role that was found, of each block."""
    by_level = gold_by_url(gold)
    content: dict[str, dict[int, float]] = {}
    for name in rendered_names(folder):
        content |= contents(Folder(folder), name, rendered_ids(folder, name))
    for page in read_rendered(folder):
        if page.url not in by_level[1]:
            continue
        pages = [by_level[n][page.url] for n in LEVELS if page.url in by_level[n]]
        outline = Outline(page)
        segmentation, labels = tree(outline, [locate_blocks(one, page)[0] for one in pages])
        ways = {
            "algorithm 5": with_roles(outline, segmentation),
            "dbce": with_band_roles(outline, segmentation),
        }
        if page.record_id in content:
            verdicts = content[page.record_id]
            ways["dbce with verdicts"] = with_band_roles(outline, segmentation, verdicts)
        for way, segmented in ways.items():
            blocks = segmented.blocks[1:]
            for (level, label), block in zip(labels, blocks, strict=True):
                yield half(page.url).value, way, level, label, block.role


def main(folder: str, gold: str) -> None:
    """Prints the table, and how many of each role are found."""
    seen = Counter((*key, label) for *key, label, _ in pairs(folder, gold))
    right = Counter((*key, label) for *key, label, role in pairs(folder, gold) if label == role)
    for key in sorted({found[:3] for found in seen}):
        labels = {found[3]: n for found, n in sorted(seen.items()) if found[:3] == key}
        found = {label: right[(*key, label)] for label in labels}
        total, correct = sum(labels.values()), sum(found.values())
        roles = ", ".join(f"{label} {found[label]}/{n}" for label, n in labels.items())
        half_, way, level = key
        print(f"{half_}, level {level}, {way}: {correct}/{total} = {correct / total:.2f} ({roles})")


if __name__ == "__main__":
    main(*sys.argv[1:])
