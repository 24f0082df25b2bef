"""Pages in tables get the verdicts that a run gives to the same captures."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest

import dbce.spark
from dbce.archive import expand, media_type, read
from dbce.model import Capture, Config, Limits
from dbce.output.rows import PAGES
from tests.site import article, snapshots, story

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]

COLUMNS = (
    "record_id string, url string, timestamp timestamp, html binary, content_type string, "
    "content_digest string, warc_filename string, warc_record_offset long, warc_record_length long, "
    "fetch_status int, content_mime_type string, mine map<string, int>"
)

PAGES_2015 = snapshots(2015)


def as_table(spark: SparkSession, archive: Path) -> DataFrame:
    """The pages of an archive as rows, last first."""
    pages = [
        (
            *(one.record_id, one.url, one.timestamp, bytearray(one.payload), one.content_type),
            *(one.digest, one.origin.filename, one.origin.offset, one.origin.length),
            *(one.http_status, media_type(one.content_type) or None, {"a": 1}),
        )
        for source in expand([str(archive)])
        for one in read(source, Limits())
        if isinstance(one, Capture)
    ]
    return spark.createDataFrame(pages[::-1], COLUMNS)


def test_rows_get_the_verdicts_that_a_run_gives_to_the_same_captures(spark, sample, sample_run):
    verdicts = dbce.spark.annotate(as_table(spark, sample))
    assert verdicts.columns == [*PAGES.names, "detail", "nodes", "mine"]
    rows = {row["record_id"]: row for row in verdicts.toArrow().to_pylist() if row["text"]}
    nodes = defaultdict(list)
    for node in pq.read_table(sample_run / "nodes").to_pylist():
        nodes[node.pop("record_id")].append(node)
    pages = pq.read_table(sample_run / "pages").to_pylist()
    # A revisit has no page and is no row: the page that it repeats has one snapshot less.
    repeated = {page["original"] for page in pages} - {None}
    judged = [p for p in pages if p["text"] and p["record_id"] not in repeated]
    assert len(judged) > 90
    for page in judged:
        row = rows[page["record_id"]]
        mine, detail, its_nodes = row.pop("mine"), row.pop("detail"), row.pop("nodes")
        assert (mine, detail, its_nodes) == ([("a", 1)], None, nodes[page["record_id"]])
        # A table has no records that could break off.
        unknown = {"truncated": None} | ({"damage_reason": None} if page["truncated"] else {})
        assert row | unknown == page | unknown


@pytest.mark.nightly
def test_text_without_ids_and_dates_is_judged_and_every_row_comes_back(spark):
    pages = [(one.url, f"{one.timestamp:%Y%m%d%H%M%S}", one.payload.decode()) for one in PAGES_2015]
    odd = [
        pages[0],
        ("http://harbour.example/undated", None, article("undated")),
        ("http://harbour.example/late", "yesterday", article("late")),
        ("http://harbour.example/none", "2015", None),
        (None, "2015", "<p>"),
    ]
    table = spark.createDataFrame([*pages, *odd], "url string, timestamp string, html string")
    rows = dbce.spark.annotate(table, Config(), partitions=2).toArrow().to_pylist()
    told = Counter((row["status"], row["reason"], row["detail"]) for row in rows)
    assert told == {
        ("annotated", None, None): len(pages) + 1,
        ("skipped", "duplicate-record", "its record id was seen before"): 1,
        ("rejected", "bad-record", "not a date: 'yesterday'"): 1,
        ("rejected", "bad-record", "html is null"): 1,
        ("skipped", "no-text", "the page holds no text"): 1,
    }
    texts = {row["url"]: (row["text"], row["fetch_time"]) for row in rows if row["text"]}
    assert texts["http://harbour.example/undated"] == (
        f"undated in the old town\n{story('undated')}",
        None,
    )
    by_api = {
        one.url: one.text
        for one in dbce.extract_all([(url, html, at) for url, at, html in pages], format="txt")
    }
    assert {url: texts[url][0] for url in by_api} == by_api


@pytest.mark.parametrize(
    ("columns", "method", "said"),
    [
        ("timestamp string, body string", "joint", "no column 'html', only url, "),
        ("timestamp int, html string", "joint", "'timestamp' of the pages is int; give"),
        ("timestamp string, html string", "thesis", "the method thesis compares"),
    ],
)
def test_a_table_that_is_none_of_pages_is_one_sentence(spark, columns, method, said):
    pages = spark.createDataFrame([], f"url string, {columns}")
    with pytest.raises((TypeError, ValueError), match=said):
        dbce.spark.annotate(pages, Config(method=method))
