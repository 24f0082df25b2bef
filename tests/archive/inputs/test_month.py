"""A month of a public crawl by host and language, as docs/internet-scale.md takes it, from an invented index and server."""

import json
import re
import shlex
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dbce.archive import capture, surt
from dbce.cli import main
from tests.archive.store import served
from tests.site import article, stored, story

ROOT = Path(__file__).resolve().parents[3]

CRAWL = "crawl=CC-MAIN-2024-10/subset=warc"

PAGES = [
    ("www.example.com", "deu", 4),
    ("www.example.com", "eng", 2),
    ("example.org", "deu,eng", 3),
    ("example.net", "deu", 3),
]
"""Host, languages by the index, and number of pages."""


def section() -> str:
    text = (ROOT / "docs" / "internet-scale.md").read_text(encoding="utf-8")
    return text.partition("## Hosts and languages of a month")[2].partition("\n## ")[0]


def blocks(language: str) -> str:
    found = re.findall(r"^```(\w*)\n(.*?)^```", section(), re.MULTILINE | re.DOTALL)
    return "".join(block for of, block in found if of == language)


def write_month(folder: Path) -> None:
    """An archive with all pages, and an index of it in two files, with the columns of Common Crawl's."""
    rows, data = [], b""
    for host, languages, count in PAGES:
        for number in range(count):
            url = f"https://{host}/{languages[:3]}/{number}"
            html = article(f"{host} {number}", story(f"{host}/{languages}/{number}"))
            member = stored(capture(url, html, "20240301120000"))
            rows.append(
                {
                    "url_surtkey": surt(url),
                    "url": url,
                    "url_host_registered_domain": host.removeprefix("www."),
                    "fetch_time": datetime(2024, 3, 1, 12),  # noqa: DTZ001 - columns without a time zone are in UTC
                    "content_mime_detected": "text/html",
                    "content_languages": languages,
                    "warc_filename": "crawl-data/a.warc.gz",
                    "warc_record_offset": len(data),
                }
            )
            data += member
    (folder / "server" / "crawl-data").mkdir(parents=True)
    (folder / "server" / "crawl-data" / "a.warc.gz").write_bytes(data)
    index = folder / "cc-index" / CRAWL
    index.mkdir(parents=True)
    for number in range(2):
        table = pa.Table.from_pylist(rows[number::2])
        pq.write_table(table, index / f"part-{number:05}.c000.gz.parquet")


def test_pages_of_some_hosts_in_one_language_are_fetched_and_become_texts(
    tmp_path, monkeypatch, capsys
) -> None:
    pytest.importorskip("aiohttp")
    write_month(tmp_path)
    monkeypatch.chdir(tmp_path)
    exec(compile(blocks("python"), "docs/internet-scale.md", "exec"), {})
    run, text = (shlex.split(line)[1:] for line in blocks("").splitlines())
    with served(tmp_path / "server", ranges=True) as server:
        base = run.index("https://data.commoncrawl.org/")
        assert main([*run[:base], server.url, *run[base + 1 :]]) == 0
    capsys.readouterr()
    assert main(text) == 0
    urls = [json.loads(line)["url"] for line in capsys.readouterr().out.splitlines()]
    kept = {host: count for host, languages, count in PAGES[:3] if languages.startswith("deu")}
    assert sorted(urls) == sorted(
        f"https://{host}/deu/{number}" for host, count in kept.items() for number in range(count)
    )
