"""`dbce migrate`: what it leaves of a small archive, page by page, and what it refuses."""

import json
from contextlib import nullcontext
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from dbce.archive import read_annotated
from dbce.cli import main
from dbce.engine import Local, StartMode, drive
from dbce.model import Rendering, UsageError
from dbce.visual.migrate import MIGRATED, MigrationJob, Refusal
from dbce.visual.render import RenderJob
from tests.archive.build import members
from tests.browser import NONE, chromium
from tests.runs import job, refusal
from tests.visual.render.build import got

browser = pytest.mark.browser

OLD = (
    b"<html><head><title>Old</title></head><body bgcolor=white>"
    b"<div><font size=5>Harbour news</font> <a name=top href=/>home</a></div>"
    b"<table width=100% cellpadding=4><tr><td valign=top><p>"
    + b"The ferry takes four people and a goat. " * 30
    + b"</td></tr></table><center>Imprint</center></body></html>"
)
NESTED = b"<form><div></form><form><input name=a></form></div>" + OLD
"""A form that stands in another, as the parser leaves it."""
LINKED = b"<a href=/old><table><a href=/plain>x</table>" + OLD
"""A link that stands in another as the parser leaves it, which the text of its tree does not say again."""
FRAMES = (
    b"<frameset cols=50%,*><frame src=/old><frame src=/plain><noframes>none</noframes></frameset>"
)


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    if chromium() is None:
        pytest.skip(NONE)
    file = tmp_path_factory.mktemp("old") / "old.warc.gz"
    bodies = {
        "/old": OLD,
        "/nested": NESTED,
        "/linked": LINKED,
        "/frames": FRAMES,
        "/plain": b"<plaintext>a <b>",
        "/high": b"<p style='height:99999px'>",
    }
    file.write_bytes(b"".join(members([got(path, body) for path, body in bodies.items()])))
    return file


@pytest.fixture(scope="module")
def new(archive):
    """What was migrated of it."""
    folder = archive.parent
    assert main(["render", str(archive), "--out", str(folder), "--jobs", "1", "--pictures"]) == 0
    return migrated(folder, archive, folder / "new")


def migrated(run, archive, out):
    assert main(["migrate", str(run), "--archive", str(archive), "--out", str(out)]) == 0
    return out / "migrated"


def rows(new):
    table = pq.read_table(new / "pages")
    assert table.schema == MIGRATED
    return {row["url"].rpartition("/")[2]: row for row in table.to_pylist()}


@browser
def test_an_old_page_is_written_anew_and_looks_as_it_did(new):
    row = rows(new)["old"]
    assert (row["status"], row["reason"], row["mode"]) == ("migrated", None, "quirks")
    assert row["quality"] >= 0.95
    assert row["false_alarms"] == 0
    assert row["changed_pixels"] < 0.001
    assert dict(row["elements"]) == {"center": 1, "font": 1}
    assert row["losses"] == []


@browser
def test_every_page_has_one_row_and_none_stops_the_others(new):
    reasons = {name: row["reason"] for name, row in rows(new).items()}
    refused = {"high": Refusal.NOT_RENDERED, "linked": Refusal.UNWRITABLE}
    assert reasons == dict.fromkeys(("old", "nested", "plain", "frames")) | refused
    account = json.loads((new / "migrated.json").read_text())
    assert (account["pages"], account["migrated"]) == (6, 4)
    assert account["refused"] == {"not-rendered": 1, "unwritable": 1}


@browser
def test_records_are_those_of_the_pages_that_were_migrated(new):
    stored = {one.url: one for one in read_annotated(str(new / "warc" / "old.html5.warc.gz"))}
    migrated = {row["url"]: row for row in rows(new).values() if row["status"] == "migrated"}
    assert stored.keys() == migrated.keys()
    for url, one in stored.items():
        assert one.record_id == migrated[url]["record_id"]
        assert one.html.startswith(b"<!DOCTYPE html>\n<html")
    lines = (new / "warc" / "index.cdxj").read_text().splitlines()
    assert len(lines) == len(stored)


@browser
def test_without_pictures_all_but_pixels_is_the_same(archive, new, tmp_path):
    assert main(["render", str(archive), "--out", str(tmp_path), "--jobs", "1"]) == 0
    own = migrated(tmp_path, archive, tmp_path)
    ours, theirs = (pq.read_table(at / "pages/old.parquet") for at in (own, new))
    assert ours["changed_pixels"].null_count == len(ours)
    assert ours.drop_columns("changed_pixels") == theirs.drop_columns("changed_pixels")


@browser
def test_wrong_use_says_what_to_type(archive, new, capsys, tmp_path):
    other = tmp_path / "other.warc.gz"
    other.write_bytes(archive.read_bytes())
    capsys.readouterr()
    for run, given, out, sentence in (
        (tmp_path, archive, tmp_path / "x", "holds no rendered pages; dbce render"),
        (archive.parent, archive, new.parent, "name another folder or add --overwrite"),
        (archive.parent, other, tmp_path / "y", "--archive does not name old.warc.gz"),
    ):
        assert sentence in refusal(capsys, "migrate", run, "--archive", given, "--out", out)


@browser
@pytest.mark.spark
@pytest.mark.slow
def test_the_job_on_spark_leaves_what_one_process_leaves(tmp_path):
    if chromium() is None:
        pytest.skip(NONE)
    archive, run = tmp_path / "in", str(tmp_path / "run")
    archive.mkdir()
    for name in ("a", "b"):
        pages = [got(f"/{name}/{path}", body) for path, body in (("x", OLD), ("y", FRAMES))]
        (archive / f"{name}.warc.gz").write_bytes(b"".join(members(pages)))
    assert main(["render", str(archive), "--out", run, "--jobs", "1"]) == 0
    one, spark = migrated(Path(run), archive, tmp_path / "one"), tmp_path / "spark" / "migrated"
    words = [run, "--archive", archive, "--out", spark.parent, "--master", "local[2]"]
    assert job("migrate", *words) == 0
    files = sorted(path.relative_to(one) for path in one.rglob("*") if path.is_file())
    assert len(files) == 7
    for file in files:
        assert (spark / file).read_bytes() == (one / file).read_bytes(), file


@pytest.mark.parametrize("again", [StartMode.REFUSE, StartMode.RESUME])
@pytest.mark.parametrize("part", ["migrated", "rendered"])
def test_a_folder_that_holds_files_of_others_is_refused(tmp_path, part, again):
    thesis = tmp_path / part / "thesis.parquet"
    thesis.parent.mkdir()
    thesis.write_text("precious")
    job = (
        MigrationJob("rendered", str(tmp_path), ())
        if part == "migrated"
        else RenderJob(str(tmp_path), Rendering(), (), ())
    )
    with pytest.raises(UsageError, match=rf"{part} .*is not empty; name another folder"):
        drive(job, lambda: nullcontext(Local()), again)
    assert thesis.read_text() == "precious"
