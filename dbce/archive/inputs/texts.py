"""Texts that crawlers store of pages: records `urn:text:URL`, and the page lists of a WACZ.

Browsertrix Crawler writes them with `--text`: `to-warc` a record of a page when it has loaded,
`final-to-warc` one more where its behaviours changed it (both in files of their own,
`text-….warc.gz`, unless WARC files are combined), `to-pages` a value of its line in the page
list. A record `urn:pageinfo:URL` lists what a page asked for, and holds no text.
"""

import json
import re
from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any

from dbce.archive.inputs.files import open_binary
from dbce.archive.inputs.source import Source
from dbce.archive.inputs.wacz import members, parts
from dbce.archive.records.answer import Block
from dbce.archive.records.head import Head, plain_url
from dbce.archive.records.identity import parse_date, surt
from dbce.archive.records.message import BODY_PIECE, media_type
from dbce.model import LOG, CrawlerText, Limits, StoredText, StoreError, TextKind, printable
from dbce.storage import NEAR

_KINDS = {"urn:text:": TextKind.LOADED, "urn:textfinal:": TextKind.FINAL}
_URN = re.compile(r"(urn:text(?:final)?:)(.+)", re.IGNORECASE | re.DOTALL)
# A page that scripts show in the place of another: its text is not that of the page that was captured.
_ROUTE = re.compile(r"#[!/]")
_NO_CHARACTERS = dict.fromkeys((0xFFFE, 0xFFFF))


def page_of_text(url: str) -> str | None:
    """The URL of the page whose text a record of this URL holds; None of any other record."""
    # Most URLs are told by their first letters.
    match = _URN.fullmatch(url) if url[:8].lower() == "urn:text" else None
    return match[2] if match else None


def is_stored_text(head: Head) -> bool:
    return (
        head.kind == "resource"
        and page_of_text(head.url) is not None
        and media_type(head.media) == "text/plain"
    )


def read_stored_text(head: Head, block: Block, limits: Limits) -> CrawlerText | None:
    """The text in a block, as far as pages may be long; None of one without date, or of no page of its own."""
    match = _URN.fullmatch(head.url)
    if match is None or head.timestamp is None:
        return None
    stored = bytearray()
    while len(stored) < limits.payload_bytes and (piece := block.read(BODY_PIECE)):
        stored += piece
    text = stored[: limits.payload_bytes].decode("utf-8", "replace")
    return _stored_text(match[2], head.timestamp, _KINDS[match[1].lower()], head.record_id, text)


def _stored_text(
    url: str, timestamp: datetime, kind: TextKind, record: str, text: str
) -> CrawlerText | None:
    """The text of the page of a URL as main texts are: its lines without white space around, and no controls.

    None of one that is empty, or of no page of its own.
    """
    sound = text.encode("utf-8", "replace").decode().translate(_NO_CHARACTERS)
    lines = (" ".join(printable(line).split()) for line in sound.splitlines())
    tidy = "\n".join(filter(None, lines))
    if not tidy or _ROUTE.search(url):
        return None
    return CrawlerText(surt(plain_url(url)), timestamp, kind, StoredText(record, tidy))


# Page lists of a WACZ: `pages/*.jsonl`, of which a line may have the text of its page.
#
# Source: https://specs.webrecorder.net/wacz/1.1.1/#pages-jsonl.

_FOLDER = "pages/"
_ENDING = ".jsonl"
_LONGEST_URL = 16 * 1024  # characters


def listed_texts(source: Source, surts: Collection[str], limits: Limits) -> Iterator[CrawlerText]:
    """The texts that page lists of a source's WACZ have of URLs with these keys; one warning a list counts bad lines."""
    archive, member = parts(source.uri)
    if not (surts and member):
        return
    with open_binary(archive, NEAR) as file:
        names = [name for name, _ in members(file, (_ENDING,)) if name.startswith(_FOLDER)]
    for name in names:
        bad, first = 0, ""
        for text in _list_entries(f"{archive}/{name}", name, limits.payload_bytes):
            if isinstance(text, str):
                bad, first = bad + 1, first or text[:120]
            elif text.surt in surts:
                yield text
        if bad:
            LOG.warning(
                "warning: left out: %d lines of %s/%s that cannot be read, the first: %s",
                *(bad, archive, name, first),
                extra={"file": source.name},
            )


def _list_entries(uri: str, name: str, longest: int) -> Iterator[CrawlerText | str]:
    """The texts of a page list, and for each line that cannot be read a sentence; no line has more than `longest` bytes."""
    try:
        with open_binary(uri) as file:
            while line := file.readline(longest):
                if len(line) == longest and not line.endswith(b"\n"):
                    while (rest := file.readline(BODY_PIECE)) and not rest.endswith(b"\n"):
                        pass
                    yield f"longer than {longest} bytes"
                    continue
                try:
                    text = _text_of(line, name)
                except (ValueError, RecursionError) as e:
                    yield str(e)
                    continue
                if text:
                    yield text
    except StoreError:
        raise
    except OSError as e:
        yield f"{e}; nor what follows"


def _text_of(line: bytes, name: str) -> CrawlerText | None:
    """The text of a line; None of one that has none, as the list's own header; a ValueError if it cannot be read."""
    entry: Any = json.loads(line) if line.strip() else {}
    if not isinstance(entry, dict):
        raise ValueError("no object")  # noqa: TRY004 - as of what is no JSON
    url, time, text = (entry.get(key) for key in ("url", "ts", "text"))
    if not text:
        return None
    timestamp = parse_date(time) if isinstance(time, str) else None
    if not isinstance(text, str):
        raise ValueError("the text is none")  # noqa: TRY004 - the same
    if not isinstance(url, str) or len(url) > _LONGEST_URL:
        raise ValueError("no URL")
    if timestamp is None:
        raise ValueError(f"no date: {str(time)[:40]!r}")
    return _stored_text(url, timestamp, TextKind.LISTED, name, text)
