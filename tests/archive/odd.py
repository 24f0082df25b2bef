"""Records with one oddity each that readers of today take, and what they are taken for."""

import gzip
import zlib

import brotli

from tests.archive.build import answer, arc_record, record

TEXT = "Grüße aus Łódź: „Brot und Butter“."
PAGE = f"<html><body>\n\n<p>{TEXT}\r\n\r\n<p>{TEXT}</body></html>".encode()
"""A page whose letters are fewer than its bytes, with empty lines of both kinds."""

ANSWER = answer(PAGE)
LETTERS = len(ANSWER.decode())
ZIPPED = gzip.compress(PAGE, mtime=0)

ARC_LINES = (
    "{url} 192.0.2.1 {date} text/html; Charset=utf-8 {length}",
    "{url} 192.0.2.1 {date} text/html, application/x-javascript {length}",
    "{url} 192.0.2.1 {date}  {length}",
    "{url} 192.0.2.1 {date} no-type {length}",
    "{url} None {date} text/html {length}",
    "{url} - {date} text/html; charset=x {length}",
    "{url} www.example.com {date} text/html {length}",
    "{url} 2001:db8::1 {date} text/html {length}",
    "{url} {date} 192.0.2.1 text/html {length}",
    "{url} {date} None text/html {length}",
    "{url} {date} text/html {length}",
    "{url}?a b (c) None {date} text/html {length}",
    "{url}?a\rb 192.0.2.1 {date} text/html {length}",
    "{url} 192.0.2.1 3b9ac9ff text/html {length}",
    "{url} 192.0.2.1 06May202407:08GMT text/html {length}",
    "{url} 192.0.2.1 {date} text/html 200 fac0691506 - 1000 x.arc {length}",  # version 2
    "{url}\t192.0.2.1\t{date}\ttext/html\t{length} ",
)
"""Lines of ARC records as old crawlers wrote them."""

STATUS_LINES = (
    *(b"HTTP/1.1\t200 OK", b"\r\nHTTP/1.1 200 OK", b"\xef\xbb\xbfHTTP/1.1 200 OK", b"HTTP 200 OK"),
    *(b"HTTP/1.1 OK", b"HTTP/1.1", b"http/1.10 200 OK", b"HTTP1.1 200 OK", b"HTTP/ +0200"),
)
MEDIA_TYPES = (
    *("html", "no-type", "unk", '"text/html"', r"text\html", "text/ html", "text / html"),
    *("text/html\0", "text", "application/unknown", "binary/octet-stream"),
    "text/plain\r\nContent-Type: text/html; charset=utf-8",
    "text/html; charset=utf-8\r\nContent-Type: none",
)

PAGES: dict[str, bytes] = {
    "a length in letters": record(1, ANSWER, length=LETTERS),
    "a length that ends at an empty line": record(1, ANSWER, length=ANSWER.index(b"\n\n<p>")),
    "no length to speak of": record(1, ANSWER, length=0),
    "the version in lower case": record(1, ANSWER).replace(b"WARC/", b"warc/", 1),
    "no HTTP header": record(1, PAGE),
    "no empty line behind the HTTP header": record(1, ANSWER.replace(b"\r\n\r\n", b"\r\n", 1)),
    "no HTTP header, an empty line first": record(1, b"\r\n" + PAGE),
    "the whole of a range": record(
        1, answer(PAGE, "206 Partial Content", Content_Range=f"bytes 0-{len(PAGE) - 1}/{len(PAGE)}")
    ),
    "gzip with a wrong checksum": record(
        1, answer(ZIPPED[:-8] + b"\0\0\0\0" + ZIPPED[-4:], Content_Encoding="gzip")
    ),
    **{
        f"gzip that is declared as {coding!r}": record(1, answer(ZIPPED, Content_Encoding=coding))
        for coding in ("deflate", "br", "gzip;q=1.0", '"gzip"', "x")
    },
    **{
        f"{pack.__module__} that is declared as gzip": record(
            1, answer(pack(body), Content_Encoding="gzip")
        )
        for pack, body in ((gzip.compress, ZIPPED), (zlib.compress, PAGE), (brotli.compress, PAGE))
    },
    "gzip that is not declared": record(1, answer(ZIPPED)),
    "a resource in gzip": record(1, ZIPPED, kind="resource", media="text/html"),
    **{
        f"status line {line!r}": record(1, ANSWER.replace(b"HTTP/1.1 200 OK", line))
        for line in STATUS_LINES
    },
    **{f"media type {kind!r}": record(1, answer(PAGE, content_type=kind)) for kind in MEDIA_TYPES},
    **{
        f"media type of a resource {kind!r}": record(1, PAGE, kind="resource", media=kind)
        for kind in MEDIA_TYPES[:7]
    },
}
"""Records of which each is a page, by what is odd."""

ARC_PAGES: dict[str, bytes] = {
    **{f"ARC line {fields!r}": arc_record(1, ANSWER, fields=fields) for fields in ARC_LINES},
    "ARC, a length in letters": arc_record(1, ANSWER, length=LETTERS),
    "ARC, a length that ends at a line end": arc_record(
        1, ANSWER, length=ANSWER.index(b"\r\n\r\n<p>")
    ),
    "ARC, no HTTP header": arc_record(1, PAGE, fields=ARC_LINES[3]),
    "ARC, no HTTP header and another address": arc_record(1, PAGE, url="ftp://example.com/1"),
}
"""The same of ARC."""

NOTHING = (b" \r\n\t", b"<!-- gone -->\n", b"<!DOCTYPE html>\n", b"\xef\xbb\xbf", b"\0")

SKIPPED: dict[str, tuple[bytes, str]] = {
    **{f"nothing but {body!r}": (record(1, answer(body)), "no-text") for body in NOTHING},
    **{
        f"part {part}": (record(1, answer(PAGE, "206 Part", Content_Range=part)), "not-html")
        for part in ("bytes 0-99/1000", "bytes 9-99/100", "bytes=0 - 99 / 1000", "9-99/*")
    },
    "no status": (record(1, answer(PAGE, "0 Failed")), "http-status"),
    "a bare picture": (record(1, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(40)), "bad-http"),
}
"""Records that are no page, and the reason, by what is odd."""
