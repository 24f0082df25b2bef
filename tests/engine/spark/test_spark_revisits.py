"""Revisits on Spark are resolved as without it, and sites with repeated records cut alike."""

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from dbce.archive import capture
from dbce.boilerplate.compare import BLOCK
from dbce.model import (
    Annotation,
    Config,
    Origin,
    Reason,
    Reference,
    Reject,
    Repeat,
    Resolution,
    Sketch,
    Stage,
    Status,
)
from dbce.output import Row
from dbce.output.index import capture_row, dropped_row, write_unit
from dbce.output.index.rows import CAPTURE
from dbce.run.one_file import Stores, compare_units
from dbce.storage import Folder, Shelf

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.nightly]

CONFIG = Config(num_perm=16, circle=2, candidates=4)
START = datetime(2016, 1, 1, tzinfo=UTC)


def captured(url: str, second: float, record_id: str, text: int) -> Row:
    """A row of a page with a sketch: pages of one text have equal digests."""
    one = capture(url, f"{text}", f"{START + timedelta(seconds=second):%Y%m%d%H%M%S.%f}")
    draw = np.random.default_rng(text)
    words = draw.integers(0, 50, 8, dtype=np.uint32)
    arrays = (draw.integers(0, 2, 16, dtype=np.uint32), words, np.uint32([3, 8]), np.uint32([1, 2]))
    site = url.split("/")[2]
    sketch = Sketch(record_id, site, one.surt, one.timestamp, *arrays)
    return capture_row(one, sketch) | {"record_id": record_id}


def without(url: str, second: float, record_id: str, digest: str, said: Reference | None) -> Row:
    """A row of a revisit, or of a capture that is no page."""
    dropped = Reject(
        *(Status.SKIPPED, Reason.REVISIT if said else Reason.NOT_HTML, Stage.READ, ""),
        *(Origin("x", 0, 1), record_id, url),
        surt=capture(url, "", "2016").surt,
        timestamp=START + timedelta(seconds=second),
        digest=digest,
        is_html=bool(said) and second % 2 < 1,
        refers_to=said,
    )
    return dropped_row(dropped, CONFIG.site_by)


_numbers = itertools.count()


def drawn(rng: random.Random, count: int) -> Iterator[Row]:
    """Rows of a small web in which much is said, and much of it is wrong."""

    def url() -> str:
        return f"http://{rng.choice('ab')}.example/{rng.randrange(4)}"

    def record_id() -> str:
        return f"urn:{rng.randrange(count * 2)}"

    def digest() -> str:
        same = capture("http://a.example/", f"{rng.randrange(6)}", "2016").digest
        return rng.choice([same, same, "sha1:PICTURE", "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", ""])

    yield without(url(), 0, record_id(), "", Reference("", "", None))
    places = "http://a.example/0", "http://a.example/1"
    for said in (Reference("", places[1], None), Reference("urn:nowhere", "", None)):
        yield without(places[0], 9, f"urn:other:{next(_numbers)}", "", said)
    for _ in range(count):
        second = rng.randrange(20) / 2
        at = START + timedelta(seconds=rng.randrange(10))
        said = Reference(
            rng.choice(["", "", record_id()]), rng.choice(["", url()]), rng.choice([None, at])
        )
        kind = rng.randrange(3)
        if kind == 0:
            yield captured(url(), second, record_id(), rng.randrange(6))
        else:
            yield without(url(), second, record_id(), digest(), said if kind == 1 else None)


def stores(folder: Path, units: Sequence[Sequence[Row]], known: Sequence[Row] = ()) -> Stores:
    root = Folder(str(folder))
    for number, rows in enumerate(units):
        write_unit(root.subfolder("new"), f"{number}.warc", rows, CONFIG)
    if known:
        write_unit(root.subfolder("old"), "old.warc", known, CONFIG)
    earlier = (root.subfolder("old"),) if known else ()
    return Stores(root.subfolder("new"), root.subfolder("out"), earlier)


def both_ways(spark: object, units: int, where: Stores, config: Config) -> tuple[dict, dict]:
    from dbce.engine.spark.compare import compare
    from dbce.engine.spark.rows import result_of_row, rows_of
    from dbce.engine.spark.tasks import OnSpark

    names = [f"{number}.warc" for number in range(units)]
    with Shelf() as shelf:
        plain = compare_units(names, where, config, lambda _: None, shelf)
        here = {(unit, n): as_told(one) for unit, results in plain.items() for n, one in results}
    new = OnSpark(spark)._read_rows([where.index], CAPTURE)
    known = OnSpark(spark)._read_rows(where.known, CAPTURE) if where.known else None
    rows = rows_of(compare(new, known, config, 3).toArrow().to_batches())
    there = {(row["name"], row["number"]): as_told(result_of_row(row)) for row in rows}
    return here, there


def as_told(one: Annotation | Repeat) -> object:
    if isinstance(one, Repeat):
        return one
    return one.crosses, {other: mask.tolist() for other, mask in one.shared.items()}


def resolutions(found: dict) -> Counter[Resolution | None]:
    return Counter(one.resolution for one in found.values() if isinstance(one, Repeat))


@pytest.mark.parametrize("across_sites", [False, True])
@pytest.mark.parametrize("night", [False, True])
def test_drawn_archives_give_the_same_with_spark_and_without(spark, tmp_path, night, across_sites):
    rng = random.Random(night)
    units = [list(drawn(rng, 60)) for _ in range(2)]
    where = stores(tmp_path, units, list(drawn(rng, 60)) if night else ())
    config = Config(num_perm=16, circle=2, candidates=4, across_sites=across_sites)
    here, there = both_ways(spark, 2, where, config)
    assert here == there
    assert set(Resolution) <= resolutions(here).keys()
    assert sum(not isinstance(one, Repeat) for one in here.values()) > 10


@pytest.mark.parametrize("more", [0, 20])
def test_what_is_compared_is_what_is_cut(spark, tmp_path, more):
    """Records that come twice do not count, revisits that are snapshots do."""
    pages = [captured(f"http://a.example/{n}", n, f"urn:{n}", n % 97) for n in range(BLOCK - 10)]
    said = [Reference(f"urn:{n}", "", None) for n in range(more)]
    again = [
        without(f"http://a.example/{n}", 9000 + n, f"urn:again:{n}", "", one)
        for n, one in enumerate(said)
    ]
    where = stores(tmp_path, [[*pages, *again], pages[:200]])
    here, there = both_ways(spark, 2, where, CONFIG)
    assert here == there
    assert resolutions(here) == {None: 200} | ({Resolution.RECORD_ID: more} if more else {})


def test_one_payload_a_million_times_is_one_row_before_it_is_joined(spark):
    """Revisits times captures would be more rows than can be counted."""
    from pyspark.sql import functions as F  # noqa: N812 - as everybody writes it

    from dbce.engine.spark.compare import resolve_revisits

    is_revisit = F.col("id") % 2 == 1
    table = spark.range(1_000_000).select(
        F.concat(F.lit("urn:"), "id").alias("record_id"),
        F.concat(F.lit("example,a)/"), "id").alias("surt"),
        F.timestamp_seconds("id").alias("timestamp"),
        F.lit("sha1:SAME").alias("digest"),
        F.lit(False).alias("is_html"),
        F.lit("skipped").alias("status"),
        F.when(is_revisit, "revisit").otherwise("not-html").alias("reason"),
        *(F.lit(None).cast("string").alias(name) for name in ("refers_to", "refers_to_surt")),
        F.lit(None).cast("timestamp").alias("refers_to_time"),
    )
    found = resolve_revisits(table.where("reason = 'revisit'"), table)
    told = found.groupBy("resolution", "original.record_id").count().collect()
    assert [tuple(row) for row in told] == [("digest", "urn:0", 500_000)]
