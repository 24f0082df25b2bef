"""`dbce render`: what it leaves, that it is the same however it is made, and goes on after a kill."""

import json
import re
import shutil

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from dbce.archive import read_reply_at
from dbce.cli import main
from dbce.model import Limits, UsageError
from dbce.storage import Folder, has_begun
from dbce.visual.render import RenderedFolder, job, open_pictures, read_rendered
from dbce.visual.render.outputs import PAGES, write_unit
from tests.archive.build import members
from tests.data import shared
from tests.visual.render.build import SITE, got, html

browser = pytest.mark.browser
needed = pytest.mark.usefixtures("_browser")
UNTIMED = [name for name in PAGES.names if name != "seconds"]


def render(*words, code=0):
    """With pictures, unless other words say otherwise."""
    assert main(["render", "--pictures", *map(str, words)]) == code


def table(folder, kind):
    return pq.read_table(folder / "rendered" / kind)


def outputs(folder):
    """All that must be the same of the same pages."""
    tables = {kind: table(folder, kind) for kind in ("elements", "texts", "rejects")}
    files = {path.name: path.read_bytes() for path in folder.glob("rendered/screenshots/*")}
    return {"pages": table(folder, "pages").select(UNTIMED), **tables, **files}


def written(folder):
    """Two files of a few pages, one of which cannot be rendered, in a new folder."""
    folder.mkdir()
    for name in ("a", "b"):
        pages = [got(f"/{name}{n}", html(f"<h1>{name}</h1><p>text {n}")) for n in range(3)]
        high = got(f"/{name}high", html("<p style='height:99999px'>"))
        (folder / f"{name}.warc.gz").write_bytes(b"".join(members([*pages, high])))
    return folder


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return written(tmp_path_factory.mktemp("small") / "in")


@pytest.fixture(scope="module")
def done(small, tmp_path_factory, _browser):
    out = tmp_path_factory.mktemp("done")
    render(small, "--out", out, "--jobs", 2)
    return out


@browser
@pytest.mark.nightly
def test_without_pictures_all_else_is_the_same(small, done, tmp_path, capsys):
    assert main(["render", str(small), "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out.endswith(f"\ntables: {tmp_path}/rendered\n")
    ours, theirs = outputs(tmp_path), outputs(done)
    assert (ours["elements"], ours["texts"]) == (theirs["elements"], theirs["texts"])
    same = [name for name in UNTIMED if name != "screenshot_offset"]
    assert ours["pages"].select(same) == theirs["pages"].select(same)
    assert ours["pages"]["screenshot_offset"].null_count == len(ours["pages"])
    (page, *_) = read_rendered(str(tmp_path))
    for read in (lambda folder: RenderedFolder(folder).screenshot(page.record_id), open_pictures):
        with pytest.raises(UsageError, match="rendered without pictures; dbce render with --pict"):
            read(str(tmp_path))
    assert open_pictures(str(done)).exists("rendered.json")


@browser
def test_two_browsers_leave_the_bytes_of_one(small, done, tmp_path):
    render(small, "--out", tmp_path, "--jobs", 1)
    assert outputs(tmp_path) == outputs(done)


@browser
def test_pages_are_read_back_as_they_were_laid_out(done):
    pages = list(read_rendered(str(done)))
    assert [page.url[-3:] for page in pages] == ["/a0", "/a1", "/a2", "/b0", "/b1", "/b2"]
    page = pages[4]
    assert [(text.text, text.node) for text in page.texts] == [("b", 0), ("text 1", 1)]
    assert [element.tag for element in page.elements] == ["body", "h1", "p"]
    assert page.styles[page.elements[1].style].font_weight == 700


@browser
@needed
def test_a_selection_of_nothing_writes_nothing(small, tmp_path, capsys):
    render(small, "--out", tmp_path / "new" / "out", "--host", "nowhere.example", code=2)
    assert "no capture of the inputs matches the selection" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


@browser
@needed
@pytest.mark.nightly
def test_an_input_that_vanished_stops_rendering_until_it_is_back(tmp_path, monkeypatch, capsys):
    file, away = written(tmp_path / "in") / "b.warc.gz", tmp_path / "away"
    note = job.note_places

    def taking_away(*arguments):
        note(*arguments)
        file.rename(away)

    with monkeypatch.context() as patch:
        patch.setattr(job, "note_places", taking_away)
        render(tmp_path / "in", "--out", tmp_path / "out", code=4)
    assert f"{file} has vanished" in capsys.readouterr().err
    away.rename(file)
    render(tmp_path / "in", "--out", tmp_path / "out", "--resume")
    render(tmp_path / "in", "--out", tmp_path / "undisturbed")
    assert outputs(tmp_path / "out") == outputs(tmp_path / "undisturbed")


@browser
def test_screenshots_are_resource_records_that_the_table_and_an_index_find(done):
    page = next(iter(read_rendered(str(done))))
    png = RenderedFolder(str(done)).screenshot(page.record_id)
    assert png.startswith(b"\x89PNG")
    pictures = done / "rendered" / "screenshots"
    line = (pictures / "index.cdxj").read_text().splitlines()[0]
    said = json.loads(line.split(" ", 2)[2])
    assert (said["url"], said["mime"]) == (f"urn:fullPage:{page.url}", "image/png")
    stored = read_reply_at(str(pictures / said["filename"]), int(said["offset"]), "", Limits())
    assert stored.payload == png


@browser
def test_what_cannot_be_rendered_is_a_reject_and_a_row(done):
    rejects = table(done, "rejects").to_pylist()
    told = [(row["url"][-6:], row["stage"], row["reason"]) for row in rejects]
    assert told == [(name, "render", "too-high") for name in ("/ahigh", "/bhigh")]
    pages = table(done, "pages")
    assert pages.filter(pc.field("status") == "rejected")["reason"].to_pylist() == ["too-high"] * 2
    told = json.loads((done / "rendered" / "rendered.json").read_text())
    counts = {"total": 8, "rendered": 6, "skipped": 0, "rejected": 2}
    assert told["captures"] == counts | {"reasons": {"rejected/too-high": 2}}


@browser
def test_a_rendering_that_was_killed_is_gone_on_with(small, done, tmp_path, monkeypatch):
    class Killed(BaseException):
        pass

    def killed(folder, name, *others):
        if name == "b.warc.gz":
            raise Killed
        real(folder, name, *others)

    real = write_unit
    words = (small, "--out", tmp_path, "--jobs", 1)
    with monkeypatch.context() as patch:
        patch.setattr("dbce.visual.render.job.write_unit", killed)
        with pytest.raises(Killed):
            render(*words)
    assert has_begun(Folder(f"{tmp_path}/rendered"))
    before = (tmp_path / "rendered/pages/a.parquet").read_bytes()
    render(*words, code=2)  # it may not be replaced by chance
    render(*words, "--resume")
    assert (tmp_path / "rendered/pages/a.parquet").read_bytes() == before
    assert outputs(tmp_path) == outputs(done)
    render(*words, "--resume")  # nothing is left to do


@browser
@needed
def test_captures_that_share_record_ids_are_called_as_in_a_run(tmp_path):
    """In one file and across two, whole and of a sample that leaves out who keeps the id."""
    (tmp_path / "in").mkdir()
    for name in ("a", "b"):
        bodies = (html(f"<h1>{name}</h1><p>Words of page {n}.") for n in range(3))
        pages = [got(f"/{name}{n}", body) for n, body in enumerate(bodies)]
        shared_id = [re.sub(rb"<urn:test:\d+>", b"<urn:test:one>", page) for page in pages]
        (tmp_path / f"in/{name}.warc.gz").write_bytes(b"".join(members(shared_id)))
    words = [str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--master", "none"]
    assert main(["run", *words]) == 0
    run = pq.read_table(tmp_path / "out" / "pages", columns=["url", "record_id"]).to_pylist()
    assert len({row["record_id"] for row in run}) == 6
    for number, chosen in enumerate([[], ["--url-prefix", f"{SITE}/b"]]):
        render(tmp_path / "in", "--out", tmp_path / f"{number}", *chosen)
        rows = table(tmp_path / f"{number}", "pages").select(["url", "record_id"]).to_pylist()
        assert len(rows) == (3 if chosen else 6)
        assert all(row in run for row in rows)
        assert not (tmp_path / f"{number}/rendered/work").exists()


@browser
@needed
def test_only_what_is_selected_is_rendered_and_answered_from_all(tmp_path):
    page = got("/page", html("<link rel=stylesheet href=//sheets.example/a.css><p id=a>x"))
    sheet = got("http://sheets.example/a.css", b"p{width:77px}", "text/css")
    more = got("http://sheets.example/", html("another page"))
    (tmp_path / "a.warc.gz").write_bytes(b"".join(members([page, more])))
    (tmp_path / "b.warc.gz").write_bytes(b"".join(members([sheet])))
    words = (tmp_path / "a.warc.gz", "--host", "harbour.example", "--out", tmp_path / "out")
    render(*words, "--resources", tmp_path / "b.warc.gz")
    (found,) = read_rendered(str(tmp_path / "out"))
    assert found.elements[-1].rect.w == 77
    (row,) = table(tmp_path / "out", "pages").to_pylist()
    assert (row["requests"], row["requests_found"], row["resources_found"]) == (1, 1, 1.0)
    assert (row["style_sheets"], row["style_sheets_found"], row["images"]) == (1, 1, 0)


@browser
@pytest.mark.slow
@needed
@pytest.mark.nightly
def test_nearly_all_texts_of_the_sample_join_the_nodes_of_a_run(sample, sample_run, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(sample_run, out)
    render(sample, "--out", out)
    known = {
        (row["record_id"], row["node"]): row["text"]
        for row in pq.read_table(out / "nodes", columns=["record_id", "node", "text"]).to_pylist()
    }
    texts = [(page.record_id, text) for page in read_rendered(str(out)) for text in page.texts]
    joined = [(one, text) for one, text in texts if (one, text.node) in known]
    assert len(joined) / len(texts) > 0.99
    assert all(known[one, text.node] in " ".join(text.text.split()) for one, text in joined)


@browser
@pytest.mark.data
@pytest.mark.slow
@needed
@pytest.mark.nightly
def test_nearly_all_texts_of_real_pages_have_numbers(tmp_path):
    render(shared("kreuzer/kreuzer.warc.gz"), "--out", tmp_path, "--sample", 300)
    pages = table(tmp_path, "pages")
    numbered = pc.sum(pages["texts_numbered"]).as_py() / pc.sum(pages["texts"]).as_py()
    assert numbered > 0.95
    assert pc.mean(pages["resources_found"]).as_py() > 0.5


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--chromium", "no-such-browser"), "no-such-browser is not a program that can be started"),
        (("--jobs", "0"), "--jobs must be at least 1"),
        (("--seconds", "0"), "seconds must be between 1 and 3600"),
    ],
)
def test_wrong_use_is_one_sentence(words, said, small, tmp_path, capsys):
    render(small, "--out", tmp_path / "out", *words, code=2)
    assert capsys.readouterr().err.startswith(f"dbce: {said}")
    assert not (tmp_path / "out").exists()


def test_without_a_browser_one_sentence_says_how_to_get_one(small, tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    render(small, "--out", tmp_path / "out", code=2)
    said = "dbce: there is no Chromium: as root type apt-get install chromium, or else "
    assert capsys.readouterr().err.startswith(said)
