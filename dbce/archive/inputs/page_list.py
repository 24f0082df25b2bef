"""Page lists of a WACZ: `pages/*.jsonl`, of which a line may have the text of its page.

Source: https://specs.webrecorder.net/wacz/1.1.1/#pages-jsonl.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, BinaryIO

from dbce.archive.inputs import wacz
from dbce.archive.inputs.stored_text import stored_text
from dbce.archive.inputs.uri import open_binary
from dbce.archive.records import parse_date
from dbce.model import CrawlerText, StoreError, TextKind
from dbce.progress import LOG
from dbce.storage import NEAR

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from dbce.archive.inputs.source import Source
    from dbce.model import Limits

_FOLDER = "pages/"
_ENDING = ".jsonl"
_PIECE = 64 * 1024  # bytes read at a time
_LONGEST_URL = 16 * 1024  # characters


class _PageList:
    """A page list that is being read; counts the lines that cannot be."""

    def __init__(self, uri: str, name: str, limits: Limits) -> None:
        self.bad = 0
        self.first = ""
        self._uri = uri
        self._name = name
        self._longest = limits.payload_bytes

    def texts(self) -> Iterator[CrawlerText]:
        """The texts that it has.

        Raises:
            StoreError: the WACZ cannot be read.
        """
        try:
            with open_binary(self._uri) as file:
                for line in self._lines(file):
                    try:
                        text = _text_of(line, self._name)
                    except (ValueError, RecursionError) as e:
                        self._leave_out(str(e))
                        continue
                    if text:
                        yield text
        except StoreError:
            raise
        except OSError as e:
            self._leave_out(f"{e}; nor what follows")

    def _lines(self, file: BinaryIO) -> Iterator[bytes]:
        while line := file.readline(self._longest):
            if len(line) < self._longest or line.endswith(b"\n"):
                yield line
                continue
            while (rest := file.readline(_PIECE)) and not rest.endswith(b"\n"):
                pass
            self._leave_out(f"longer than {self._longest} bytes")

    def _leave_out(self, why: str) -> None:
        self.bad += 1
        self.first = self.first or why[:120]


def listed_texts(source: Source, surts: Collection[str], limits: Limits) -> Iterator[CrawlerText]:
    """The texts that the page lists of a source's WACZ have of some URLs, by their sort keys.

    A line that cannot be read is left out; one warning a list says how many are.

    Raises:
        StoreError: the WACZ cannot be read.
    """
    archive, member = wacz.parts(source.uri)
    if not (surts and member):
        return
    with open_binary(archive, NEAR) as file:
        names = [name for name, _ in wacz.members(file, (_ENDING,)) if name.startswith(_FOLDER)]
    for name in names:
        pages = _PageList(f"{archive}/{name}", name, limits)
        yield from (text for text in pages.texts() if text.surt in surts)
        if pages.bad:
            LOG.warning(
                "warning: left out: %d lines of %s/%s that cannot be read, the first: %s",
                *(pages.bad, archive, name, pages.first),
                extra={"file": source.name},
            )


def _text_of(line: bytes, name: str) -> CrawlerText | None:
    """The text of a line; None of one that has none, as the list's own header.

    Raises:
        ValueError, RecursionError: it cannot be read.
    """
    said: Any = json.loads(line) if line.strip() else {}
    if not isinstance(said, dict):
        raise ValueError("no object")  # noqa: TRY004 - as of what is no JSON
    url, time, text = (said.get(key) for key in ("url", "ts", "text"))
    if not text:
        return None
    timestamp = parse_date(time) if isinstance(time, str) else None
    if not isinstance(text, str):
        raise ValueError("the text is none")  # noqa: TRY004 - the same
    if not isinstance(url, str) or len(url) > _LONGEST_URL:
        raise ValueError("no URL")
    if timestamp is None:
        raise ValueError(f"no date: {str(time)[:40]!r}")
    return stored_text(url, timestamp, TextKind.LISTED, name, text)
