"""Writes a large archive of invented pages.

    python -m scripts.experiments.large OUT --captures 10000

An archive is templates x pages x snapshots. Each site has one template; sites have as many pages as
hosts on the web do (Zipf: the second half as many as the first, the third a third). A crawl fetches
every page once, the sites mixed; the next crawl, three months later, finds the same articles with
other teasers and more comments. Memory does not grow with the archive. Equal arguments give the
same records; their compressed bytes depend on the zlib in use.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from bisect import bisect_right
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from io import BytesIO
from itertools import accumulate
from math import gcd
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid5

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from scripts.experiments.large_pages import address, page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

START = datetime(2013, 5, 6, tzinfo=UTC)
"""Time of the first crawl; fixed, so that equal arguments give the same records."""

BETWEEN_CRAWLS = timedelta(days=91)
"""Three months."""

LEVEL = 1
"""Of gzip: higher levels take longer than making the page."""


@dataclass(frozen=True)
class Plan:
    """Numbers of captures, templates and crawls of a large archive, and the seed."""

    captures: int
    templates: int
    snapshots: int
    seed: int

    @cached_property
    def pages(self) -> int:
        """Pages of all sites."""
        return -(-self.captures // self.snapshots)

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """The pages of the first site, of the first two, and so on."""
        parts = list(accumulate(1 / rank for rank in range(1, self.templates + 1)))
        return tuple(round(part / parts[-1] * self.pages) for part in parts)

    @cached_property
    def stride(self) -> int:
        """Steps of this length visit every page once and mix the sites."""
        step = max(1, int(self.pages * 0.618))
        while gcd(step, self.pages) > 1:
            step += 1
        return step

    def capture(self, number: int) -> tuple[int, int, int]:
        """Site, page of the site, and crawl of a capture."""
        crawl, turn = divmod(number, self.pages)
        place = turn * self.stride % self.pages
        site = bisect_right(self.ends, place)
        return site, place - (self.ends[site - 1] if site else 0), crawl


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the files; the exit code."""
    plan, out, files = _parse(arguments)
    out.mkdir(parents=True, exist_ok=True)
    size = 0
    for number in range(files):
        name = f"large-{number:05}.warc.gz"
        span = range(plan.captures * number // files, plan.captures * (number + 1) // files)
        with (out / name).open("wb") as stream:
            for member in members(plan, name, span):
                size += stream.write(member)
    print(
        f"wrote {plan.captures} captures of {plan.pages} pages of {plan.templates} templates "
        f"to {files} WARC files in {out}, {size / 1e6:.1f} MB"
    )
    return 0


def members(plan: Plan, name: str, captures: range) -> Iterator[bytes]:
    """The gzip members of a file: its head, then the captures."""
    buffer = BytesIO()
    writer = WARCWriter(buffer, gzip=False, warc_version="WARC/1.1")
    at = _time(plan, captures.start)
    info = writer.create_warcinfo_record(name, {"software": "dbce scripts.experiments.large"})
    info.rec_headers.replace_header("WARC-Record-ID", _id(f"{plan.seed} {name}"))
    info.rec_headers.replace_header("WARC-Date", at)
    writer.write_record(info)
    yield _member(buffer)
    for number in captures:
        site, of_site, crawl = plan.capture(number)
        url = address(plan.seed, site, of_site)
        body = page(plan.seed, site, of_site, crawl).encode()
        http = [("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(body)))]
        at = _time(plan, number)
        record = writer.create_warc_record(
            url,
            "response",
            payload=BytesIO(body),
            http_headers=StatusAndHeaders("200 OK", http, protocol="HTTP/1.1"),
            warc_headers_dict={"WARC-Date": at, "WARC-Record-ID": _id(f"{plan.seed} {url} {at}")},
        )
        writer.write_record(record)
        yield _member(buffer)


def _member(buffer: BytesIO) -> bytes:
    """Return what the buffer received since the last call, compressed."""
    member = gzip.compress(buffer.getvalue(), LEVEL, mtime=0)
    buffer.seek(0)
    buffer.truncate()
    return member


def _time(plan: Plan, number: int) -> str:
    crawl, turn = divmod(number, plan.pages)
    return f"{START + crawl * BETWEEN_CRAWLS + timedelta(seconds=turn):%Y-%m-%dT%H:%M:%SZ}"


def _id(name: str) -> str:
    return f"<urn:uuid:{uuid5(NAMESPACE_URL, name)}>"


def _parse(arguments: Sequence[str] | None) -> tuple[Plan, Path, int]:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, metavar="OUT", help="folder to write to")
    parser.add_argument("--captures", type=_count, required=True, metavar="N")
    spread = parser.add_mutually_exclusive_group()
    spread.add_argument("--templates", type=_count, metavar="T", help="sites, each with a template")
    spread.add_argument(
        "--pages", type=_count, default=100, metavar="P", help="or: pages a site, on average (100)"
    )
    parser.add_argument("--snapshots", type=_count, default=3, metavar="S", help="of a page (3)")
    parser.add_argument("--files", type=_count, metavar="F", help="one for 2,000 captures")
    parser.add_argument("--seed", type=int, default=1, help="for other pages (1)")
    options = parser.parse_args(arguments)
    pages = -(-options.captures // options.snapshots)
    templates = options.templates or max(1, pages // options.pages)
    if templates > pages:
        parser.error(f"{templates} templates need as many pages, and there are {pages}")
    plan = Plan(options.captures, templates, options.snapshots, options.seed)
    return plan, options.out, options.files or -(-options.captures // 2000)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 1 on")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
