"""Block gold as the set of Kreuzer has it (`kreuzer.blocks.jsonl`).

One object a page: `url`, `dom_url` (the capture that XPaths are of), `original_url`, and `blocks` with
`xpath`, `level` (1 outside, 2 inside), `type` and `text`. Kreuzer, A Quantitative Comparison of Semantic Web
Page Segmentation Algorithms, Utrecht.
"""

from __future__ import annotations

from typing import Any

from dbce.visual.measure import MarkedBlock, MarkedPage, plain_xpath

ROLES = {
    **dict.fromkeys(("Header", "Logo", "Title"), "header"),
    "Footer": "footer",
    **dict.fromkeys(("Menu", "Menu Sidebar", "LinkList"), "nav"),
    **dict.fromkeys(("Sidebar", "Ad", "Author"), "aside"),
    "Article": "article",
    **dict.fromkeys(("Content", "Image", "Video", "Searchbar", "Table", "Comments"), "section"),
}
"""The role of each of Kreuzer's types."""


def is_kreuzer(fields: dict[str, Any]) -> bool:
    """Return whether an object is a page of a file as Kreuzer has it."""
    return "dom_url" in fields


def page_of(fields: dict[str, Any], level: int, group: str = "") -> MarkedPage:
    """A page with its blocks of one level, without rectangles; it is named by its `dom_url`.

    Where a block's element is in that of another, the outer one counts.

    Raises:
        ValueError: a field is missing or wrong.
    """
    try:
        url = str(fields["dom_url"])
        blocks = tuple(
            MarkedBlock(
                id=f"K{number}",
                xpaths=(str(block["xpath"]),),
                label=ROLES.get(str(block["type"]), ""),
                type=str(block["type"]),
            )
            for number, block in enumerate(fields["blocks"], 1)
            if block["level"] == level
        )
    except (KeyError, TypeError) as e:
        raise ValueError(f"a block lacks or breaks the field {e}") from e
    return MarkedPage("", url, _outermost(blocks), group=str(fields.get(group, "")))


def _outermost(blocks: tuple[MarkedBlock, ...]) -> tuple[MarkedBlock, ...]:
    """The blocks that are in no other; of equal ones the first."""
    paths = [plain_xpath(block.xpaths[0]) for block in blocks]
    return tuple(
        block
        for number, (block, path) in enumerate(zip(blocks, paths, strict=True))
        if path not in paths[:number] and not any(path.startswith(f"{other}/") for other in paths)
    )
