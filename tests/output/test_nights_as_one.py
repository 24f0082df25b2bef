"""A nightly archive is read as one run: every capture once, as it was judged last."""

import json
import pickle
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dbce.cli import main
from dbce.output import NightsFolder, WholeTable, open_whole, part_of, recount
from dbce.output.rows import NODES, PAGES, REJECTS
from dbce.view.app import create_app
from dbce.view.guard import Guard
from dbce.view.run import open_view
from tests.nights import Archive, verdicts
from tests.runs import finished_run, printed, refusal
from tests.site import article, page, snapshots, stored
from tests.view.conftest import let_in

pytestmark = pytest.mark.wing

YEARS = (2014, 2015, 2016)
URL = "http://harbour.example/ferry"


@pytest.fixture(scope="module")
def archive(tmp_path_factory) -> Archive:
    """Three nights, each of which judges captures of the one before again; a page is another each year."""
    nights = Archive(tmp_path_factory.mktemp("nights"))
    for year in YEARS:
        story = page("story", f"{year}0101000000", article(f"story of {year}"))
        data = stored(*snapshots(year), story)
        nights.take(f"{year}.warc.gz", data, "--revise", "apply", "--changes")
    return nights


@pytest.fixture(scope="module")
def as_one_run(archive, tmp_path_factory) -> Path:
    return finished_run(archive.incoming, tmp_path_factory.mktemp("one") / "out", method="T002")


def run(command: str, *words: object) -> None:
    assert main([command, *map(str, words)]) == 0


def by_id(table: pa.Table) -> list[dict]:
    return sorted(table.to_pylist(), key=lambda row: (row["record_id"], row.get("node", 0)))


def test_every_capture_is_there_once_with_its_last_verdicts(archive, as_one_run):
    folder, _ = open_whole(str(archive.path))
    last: dict[str, object] = {}
    for night in archive.nights():
        last |= verdicts(archive.outputs(night))
        if (archive.outputs(night) / "revised").exists():
            last |= verdicts(archive.outputs(night) / "revised")
    pages = by_id(WholeTable(folder, "pages/*.parquet", PAGES).to_table())
    assert [row["record_id"] for row in pages] == sorted(last)
    assert {row["record_id"]: row for row in pages} == {key: row for key, (row, _) in last.items()}
    nodes = by_id(WholeTable(folder, "nodes/*.parquet", NODES).to_table())
    assert nodes == sorted(
        (row for _, rows in last.values() for row in rows),
        key=lambda row: (row["record_id"], row["node"]),
    )
    assert last == verdicts(as_one_run), "with --revise apply they are those of one big run"


@pytest.mark.parametrize("form", ["jsonl", "markdown", "tei"])
def test_its_texts_are_those_of_one_run(archive, as_one_run, capsysbinary, form):
    whole, of_run = (
        sorted(printed(capsysbinary, "text", folder, "--format", form).splitlines())
        for folder in (archive.path, as_one_run)
    )
    assert whole == of_run


def test_a_night_is_taken_by_its_name(archive, capsysbinary):
    night = archive.nights()[1]
    named = printed(capsysbinary, "text", archive.path / night)
    assert named == printed(capsysbinary, "text", archive.outputs(night))
    assert named.count(b"\n") == 5
    assert b"20150101000000" in printed(capsysbinary, "show", archive.path / night, URL)
    run("report", archive.path / night)
    assert (archive.outputs(night) / "report.html").exists()
    assert not (archive.path / night).exists()


@pytest.mark.parametrize("year", YEARS)
@pytest.mark.parametrize("command", ["show", "strip"])
def test_a_capture_is_shown_as_of_one_run(archive, as_one_run, capsys, command, year):
    shown, of_run = (
        printed(capsys, command, folder, URL, "--at", year) for folder in (archive.path, as_one_run)
    )
    assert shown == of_run


def test_its_account_is_that_of_one_run(archive, as_one_run):
    whole = recount(*open_whole(str(archive.path)))
    of_run = json.loads((as_one_run / "run.json").read_text())
    assert whole["nights"] == archive.nights()
    for name in "captures words runs truncated partner_recall bytes_skipped inputs".split():
        assert whole[name] == of_run[name], name


def test_its_report_is_that_of_one_run(archive, as_one_run, tmp_path):
    for name, folder in (("whole", archive.path), ("run", as_one_run)):
        run("report", folder, "--out", tmp_path / f"{name}.html", "--csv", tmp_path / name)
    known = {path.name for path in (tmp_path / "run").iterdir()} - {"processed.csv"}
    assert len(known) > 8
    for name in known:
        ours, theirs = (tmp_path / kind / name for kind in ("whole", "run"))
        assert ours.read_text() == theirs.read_text(), name
    run("report", archive.path)
    assert (archive.path / "report.html").is_file()


def test_its_changes_are_those_of_one_run(archive, as_one_run):
    tables = []
    for folder in (archive.path, as_one_run):
        run("changes", folder, "--master", "none", "--overwrite")
        tables.append(pq.read_table(folder / "changes").to_pylist())
    assert tables[0] == tables[1]
    assert len(tables[0]) == 10
    for path in (archive.path / "changes").iterdir():
        path.unlink()
    (archive.path / "changes").rmdir()


def test_scores_are_those_of_one_run(archive, as_one_run, tmp_path, capsys):
    gold = tmp_path / "gold.jsonl"
    rows = pq.read_table(as_one_run / "pages").to_pylist()
    lines = [{"record_id": row["record_id"], "text": "old " + row["text"]} for row in rows]
    gold.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    ours, theirs = (
        printed(capsys, "evaluate", folder, "--gold", gold).replace(str(folder), "DIR")
        for folder in (archive.path, as_one_run)
    )
    assert ours == theirs


def test_all_of_it_is_looked_at(archive, as_one_run):
    shown = [open_view(str(folder), {}) for folder in (archive.path, as_one_run)]
    whole, of_run = shown
    captures = of_run.tables.rows("SELECT record_id FROM pages ORDER BY record_id")
    assert whole.tables.rows("SELECT record_id FROM pages ORDER BY record_id") == captures
    for row in captures:
        pages = [one.page(row["record_id"]) for one in shown]
        for get in ("runs", "members", "snapshots", "annotated_html"):
            ours, theirs = (getattr(one, get)(page) for one, page in zip(shown, pages, strict=True))
            assert ours == theirs, get
    assert len(whole.places) + len(whole.elsewhere) == 1
    assert whole.tables.has_changes, "those that the nights have found"
    client = let_in(create_app(whole, Guard()))
    assert "15" in client.get("/").text
    for one in shown:
        one.tables.close()


def test_a_compact_index_changes_nothing_that_is_read(tmp_path):
    nights = Archive(tmp_path)
    gone = stored(*snapshots(2014)[:1]) + stored(page("gone", "20140101000000"))
    nights.take("a.warc.gz", gone)
    nights.take("b.warc.gz", stored(*snapshots(2015)))
    tables = []
    for _ in range(2):
        run("changes", nights.path, "--master", "none", "--overwrite")
        run("report", nights.path, "--out", tmp_path / "r.html", "--csv", tmp_path / "csv")
        found = {path.name: path.read_text() for path in (tmp_path / "csv").iterdir()}
        tables.append((pq.read_table(nights.path / "changes").to_pylist(), found))
        run("compact", nights.path)
    assert tables[0] == tables[1]


def test_what_could_not_be_judged_again_keeps_its_verdicts(tmp_path):
    nights = Archive(tmp_path)
    nights.take("a.warc.gz", stored(*snapshots(2014)))
    (nights.incoming / "a.warc.gz").unlink()
    nights.take("b.warc.gz", stored(*snapshots(2015)), "--revise", "apply")
    folder, manifest = open_whole(str(nights.path))
    pages = WholeTable(folder, "pages/*.parquet", PAGES).to_table().to_pylist()
    assert {row["status"] for row in pages} == {"annotated"}
    assert len(pages) == recount(folder, manifest)["captures"]["total"] == 8
    assert WholeTable(folder, "rejects/*.parquet", REJECTS).to_table().num_rows == 0


def test_names_lead_to_files_and_back_in_other_processes_too(archive):
    folder = pickle.loads(pickle.dumps(NightsFolder(str(archive.path))))
    names = [name for kind in ("pages", "index", "warc") for name in folder.names(f"{kind}/*")]
    one, two, three = archive.nights()
    parts = [one, two, f"{two}.revised", three, f"{three}.revised"]
    assert [part_of(name) for name in names if name.startswith("pages/")] == parts
    for name in names:
        assert folder.exists(name)
        assert folder.name_of(folder.full_path(name)) == name
    assert folder.name_of(folder.full_path("report.html")) == "report.html"


def test_commands_that_need_one_run_name_a_night(archive, capsys):
    assert "does not exist" in refusal(
        capsys, "label", archive.path / "nowhere", "--gold", "g.jsonl"
    )
