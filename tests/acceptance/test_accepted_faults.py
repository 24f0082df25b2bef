"""Of files with the faults of real collections we count what warcio and FastWARC count, and never less."""

import base64
import gzip
import hashlib
from collections import Counter
from collections.abc import Iterable
from contextlib import redirect_stderr
from dataclasses import dataclass
from io import BytesIO, StringIO
from pathlib import Path

import pytest
import zstandard
from fastwarc.warc import ArchiveIterator as FastIterator
from fastwarc.warc import WarcRecordType
from warcio.archiveiterator import ArchiveIterator

from dbce.model import Limits, Reason
from dbce.run import ArchiveAccount, survey_archive
from tests.archive.build import PAGE, answer, arc_head, arc_record, members, record, stored
from tests.archive.odd import ARC_PAGES, PAGES, SKIPPED


def sha1(data: bytes) -> str:
    return f"sha1:{base64.b32encode(hashlib.sha1(data).digest()).decode()}"


BODY = (PAGE, PAGE * 2)
WRONG = "sha1:" + "A" * 32
HEAD = b"HTTP/1.1 304 Not Modified\r\n\r\n"
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(2000)
CHUNKED = answer(b"%x\r\n%s\r\n0\r\n\r\n" % (len(PAGE), PAGE), Transfer_Encoding="chunked")
WRONG_CHUNKS = answer(b"5\r\n%s\r\n0\r\n\r\n" % PAGE, Transfer_Encoding="chunked")


def revisit(number: int, block: bytes, **digests: str) -> bytes:
    return record(number, block, kind="revisit", WARC_Refers_To="<urn:test:1>", **digests)


def odd(beginning: str) -> list[bytes]:
    """The odd records whose names begin so."""
    skipped = {what: data for what, (data, _) in SKIPPED.items()}
    known = PAGES | ARC_PAGES | skipped
    found = [data for what, data in known.items() if what.startswith(beginning)]
    return [data.replace(b"urn:test:1", b"urn:odd:%d" % n) for n, data in enumerate(found)]


BLANK = [data for data, reason in SKIPPED.values() if reason == "no-text"]
SOUND = [record(number) for number in range(1, 5)]
HOSTS = ("foo%20bar.com", "www.foo .com", "a\u00a0b.com", "a\u3000b.com", "<b>x</b>.com")
DATES = ("2008-10-294T05:21:46-0700", "2024-05-06", "last night", "")
LATE = {"Date": "Mon, 06 May 2024 07:08:09 GMT"}


def gz(records: Iterable[bytes]) -> bytes:
    """One gzip member a record, as it should be."""
    return b"".join(members(records))


FILES: dict[str, tuple[str, bytes]] = {
    "sound": ("a.warc.gz", gz(SOUND)),
    "sound, plain": ("a.warc", b"".join(SOUND)),
    "sound, WARC 1.1, one with a fraction of a second": (
        "a.warc.gz",
        gz([*SOUND[:3], record(4, version="1.1", date="2024-05-06T07:08:09.123456Z")]),
    ),
    "sound, Zstandard": ("a.warc.zst", b"".join(map(zstandard.compress, SOUND))),
    "sound, ARC": ("a.arc", arc_head() + b"".join(arc_record(n) for n in range(1, 4))),
    "hosts with white space and markup": (
        "a.warc.gz",
        gz(record(n, url=f"http://{host}/") for n, host in enumerate(HOSTS)),
    ),
    "dates: day of the year, no time, words, none; the answer has one": (
        "a.warc.gz",
        gz(record(n, answer(**LATE), date=date) for n, date in enumerate(DATES)),
    ),
    "dates: the same, and nothing else says when": (
        "a.warc.gz",
        gz(record(n, date=date) for n, date in enumerate(DATES)),
    ),
    "revisits: digests of the empty block, of the payload that they repeat, and wrong": (
        "a.warc.gz",
        gz(
            [
                record(1, WARC_Payload_Digest=sha1(PAGE)),
                revisit(2, HEAD, WARC_Payload_Digest=sha1(PAGE)),
                revisit(3, HEAD, WARC_Payload_Digest=sha1(b"")),
                revisit(4, HEAD, WARC_Block_Digest=sha1(b"")),
                revisit(5, b"", WARC_Payload_Digest=sha1(PAGE)),
                revisit(6, HEAD, WARC_Block_Digest=WRONG),
            ]
        ),
    ),
    "two digests are wrong": (
        "a.warc.gz",
        gz([*SOUND, record(5, WARC_Block_Digest=WRONG), record(6, WARC_Payload_Digest=WRONG)]),
    ),
    "a picture, served as HTML": (
        "a.warc.gz",
        gz([*SOUND, record(5, answer(PNG, content_type="text/html"))]),
    ),
    "chunks, right and wrong": ("a.warc.gz", gz([record(1, CHUNKED), record(2, WRONG_CHUNKS)])),
    "a header line of 100 kB": (
        "a.warc.gz",
        gz([*SOUND[:2], record(3, WARC_Note="x" * 100_000), SOUND[3]]),
    ),
    "all in one gzip member": ("a.warc.gz", gzip.compress(b"".join(SOUND), mtime=0)),
    "the last record breaks off": ("a.warc.gz", gz(SOUND)[:-40]),
    "zeros in the third of four members": (
        "a.warc.gz",
        b"".join([*members(SOUND[:2]), members(SOUND)[2][:30] + bytes(60), *members(SOUND[3:])]),
    ),
    "a length is too small, plain": (
        "a.warc",
        b"".join([SOUND[0], record(2, length=20), *SOUND[2:]]),
    ),
    "a length is too large, plain": (
        "a.warc",
        b"".join([SOUND[0], record(2, length=len(answer()) + 90), *SOUND[2:]]),
    ),
    "junk between two records, plain": ("a.warc", b"".join([*SOUND[:2], b"\0" * 999, *SOUND[2:]])),
    "empty": ("a.warc", b""),
    "ARC record lines as old crawlers wrote them, each of another form": (
        "a.arc",
        arc_head() + b"".join(odd("ARC line")),
    ),
    "ARC without HTTP headers": ("a.arc", arc_head() + b"".join(odd("ARC, no HTTP"))),
    "ARC, lengths in letters": ("a.arc", arc_head() + b"".join([*odd("ARC, a len"), arc_record()])),
    "lengths in letters, plain": ("a.warc", b"".join([*odd("a length"), *SOUND])),
    "lengths in letters": ("a.warc.gz", gz([*odd("a length"), *SOUND])),
    "answers without HTTP headers": ("a.warc.gz", gz([*odd("no HTTP"), *SOUND])),
    "status lines": ("a.warc.gz", gz([*odd("status line"), *SOUND])),
    "media types that are none": ("a.warc.gz", gz([*odd("media type"), *SOUND])),
    "the version in lower case": ("a.warc.gz", gz([*odd("the version"), *SOUND])),
    "bodies that are blank": ("a.warc.gz", gz(BLANK)),
    "parts of a page": ("a.warc.gz", gz([*odd("the whole"), *odd("part bytes")])),
    "zeros between gzip members": ("a.warc.gz", bytes(512).join([*members(SOUND), b""])),
}
"""Name and bytes of a file, by what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a reader tells of a file: records, how many digests are wrong, what made it give up."""

    records: int
    wrong: int
    gave_up: str = ""

    def __str__(self) -> str:
        wrong = f", {self.wrong} wrong digests" if self.wrong else ""
        return f"{self.records}{wrong}{f', then {self.gave_up}' if self.gave_up else ''}"


def by_warcio(data: bytes) -> Told:
    records = wrong = 0
    try:
        with redirect_stderr(StringIO()):  # it tells people as well
            for one in ArchiveIterator(BytesIO(data), check_digests=True, arc2warc=True):
                one.content_stream().read()
                # A line of a text with four blanks is a record of ARC to it.
                url = one.rec_headers.get_header("WARC-Target-URI") or "none:"
                records += ":" in url
                wrong += one.digest_checker.passed is False
    except Exception as e:  # noqa: BLE001 - whatever it is that makes it give up
        return Told(records, wrong, type(e).__name__)
    return Told(records, wrong)


def by_fastwarc(data: bytes) -> Told:
    records = wrong = 0
    try:
        kinds = WarcRecordType.any_type
        for one in FastIterator(BytesIO(data), record_types=kinds, parse_http=False):
            records += 1
            wrong += "WARC-Block-Digest" in one.headers and not one.verify_block_digest()
            if one.is_http:
                one.parse_http()
            wrong += "WARC-Payload-Digest" in one.headers and not one.verify_payload_digest()
    except Exception as e:  # noqa: BLE001 - as above
        return Told(records, wrong, type(e).__name__)
    return Told(records, wrong)


def by_us(name: str, data: bytes) -> tuple[Told, ArchiveAccount]:
    found = survey_archive(stored(data, name), Limits())
    wrong = sum(one.reason is Reason.BAD_DIGEST for one in found.findings)
    return Told(found.records.total(), wrong), found


def said(account: ArchiveAccount) -> str:
    """What `dbce check` says beside the number of records."""
    damage = Counter(str(one.reason) for one in account.findings)
    odd = Counter(str(one.reason) for one in account.oddities)
    skipped = Counter({str(reason): count for reason, count in account.skipped.items()})
    parts = ((damage, ""), (odd, "odd "), (skipped, "skipped "))
    found = [f"{n} {word}{what}" for counts, word in parts for what, n in sorted(counts.items())]
    return ", ".join(found) or "nothing"


def row(what: str) -> tuple[str, ...]:
    """The cells of a file's line in the table."""
    told, account = by_us(*FILES[what])
    data = FILES[what][1]
    return what, str(by_warcio(data)), str(by_fastwarc(data)), str(told), said(account)


def table() -> str:
    """The counts of all files side by side, as Markdown."""
    lines = ["| file | warcio | FastWARC | dbce | dbce says |", "|---|---|---|---|---|"]
    lines += [f"| {' | '.join(row(what))} |" for what in FILES]
    return "\n".join(lines)


pytestmark = pytest.mark.tools

TABLE = Path(__file__).with_name("odd_files.md")

OVER_OUR_LIMIT = "a header line of 100 kB"
"""The file with a record that is rejected by name, which is then no record of a type."""

STOPS_BEFORE_ZEROS = "zeros between gzip members"
"""The file in which warcio takes zeros for the end, and says nothing."""


@pytest.mark.parametrize("what", FILES)
def test_no_reader_counts_more_records_and_where_warcio_reads_all_the_counts_are_its_own(
    what: str,
) -> None:
    told, account = by_us(*FILES[what])
    theirs, others = (reader(FILES[what][1]) for reader in (by_warcio, by_fastwarc))
    rejected = (what == OVER_OUR_LIMIT) * account.damaged
    assert told.records + rejected >= max(theirs.records, others.records)
    assert theirs.gave_up or what in (OVER_OUR_LIMIT, STOPS_BEFORE_ZEROS) or told == theirs


@pytest.mark.parametrize("what", FILES)
def test_the_table_says_what_we_count(what: str) -> None:
    """What others count there is that of their versions when it was written."""
    rows = [line.strip("| ").split(" | ") for line in TABLE.read_text().splitlines()]
    (there,) = (cells for cells in rows if cells[0] == what)
    now = row(what)
    assert (there[0], *there[3:]) == (now[0], *now[3:])
