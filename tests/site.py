"""Builders: the thesis' two example pages, and pages of a small invented site."""

import gzip
import zlib
from pathlib import Path

from dbce.archive import capture
from dbce.archive.records.identity import iso, sha1
from dbce.model import Capture
from tests.archive.build import answer, members, record

DOC1 = (
    '<html><head></head><body><span class="def" style="color:blue"><ul class="adv">'
    "<li>Buy More</li><li>New Cars</li></ul>Definition of Boilerplate\n"
    "2016 - Example Inc. All rights reserved</span></body></html>"
)
DOC2 = DOC1.replace("Definition of Boilerplate", "<i>Content description</i>")
"""doc1 and doc2 of the thesis (section 2.2)."""

MENU = ("Home and news of today", "Letters from our readers", "About the people behind this")
FOOTER = "Printed with care in the old harbour, all rights reserved"


def article(topic: str, *paragraphs: str, menu: tuple[str, ...] = MENU) -> str:
    """A page of the site: its menu, an article, its footer."""
    items = "".join(
        f'<li class="item"><a href="/{n}">{text}</a></li>' for n, text in enumerate(menu)
    )
    text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs or (story(topic),))
    return (
        f"<html><head><title>{topic}</title></head><body>"
        f'<div class="nav"><ul>{items}</ul></div>'
        f'<div class="main"><h1>{topic} in the old town</h1>{text}</div>'
        f'<div class="foot"><p class="legal">{FOOTER}</p></div></body></html>'
    )


def story(topic: str, words: int = 30) -> str:
    """A text no other topic shares a word with."""
    return " ".join(f"{topic}{n}" for n in range(words)) + "."


def page(topic: str, at: str = "20160101000000", html: str | None = None) -> Capture:
    """A capture of the article at `/topic`."""
    return capture(f"http://harbour.example/{topic}", html or article(topic), at)


def stored(*pages: Capture, **fields: str) -> bytes:
    """WARC records of the pages, each a gzip member."""
    records = [
        record(
            block=answer(one.payload, content_type=one.content_type),
            url=one.url,
            date=iso(one.timestamp),
            record_id=f"<{one.record_id}>",
            **fields,
        )
        for one in pages
    ]
    return b"".join(members(records))


def revisit(of: Capture, at: str, record_id: str, url: str = "", **said: str) -> bytes:
    """A WARC record, as a gzip member: a page was the same again, at its own URL if no other is given.

    What it says of the page are fields of the header, such as `WARC_Refers_To`.
    """
    when = f"{at[:4]}-{at[4:6]}-{at[6:8]}T00:00:00Z"
    head = {"kind": "revisit", "url": url or of.url, "date": when, "record_id": f"<{record_id}>"}
    return gzip.compress(record(block=answer(b""), **head, **said), mtime=0)


TOPICS = ("ferry", "clocks", "benches", "maps")


def snapshots(year: int) -> list[Capture]:
    """The site as it was in a year."""
    return [page(topic, f"{year}0101000000") for topic in TOPICS]


def write_years(folder: Path, *years: int) -> Path:
    """A folder with the site as it was in some years, a file each, called after them."""
    folder.mkdir(exist_ok=True)
    for year in years:
        (folder / f"{year}.warc.gz").write_bytes(stored(*snapshots(year)))
    return folder


def digested(*topics: str) -> list[bytes]:
    """WARC records of the site's pages with their digests, behind a warcinfo; nothing is compressed."""
    records = [record(0, b"software: test\r\n", kind="warcinfo", url="", media=None)]
    for one in map(page, topics):
        block = answer(one.payload, content_type=one.content_type)
        digests = {"WARC_Block_Digest": sha1(block), "WARC_Payload_Digest": sha1(one.payload)}
        date = iso(one.timestamp)
        made = record(
            block=block, url=one.url, date=date, record_id=f"<{one.record_id}>", **digests
        )
        records.append(made)
    return records


def png(colour: tuple[int, int, int], width: int = 40, height: int = 20) -> bytes:
    """A picture of one colour."""
    return png_of(width, height, b"\x08\x02\0\0\0", b"\0" + bytes(colour) * width)


def png_of(width: int, height: int, form: bytes, row: bytes) -> bytes:
    """A picture all of whose rows are alike; `form` is the end of its header."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        crc = zlib.crc32(kind + data).to_bytes(4, "big")
        return len(data).to_bytes(4, "big") + kind + data + crc

    size = width.to_bytes(4, "big") + height.to_bytes(4, "big")
    head = chunk(b"IHDR", size + form)
    rows = chunk(b"IDAT", zlib.compress(row * height))
    return b"\x89PNG\r\n\x1a\n" + head + rows + chunk(b"IEND", b"")
