"""Runs, nights and checks that take a selection of what there is."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from dbce.cli import main
from dbce.run import job
from tests import runs
from tests.archive.build import members, record
from tests.archive.holdings import HOLDINGS, places, write
from tests.nights import Archive
from tests.runs import fails_with, refusal, same

HARBOUR = ("--host", "harbour.example", "--host", "*.harbour.example")

run, finished = (partial(call, method="T002") for call in (runs.run, runs.finished_run))


def manifest(out: Path) -> dict[str, Any]:
    return dict(json.loads((out / "run.json").read_text()))


def pages(out: Path) -> list[dict[str, Any]]:
    return list(pq.read_table(out / "pages").sort_by("warc_record_offset").to_pylist())


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("holdings"))


@pytest.mark.parametrize(
    "options", [(*HARBOUR, "--from", "2013", "--to", "2014"), ("--sample", "6")]
)
def test_a_file_and_its_indexes_give_the_same_pages(archive, tmp_path, options):
    whole = pages(finished(archive, tmp_path / "whole", *options))
    assert 0 < len(whole) < len(HOLDINGS)
    for kind in ("cdx", "cdxj", "parquet"):
        assert pages(finished(archive.with_name(f"h.{kind}"), tmp_path / kind, *options)) == whole


def test_the_account_of_a_run_says_what_was_selected(archive: Path, tmp_path: Path) -> None:
    out = finished(archive, tmp_path / "out", *HARBOUR, "--to", "2013", "--sample", "4")
    account = manifest(out)
    assert account["selection"] == {
        "hosts": ["*.harbour.example", "harbour.example"],
        "until": "20131231235959",
        "sample": 4,
    }
    assert account["captures"]["total"] == len(pages(out)) == 4
    assert manifest(finished(archive, tmp_path / "all"))["selection"] == {}


def test_what_is_not_selected_is_nobody_s_neighbour(archive: Path, tmp_path: Path) -> None:
    out = finished(archive, tmp_path / "out", "--url-prefix", "http://hill.example/news/1")
    one, other = pages(out)  # two snapshots of a page
    assert [page["cross_bits"] for page in (one, other)] == ["10001", "10010"]
    assert (one["next"], other["prev"]) == (other["record_id"], one["record_id"])


@pytest.mark.parametrize("kind", ["warc.gz", "cdxj"])
@pytest.mark.parametrize("options", [(), ("--sample", "3")])
def test_a_run_of_nothing_ends_before_it_leaves_anything(archive, tmp_path, kind, options, capsys):
    out = tmp_path / "new" / "out"
    nowhere = ("--host", "nowhere.example", *options)
    assert run(archive.with_name(f"h.{kind}"), out, *nowhere) == 2
    assert "no capture of the inputs matches the selection" in capsys.readouterr().err
    assert not out.parent.exists()


@pytest.mark.parametrize("kind", ["warc.gz", "cdxj"])
@pytest.mark.parametrize(
    "command",
    [
        *(("text", "--format", form) for form in ("jsonl", "html", "csv", "wet")),
        ("check", "--json"),
    ],
)
def test_commands_print_nothing_of_a_selection_of_nothing(archive, kind, command, capfd):
    name, *options = command
    words = [name, str(archive.with_name(f"h.{kind}")), *options, "--host", "nowhere.example"]
    assert main(words) == 2
    out, err = capfd.readouterr()
    assert (out, err) == ("", "dbce: no capture of the inputs matches the selection\n")


@pytest.mark.parametrize("options", [(), ("--sample", "3")])
def test_a_night_without_a_selected_capture_is_done(archive, tmp_path, options, capsys):
    nights = Archive(tmp_path)
    nights.take("a.warc.gz", archive.read_bytes(), "--host", "nowhere.example", *options)
    assert len(nights.nights()) == 1
    assert nights.call("--host", "nowhere.example", *options) == 0
    assert "nothing new" in capsys.readouterr().out
    nights.take("b.warc.gz", archive.read_bytes())
    assert len(nights.nights()) == 2


def test_damage_alone_is_no_selection(tmp_path: Path, capsys) -> None:
    good, bad = members([record(1), record(2)])
    (tmp_path / "a.warc.gz").write_bytes(good + bad[:30] + bytes(20) + bad[50:])
    assert run(tmp_path / "a.warc.gz", tmp_path / "out", "--host", "nowhere.example") == 2
    assert "damaged places without a URL: 1" in capsys.readouterr().err


def test_a_run_is_gone_on_with_by_the_same_selection_only(archive, tmp_path, monkeypatch, capsys):
    out, options = tmp_path / "out", (*HARBOUR, "--sample", "8")
    undisturbed = finished(archive, tmp_path / "undisturbed", *options)
    with monkeypatch.context() as patch:
        patch.setattr(job, "judge_file", fails_with(KeyboardInterrupt()))
        assert run(archive, out, *options) == 130
    for other in ((), HARBOUR, (*HARBOUR, "--sample", "7")):
        assert run(archive, out, *other, "--resume") == 2
        assert "another selection" in capsys.readouterr().err
    assert run(archive, out, *options, "--resume") == 0
    same(undisturbed, out)
    assert run(archive, out, *options, "--resume") == 0
    assert run(archive, out, *HARBOUR, "--resume") == 2
    assert "another selection" in capsys.readouterr().err


def test_a_night_takes_the_selected_captures_of_what_is_new(tmp_path: Path) -> None:
    nightly = Archive(tmp_path)
    for name, some in (("a", HOLDINGS[:9]), ("b", HOLDINGS[9:])):
        data = b"".join(places(some)[0])
        nightly.take(f"{name}.warc.gz", data, "--from", "2014", "--sample", "2")
        night = nightly.outputs(nightly.nights()[-1])
        assert len(pages(night)) == 2
        assert manifest(night)["inputs"] == [f"{name}.warc.gz"]
        assert manifest(night)["selection"] == {"since": "20140101000000", "sample": 2}
    assert len(nightly.nights()) == 2


def test_damage_does_not_stop_a_night_that_little_is_selected_of(tmp_path: Path) -> None:
    nightly = Archive(tmp_path)
    first, second, third = members([record(n, url=f"http://{n}.example/") for n in (1, 2, 3)])
    nightly.take(
        "a.warc.gz",
        first + second[:30] + bytes(20) + second[50:] + third,
        "--host",
        "nowhere.example",
    )
    (night,) = nightly.nights()
    assert manifest(nightly.outputs(night))["captures"]["reasons"] == {"rejected/damaged": 1}


def test_a_night_that_died_begins_again_with_another_selection(archive, tmp_path, monkeypatch):
    nightly = Archive(tmp_path)
    nightly.bring("h.warc.gz", archive.read_bytes())
    with monkeypatch.context() as patch:
        patch.setattr(job, "judge_file", fails_with(KeyboardInterrupt()))
        assert nightly.call("--to", "2013") == 130
    assert nightly.call("--from", "2014") == 0
    (night,) = nightly.nights()
    assert manifest(nightly.outputs(night))["selection"] == {"since": "20140101000000"}


def test_a_check_counts_what_is_selected(archive: Path, capsys) -> None:
    options = ("--host", "hill.example", "--json", "--jobs", "1")
    assert main(["check", str(archive), *options]) == 0
    hill = [one for one in HOLDINGS if "hill" in one.url]
    (account, *_) = map(json.loads, capsys.readouterr().out.splitlines())
    assert account["records"] == {"response": len(hill)}


def test_a_selection_that_makes_no_sense_stops_at_once(archive, tmp_path, capsys):
    out = str(tmp_path / "out")
    for command in (["run", "--out", out], ["nightly", "--archive", out], ["check"]):
        assert "--from 2014 is after --to 2013" in refusal(
            capsys, *command, archive, "--from", "2014", "--to", "2013"
        )


@pytest.mark.spark
@pytest.mark.slow
def test_a_selection_is_the_same_on_spark(archive: Path, tmp_path: Path) -> None:
    options = (*HARBOUR, "--sample", "7")
    same(*(finished(archive, tmp_path / on, *options, master=on) for on in ("none", "local[2]")))
