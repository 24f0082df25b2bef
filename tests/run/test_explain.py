"""A verdict is explained from what the run has stored."""

import json
import re
import shutil
from pathlib import Path

import pytest

from dbce.archive import surt
from dbce.model import UsageError
from dbce.output import config_of, find_snapshots, node_rows, open_run, open_whole
from dbce.run.explanation import _compare_again, explain
from tests.nights import Archive
from tests.runs import finished_run, page_rows, printed, refusal
from tests.site import TOPICS, article, page, revisit, snapshots, stored


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("explained") / "in"
    folder.mkdir()
    pages = [page(topic, f"{year}0101000000") for year in (2014, 2015) for topic in TOPICS]
    (folder / "harbour.warc.gz").write_bytes(stored(*pages))
    return folder


@pytest.fixture(scope="module")
def folder(archive: Path) -> Path:
    return finished_run(archive, archive.parent / "out")


JOINT = ("--method", "joint")


def is_explained(run, manifest, row, node):
    """Hold that an explanation comes to the probability that the run has stored."""
    found = explain(run, manifest, row, node["node"])
    assert found.pushes.probability == pytest.approx(node["probability"], abs=1e-4)
    return found


def test_every_verdict_is_found_again(folder: Path) -> None:
    run, manifest = open_run(str(folder))
    for row in page_rows(run):
        for node in node_rows(run, row["record_id"]):
            found = is_explained(run, manifest, row, node)
            assert node["text"] in found.line


def test_revisits_are_snapshots_again(tmp_path: Path) -> None:
    ferry, clocks, *others = (page(topic, "20140101000000") for topic in TOPICS)
    moved = article("ferry", "The ferry rests this winter, and nobody knows why.")
    later = page("ferry", "20160101000000", moved)
    again = revisit(ferry, "20150101", "urn:again", WARC_Refers_To=ferry.record_id)
    lost = revisit(clocks, "20150101", "urn:lost", WARC_Refers_To="<urn:nowhere>")
    data = stored(ferry, clocks, *others, later) + again + lost
    (tmp_path / "x.warc.gz").write_bytes(data)
    run, manifest = open_run(str(finished_run(tmp_path / "x.warc.gz", tmp_path / "out")))
    judged = [row for row in page_rows(run) if row["status"] == "annotated"]
    for row in judged:
        _, found = _compare_again(run, row, config_of(manifest))
        assert found is not None
        cross = found.crosses[0]
        assert (cross.prev, cross.next) == (row["prev"], row["next"])
    assert [row["next"] for row in judged if row["next"]] == ["urn:again"]
    assert [row["prev"] for row in judged if row["prev"]] == ["urn:again"]


def test_what_was_compared_with_its_own_snapshots_alone_is_found_again(tmp_path: Path) -> None:
    pages = [page("", f"{year}", article(f"day{year}")) for year in (2014, 2015, 2016)]
    (tmp_path / "x.warc.gz").write_bytes(stored(*pages))
    run, manifest = open_run(str(finished_run(tmp_path / "x.warc.gz", tmp_path / "out")))
    for row in page_rows(run):
        _, found = _compare_again(run, row, config_of(manifest))
        assert found is not None
        assert found.crosses[0].members[1:] == (None, None, row["prev"], row["next"])
        for node in node_rows(run, row["record_id"]):
            is_explained(run, manifest, row, node)


def test_no_input_is_needed(folder: Path, archive: Path) -> None:
    (archive / "harbour.warc.gz").rename(archive / "gone")
    try:
        run, manifest = open_run(str(folder))
        assert explain(run, manifest, next(page_rows(run)), 0)
    finally:
        (archive / "gone").rename(archive / "harbour.warc.gz")


def test_of_a_method_that_weighs_no_features_that_is_said(archive: Path, tmp_path: Path) -> None:
    run, manifest = open_run(str(finished_run(archive, tmp_path / "out", method="T002")))
    with pytest.raises(UsageError, match="T002 weighs no features"):
        explain(run, manifest, next(page_rows(run)), 0)


def test_without_an_index_that_is_said(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "out")
    shutil.rmtree(tmp_path / "out" / "index")
    run, manifest = open_run(str(tmp_path / "out"))
    with pytest.raises(UsageError, match="has no index"):
        explain(run, manifest, next(page_rows(run)), 0)


def test_a_night_is_explained_from_the_index_of_its_archive(archive: Path, tmp_path: Path) -> None:
    nights = Archive(tmp_path)
    nights.incoming = archive
    assert nights.call(*JOINT) == nights.call(*JOINT) == 0
    run, manifest = open_run(str(nights.outputs(*nights.nights())))
    row = next(page_rows(run))
    is_explained(run, manifest, row, node_rows(run, row["record_id"])[0])


def test_a_capture_that_was_judged_again_is_explained_from_the_whole_archive(tmp_path):
    nights = Archive(tmp_path)
    for year in (2014, 2015):
        nights.take(f"{year}.warc.gz", stored(*snapshots(year)), *JOINT, "--revise", "apply")
    archive, manifest = open_whole(str(nights.path))
    rows = find_snapshots(archive, surt(snapshots(2014)[0].url))
    assert [row["night"].partition(".")[2] for row in rows] == ["revised", ""]
    for row in rows:
        is_explained(archive, manifest, row, node_rows(archive, row["record_id"])[0])


def test_the_terminal_names_neighbours_and_pushes(folder, capsys):
    url = f"http://harbour.example/{TOPICS[0]}"
    said = printed(capsys, "show", folder, url, "--node", "0")
    assert "boilerplate: also on up" in said
    assert "http://harbour.example/" in said
    assert re.search(r"how widely texts are shared, \w+ elements? up: 100%", said)
    assert "together 0." in said


def test_a_node_that_is_not_there_is_said_so(folder, capsys):
    assert "there is no text node 99; the page has 0 to " in refusal(
        capsys, "show", folder, f"http://harbour.example/{TOPICS[0]}", "--node", "99"
    )


def test_a_run_remembers_where_its_inputs_lie(folder: Path, archive: Path) -> None:
    account = json.loads((folder / "run.json").read_text())
    assert account["places"] == {"harbour.warc.gz": str(archive / "harbour.warc.gz")}
