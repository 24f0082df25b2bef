"""Bytes in, bytes out: the only package that knows WARC, ARC, CDX, SURT and paths."""

from dbce.archive.capture import capture, read
from dbce.archive.identity import parse_date, timestamp14
from dbce.archive.source import Source, expand
from dbce.archive.surt import host, site, surt
from dbce.archive.wet import PlainText, write_wet
from dbce.archive.write import (
    Annotated,
    AnnotatedWriter,
    Archived,
    read_annotated,
    read_annotated_at,
)

__all__ = [
    "Annotated",
    "AnnotatedWriter",
    "Archived",
    "PlainText",
    "Source",
    "capture",
    "expand",
    "host",
    "parse_date",
    "read",
    "read_annotated",
    "read_annotated_at",
    "site",
    "surt",
    "timestamp14",
    "write_wet",
]
