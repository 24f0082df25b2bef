"""Share of error pages under status 200 that `dbce changes` finds, put in place of real captures.

    python -m scripts.experiments.damage_errors --run RUN... --archive ARCHIVE... --errors ARCHIVE... --out DIR

RUN are folders of `dbce run` on the archives with snapshots, in the same order; the answers with status 404 or 410 among
`--errors` are the pages of error. Of each third URL with several snapshots the last one is replaced: by the body of an
error, or by its own template with the words of an error in the place of its content, with the error's title or with its own;
of each next third by one of the pages in STANDING_IN, which collapse.
DIR/NAME.warc.gz, so made, goes through `dbce run` and `dbce changes`. docs/changes.md has the figures.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import defaultdict
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import lxml.html
import pandas as pd
import pyarrow.parquet as pq
from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from dbce.archive import expand, read, read_annotated
from dbce.cli import main as command
from dbce.html import load
from dbce.model import Capture, Limits

if TYPE_CHECKING:
    from collections.abc import Iterable

WAYS = ("body", "template", "template and title kept")

STANDING_IN = {
    "login": (
        "<title>Members</title><p>Please sign in with your user name and password.</p><input type=password>",
        "<title>Anmeldung</title><p>Bitte geben Sie Ihr Passwort ein, um fortzufahren.</p><input type=password>",
    ),
    "maintenance": (
        "<title>Back soon</title><h1>We are down for maintenance</h1><p>Our servers get new disks tonight.</p>",
        "<p>Wegen Wartungsarbeiten ist diese Seite bis morgen um 8 Uhr nicht zu erreichen.</p>",
    ),
    "error": (
        "<b>Fatal error</b>: Uncaught Error: Call to a member function fetch() on null in /srv/www/lib/db.php:71",
        "<title>Oops</title><p>Error establishing a database connection</p>",
    ),
    "consent": (
        "<p>We and our 912 partners set cookies to measure what you read.</p><button>Accept all</button>",
        "<p>Ihre Einwilligung</p><p>Bitte entscheiden Sie, welche Daten wir speichern.</p><button>Weiter</button>",
    ),
    "empty-shell": ("<div id=root></div><p>Loading ...</p>", "<noscript>needs scripts</noscript><div id=app>&nbsp;</div>.")
}  # fmt: skip
"""Pages that stand in the place of others under status 200, by the kind as which they are to be told."""

MOST = 100
"""Words of an error that is put into a template: those with more bring one of their own."""

MARKS = ("data-dbce", "data-dbce-p", "data-dbce-bits", "data-dbce-run")


class Message(NamedTuple):
    """A page of error: as it came, and what it says."""

    body: bytes
    title: str
    text: str


def messages(archives: Iterable[str]) -> list[Message]:
    """The pages of error of some archives, each text once."""
    found: dict[str, Message] = {}
    for uri in archives:
        with (
            Path(uri).open("rb") as stream,
            suppress(ArchiveLoadFailed),
        ):  # as the sample's, on purpose
            for record in ArchiveIterator(stream, arc2warc=True):
                headers = record.http_headers
                if not headers or record.rec_type != "response":
                    continue
                if headers.get_statuscode() in ("404", "410"):
                    body = record.content_stream().read()
                    page = load(body, headers.get_header("Content-Type") or "", Limits()).page
                    text = " ".join(" ".join(node.text.split()) for node in page.nodes)
                    title = lxml.html.fromstring(body).findtext(".//title") or ""
                    found.setdefault(text[:100], Message(body, title, text))
    return list(found.values())


def in_template(annotated: bytes, message: Message, *, title: bool) -> bytes:
    """A page with the words of an error in the place of its content."""
    root = lxml.html.fromstring(annotated)
    text = message.text
    for element in root.iter("*"):
        if element.get("data-dbce") == "content":
            element.text, text = text, ""
            for child in element:
                child.tail = ""
        for name in MARKS:
            element.attrib.pop(name, "")
    for heading in root.findall(".//title") if title else ():
        heading.text = message.title
    html: bytes = lxml.html.tostring(root, encoding="utf-8", doctype="<!doctype html>")
    return html


def write_with_errors(uri: str, run: str, errors: list[Message], out: Path) -> dict[str, str]:
    """Writes the archive with its errors; how each capture was replaced, by its record id."""
    captures = [
        one
        for source in expand([uri])
        for one in read(source, Limits())
        if isinstance(one, Capture)
    ]
    of_url = defaultdict(list)
    for one in captures:
        of_url[one.url].append(one)
    last, collapsing = (
        [
            max(ones, key=lambda one: one.timestamp)
            for url, ones in sorted(of_url.items())
            if len(ones) > 1 and crc32(url.encode()) % 3 == third
        ]
        for third in (0, 1)
    )
    pages = {
        page.record_id: page.html
        for name in Path(run, "warc").glob("*.warc.gz")
        for page in read_annotated(str(name))
    }
    short = [one for one in errors if len(one.text.split()) <= MOST]
    done: dict[str, str] = {}
    new: dict[str, Capture] = {}
    each = [(kind, page) for kind, pages in STANDING_IN.items() for page in pages]
    for one, (kind, page) in zip(collapsing, cycle(each), strict=False):
        done[one.record_id] = kind
        body = page.encode()
        new[one.record_id] = replace(one, payload=body, content_type="text/html; charset=utf-8")
    for one, way, error, brief in zip(last, cycle(WAYS), cycle(errors), cycle(short), strict=False):
        if one.record_id in pages:
            html = (
                error.body
                if way == WAYS[0]
                else in_template(pages[one.record_id], brief, title=way == WAYS[1])
            )
            done[one.record_id] = way
            new[one.record_id] = replace(one, payload=html, content_type="text/html; charset=utf-8")
    _write([new.get(one.record_id, one) for one in captures], out)
    return done


def _write(captures: Iterable[Capture], out: Path) -> None:
    with out.open("wb") as stream:
        writer = WARCWriter(stream)
        for one in captures:
            headers = StatusAndHeaders("200 OK", [("Content-Type", one.content_type)], "HTTP/1.1")
            fields = {
                "WARC-Record-ID": f"<{one.record_id}>",
                "WARC-Date": f"{one.timestamp:%Y-%m-%dT%H:%M:%SZ}",
            }
            record = writer.create_warc_record(
                one.url,
                "response",
                payload=BytesIO(one.payload),
                http_headers=headers,
                warc_headers_dict=fields,
            )
            writer.write_record(record)


def classes(out: Path, done: dict[str, str]) -> pd.DataFrame:
    """Return the class of each pair with other bytes, and how its newer one was replaced or ""."""
    folder = str(out).removesuffix(".warc.gz")
    command(["run", str(out), "--out", folder, "--overwrite", "--master", "none"])
    command(["changes", folder, "--overwrite"])
    rows = pq.read_table(f"{folder}/changes", columns=["record_id", "class", "reason"]).to_pandas()
    rows = rows[(rows["class"] != "equal") | rows["record_id"].isin(done)]
    detected: pd.DataFrame = rows.assign(
        way=rows["record_id"].map(done).fillna(""), gone=rows["class"] == "gone"
    )
    return detected


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    for name in ("run", "archive", "errors"):
        parser.add_argument(f"--{name}", nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    errors = messages(options.errors)
    print(f"{len(errors)} pages of error")
    parts = []
    for uri, run in zip(options.archive, options.run, strict=True):
        out = options.out / Path(uri).name
        parts.append(classes(out, write_with_errors(uri, run, errors, out)))
    found = pd.concat(parts)
    kept = 1 - found.loc[found["way"] == "", "gone"].mean()
    print(f"{(found['way'] == '').sum()} other pairs, kept {kept:.3f}")
    for name, ways in {**{way: [way] for way in WAYS}, "all": WAYS}.items():
        gone = found.loc[found["way"].isin(ways), "gone"]
        detected = gone.mean()
        print(f"{name}: {len(gone)}, found {detected:.3f}, balanced {(detected + kept) / 2:.3f}")
    for kind in STANDING_IN:
        rows = found[found["way"] == kind]
        named = (rows["gone"] & (rows["reason"] == kind)).mean()
        print(f"{kind}: {len(rows)}, found {rows['gone'].mean():.3f}, so named {named:.3f}")


if __name__ == "__main__":
    main()
