"""Crawls by a browser, as Browsertrix Crawler writes them: pages that only scripts fill, and their texts."""

import io
import json
import zipfile

from tests.archive.build import answer, members, record

SHELL = (
    '<html lang="en"><head><title>{0}</title><script src="/app.js"></script></head>'
    '<body><noscript>Enable JavaScript.</noscript><div id="root"></div></body></html>'
)
"""A page without any text."""

WAITING = SHELL.replace('<div id="root">', '<p>Loading the timetable</p><div id="root">')
"""A page with hardly any, which is judged."""

TEXT = "Ferries\nThe ferry to the island leaves at nine.\nIt comes back at ten."


def place(name: str) -> str:
    return f"https://www.harbour.example/{name}"


def shell(name: str, html: str = SHELL, at: str = "2024-05-06T07:08:09.123Z") -> bytes:
    block = answer(html.format(name).encode(), content_type="text/html; charset=utf-8")
    return record(
        block=block, url=place(name), date=at, version="1.1", record_id=f"<urn:shell:{name}:{at}>"
    )


def text_record(
    name: str,
    text: str | bytes = TEXT,
    at: str = "2024-05-06T07:08:12.000Z",
    kind: str = "text",
    **fields: str,
) -> bytes:
    """The record of a page's text, called by its kind, page and time."""
    block = text if isinstance(text, bytes) else text.encode()
    about = {"kind": "resource", "media": "text/plain", "version": "1.1"} | fields
    record_id = f"<urn:{kind}:{name}:{at}>"
    return record(
        block=block, url=f"urn:{kind}:{place(name)}", date=at, record_id=record_id, **about
    )


def page_info(name: str) -> bytes:
    told = {"pageid": "1", "url": place(name), "urls": {}, "counts": {"jsErrors": 0}}
    about = {"kind": "resource", "media": "application/json", "version": "1.1"}
    url = f"urn:pageinfo:{place(name)}"
    return record(block=json.dumps(told).encode(), url=url, record_id=f"<{url}>", **about)


def warc(*records: bytes) -> bytes:
    """A WARC file, each record a gzip member."""
    return b"".join(members(records))


def listed(name: str, text: object = TEXT, ts: object = "2024-05-06T07:08:08.000Z") -> bytes:
    return json.dumps(
        {"id": "1", "url": place(name), "title": name, "ts": ts, "text": text}
    ).encode()


HEAD = b'{"format": "json-pages-1.0", "id": "pages", "title": "All Pages", "hasText": true}'


def wacz(files: dict[str, bytes], **lists: list[bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in files.items():
            archive.writestr(f"archive/{name}", data)
        for name, lines in lists.items():
            data = b"\n".join([HEAD, *lines]) + b"\n"
            archive.writestr(f"pages/{name}.jsonl", data, zipfile.ZIP_DEFLATED)
    return stream.getvalue()
