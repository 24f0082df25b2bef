"""Nights on Spark leave the bytes of nights without it."""

import pytest

from dbce.archive import capture
from dbce.cli import main
from tests.nights import Archive, rows_of_index, same_nights
from tests.site import article, page, snapshots, stored

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.nightly]


@pytest.mark.parametrize("few", [0, 1000])
def test_of_what_is_known_only_the_sites_of_the_night_are_read(spark, monkeypatch, few):
    from dbce.engine.spark import compare

    monkeypatch.setattr(compare, "FEW", few)
    known = spark.createDataFrame(
        [(site, n) for n, site in enumerate("abca")], "site string, n int"
    )
    new = spark.createDataFrame(
        [
            ("a", None, None, None),
            (None, "rejected", "damaged", None),
            ("b", "skipped", "not-html", None),
            ("d", "skipped", "revisit", "c"),
        ],
        "site string, status string, reason string, refers_to_site string",
    )
    found = compare._rows_of_sites(known, new)
    assert sorted(row["n"] for row in found.collect()) == [0, 2, 3]


def test_nights_on_spark_leave_the_bytes_of_nights_without_it(tmp_path):
    """With repeated records, other sites, a list of what changes, and an index made compact."""
    elsewhere = [page(topic, "2015") for topic in ("tide", "moon", "star")]
    fronts = [
        capture("http://quay.example/", article(f"day{year}"), f"{year}") for year in (2014, 2015)
    ]
    nights = [
        stored(*snapshots(2014), *elsewhere, fronts[0]),
        stored(snapshots(2014)[0], *snapshots(2015)[:3], elsewhere[1], fronts[1]),
    ]
    both = [Archive(tmp_path / "plain"), Archive(tmp_path / "spark")]
    for archive, master in zip(both, ("none", "local[2]"), strict=True):
        for number, data in enumerate(nights):
            archive.bring(f"{number}.warc.gz", data)
            assert archive.call("--revise", "list", master=master) == 0
            if master != "none":
                assert main(["compact", str(archive.path)]) == 0
    same_nights(*both)
    assert rows_of_index(both[0].index()) == rows_of_index(both[1].index())
