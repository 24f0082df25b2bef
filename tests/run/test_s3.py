"""Whole runs from and to an S3 server, a process of its own on loopback."""

import json
import random
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path

import fsspec
import pytest
import s3fs

from dbce.annotate.server import DeskSettings, serving
from dbce.archive import expand, read
from dbce.cli import main
from dbce.engine.job import WHOLE
from dbce.model import Limits, Stage
from dbce.storage import Folder
from tests import runs
from tests.archive.build import members, outcome, record
from tests.archive.store import s3_server
from tests.runs import fails_with, finished_run, in_python, refusal, same
from tests.site import snapshots, stored, write_years
from tests.training import HOSTS, labelled_pages, write_labelled

pytestmark = pytest.mark.slow

YEARS = (2014, 2015)


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory) -> Iterator[str]:
    with s3_server(tmp_path_factory.mktemp("s3")) as url:
        yield url


@pytest.fixture
def s3(endpoint, monkeypatch) -> Iterator[s3fs.S3FileSystem]:
    """A bucket `crawl` with two archives in `in`."""
    for name, value in {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    s3fs.S3FileSystem.clear_instance_cache()
    files = fsspec.filesystem("s3")
    files.mkdir("crawl")
    for year in YEARS:
        files.pipe(f"crawl/in/{year}.warc.gz", stored(*snapshots(year)))
    yield files
    files.rm("crawl", recursive=True)
    s3fs.S3FileSystem.clear_instance_cache()


run = partial(runs.run, method="T002")


def same_as_here(s3: s3fs.S3FileSystem, folder: Path, *years: int, method: str = "T002") -> Path:
    """Hold that the run in the bucket is that on a disk of the same years; a copy of it."""
    write_years(folder / "crawl", *years)
    s3.invalidate_cache()
    s3.get("crawl/out/", str(folder / "there"), recursive=True)
    same(finished_run(folder / "crawl", folder / "here", method=method), folder / "there")
    return folder / "there"


def test_a_run_from_s3_to_s3_is_the_run_on_a_disk(s3, tmp_path: Path) -> None:
    assert run("s3://crawl/in", "s3://crawl/out") == 0
    same_as_here(s3, tmp_path, *YEARS)


@pytest.mark.nightly
def test_every_command_reads_and_writes_on_s3_or_says_that_it_does_not(
    s3, tmp_path, capsys, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out, url = "s3://crawl/out", "http://harbour.example/ferry"
    assert run("s3://crawl/in", out, "--wet", "--wacz") == 0
    archive = ["--archive", "s3://crawl/archive", "--master", "none", "--method", "T002"]
    for words in (
        *(["nightly", "s3://crawl/in", *archive], ["compact", "s3://crawl/archive"]),
        *(["check", "s3://crawl/in"], ["check", out], ["check", "s3://crawl/archive"]),
        *(["repair", out], ["repair", "s3://crawl/archive"], ["list", out], ["history", out, url]),
        *(["quality", out], ["same", out], ["changes", out], ["list", "s3://crawl/archive"]),
        ["report", out, "--out", "s3://crawl/report.html", "--csv", "s3://crawl/csv"],
        ["export", out, "--to", "datatrove", "--out", "s3://crawl/texts"],
        *(["sample", "s3://crawl/sample"], ["text", out], ["show", out, url], ["strip", out, url]),
    ):
        assert main(words) == 0, words
    assert "ferry in the old town" in capsys.readouterr().out
    s3.invalidate_cache()
    for name in ("report.html", "csv/captures.csv", "texts", "sample/sample.cdxj"):
        assert s3.exists(f"crawl/{name}"), name
    assert not list(tmp_path.iterdir())
    capsys.readouterr()
    assert main(["view", out]) == 2
    assert capsys.readouterr().err.startswith(f"dbce: {out} is not on this machine; copy")
    assert "a bag is made on a disk" in refusal(
        capsys, "export", out, "--to", "bag", "--out", "s3://crawl/bag"
    )


def called(words: list[str], stage: Stage | None = None) -> tuple[int, str]:
    """The exit code of a command, and why it failed; in a Python of its own, for Java that runs here knows no key of the store."""
    stage_or_none = f"Stage({stage.value!r})" if stage else None
    done = in_python(
        f"from dbce.cli import main; from dbce.model import Stage; raise SystemExit(main({words!r}, stage={stage_or_none}))",
        code=None,
    )
    return done.returncode, done.stderr if done.returncode else ""


@pytest.mark.spark
@pytest.mark.nightly
@pytest.mark.parametrize(
    ("method", "stages"), [("joint", [Stage.READ, Stage.COMPARE, Stage.JUDGE]), ("thesis", [None])]
)
def test_a_run_on_spark_from_s3_to_s3_is_the_run_on_a_disk(s3, tmp_path, method, stages) -> None:
    words = ["run", "s3://crawl/in", "--out", "s3://crawl/out", "--method", method]
    for stage in stages:
        assert called([*words, "--master", "local[1]"], stage) == (0, "")
    there = same_as_here(s3, tmp_path, *YEARS, method=method)
    assert not (there / "work").exists()


@pytest.mark.nightly
def test_a_model_is_trained_on_s3_and_used_from_there(s3, tmp_path: Path, capsys) -> None:
    archive, gold = write_labelled(tmp_path, "told", HOSTS)
    s3.pipe("crawl/told.warc.gz", Path(archive).read_bytes())
    s3.pipe("crawl/gold.jsonl", Path(gold).read_bytes())
    model, texts = "s3://crawl/models/my.npz", "s3://crawl/texts.jsonl"
    data = ["--data", "s3://crawl/told.warc.gz", "s3://crawl/gold.jsonl", "--folds", "2"]
    assert main(["train", *data, "--out", model, "--held-out", texts]) == 0
    data = ["--data", str(archive), str(gold), "--folds", "2"]
    assert main(["train", *data, "--out", str(tmp_path / "my.npz")]) == 0
    s3.invalidate_cache()
    assert s3.cat("crawl/models/my.npz") == (tmp_path / "my.npz").read_bytes()
    assert s3.cat("crawl/texts.jsonl").count(b"\n") == len(HOSTS) * len(labelled_pages(HOSTS[0]))
    words = ["s3://crawl/told.warc.gz", "s3://crawl/out", "--model"]
    assert runs.run(*words, model) == 0
    assert runs.run(*words, "s3://crawl/no.npz", "--overwrite") == 2
    assert "dbce: s3://crawl/no.npz is not a valid model file" in capsys.readouterr().err


def test_what_cannot_be_written_on_s3_shows_before_anything_is_read(s3, capsys) -> None:
    nowhere = ["train", "--data", "s3://crawl/no", "no.jsonl", "--out", "s3://nowhere/my.npz"]
    assert main(nowhere) == 2
    cannot = "dbce: cannot write s3://nowhere/my.npz; name a file in an existing folder\n"
    assert capsys.readouterr().err == cannot
    for kind in ("--gold", "--headings", "--blocks"):
        assert main(["label", "s3://crawl/out", kind, "s3://crawl/gold.jsonl"]) == 2
        assert capsys.readouterr().err.startswith("dbce: s3://crawl/gold.jsonl is not on this mach")


@pytest.mark.spark
@pytest.mark.nightly
@pytest.mark.browser
def test_pages_are_rendered_cut_and_migrated_on_s3_by_spark_as_on_a_disk(s3, tmp_path):
    write_years(tmp_path, *YEARS)
    for held, out, master in (
        ("s3://crawl/in", "s3://crawl", "local[1]"),
        (str(tmp_path), str(tmp_path), "none"),
    ):
        for words in (
            ["render", held, "--out", f"{out}/out", "--pictures", "--jobs", "1"],
            ["segment", f"{out}/out", "--overlays", f"{out}/overlays"],
            ["headings", f"{out}/out", "--body", "body"],
            ["migrate", f"{out}/out", "--archive", held, "--out", f"{out}/new"],
        ):
            assert called([*words, "--master", master]) == (0, "")
    settings = DeskSettings("s3://crawl/out", str(tmp_path / "gold.jsonl"), {}, "random", 5)
    with serving("blocks", settings, host="127.0.0.1", port=0) as server:
        assert server.address.startswith("http://127.0.0.1:")
    s3.invalidate_cache()
    for name in ("out/blocks", "out/headings", "overlays", "new"):
        files = {path.relative_to(tmp_path) for path in (tmp_path / name).rglob("*.*")}
        assert files == {Path(path).relative_to("crawl") for path in s3.find(f"crawl/{name}")}
        for file in files:
            if file.suffix == ".parquet":
                assert s3.cat(f"crawl/{file}") == (tmp_path / file).read_bytes(), file


def test_what_an_index_lists_is_read_by_range(s3, monkeypatch) -> None:
    noise = random.Random(1).randbytes(6_000_000)
    filler = record(9, noise, kind="metadata", media="application/octet-stream")
    first, last = (stored(page) for page in snapshots(2016)[:2])
    s3.pipe("crawl/a.warc.gz", first + b"".join(members([filler])) + last)
    size = s3.size("crawl/a.warc.gz")
    offsets = (0, size - len(last))
    lines = [json.dumps({"filename": "a.warc.gz", "offset": offset}) for offset in offsets]
    index = "".join(f"example,harbour)/ 2016 {line}\n" for line in lines)
    s3.pipe("crawl/a.cdxj", index.encode())
    fetched = []
    fetch = s3fs.core.S3File._fetch_range

    def counted(file: s3fs.core.S3File, start: int, end: int) -> bytes:
        fetched.append(end - start)
        return fetch(file, start, end)

    monkeypatch.setattr(s3fs.core.S3File, "_fetch_range", counted)
    (source,) = expand(["s3://crawl/a.cdxj"])
    fetched.clear()
    assert [outcome(one) for one in read(source, Limits())] == ["page"] * 2
    assert size > 5_000_000
    assert sum(fetched) < 700_000


def test_a_bucket_that_is_not_there_is_one_sentence(s3, tmp_path: Path, capsys) -> None:
    assert run("s3://nowhere/in", tmp_path / "out") == 2
    assert capsys.readouterr().err.startswith("dbce: s3://nowhere/in does not exist")


@pytest.mark.parametrize("words", [["s3://crawl/in", "out"], ["{here}", "s3://crawl/out"]])
@pytest.mark.nightly
def test_a_store_that_does_not_answer_is_one_sentence(s3, tmp_path, capsys, monkeypatch, words):
    (tmp_path / "2014.warc.gz").write_bytes(stored(*snapshots(2014)))
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")  # of the client, which s3fs repeats
    monkeypatch.setattr(s3fs.core.S3FileSystem, "retries", 1)
    monkeypatch.chdir(tmp_path)
    s3fs.S3FileSystem.clear_instance_cache()
    source, out = (word.format(here=tmp_path) for word in words)
    assert run(source, out) == 4
    said = capsys.readouterr().err
    assert said.startswith("dbce: s3://crawl/")
    assert said.count("\n") == 1
    assert "Could not connect to the endpoint" in said
    assert not (tmp_path / "out").exists()


def test_what_may_not_be_read_is_one_sentence(s3, tmp_path: Path, capsys, monkeypatch) -> None:
    refuse = fails_with(PermissionError("Access Denied"))
    monkeypatch.setattr(s3fs.core.S3File, "_fetch_range", refuse)
    assert run("s3://crawl/in", tmp_path / "out") == 4
    said = "dbce: s3://crawl/in/2014.warc.gz cannot be read: Access Denied; fix that"
    assert capsys.readouterr().err.splitlines()[-1].startswith(said)


@pytest.mark.parametrize("steps", [8, 14, 16, 17])
@pytest.mark.nightly
def test_a_run_is_replaced_where_nothing_can_be_renamed(s3, tmp_path, monkeypatch, steps):
    """A crash before any copy or removal of outputs that replace others is made good by --resume."""
    assert run("s3://crawl/in/2014.warc.gz", "s3://crawl/out") == 0
    moves: list[str] = []

    def dying(call: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
        async def dies(files: s3fs.S3FileSystem, *paths: object, **options: object) -> None:
            moves.extend(map(str, paths[-1:] if moves or str(paths[-1]).endswith(WHOLE) else ()))
            if len(moves) > steps + 1:
                raise ConnectionError("the network is gone")
            await call(files, *paths, **options)

        return dies

    again = ["s3://crawl/in/2015.warc.gz", "s3://crawl/out"]
    with monkeypatch.context() as patch:
        for name in ("_copy", "_rm"):
            patch.setattr(s3fs.S3FileSystem, name, dying(getattr(s3fs.S3FileSystem, name)))
        s3fs.S3FileSystem.clear_instance_cache()
        ended = run(*again, "--overwrite")
    s3fs.S3FileSystem.clear_instance_cache()
    assert (ended == 0) == (len(moves) <= steps + 1)
    s3.invalidate_cache()
    assert run(*again, "--resume") == 0
    assert not (same_as_here(s3, tmp_path, 2015) / "next").exists()


@pytest.mark.nightly
def test_a_run_on_s3_that_cannot_be_replaced_stays(s3) -> None:
    assert run("s3://crawl/in", "s3://crawl/out") == 0
    before = {name: s3.cat(name) for name in s3.find("crawl/out")}
    assert run("s3://crawl/in", "s3://crawl/out", "--overwrite", "--from", "2099") == 2
    s3.invalidate_cache()
    assert {name: s3.cat(name) for name in s3.find("crawl/out")} == before


async def _nobody_answers(*_: object, **__: object) -> None:
    raise ConnectionError("the network is gone")


@pytest.mark.parametrize("written", [100, 12_000_000])
def test_of_a_file_that_is_not_written_to_its_end_nothing_is_on_s3(s3, monkeypatch, written):
    """Neither of one that is sent at once, nor of one whose first parts are there."""
    monkeypatch.setattr(s3fs.S3FileSystem, "default_block_size", 5 << 20)
    monkeypatch.setattr(s3fs.S3FileSystem, "_rm_file", _nobody_answers)
    s3fs.S3FileSystem.clear_instance_cache()
    folder = Folder("s3://crawl/out")
    names = []

    def write() -> None:
        with folder.create("whole.bin") as stream:
            stream.write(bytes(written))
            names.extend(one["Key"] for one in s3.list_multipart_uploads("crawl"))
            raise ValueError("no more of it")

    with pytest.raises(ValueError, match="no more of it"):
        write()
    assert len(names) == (written > 5 << 20)
    assert not s3.list_multipart_uploads("crawl")
    s3.invalidate_cache()
    assert not s3.exists("crawl/out")
