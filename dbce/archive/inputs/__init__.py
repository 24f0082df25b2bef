"""Inputs of a run: their names, indexes and selections, and the captures that are read of them."""

from dbce.archive.inputs.capture import Entry, Odd, Oddity, capture, inspect, read
from dbce.archive.inputs.cdx import lines_of
from dbce.archive.inputs.expand import expand, unique_names
from dbce.archive.inputs.file_kinds import ENDINGS, is_archive
from dbce.archive.inputs.index import is_index
from dbce.archive.inputs.own_outputs import RUN
from dbce.archive.inputs.pieces import split
from dbce.archive.inputs.record_at import Reply, Resource, read_reply_at, read_resource_at
from dbce.archive.inputs.scan import Held, drawn, heads, held
from dbce.archive.inputs.selection import UNDECLARED, Selection, check_taken, rank, select
from dbce.archive.inputs.source import Source
from dbce.archive.inputs.spool import STANDARD_INPUT, is_spooled, remove_spooled
from dbce.archive.inputs.uri import (
    check_there,
    exists,
    file_of,
    is_below,
    normal,
    open_binary,
    parent,
    size,
    state,
)

__all__ = [
    "ENDINGS",
    "RUN",
    "STANDARD_INPUT",
    "UNDECLARED",
    "Entry",
    "Held",
    "Odd",
    "Oddity",
    "Reply",
    "Resource",
    "Selection",
    "Source",
    "capture",
    "check_taken",
    "check_there",
    "drawn",
    "exists",
    "expand",
    "file_of",
    "heads",
    "held",
    "inspect",
    "is_archive",
    "is_below",
    "is_index",
    "is_spooled",
    "lines_of",
    "normal",
    "open_binary",
    "parent",
    "rank",
    "read",
    "read_reply_at",
    "read_resource_at",
    "remove_spooled",
    "select",
    "size",
    "split",
    "state",
    "unique_names",
]
