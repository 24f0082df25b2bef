"""Builders: headings of text nodes, and what people say of a page."""

from dbce.visual.annotate.headings.history import Outline, digest
from dbce.visual.headings import GoldHeading


def heading(
    *nodes: int, level: int = 2, optional: bool = False, end: int | None = None
) -> GoldHeading:
    return GoldHeading(nodes, (), level, optional, digest(f"text of {nodes}"), end)


def says(
    by: str, *headings: GoldHeading, record_id: str = "page", body: str = "/html/body"
) -> Outline:
    about = (record_id, "http://a.example/", "20160101000000", "a")
    return Outline(*about, by, "2026-01-01", "news", body, headings)
