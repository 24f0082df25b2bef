"""The lines of the index and of the two gold files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbce.archive import site, surt
from dbce.sample.exchange import record_id, sent, timestamp
from dbce.sample.fetch import Quirk
from dbce.sample.records import digest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.sample.fetch import Fetch
    from dbce.sample.gold import Truth


@dataclass(frozen=True, slots=True)
class Stored:
    """An answer as it lies in a file: its gzip member's offset and length in bytes."""

    fetch: Fetch
    filename: str
    offset: int
    length: int


def cdxj(entry: Stored) -> str:
    """The index line of a stored answer; what its server did not declare is left out."""
    fetch = entry.fetch
    fields = {
        "url": fetch.url,
        "mime": "warc/revisit" if fetch.quirk is Quirk.REVISIT else fetch.media.split(";")[0],
        "status": fetch.status.split()[0],
        "digest": digest(sent(fetch)),
        "length": str(entry.length),
        "offset": str(entry.offset),
        "filename": entry.filename,
    }
    known = {name: value for name, value in fields.items() if value}
    return f"{surt(fetch.url)} {timestamp(fetch)} {json.dumps(known)}"


@dataclass(frozen=True, slots=True)
class Gold:
    """A page and the truth about it, as lines of JSON."""

    fetch: Fetch
    truth: Truth

    def page(self) -> str:
        """The line of `sample.gold.jsonl`: the page's content."""
        return _line({**self._key(), "gold_text": self.truth.text})

    def nodes(self) -> Iterator[str]:
        """The lines of `sample.nodes.gold.jsonl`: a run each, its white space normalised."""
        for run in self.truth.runs:
            where: dict[str, str | int] = {"xpath": run.xpath, "start": run.start, "end": run.end}
            what = {"text": " ".join(run.text.split()), "label": run.label.value}
            yield _line({**self._key(), **where, **what})

    def _key(self) -> dict[str, str | int]:
        return {
            "record_id": record_id(self.fetch),
            "url": self.fetch.url,
            "timestamp": timestamp(self.fetch),
            "site": site(self.fetch.url, "host"),
        }


def _line(row: dict[str, str | int]) -> str:
    return json.dumps(row, ensure_ascii=False)
