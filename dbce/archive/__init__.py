"""Bytes in, bytes out: the only package that knows WARC, ARC, WACZ, CDX, SURT and paths."""

from dbce.archive.capture import Entry, Odd, Oddity, capture, inspect, read
from dbce.archive.cdxj import lines_of
from dbce.archive.digests import EMPTY_DIGESTS
from dbce.archive.heads import drawn, heads
from dbce.archive.identity import parse_date, timestamp14
from dbce.archive.members import Archived
from dbce.archive.package import PackagedPage, verify_package, write_package
from dbce.archive.resource import Resource, read_resource_at
from dbce.archive.selection import Selection, select
from dbce.archive.source import ENDINGS, Source, expand
from dbce.archive.split import split
from dbce.archive.spool import STANDARD_INPUT, remove_spooled
from dbce.archive.surt import host, site, surt
from dbce.archive.uri import size
from dbce.archive.verify import verify
from dbce.archive.wet import PlainText, TextWriter, write_wet
from dbce.archive.write import (
    Annotated,
    AnnotatedWriter,
    read_annotated,
    read_annotated_at,
)

__all__ = [
    "EMPTY_DIGESTS",
    "ENDINGS",
    "STANDARD_INPUT",
    "Annotated",
    "AnnotatedWriter",
    "Archived",
    "Entry",
    "Odd",
    "Oddity",
    "PackagedPage",
    "PlainText",
    "Resource",
    "Selection",
    "Source",
    "TextWriter",
    "capture",
    "drawn",
    "expand",
    "heads",
    "host",
    "inspect",
    "lines_of",
    "parse_date",
    "read",
    "read_annotated",
    "read_annotated_at",
    "read_resource_at",
    "remove_spooled",
    "select",
    "site",
    "size",
    "split",
    "surt",
    "timestamp14",
    "verify",
    "verify_package",
    "write_package",
    "write_wet",
]
