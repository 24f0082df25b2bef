"""Builders: headings of text nodes, and what people say of a page."""

from __future__ import annotations

from dbce.view.label.headings.outline import Heading, Outline, digest


def heading(*nodes: int, level: int = 2, optional: bool = False, end: int | None = None) -> Heading:
    return Heading(nodes, (), level, optional, digest(f"text of {nodes}"), end)


def says(by: str, *headings: Heading, record_id: str = "page", body: str = "/html/body") -> Outline:
    return Outline(
        record_id,
        "http://a.example/",
        "20160101000000",
        "a",
        by,
        "2026-01-01",
        "news",
        body,
        headings,
    )
