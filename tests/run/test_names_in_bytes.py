"""An archive whose name is no UTF-8 is read like any other, and written about in UTF-8."""

import json
import os
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from dbce.archive import expand
from dbce.commands.table import Exit
from dbce.run import one_file
from dbce.view.run import open_view
from tests.nights import Archive
from tests.runs import files, finished_run, printed, run, same
from tests.site import page, snapshots, stored

ENGINES = ["none", pytest.param("local[2]", marks=[pytest.mark.spark, pytest.mark.slow])]
NAME = os.fsdecode(b"caf\xe9.warc.gz")
WRITTEN = "caf%xE9.warc.gz"


def write(place: Path, data: bytes) -> Path:
    try:
        place.write_bytes(data)
    except OSError:
        pytest.skip("this file system has no names that are no UTF-8")
    return place


@pytest.fixture(scope="module")
def incoming(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("in")
    write(folder / NAME, stored(*snapshots(2014)))
    write(folder / "good.warc.gz", stored(*snapshots(2015)))
    return folder


@pytest.fixture(scope="module")
def finished(incoming) -> Path:
    return finished_run(incoming, incoming.with_name(f"{incoming.name}-out"), method="T002")


def test_a_run_writes_the_name_in_one_form(finished, incoming):
    manifest = json.loads((finished / "run.json").read_text("utf-8"))
    assert manifest["inputs"] == [WRITTEN, "good.warc.gz"]
    assert manifest["places"][WRITTEN] == f"{incoming}/{WRITTEN}"
    assert "pages/caf%xE9.parquet" in files(finished)
    rows = pq.read_table(finished / "pages").to_pylist()
    assert {row["warc_filename"] for row in rows} == {WRITTEN, "good.warc.gz"}
    assert {row["status"] for row in rows} == {"annotated"}
    for name in files(finished):
        name.encode()
    assert b"\\udce9" not in b"".join((finished / name).read_bytes() for name in files(finished))


@pytest.mark.parametrize("master", ENGINES)
def test_a_run_that_died_goes_on_with_it(master, incoming, finished, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("dbce.run.job.finish", None)
        assert run(incoming, tmp_path / "out", master=master, method="T002") == Exit.BUG
    how = {"master": master, "method": "T002"}
    same(finished_run(incoming, tmp_path / "out", "--resume", **how), finished)


def test_nights_take_it_once(tmp_path, capsys):
    archive = Archive(tmp_path)
    write(archive.incoming / NAME, stored(*snapshots(2014)))
    assert archive.call() == 0
    assert archive.call() == 0
    assert "nothing new among 1 file" in capsys.readouterr().out
    archive.take("b.warc.gz", stored(page("new")), "--revise", "apply")
    assert len(archive.nights()) == 2


def test_a_night_that_died_of_it_says_so_in_the_same_form(tmp_path, monkeypatch):
    archive = Archive(tmp_path)
    write(archive.incoming / NAME, stored(*snapshots(2014)))
    with monkeypatch.context() as patch:
        patch.setattr(one_file, "_sketch_rows", None)
        assert archive.call() == Exit.BUG
        assert archive.call() == Exit.BUG
    aside = json.loads((archive.path / "set-aside.json").read_text("utf-8"))
    assert list(aside) == [f"{archive.incoming}/{WRITTEN}"]
    assert archive.call() == 0
    assert archive.nights() == []


def test_its_texts_are_read_from_the_run_and_from_the_archive(finished, incoming, capfdbinary):
    of_run = printed(capfdbinary, "text", finished)
    of_archive = printed(capfdbinary, "text", incoming / NAME)
    assert len(of_run.splitlines()) == 2 * len(of_archive.splitlines()) == 8


def test_a_capture_of_it_is_shown(finished, incoming, capsys):
    url = pq.read_table(finished / "pages" / "caf%xE9.parquet")["url"][0].as_py()
    assert url in printed(capsys, "show", finished, url)
    view = open_view(str(finished), {})
    view.tables.close()
    assert view.elsewhere == (str(incoming),)


@pytest.mark.wing
def test_the_places_of_its_records_lead_to_the_file(incoming):
    from dbce.visual.render.answers import Places, places_of

    (source,) = expand([str(incoming / NAME)])
    places = Places([places_of(source)])
    (place,) = places.places_of_record(snapshots(2014)[0].record_id)
    assert place.uri == str(incoming / NAME)


def test_lists_and_indexes_name_it(finished, incoming, tmp_path):
    listed = tmp_path / "list.txt"
    listed.write_bytes(os.fsencode(incoming) + b"/caf\xe9.warc.gz\n")
    (source,) = expand([f"@{listed}"])
    assert source.uri == str(incoming / NAME)
    cdx = tmp_path / "index.cdxj"
    cdx.write_bytes(
        b'org,example)/ 20140101000000 {"url": "http://example.org/", "filename": "caf\xe9.warc.gz", '
        b'"offset": "0"}\n'
    )
    (source,) = expand([str(cdx)], str(incoming))
    assert (source.uri, source.offsets) == (str(incoming / NAME), (0,))
    of_pages = expand([str(finished / "pages")], str(incoming))
    uris = {str(incoming / name) for name in (NAME, "good.warc.gz")}
    assert {source.uri for source in of_pages} == uris


def test_outputs_need_a_name_that_is_utf8(incoming, tmp_path, capsys):
    out = tmp_path / os.fsdecode(b"caf\xe9")
    assert run(incoming, out) == Exit.WRONG_USE
    assert "caf%xE9 has a name that is no UTF-8" in capsys.readouterr().err
    assert not out.exists()
