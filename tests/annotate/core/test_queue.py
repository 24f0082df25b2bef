"""What is to be labelled is drawn the same way every time."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from dbce.annotate.core.queue import ORDERS, sample
from dbce.cli import main
from dbce.output.rows import NODES, PAGES
from dbce.storage.folder import Folder
from dbce.view.run import Run, Tables


def drawn(tmp_path: Path, pages: list[tuple[str, str, float | None]], order: str, n: int) -> str:
    """The names of the captures that are drawn; each is given as (name, site, confidence)."""
    rows = [
        {
            "record_id": name,
            "site": site,
            "url": name,
            "confidence": confidence,
            "status": "skipped" if confidence is None else "annotated",
        }
        for name, site, confidence in pages
    ]
    for table, schema, of_table in (("pages", PAGES, rows), ("nodes", NODES, [])):
        (tmp_path / table).mkdir(exist_ok=True)
        pq.write_table(
            pa.Table.from_pylist(of_table, schema), tmp_path / table / "x.warc.gz.parquet"
        )
    folder = Folder(str(tmp_path))
    run = Run(folder, {}, Tables(folder), {}, ())
    return "".join(row["record_id"] for row in sample(run, order, n))


PAGES_OF_THREE_SITES = [
    *((name, "large.example", 0.9) for name in "abcdefgh"),
    ("i", "small.example", 0.6),
    ("k", "middle.example", 0.7),
    ("l", "middle.example", 0.8),
    ("x", "large.example", None),
]


def test_by_chance_it_is_always_the_same_whatever_the_order_of_the_files(tmp_path):
    found = drawn(tmp_path, PAGES_OF_THREE_SITES, "random", 5)
    assert found == drawn(tmp_path, PAGES_OF_THREE_SITES[::-1], "random", 5)
    assert len(found) == 5
    more = drawn(tmp_path, PAGES_OF_THREE_SITES, "random", 50)
    assert more.startswith(found)
    assert sorted(more) == [*"abcdefghikl"]
    assert more != "".join(sorted(more))


def test_by_site_every_site_has_its_turn(tmp_path):
    found = drawn(tmp_path, PAGES_OF_THREE_SITES, "site", 6)
    assert set(found[:3]) & set("abcdefgh")
    assert "i" in found[:3]
    assert set(found[:3]) & set("kl")
    assert set(found[3:5]) & set("kl")


def test_least_sure_first(tmp_path):
    assert drawn(tmp_path, PAGES_OF_THREE_SITES, "least-sure", 3) == "ikl"


def test_the_command_offers_these_orders(capsys):
    assert main(["label", "x", "--gold", "y", "--captures", "0"]) == 2
    assert "at least 1" in capsys.readouterr().err
    for order in ORDERS:
        assert main(["label", "x", "--gold", "y", "--order", order]) == 2
        assert "no finished run" in capsys.readouterr().err
