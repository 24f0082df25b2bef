"""The content of pages in the formats of others: Markdown, HTML, TEI, JSON lines, CSV, chunks, plain text."""

from dbce.formats.blocks import block_rows
from dbce.formats.chunks import Chunking
from dbce.formats.content import (
    NO_LIMITS,
    Content,
    Headings,
    annotated_content,
    content_of,
    judged_content,
    judged_text,
)
from dbce.formats.links import page_links
from dbce.formats.main_parts import AS_JUDGED, MainParts, main_parts
from dbce.formats.part import Extract, Part, paragraphs_of, with_stored_text
from dbce.formats.places import WHOLE_ADDRESS
from dbce.formats.write import (
    FORMATS,
    JSON_WITH_HEADINGS,
    Format,
    Links,
    chunk_format,
    format_of,
    write_pages,
)
