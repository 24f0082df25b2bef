"""Pages of a few lines of HTML with the styles of their sheets, and outlines to compare."""

from datetime import UTC, datetime

from dbce.html import load
from dbce.model import Limits
from dbce.visual import RenderedPage
from dbce.visual.headings import from_sheets, headings, options_of

TIME = datetime(2014, 9, 24, tzinfo=UTC)


def page(body: str, head: str = "") -> RenderedPage:
    """A page of what is in its body, as its own style sheets say it looks."""
    source = f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"
    document = load(source.encode(), "text/html; charset=utf-8", Limits())
    return from_sheets(document, "urn:uuid:1", "https://example.org/", TIME)


def outline(source: str, method: str = "heps-paper", head: str = "", **options: str) -> list[str]:
    """The headings of a page, indented by their level."""
    return listed(page(source, head), method, **options)


def listed(one: RenderedPage, method: str, **options: str) -> list[str]:
    """The same of a page."""
    found = headings(one, 0, method, options_of(method, options))
    lines = []
    for texts, images, level in found.headings:
        words = [" ".join(one.texts[text].text.split()) for text in texts]
        words += (f"<{one.elements[image].attributes['src']}>" for image in images)
        lines.append("  " * (level - 1) + " ".join(words))
    return lines


def blocks(source: str, method: str = "heps-paper", **options: str) -> list[str]:
    """The words of each block, that of the body left out."""
    one = page(source)
    found = headings(one, 0, method, options_of(method, options))
    ranges = [range(block.first, block.end) for block in found.blocks[1:]]
    inside = ([text.text for text in one.texts if text.order in places] for places in ranges)
    return [" ".join(" ".join(words).split()) for words in inside]
