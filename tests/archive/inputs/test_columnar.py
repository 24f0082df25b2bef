"""Columnar indexes, as Common Crawl has them."""

import json
import re
import shlex
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from dbce.archive import capture, expand, read, select, surt
from dbce.archive.inputs.columnar import _filter
from dbce.archive.inputs.expand import index_entries
from dbce.archive.inputs.selection import EVERYTHING
from dbce.cli import main
from dbce.model import Limits, UsageError
from tests.archive.holdings import HOLDINGS, places, write
from tests.archive.store import served
from tests.runs import ROOT, finished_run
from tests.site import article, stored, story

NOON = datetime(2014, 6, 1, 12, tzinfo=UTC)


def table(path: Path, rows: list[dict[str, Any]], schema: pa.Schema | None = None) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows, schema), path)
    return str(path)


def row(number: int = 1, **other: Any) -> dict[str, Any]:
    url = f"http://example.com/{number}"
    return {
        "url": url,
        "url_surtkey": surt(url),
        "fetch_time": NOON,
        "warc_filename": "crawl-data/a.warc.gz",
        "warc_record_offset": number,
    } | other


def test_a_folder_of_partitions_is_one_index(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").touch()
    for crawl in ("CC-MAIN-2013-20", "CC-MAIN-2014-10"):
        folder = tmp_path / "index" / f"crawl={crawl}" / "subset=warc"
        table(folder / "part-0.c000.gz.parquet", [row(int(crawl[8:12]))])
    (source,) = expand([str(tmp_path / "index")], str(tmp_path))
    assert source.offsets == (2013, 2014)
    glob = str(tmp_path / "index" / "crawl=*2014*" / "*" / "*.parquet")
    (source,) = expand([glob], str(tmp_path))
    assert source.offsets == (2014,)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (pa.timestamp("ms"), datetime(2014, 6, 1, 12)),  # noqa: DTZ001 - columns without a time zone are in UTC
        (pa.timestamp("ns", "UTC"), NOON),
        (pa.timestamp("us", "America/New_York"), NOON),
        (pa.string(), "2014-06-01T12:00:00Z"),
        (pa.string(), "20140601120000"),
        (pa.timestamp("ms"), None),
    ],
)
def test_a_time_in_whatever_column_is_taken_as_utc(tmp_path, kind, value):
    rows = [row(fetch_time=value)]
    schema = pa.Table.from_pylist([row()]).schema
    schema = schema.set(schema.get_field_index("fetch_time"), pa.field("fetch_time", kind))
    file = table(tmp_path / "i.parquet", rows, schema)
    asked = select(since="20140601120000", until="20140601120000")
    ((_, line),) = index_entries(file, asked)
    assert line.timestamp == (value and "20140601120000")
    if value:
        assert not list(index_entries(file, select(since="20140601120001")))
        assert not list(index_entries(file, select(until="20140601115959")))


def test_only_parts_that_may_hold_a_host_or_time_are_read(tmp_path: Path) -> None:
    rows = [row(url_surtkey=f"com,site{n:03})/", fetch_time=NOON.replace(year=1900 + n)) for n in range(100)]  # fmt: skip
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "i.parquet", row_group_size=10)
    (fragment,) = ds.dataset(tmp_path / "i.parquet").get_fragments()

    def groups(wanted: pc.Expression | None) -> int:
        return len(fragment.subset(wanted).row_groups)

    assert _filter(fragment.physical_schema, EVERYTHING) is None
    for asked in (
        {"hosts": ["site042.com"]},
        {"hosts": ["*.site042.com"]},
        {"url_prefixes": ["https://site042.com/news/"]},
        {"since": "1942", "until": "1942"},
    ):
        assert groups(_filter(fragment.physical_schema, select(**asked))) == 1
    assert groups(_filter(fragment.physical_schema, select(hosts=["site042.com", "site077.com"]))) == 2  # fmt: skip


def test_columns_that_only_a_selection_needs_may_be_missing_and_no_others(tmp_path: Path) -> None:
    bare = [{"warc_filename": "a.warc.gz", "warc_record_offset": 7}]
    file = table(tmp_path / "i.parquet", bare)
    ((_, line),) = index_entries(file, EVERYTHING)
    assert line.offset == 7
    with pytest.raises(UsageError, match="lacks url"):
        list(index_entries(file, select(hosts=["example.com"])))
    with pytest.raises(UsageError, match="lacks warc_filename, warc_record_offset"):
        list(index_entries(table(tmp_path / "i.parquet", [{"url": "x"}]), EVERYTHING))
    (tmp_path / "i.parquet").write_bytes(b"no Parquet at all")
    with pytest.raises(UsageError, match="cannot read the index"):
        list(index_entries(str(tmp_path / "i.parquet"), EVERYTHING))


def test_a_row_without_a_place_is_left_out_with_a_warning(tmp_path, caplog):
    rows = [row(1), row(2, warc_record_offset=None), row(3, warc_filename=None)]
    file = table(tmp_path / "i.parquet", rows)
    assert [line.offset for _, line in index_entries(file, EVERYTHING)] == [1]
    assert ["the offset is missing" in caplog.messages[0], len(caplog.messages)] == [True, 2]
    assert "http://example.com/2" in caplog.messages[0]


def test_captures_are_read_from_a_web_server(tmp_path):
    pytest.importorskip("aiohttp")
    data, offsets = places(HOLDINGS)
    names = [f"crawl-data/{n}.warc.gz" for n in range(3)]
    (tmp_path / "crawl-data").mkdir()
    for name in names:
        (tmp_path / name).write_bytes(b"".join(data))
    rows = [row(warc_filename=name, warc_record_offset=offsets[3]) for name in names]
    with served(tmp_path, ranges=False) as server:
        sources = expand([table(tmp_path / "index" / "i.parquet", rows)], f"{server.url}/")
        assert [source.uri for source in sources] == [f"{server.url}/{name}" for name in names]
        # Where the first one was found the others are not asked for one by one.
        assert {*server.asked} == {f"/{names[0]}"}
        found = [entry.url for source in sources for entry in read(source, Limits())]
    assert found == [HOLDINGS[3].url] * 3


def test_the_pages_of_a_run_are_an_index(tmp_path: Path) -> None:
    archive = write(tmp_path)
    out = finished_run(archive, tmp_path / "out", method="T002")
    sources = expand([str(out / "pages")], str(tmp_path), select(hosts=["hill.example"]))
    found = {entry.url for source in sources for entry in read(source, Limits())}
    assert found == {one.url for one in HOLDINGS if "hill" in one.url}


# A month of a public crawl by host and language, as docs/internet-scale.md takes it, from an invented index and server.


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
            known = {
                "url_host_registered_domain": host.removeprefix("www."),
                "fetch_time": datetime(2024, 3, 1, 12),  # noqa: DTZ001 - columns without a time zone are in UTC
                "content_mime_detected": "text/html",
                "content_languages": languages,
            }
            rows.append(row(len(data), url=url, url_surtkey=surt(url), **known))
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
