"""The parts of archives: containers, members, records and answers, and what their headers declare."""

from dbce.archive.records.answer import Answer, read_answer
from dbce.archive.records.block import EMPTY_DIGESTS, Block
from dbce.archive.records.container import MEMBER, Container, Damage, records, records_at
from dbce.archive.records.dates import WarcinfoDate, warcinfo_date
from dbce.archive.records.encodings import collect, dechunk, decode, is_chunked
from dbce.archive.records.feed import PIECE, Fault
from dbce.archive.records.head import (
    CAPTURES,
    Head,
    contradiction,
    plain_id,
    plain_url,
    read_head,
    read_reference,
)
from dbce.archive.records.headers import (
    HTTP_TYPE,
    header_ahead,
    media_type,
    parse,
    read_header,
    read_request,
    status,
)
from dbce.archive.records.identity import (
    clock_of,
    day_of,
    iso,
    month_of,
    parse_date,
    sha1,
    timestamp14,
)
from dbce.archive.records.members import Archived, Content, FileOrigin, Member, MemberFile
from dbce.archive.records.record import Record
from dbce.archive.records.sniff import looks_html
from dbce.archive.records.surt import host, site, surt

__all__ = [
    "CAPTURES",
    "EMPTY_DIGESTS",
    "HTTP_TYPE",
    "MEMBER",
    "PIECE",
    "Answer",
    "Archived",
    "Block",
    "Container",
    "Content",
    "Damage",
    "Fault",
    "FileOrigin",
    "Head",
    "Member",
    "MemberFile",
    "Record",
    "WarcinfoDate",
    "clock_of",
    "collect",
    "contradiction",
    "day_of",
    "dechunk",
    "decode",
    "header_ahead",
    "host",
    "is_chunked",
    "iso",
    "looks_html",
    "media_type",
    "month_of",
    "parse",
    "parse_date",
    "plain_id",
    "plain_url",
    "read_answer",
    "read_head",
    "read_header",
    "read_reference",
    "read_request",
    "records",
    "records_at",
    "sha1",
    "site",
    "status",
    "surt",
    "timestamp14",
    "warcinfo_date",
]
