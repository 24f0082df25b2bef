"""Blocks drawn on a page's screenshot: one SVG file that needs no other."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    from dbce.visual import Block, RenderedPage, Segmentation

COLOURS = {
    "header": "#c0392b",
    "nav": "#2471a3",
    "article": "#1e8449",
    "aside": "#b9770e",
    "footer": "#7d3c98",
    "section": "#117a65",
}
"""The colour of each role."""

NO_ROLE = "#c2185b"

TEXT = 22
"""Pixels that a block's number and role are high."""


def overlay(page: RenderedPage, segmentation: Segmentation, screenshot: bytes) -> str:
    """The screenshot (PNG) with the terminal blocks, their numbers in reading order and their roles."""
    width, height = page.size
    picture = b64encode(screenshot).decode("ascii")
    title = escape(f"{page.url} {segmentation.algorithm}")
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">',
            f"<title>{title}</title>",
            f'<image width="{width}" height="{height}" href="data:image/png;base64,{picture}"/>',
            *(_drawn(n, block) for n, block in enumerate(segmentation.terminal, 1)),
            "</svg>\n",
        ]
    )


def _drawn(number: int, block: Block) -> str:
    x, y, w, h = (round(value, 1) for value in block.rect)
    colour = quoteattr(COLOURS.get(block.role, NO_ROLE))
    words = escape(f"{number} {block.role}".strip())
    return (
        f'<rect x="{x}" y="{y}" width="{w}" height="{h}" fill={colour} fill-opacity="0.08" '
        f'stroke={colour} stroke-width="3"/>'
        f'<text x="{x + 6}" y="{y + TEXT}" font-family="sans-serif" font-size="{TEXT}" '
        f'fill={colour} stroke="white" stroke-width="4" paint-order="stroke">{words}</text>'
    )
