"""Costs: their tables, tasks on executors, and the large archives that they are measured on."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.archive import expand, read
from dbce.cli import main
from dbce.model import Capture, Limits
from scripts.experiments import large, reading
from scripts.experiments.executors import spread
from scripts.experiments.ratios import Costs, ratio_table
from tests.archive.build import members, record
from tests.runs import process

# Tables


def test_costs_are_held_against_a_peer_and_the_means_of_ratios_told() -> None:
    costs = [
        Costs("small", 4, 7.6, {"run": 10.0, "text": 5.0}, {"peer": 20.0, "other": 1.0}, 99.0, {}),
        Costs("large", 2, 80.0, {"run": 30.0, "text": 15.0}, {"peer": 20.0}, 99.0, {}),
    ]
    table = ratio_table(costs, ("run", "text"), "peer", ("peer", "other"))
    header, _, *rows = (re.split(r" *\| *", line.strip("| ")) for line in table.splitlines())
    assert header[-2:] == ["run / peer", "text / peer"]
    assert [[row[0], *row[-2:]] for row in rows] == [
        ["small", "0.500", "0.250"],
        ["large", "1.500", "0.750"],
        ["mean of the ratios", "1.000", "0.500"],
    ]
    assert rows[1][6] == "n/a"


def test_every_reader_reads_an_archive_and_tells_its_seconds(tmp_path, capsys):
    archive = tmp_path / "three.warc.gz"
    archive.write_bytes(b"".join(members(map(record, range(3)))))
    for name in reading.READERS:
        reading.main([str(archive), name])
        assert float(capsys.readouterr().out) > 0


# Executors, read from the events of Spark


def job(stages: list[int], said: str | None) -> dict[str, Any]:
    properties = {"spark.job.description": said} if said else {}
    return {"Event": "SparkListenerJobStart", "Stage IDs": stages, "Properties": properties}


def task(stage: int, executor: str, ms: int, written: int = 0) -> dict[str, Any]:
    return {
        "Event": "SparkListenerTaskEnd",
        "Stage ID": stage,
        "Task Info": {"Executor ID": executor, "Launch Time": 1000, "Finish Time": 1000 + ms},
        "Task Metrics": {"Shuffle Write Metrics": {"Shuffle Bytes Written": written}},
    }


def test_the_tasks_of_all_jobs_of_a_stage_count_by_executor() -> None:
    events = [
        job([0], None),  # the executors are asked whether they have dbce
        task(0, "1", 9000),
        job([1], "dbce: stage 1 of 3, reading 2 files"),
        task(1, "0", 1000),
        task(1, "1", 2000, written=10),
        job([2, 3], "dbce: stage 2 of 3, comparing 9 captures"),
        task(2, "0", 500, written=5),
        job([4], "dbce: stage 2 of 3, comparing 9 captures"),
        task(4, "0", 1500, written=6),
        {"Event": "SparkListenerApplicationEnd"},
    ]
    found = spread(events)
    assert found.keys() == {1, 2}
    assert found[1] == ([1.0, 2.0], {"0": 1.0, "1": 2.0}, 10)
    assert found[2] == ([0.5, 1.5], {"0": 2.0}, 11)


# Large archives


SIXTY = ("--captures", "60", "--templates", "2", "--files", "3")


@pytest.fixture(scope="module")
def sixty(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("large") / "sixty"
    large.main([str(out), *SIXTY])
    return out


def payloads(folder: Path) -> set[bytes]:
    found = [one for source in expand([str(folder)]) for one in read(source, Limits())]
    assert all(isinstance(one, Capture) for one in found)
    return {one.payload for one in found}


def test_every_capture_finds_pages_of_its_template(sixty, tmp_path):
    options = ["--master", "none", "--method", "T002"]
    assert main(["run", str(sixty), "--out", str(tmp_path / "out"), *options]) == 0
    told = json.loads((tmp_path / "out" / "run.json").read_text())
    assert told["captures"]["total"] == told["captures"]["annotated"] == 60


def test_equal_arguments_give_equal_files_and_another_seed_gives_others(sixty, tmp_path):
    same, other = tmp_path / "same", tmp_path / "other"
    process(sys.executable, "-m", "scripts.experiments.large", same, *SIXTY)  # with other hashes
    large.main([str(other), "--captures", "20", "--templates", "2", "--seed", "2"])
    names = sorted(path.name for path in sixty.iterdir())
    assert names == ["large-00000.warc.gz", "large-00001.warc.gz", "large-00002.warc.gz"]
    assert all((sixty / name).read_bytes() == (same / name).read_bytes() for name in names)
    assert payloads(sixty).isdisjoint(payloads(other))


@given(total=st.integers(1, 400), templates=st.integers(1, 20), snapshots=st.integers(1, 7))
def test_a_crawl_fetches_every_page_once(total, templates, snapshots):
    plan = large.Plan(total, templates, snapshots, seed=1)
    fetched = [plan.capture(number) for number in range(total)]
    assert len(set(fetched)) == total
    assert all(site < templates and crawl < snapshots for site, _, crawl in fetched)
    first = {(site, page) for site, page, crawl in fetched if crawl == 0}
    assert first == {(site, page) for site, page, _ in fetched}
