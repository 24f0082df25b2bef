"""The smallest archives that crawlers of today write, by their documentation: which of their records are pages."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha1
from pathlib import Path

import pytest
import zstandard

from dbce.archive import expand, read
from dbce.model import Limits
from tests import crawls
from tests.archive.build import PAGE, answer, outcome, record
from tests.crawls import warc

DIGEST = f"sha1:{sha1(PAGE).hexdigest()}"
URL = "https://harbour.example/ferry"
PROFILE = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"


def resource(number: int, url: str, media: str, body: bytes, **fields: str) -> bytes:
    return record(number, body, kind="resource", url=url, media=media, **fields)


def info(**fields: str) -> bytes:
    block = "".join(f"{name}: {value}\r\n" for name, value in fields.items()).encode()
    return record(0, block, kind="warcinfo", url="", media="application/warc-fields")


def request(number: int) -> bytes:
    return record(number, b"GET /ferry HTTP/1.1\r\n\r\n", kind="request", url=URL)


def wacz(archives: dict[str, bytes], **texts: str) -> bytes:
    page = {"id": "1", "url": URL, "ts": "2024-05-06T07:08:09.123Z"} | texts
    return crawls.wacz(archives, pages=[json.dumps(page).encode()])


def singlefile() -> bytes:
    note = f"<!--\n Page saved with SingleFile \n url: {URL} \n saved date: Mon May 06 2024 09:08:09 GMT+0200 (CEST)\n-->"
    return PAGE.replace(b"<html>", f"<!DOCTYPE html> <html>{note}".encode())


def browsertrix() -> bytes:
    pageinfo = json.dumps({"pageid": "1", "urls": {URL: {"status": 200}}}).encode()
    crawl = warc(
        info(software="Browsertrix-Crawler 1.6.1", format="WARC File Format 1.1"),
        record(1, url=URL, version="1.1", WARC_Page_ID="1", WARC_Resource_Type="document"),
        request(2),
        resource(3, f"urn:pageinfo:{URL}", "application/json", pageinfo, version="1.1"),
    )
    text = warc(resource(4, f"urn:text:{URL}", "text/plain", b"Bread and butter.", version="1.1"))
    return wacz({"rec-0.warc.gz": crawl, "text-0.warc.gz": text})


def archivewebpage() -> bytes:
    metadata = json.dumps({"ipType": "Public", "cert": {"issuer": "R3"}})
    page = record(1, url=URL, version="1.1", WARC_JSON_Metadata=metadata, WARC_Page_ID="1")
    return wacz(
        {"data.warc.gz": warc(info(software="Webrecorder"), page, request(2))}, text="Bread"
    )


def scoop() -> bytes:
    summary = record(2, answer(PAGE), url="file:///provenance-summary.html", version="1.1")
    picture = record(3, answer(b"\x89PNG\r\n\x1a\n", content_type="image/png"), url="file:///s.png")
    return wacz({"data.warc.gz": warc(info(), record(1, url=URL, version="1.1"), summary, picture)})


def zeno() -> bytes:
    said = {"WARC_Refers_To_Target_URI": URL, "WARC_Refers_To_Date": "2024-05-06T07:08:09Z"}
    said |= {"WARC_Profile": PROFILE, "WARC_Payload_Digest": DIGEST, "version": "1.1"}
    again = record(
        *(3, answer(b"")), kind="revisit", url=URL, date="2024-05-07T07:08:09.5Z", **said
    )
    page = record(1, url=URL, version="1.1", WARC_Payload_Digest=DIGEST)
    return warc(info(software="Zeno"), page, request(2), again)


def wget_at() -> bytes:
    """Wget writes addresses in angle brackets."""
    parts = [info(software="Wget/1.21.3-at"), record(1, url=f"<{URL}>"), request(2)]
    samples = [record(n, answer(PAGE * 3 + b"%d" % n)) for n in range(400)]
    dictionary = zstandard.train_dictionary(4096, samples)
    words = zstandard.compress(dictionary.as_bytes())
    compressor = zstandard.ZstdCompressor(dict_data=dictionary)
    head = b"\x5d\x2a\x4d\x18" + len(words).to_bytes(4, "little") + words
    return head + b"".join(map(compressor.compress, parts))


def warcprox() -> bytes:
    """Digests are in base 16 unless it is told otherwise; records of `WARCPROX_WRITE_RECORD` are any."""
    page = record(1, url=URL, WARC_Payload_Digest=DIGEST)
    shot = resource(2, f"screenshot:{URL}", "image/jpeg", b"\xff\xd8\xff")
    return warc(info(software="warcprox 2.6"), page, request(3), shot)


def heritrix() -> bytes:
    fields = b"fetchTimeMs: 101\r\nvia: http://harbour.example/\r\n"
    return warc(
        info(software="Heritrix/3.4.0"),
        resource(1, "dns:harbour.example", "text/dns", b"2024\nharbour.example. 300 IN A"),
        record(2, url=URL, WARC_Payload_Digest=DIGEST, WARC_IP_Address="192.0.2.1"),
        request(3),
        record(4, fields, kind="metadata", url=URL, media="application/warc-fields"),
    )


def wpull() -> bytes:
    """Its record ids may lack the number."""
    page = record(1, url=URL, record_id="<urn:uuid:>")
    log = resource(2, "urn:X-wpull:log", "text/plain", b"INFO", record_id="<urn:uuid:>")
    return warc(info(software="Wpull/2.0.3"), request(3), page, log)


@pytest.mark.parametrize(
    ("name", "write", "others"),
    [
        ("page.html", singlefile, {}),
        ("crawl.wacz", browsertrix, {"not-html": 2}),
        ("my.wacz", archivewebpage, {}),
        ("scoop.wacz", scoop, {"page": 1, "not-html": 1}),
        ("zeno.warc.gz", zeno, {"revisit": 1}),
        ("at.warc.zst", wget_at, {}),
        ("prox.warc.gz", warcprox, {"not-html": 1}),
        ("heritrix.warc.gz", heritrix, {"not-html": 1}),
        ("wpull.warc.gz", wpull, {"not-html": 1}),
    ],
)
def test_what_a_crawler_of_today_writes_is_read(
    tmp_path: Path, name: str, write: Callable[[], bytes], others: dict[str, int]
) -> None:
    (tmp_path / name).write_bytes(write())
    sources = expand([str(tmp_path / name)])
    page, *rest = sorted(
        (entry for source in sources for entry in read(source, Limits())),
        key=lambda entry: (entry.url != URL, entry.timestamp),
    )
    assert (outcome(page), page.url) == ("page", URL)
    assert page.timestamp == datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    reasons = [outcome(entry) for entry in rest]
    assert {reason: reasons.count(reason) for reason in reasons} == others
