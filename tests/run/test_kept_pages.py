"""An archive is read once, and it makes no difference to method and outputs."""

import gc
import gzip
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from dbce.archive import Source
from dbce.model import LOG, Annotation, Config, Sketch
from dbce.output.unit_writer import INDEX
from dbce.run import job
from dbce.run.one_file import Stores, index_file, judge_file
from dbce.storage import is_done
from dbce.storage.folder import Folder, StoredFile
from tests.runs import dies_at, fails_with, files, finished_run, reseal, run, same
from tests.site import page, snapshots, stored

ODD = (
    b"a page<b> that</b> has no head",
    b"<p data-dbce=content>ours?<span data-dbce-run>no</span> data-dbce",
    b"<frameset><frame src=a></frameset><noframes><p>Only frames are here</noframes>",
    b"<body><noscript><p>All that is to be read stands here, for browsers without scripts.</noscript>",
    "<p>caf\xe9 \x85 and more".encode("latin-1"),
    b"<p>a&#12;b&#1;c&#13;d&nbsp;e</p><plaintext>a < b & c",
    b"<table>a<tr>b<td>c<textarea>d</textarea><select><option>e</select>",
    b"<title>never closed<p>and all the text of a page behind",
)
"""Pages that are written otherwise than they were read, each in its own way."""


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    folder = tmp_path / "crawl"
    folder.mkdir()
    for year in (2014, 2015):
        odd = [page(f"odd/{n}", f"{year}0101000000", body) for n, body in enumerate(ODD)]
        data = stored(*snapshots(year), *odd)
        (folder / f"{year}.warc.gz").write_bytes(data if year == 2014 else data[:-50])
    return folder


@pytest.mark.parametrize(
    "options", [["--method", "T002"], [], ["--record-type", "response", "--wet", "--wacz"]], ids=str
)
def test_pages_that_are_kept_give_the_same_bytes(crawl: Path, options: list[str]) -> None:
    once = finished_run(crawl, crawl.with_name("once"), *options)
    twice = finished_run(crawl, crawl.with_name("twice"), "--keep-pages", "no", *options)
    given = (twice / "run.json").read_text()
    (twice / "run.json").write_text(given.replace('"keep_pages": "no"', '"keep_pages": "yes"'))
    reseal(twice)
    same(once, twice)


def test_scanned_or_walked_pages_give_the_same_bytes(crawl: Path, monkeypatch) -> None:
    scanned = finished_run(crawl, crawl.with_name("scanned"))
    monkeypatch.setattr("dbce.html.document.scan", lambda *_, **__: None)
    walked = finished_run(crawl, crawl.with_name("walked"))
    account = (scanned / "run.json").read_text()
    assert '"walked": 2,' in account  # in each year the page that speaks of our marks
    number = re.search(r'"walked": \d+,', (walked / "run.json").read_text())[0]
    assert number != '"walked": 2,'
    (scanned / "run.json").write_text(account.replace('"walked": 2,', number))
    reseal(scanned)
    same(scanned, walked)


def test_the_records_are_read_once(crawl: Path, monkeypatch) -> None:
    readinto = StoredFile.readinto

    def bytes_read(keep: str) -> dict[str, int]:
        read: dict[str, int] = {}

        def counting(file: StoredFile, buffer: memoryview) -> int:
            count = readinto(file, buffer)
            read[file._uri] = read.get(file._uri, 0) + count
            return count

        monkeypatch.setattr(StoredFile, "readinto", counting)
        options = ("--method", "T002", "--keep-pages", keep)
        assert not (finished_run(crawl, crawl.with_name(keep), *options) / "work").exists()
        return read

    once, twice = bytes_read("yes"), bytes_read("no")
    for file in map(str, crawl.iterdir()):
        assert twice[file] - once[file] >= Path(file).stat().st_size


fail = fails_with(RuntimeError("the lights went out"))


@pytest.fixture
def interrupted(crawl: Path, monkeypatch) -> Path:
    """A run that was interrupted before it judged a page; `undisturbed` is beside it."""
    out = crawl.with_name("out")
    finished_run(crawl, crawl.with_name("undisturbed"), "--method", "T002")
    with monkeypatch.context() as broken:
        broken.setattr(job, "judge_file", fail)
        assert run(crawl, out, "--method", "T002") == 1
    return out


def test_what_was_kept_is_used_by_who_goes_on(crawl: Path, interrupted, monkeypatch) -> None:
    kept = [f"work/kept/{year}.arrow" for year in (2014, 2015)]
    assert [name for name in files(interrupted) if "kept" in name] == kept
    monkeypatch.setattr("dbce.run.one_file.read", fail)
    finished_run(crawl, interrupted, "--method", "T002", "--resume")
    same(interrupted, crawl.with_name("undisturbed"))


def test_a_file_that_was_judged_leaves_nothing_behind(crawl: Path, monkeypatch) -> None:
    out = crawl.with_name("out")
    monkeypatch.setattr(job, "judge_file", dies_at(2, job.judge_file))
    assert run(crawl, out, "--method", "T002") == 1
    assert [name for name in files(out) if "kept" in name] == ["work/kept/2015.arrow"]


@pytest.mark.parametrize("left", [0, 100, -1], ids=["nothing", "a beginning", "all but a byte"])
def test_what_a_power_cut_left_of_kept_pages_is_read_again_from_the_archive(
    crawl: Path, interrupted, capsys, left: int
) -> None:
    cut = interrupted / "work/kept/2014.arrow"
    cut.write_bytes(cut.read_bytes()[:left])
    assert run(crawl, interrupted, "--method", "T002", "--resume") == 0
    assert f"{cut} is damaged, so the archive is read again" in capsys.readouterr().err
    same(interrupted, crawl.with_name("undisturbed"))


def alive() -> list[list[object]]:
    gc.unfreeze()  # what was there when a command was imported is not looked through
    gc.collect()
    return [[one for one in gc.get_objects() if type(one) is of] for of in (Sketch, Annotation)]


@pytest.mark.slow
@pytest.mark.nightly
def test_what_is_compared_leaves_memory(sample, tmp_path, monkeypatch):
    """A run that compares holds the sketches of one block, and no annotation that it has found already."""
    before = alive()  # kept, since they might go while this test counts
    comparing = import_module("dbce.boilerplate.compare")
    compare_block = comparing.compare_block
    blocks, yielded = [], 0

    def watched(block: list[Sketch], *arguments: Any) -> Iterator[Annotation]:
        nonlocal yielded
        blocks.append((len(block), *map(lambda now, old: len(now) - len(old), alive(), before)))
        for annotation in compare_block(block, *arguments):
            yielded += 1
            yield annotation

    monkeypatch.setattr(comparing, "compare_block", watched)
    finished_run(sample, tmp_path / "out")
    assert len(blocks) == 4, "of a site each"
    assert yielded > 50
    for captures, sketches, found in blocks:
        assert sketches == captures
        assert found <= 1, "that which was found last"


# One file through stages 1 and 3, also when it is another file by then


CONFIG = Config(method="T002")


@pytest.fixture
def source(tmp_path) -> Source:
    return Source("a.warc.gz", str(tmp_path / "a.warc.gz"), None)


@pytest.fixture
def stores(tmp_path) -> Stores:
    out = Folder(str(tmp_path / "out"))
    return Stores(out.subfolder(INDEX), out)


BEFORE = snapshots(2014)
signed = partial(stored, WARC_Payload_Digest="sha1:" + "A" * 32)  # whatever is left of them


@pytest.mark.parametrize(
    ("after", "kept"),
    [
        (signed(*BEFORE), 4),
        (signed(*BEFORE) + signed(page("more")), 4),
        (signed(*BEFORE)[:-40], 3),
        (signed(*BEFORE[:2]), 2),
        (signed(*reversed(BEFORE)), 0),
        (signed(page("other")) + signed(*BEFORE), 0),
        (signed(*BEFORE[:3], replace(BEFORE[3], payload=b"<p>Another page")), 3),
        (b"", 0),
    ],
    ids="same grown truncated shorter reordered shifted rewritten emptied".split(),
)
def test_a_file_that_changed_between_the_stages_is_rejected_where_it_did(
    source, stores, tmp_path, after, kept
):
    Path(source.uri).write_bytes(signed(*BEFORE))
    assert index_file(source, stores=stores, config=CONFIG) == 4
    Path(source.uri).write_bytes(after)
    judge_file((source, []), stores=stores, config=CONFIG)
    assert is_done(stores.out, source.name)
    rows = pq.read_table(tmp_path / "out" / "pages").to_pylist()
    lost = [("rejected", "damaged")] * (4 - kept)
    assert [(row["status"], row["reason"]) for row in rows] == [("single", None)] * kept + lost
    rejects = pq.read_table(tmp_path / "out" / "rejects").to_pylist()
    assert len(rejects) == 4 - kept
    for row in rejects:
        assert (row["reason"], row["stage"]) == ("damaged", "read")
        assert row["detail"].startswith("not there any more: the file has changed")


def test_how_to_mend_a_file_of_one_gzip_member_is_said_once(source, stores, caplog, monkeypatch):
    monkeypatch.setattr(LOG, "handlers", [caplog.handler])  # whatever ran before
    monkeypatch.setattr(LOG, "propagate", False)
    for data in (stored(*BEFORE), gzip.compress(gzip.decompress(stored(*BEFORE)))):
        Path(source.uri).write_bytes(data)
        assert index_file(source, stores=stores, config=CONFIG) == 4
    (said,) = caplog.messages
    assert said.startswith(f"warning: {source.uri} has several records in one gzip member")
    assert said.endswith("warcio recompress IN OUT mends that")
