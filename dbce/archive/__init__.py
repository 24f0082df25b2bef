"""Bytes in, bytes out: the only package that knows WARC, ARC, WACZ, CDX, SURT and paths."""

from dbce.archive.inputs.capture import Entry, Odd, Oddity, capture, inspect, read
from dbce.archive.inputs.cdx import is_index, lines_of
from dbce.archive.inputs.expand import expand, unique_names
from dbce.archive.inputs.files import (
    RUN,
    STANDARD_INPUT,
    check_there,
    exists,
    file_of,
    is_archive,
    is_below,
    is_spooled,
    normal,
    open_binary,
    remove_spooled,
    size,
    state,
)
from dbce.archive.inputs.page import fetch, is_web_page
from dbce.archive.inputs.selection import UNDECLARED, Selection, check_taken, rank, select
from dbce.archive.inputs.source import (
    Reply,
    Source,
    draw_sample,
    heads,
    read_reply_at,
    read_resource_at,
    share_done,
    split,
    stored_captures,
)
from dbce.archive.outputs.package import add_texts, verify_package, write_package
from dbce.archive.outputs.write import (
    AnnotatedPage,
    AnnotatedWriter,
    PlainText,
    ScreenshotWriter,
    TextWriter,
    read_annotated,
    read_annotated_at,
    verify,
    write_wet,
)
from dbce.archive.records.answer import EMPTY_DIGESTS
from dbce.archive.records.head import RecordIds, plain_id
from dbce.archive.records.identity import (
    clock_of,
    day_of,
    host,
    iso,
    month_of,
    parse_date,
    site,
    split_url,
    surt,
    timestamp14,
    typed_time,
)
from dbce.archive.records.message import media_type
