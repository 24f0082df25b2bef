"""The content of pages in the formats of others: Markdown, HTML, TEI, JSON lines, CSV, plain text."""

from dbce.formats.content import Content, Headings, content_of, marked_content
from dbce.formats.part import Extract, Part
from dbce.formats.write import FORMATS, OUTLINED, Format, Links, format_of, written

__all__ = [
    "FORMATS",
    "OUTLINED",
    "Content",
    "Extract",
    "Format",
    "Headings",
    "Links",
    "Part",
    "content_of",
    "format_of",
    "marked_content",
    "written",
]
