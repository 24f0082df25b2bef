"""The parts of archives: containers, members, records and answers, and what their headers declare."""

from dbce.archive.records.answer import EMPTY_DIGESTS, Answer, Block, looks_html, read_answer
from dbce.archive.records.encodings import collect, dechunk, decode, is_chunked
from dbce.archive.records.feed import PIECE, Fault
from dbce.archive.records.head import (
    CAPTURES,
    Head,
    WarcinfoDate,
    contradiction,
    plain_id,
    plain_url,
    read_head,
    read_reference,
    warcinfo_date,
)
from dbce.archive.records.identity import (
    clock_of,
    day_of,
    host,
    iso,
    month_of,
    parse_date,
    sha1,
    site,
    surt,
    timestamp14,
)
from dbce.archive.records.record import (
    HTTP_TYPE,
    MEMBER,
    Container,
    Damage,
    Record,
    header_ahead,
    media_type,
    parse,
    read_header,
    read_request,
    records,
    records_at,
    status,
)
