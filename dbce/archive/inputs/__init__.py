"""Inputs of a run: their names, indexes and selections, and the captures that are read of them."""

from dbce.archive.inputs.capture import Entry, Odd, Oddity, capture, inspect, read
from dbce.archive.inputs.cdx import lines_of
from dbce.archive.inputs.expand import expand, is_index, unique_names
from dbce.archive.inputs.files import (
    ENDINGS,
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
    parent,
    remove_spooled,
    size,
    state,
)
from dbce.archive.inputs.lookup import (
    Reply,
    Resource,
    StoredCapture,
    draw_sample,
    heads,
    read_reply_at,
    read_resource_at,
    stored_captures,
)
from dbce.archive.inputs.selection import UNDECLARED, Selection, check_taken, rank, select
from dbce.archive.inputs.source import Source, split
