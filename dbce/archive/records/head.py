"""The head of a record: what its header says of its capture, and the date that it must mean."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cached_property
from typing import BinaryIO
from urllib.parse import quote
from zlib import crc32

from dbce.archive.records.feed import Fault
from dbce.archive.records.identity import iso, parse_date, plain_digest
from dbce.archive.records.message import header_ahead
from dbce.archive.records.record import Record, records
from dbce.model import DateSource, Reason, Reference, stable_id

# As ClueWeb09 has it: 2008-10-294T05:21:46-0700 is the 294th day of the year, in October.
_DAY_OF_YEAR = re.compile(r"(\d{4})-(\d\d)-(\d{2,3})(?![^T ])", re.ASCII)
_LONGER = re.compile(r"\d{15,20}", re.ASCII)  # of which the first 14 count, as in indexes
# The numbers of a date, whatever stands between and behind them: so warcio reads dates.
_NUMBERS = re.compile(
    r"\D?(\d{4})\D(\d\d?)\D(\d\d?)(?:\D+(\d\d?)\D(\d\d?)(?:\D(\d\d?))?(?!\d).*)?", re.ASCII
)
_LAST_SECOND = 59  # behind which a leap second is
_ZONE = re.compile(r"(.{1,40}[T ].{1,40})([+-])(\d\d):?(\d\d)", re.ASCII)

_WORDS = {
    DateSource.RECORD: "in UTC that is",
    DateSource.DAY_OF_YEAR: "with the day of the year it is",
    DateSource.HTTP: "the server said",
    DateSource.WARCINFO: "the file was begun at",
}


def intended_date(text: str) -> tuple[DateSource, datetime | None]:
    """The date that a text is or must mean, if it is none as it stands: it has a zone, a fraction, a day of the year, other signs."""
    source, shift = DateSource.RECORD, timedelta()
    if _LONGER.fullmatch(text):
        text = text[:14]
    if zone := _ZONE.fullmatch(text.strip()):
        text, sign, hours, minutes = zone.groups()
        shift = timedelta(hours=int(hours), minutes=int(minutes)) * (-1 if sign == "-" else 1)
    moment = parse_date(text)
    try:
        if moment is None and (by_day := _DAY_OF_YEAR.match(text.strip())):
            year, month, days = map(int, by_day.groups())
            day = date(year, 1, 1) + timedelta(days - 1)
            if (day.year, day.month) == (year, month):
                source = DateSource.DAY_OF_YEAR
                moment = parse_date(f"{day.isoformat()}{text.strip()[by_day.end() :]}")
        if moment is None and (numbers := _NUMBERS.fullmatch(text.strip())):
            year, month, days, hour, minute, second = (
                int(number or 0) for number in numbers.groups()
            )
            second = min(second, _LAST_SECOND)
            moment = datetime(year, month, days, hour, minute, second, tzinfo=UTC)
        moment = moment or mail_date(text)
        return source, moment and moment - shift
    except (ValueError, OverflowError):  # of no year that there is
        return source, None


def mail_date(text: str) -> datetime | None:
    """The date that a text is as mails and HTTP have it; None where it is none."""
    try:
        moment = parsedate_to_datetime(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


CAPTURES = frozenset({"response", "resource", "revisit"})
# Records of any other type are passed over, also those of types that are not known (WARC 1.1, 5.5).
# One without a type counts as a damaged capture, so that nothing is lost silently.
_LONGEST_TYPE = 80  # characters
# What no line of an index, no header and no table can hold: controls, line ends, halves of characters.
_UNWRITABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Head:
    """The header of a record, read; `media` is the media type of the block.

    `dated_by` says whose the timestamp is, and `odd_date` what is wrong with that of the record.
    """

    kind: str
    record_id: str
    url: str
    timestamp: datetime | None
    digest: str
    media: str
    dated_by: DateSource | None
    odd_date: str


class RecordIds:
    """Ids of captures, which are asked for in their order: some crawlers gave many of them one.

    A duplicate has the same URL, date and, where both are known, digest. Of others with one id the first keeps
    it, and each of the rest gets one made of the id and what it is a capture of: the same in whatever part of a
    file, and beside whatever other files, it is read.
    """

    def __init__(self) -> None:
        self._visits: dict[str, int] = {}  # of the first capture with an id: its URL and date
        self._digests: dict[str, int] = {}
        self.keepers: dict[str, str] = {}
        """By the id that the first would have had from a reader that saw others before it: the one it keeps."""

    def id_of(self, record_id: str, url: str, timestamp: datetime | None, digest: str = "") -> str:
        """The id of the next capture, which its record or another reader calls `record_id`."""
        visit = crc32(url.encode("utf-8", "surrogatepass")) * _OF_TIME
        visit += round(timestamp.timestamp() * 1e6) if timestamp else 0
        record_id = self.keepers.get(record_id, record_id)
        first = self._visits.setdefault(record_id, visit)
        if first != visit:
            self.keepers[stable_id(record_id, str(first))] = record_id
            record_id = stable_id(record_id, str(visit))
        payload = crc32(digest.encode()) if digest else 0
        if digest and self._digests.setdefault(record_id, payload) != payload:
            return stable_id(record_id, digest)
        return record_id


_OF_TIME = 10**18  # beyond all microseconds that dates have


class HeadReader:
    """Reader of the heads of a file's records, in their order; `name` is what the file is called."""

    def __init__(self, name: str, file: BinaryIO) -> None:
        self._name = name
        self._file = file
        self._ids = RecordIds()

    @cached_property
    def _warcinfo_date(self) -> datetime | None:
        """The time at which the warcinfo at the beginning of the file was made."""
        first = next(records(self._file), None)
        if not isinstance(first, Record) or first.get("WARC-Type").lower() != "warcinfo":
            return None
        return intended_date(first.get("WARC-Date"))[1]

    def _date(self, record: Record) -> tuple[datetime | None, DateSource | None, str]:
        """The date of an open record, its source, and what is wrong with the record's own."""
        text = record.get("WARC-Date")
        if moment := parse_date(text):
            return moment, DateSource.RECORD, ""
        declared = f"the date is {text[:80]!r}"
        source, moment = intended_date(text)
        if moment is None:
            headers = header_ahead(record.peek)
            declared_by_http = (headers and headers.get_header("Date")) or ""
            source, moment = DateSource.HTTP, mail_date(declared_by_http)
        if moment is None:
            source, moment = DateSource.WARCINFO, self._warcinfo_date
        if moment is None:
            return None, None, declared
        return moment, source, f"{declared}: {_WORDS[source]} {iso(moment)}"

    def read(self, record: Record) -> Head:
        """The head of the next record, nothing of whose block is passed."""
        kind = _writable(record.get("WARC-Type").lower())[:_LONGEST_TYPE]
        timestamp, dated_by, odd_date = self._date(record)
        record_id = plain_id(record.get("WARC-Record-ID"))
        url = plain_url(record.get("WARC-Target-URI"))
        if _NO_ID.fullmatch(record_id):
            within = f"+{record.within}" if record.within else ""
            record_id = stable_id(f"{self._name}:{record.offset}{within}")
        elif kind in CAPTURES:
            record_id = self._ids.id_of(record_id, url, timestamp)
        digest = plain_digest(record.get("WARC-Payload-Digest"))
        media = record.get("Content-Type")
        return Head(kind, record_id, url, timestamp, digest, media, dated_by, odd_date)


_NO_ID = re.compile(r"(?:urn:)?(?:uuid:)?", re.IGNORECASE)


def plain_url(text: str) -> str:
    """A URL as it can be written anywhere: what cannot be has percent codes, and it stands in no brackets."""
    url = _writable(text.strip())
    while url.startswith("<") and url.endswith(">") and url != "<":  # as wget wrote it
        url = url[1:-1].strip()
    return url


def plain_id(text: str) -> str:
    """A record id without its angle brackets, as it can be written anywhere."""
    return _writable(text).strip("<> ")


def _writable(text: str) -> str:
    if not _UNWRITABLE.search(text):  # as most
        return text
    return _UNWRITABLE.sub(lambda sign: quote(sign[0], errors="surrogatepass"), text)


def contradiction(record: Record, head: Head) -> Fault | None:
    """A fault where a capture's header lacks something or says what it should not."""
    if not head.kind:
        return Fault(Reason.BAD_RECORD, "no WARC-Type")
    if not head.url:
        return Fault(Reason.BAD_RECORD, "no WARC-Target-URI")
    if record.get("WARC-Segment-Number"):
        return Fault(Reason.TRUNCATED, "only the first segment of a segmented record")
    return None


def read_reference(record: Record) -> Reference:
    """The reference in the header of a revisit to the capture that it repeats.

    One that names no URL, and is for what a server has not modified, repeats an earlier one of its own.
    """
    _, when = intended_date(record.get("WARC-Refers-To-Date"))
    record_id = plain_id(record.get("WARC-Refers-To"))
    url = plain_url(record.get("WARC-Refers-To-Target-URI"))
    if not url and "not-modified" in record.get("WARC-Profile").lower():
        url = plain_url(record.get("WARC-Target-URI"))
    return Reference(record_id, url, when)
