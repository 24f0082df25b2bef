"""A small archive of several hosts, years and media types, and the indexes of it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import accumulate
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from dbce.archive import surt
from tests.archive.build import answer, members, record
from tests.site import article


@dataclass(frozen=True)
class Holding:
    """One capture; the media type "" is not declared."""

    url: str
    timestamp: str
    mime: str = "text/html"
    kind: str = "response"

    @property
    def date(self) -> datetime:
        return datetime.strptime(self.timestamp, "%Y%m%d%H%M%S").replace(tzinfo=UTC)

    def stored(self, number: int) -> bytes:
        block = answer(article(f"topic{number}").encode(), content_type=self.mime or None)
        date = f"{self.date:%Y-%m-%dT%H:%M:%SZ}"
        return members([record(number, block, url=self.url, kind=self.kind, date=date)])[0]

    @property
    def indexed_mime(self) -> str:
        """As indexers have it."""
        return "warc/revisit" if self.kind == "revisit" else self.mime or "unk"


HOLDINGS = (
    *(
        Holding(f"http://{host}/news/{n}", f"{year}0{n}01120000")
        for host in ("www.harbour.example", "blog.harbour.example", "hill.example")
        for year in (2013, 2014)
        for n in (1, 2, 3)
    ),
    Holding("https://harbour.example/News/1", "20141231235959"),
    Holding("http://harbour.example:8080/newsletter", "20150101000000"),
    Holding("http://harbour.example/news/1", "20150301000000", kind="revisit"),
    Holding("http://harbour.example/logo", "20140601000000", "image/png"),
    Holding("http://harbour.example/plain", "20140601000000", ""),
    Holding("http://hill.example/feed", "20140601000000", "application/xhtml+xml"),
)


def places(holdings: Sequence[Holding]) -> tuple[list[bytes], list[int]]:
    """The members of the archive, and where each begins."""
    data = [holding.stored(number) for number, holding in enumerate(holdings)]
    return data, [0, *accumulate(map(len, data))][:-1]


def write(folder: Path, holdings: Sequence[Holding] = HOLDINGS, name: str = "h.warc.gz") -> Path:
    """The archive and its indexes `.cdx`, `.cdxj` and `.parquet` in a folder; the archive."""
    data, offsets = places(holdings)
    archive = folder / name
    archive.write_bytes(b"".join(data))
    cdx, cdxj, rows = [" CDX a b m V g"], ["!OpenWayback-CDXJ 1.0"], []
    for one, offset in zip(holdings, offsets, strict=True):
        cdx.append(f"{one.url} {one.timestamp} {one.indexed_mime} {offset} {name}")
        entry = {"url": one.url, "mime": one.indexed_mime, "filename": name, "offset": offset}
        cdxj.append(f"{surt(one.url)} {one.timestamp} {json.dumps(entry)}")
        rows.append(
            {
                "url_surtkey": surt(one.url),
                "url": one.url,
                "fetch_time": one.date,
                "content_mime_type": one.indexed_mime,
                "warc_filename": name,
                "warc_record_offset": offset,
            }
        )
    archive.with_name("h.cdx").write_text("\n".join(cdx))
    archive.with_name("h.cdxj").write_text("\n".join(cdxj))
    pq.write_table(pa.Table.from_pylist(rows), archive.with_name("h.parquet"), row_group_size=5)
    return archive
