"""A segmentation looked at: its terminal blocks that lie over one another, and all of them drawn on the screenshot.

Blocks that overlap are reported, never cut. The drawing is one SVG file that needs no other.
"""

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from dbce.visual import Block, Rect, RenderedPage, Segmentation

MORE_THAN = 2.0
"""Pixels in each direction from which on two blocks overlap; borders and rounding give less."""


def overlaps(rects: Sequence[Rect], more_than: float = MORE_THAN) -> tuple[tuple[int, int], ...]:
    """Pairs of places of rectangles that lie over one another, the lesser first, sorted."""
    pairs = []
    reaching: list[int] = []  # those whose bottom is below the line that sweeps down
    for n in sorted(range(len(rects)), key=lambda n: (rects[n].y, n)):
        x, y, w, h = rects[n]
        reaching = [m for m in reaching if rects[m].y + rects[m].h - y > more_than]
        pairs += [
            (min(m, n), max(m, n))
            for m in reaching
            if h > more_than
            and min(x + w, rects[m].x + rects[m].w) - max(x, rects[m].x) > more_than
        ]
        reaching.append(n)
    return tuple(sorted(pairs))


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
DASHES = "12 6"
"""The line round a block that is out of the flow."""


def overlay(page: RenderedPage, segmentation: Segmentation, picture: str) -> str:
    """Return the picture at an address with the terminal blocks, their numbers in reading order and their roles."""
    width, height = page.size
    title = escape(f"{page.url} {segmentation.algorithm}")
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">',
            f"<title>{title}</title>",
            f'<image width="{width}" height="{height}" href={quoteattr(picture)}/>',
            *(_block_svg(n, block) for n, block in enumerate(segmentation.terminal, 1)),
            "</svg>\n",
        ]
    )


def _block_svg(number: int, block: Block) -> str:
    x, y, w, h = (round(value, 1) for value in block.rect)
    colour = quoteattr(COLOURS.get(block.role, NO_ROLE))
    words = escape(f"{number} {block.role}".strip())
    line = f' stroke-dasharray="{DASHES}"' if block.floating else ""
    return (
        f'<rect x="{x}" y="{y}" width="{w}" height="{h}" fill={colour} fill-opacity="0.08" '
        f'stroke={colour} stroke-width="3"{line}/>'
        f'<text x="{x + 6}" y="{y + TEXT}" font-family="sans-serif" font-size="{TEXT}" '
        f'fill={colour} stroke="white" stroke-width="4" paint-order="stroke">{words}</text>'
    )
