"""`dbce export`: each form has the texts of the run, and each text says where it is from."""

import errno
import gzip
import json
import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import bagit
import pyarrow.parquet as pq
import pytest
from warcio.archiveiterator import ArchiveIterator

from dbce.adapters import targets
from tests.runs import ended, fails_with, files, page_rows, refusal
from tests.test_docs import examples


@pytest.fixture(scope="module")
def rows(sample_run) -> dict[str, dict]:
    """The pages of the run that have main text."""
    return {row["record_id"]: row for row in page_rows(sample_run) if row["text"]}


@pytest.fixture
def exported(sample_run, tmp_path) -> Callable[..., Path]:
    def call(to: str, *words: str | Path) -> Path:
        assert ended("export", sample_run, "--to", to, "--out", tmp_path / to, *words) == 0
        return tmp_path / to

    return call


def lines_of(folder: Path) -> list[dict]:
    """The objects in the files of an export, packed or not."""
    data = b"".join(path.read_bytes() for path in sorted(folder.iterdir()))
    is_packed = data.startswith(b"\x1f\x8b")
    return list(map(json.loads, (gzip.decompress(data) if is_packed else data).splitlines()))


def same_texts(documents: list[dict], rows: dict[str, dict]) -> None:
    assert {one["id"]: one["text"] for one in documents} == {i: r["text"] for i, r in rows.items()}
    for one in documents:
        row = rows[one["id"]]
        for name in ("warc_filename", "warc_record_offset", "content_digest"):
            assert one[name] == row[name]
        assert (one["dbce_version"], one["dbce_model"]) == ("0.1.0", "joint/default")


def test_a_corpus_has_all_texts_and_a_card_that_names_their_sources(exported, rows, monkeypatch):
    monkeypatch.setattr("dbce.adapters.documents.SHARD_BYTES", 100_000)
    folder = exported("huggingface", "--license", "cc-by-4.0")
    shards = sorted(path.name for path in (folder / "data").iterdir())
    assert shards == ["train-00000.parquet", "train-00001.parquet"]
    same_texts(pq.read_table(folder / "data").to_pylist(), rows)
    card = (folder / "README.md").read_text(encoding="utf-8")
    head, body = card.split("---\n")[1:]
    assert "license: cc-by-4.0\nlanguage:\n- de\n- en\n- pl\n" in head
    for told in ("| sample-2013.warc.gz | 41 |", "dbce 0.1.0", "`joint/default`", "method = joint"):
        assert told in body


def test_documents_for_datatrove_are_lines_of_text_id_and_metadata(exported, rows):
    lines = lines_of(exported("datatrove", "--host", "uferbote.example"))
    assert all(list(line) == ["text", "id", "metadata"] for line in lines)
    ours = {i: row for i, row in rows.items() if row["site"] == "uferbote.example"}
    same_texts([line | line["metadata"] for line in lines], ours)


def test_chunks_are_those_of_the_texts_input_by_input(exported, sample_run, rows, capsys):
    selection = ("--size", "50", "--host", "uferbote.example")
    chunks = lines_of(exported("chunks", *selection))
    capsys.readouterr()
    assert ended("text", sample_run, "--format", "chunks", *selection) == 0
    assert chunks == list(map(json.loads, capsys.readouterr().out.splitlines()))
    for row in chunks:
        assert rows[row["record_id"]]["text"][row["start"] : row["end"]] == row["text"]


def test_fields_for_solr_are_those_of_its_schema_for_archives(exported, rows):
    lines = lines_of(exported("solr", "--since", "2016", "--until", "2016"))
    ours = {i: row for i, row in rows.items() if row["fetch_time"].year == 2016}
    assert {line["id"] for line in lines} == set(ours)
    for line in lines:
        row = ours[line["id"]]
        assert line["content"] == row["text"]
        assert line["source_file_offset"] == row["warc_record_offset"]
        assert line["crawl_date"] == f"{row['fetch_time']:%Y-%m-%dT%H:%M:%SZ}"


def test_the_index_beside_wet_files_leads_to_each_text(exported, rows):
    folder = exported("wet")
    lines = (folder / "index.cdxj").read_text(encoding="utf-8").splitlines()
    assert lines == sorted(lines)
    texts = {}
    for line in lines:
        place = json.loads(line.split(" ", 2)[2])
        data = (folder / place["filename"]).read_bytes()
        offset = int(place["offset"])
        stored = BytesIO(data[offset : offset + int(place["length"])])
        ((source, text),) = (
            (one.rec_headers["WARC-Refers-To"], one.content_stream().read().decode())
            for one in ArchiveIterator(stored)
        )
        texts[source.strip("<>")] = text
    assert {i: text for i, text in texts.items() if text} == {i: r["text"] for i, r in rows.items()}


def test_a_package_gets_texts_into_its_lists_and_stays_what_it_was(
    exported, sample_run, tmp_path, rows
):
    made = exported("wacz")
    given = tmp_path / "crawl.wacz"
    with ZipFile(made / "sample-2013.dbce.wacz") as old, ZipFile(given, "w") as new:
        for info in old.infolist():
            data = old.read(info)
            if info.filename == "pages/pages.jsonl":
                head, *pages = map(json.loads, data.splitlines())
                pages = [{"url": page["url"], "ts": page["ts"]} for page in pages]
                pages.append({"url": "http://elsewhere.example/"})
                data = "".join(f"{json.dumps(one)}\n" for one in [head, *pages]).encode()
            new.writestr(info.filename, data)
    out = tmp_path / "with-text"
    assert ended("export", sample_run, "--to", "wacz", "--archive", given, "--out", out) == 0
    by_time = {
        (r["url"], f"{r['fetch_time']:%Y-%m-%dT%H:%M:%SZ}"): r["text"] for r in rows.values()
    }
    with ZipFile(out / "crawl.wacz") as package, ZipFile(given) as before:
        told = [json.loads(line) for line in package.read("pages/pages.jsonl").splitlines()]
        same = "archive/sample-2013.dbce.warc.gz"
        assert package.read(same) == before.read(same)
    assert len(told) == 43
    assert "text" not in told[-1]
    assert all(one["text"] == by_time[one["url"], one["ts"]] for one in told[1:-1])


@pytest.fixture
def full(tmp_path, monkeypatch) -> Path:
    """A folder to be in, with one that has a file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "it").write_text("here")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("solr --out full", "full is not empty; name another folder"),
        ("solr --out new --license mit", "--license is for the card"),
        ("wet --out new --archive a.wacz", "--archive is for packages"),
        ("solr --out new --size 9", "--size and --tokenizer are for chunks"),
        ("chunks --out new --size 0", "--size must be at least 1 (got 0)"),
        ("wacz --out new --archive none.wacz", "cannot read none.wacz"),
        ("wacz --out new --archive full/it", "full/it cannot get texts: it is no"),
        ("solr --out new --since 2030", "matches the selection"),
    ],
)
def test_what_cannot_be_exported_is_one_sentence(sample_run, full, capsys, words, said):
    assert said in refusal(capsys, "export", sample_run, "--to", *words.split())
    assert (full / "full" / "it").read_text() == "here"
    assert not [path for path in full.rglob("new/**/*") if path.is_file()]


def test_the_recipes_for_duckdb_run(exported, sample_run, tmp_path, monkeypatch, rows):
    exported("huggingface").rename(tmp_path / "corpus")
    (tmp_path / "clean").symlink_to(sample_run)
    monkeypatch.chdir(tmp_path)
    _, *recipes = re.split(r"(?=^import )", examples("docs/export.md"), flags=re.MULTILINE)
    names: dict = {}
    exec("\n".join(recipes), names)
    assert len(names["longest"]) == 5
    assert sum(count for _, count in names["corpus"]) == len(rows)


def test_an_export_that_was_stopped_is_begun_again_by_the_same_command_alone(
    sample_run, tmp_path, monkeypatch, exported
):
    words = ["export", sample_run, "--out", tmp_path / "out", "--to"]
    with monkeypatch.context() as patch:
        patch.setattr(targets.storage, "tidy", fails_with(KeyboardInterrupt()))
        assert ended(*words, "datatrove") == 130
    assert ended(*words, "solr") == 2
    assert ended(*words, "datatrove") == 0
    assert files(tmp_path / "out") == files(exported("datatrove"))
    assert ended(*words, "datatrove") == 2


def test_a_full_disk_is_one_sentence(sample_run, tmp_path, monkeypatch, capsys):
    full = fails_with(OSError(errno.EFBIG, "File too large"))
    monkeypatch.setattr(targets.storage, "tidy", full)
    out = tmp_path / "out"
    assert ended("export", sample_run, "--to", "solr", "--out", out) == 4
    assert f"no space is left to write to {out}; make room\n" in capsys.readouterr().err


def test_a_bag_has_the_run_as_it_was_written(sample_run, tmp_path, capsys):
    bag = tmp_path / "bag"
    words = ["export", sample_run, "--to", "bag", "--out"]
    assert ended(*words, bag) == 0
    assert bagit.Bag(str(bag)).validate()
    assert files(bag / "data") == files(sample_run)
    assert sorted(path.name for path in bag.iterdir()) == [
        *("bag-info.txt", "bagit.txt", "data", "manifest-sha256.txt", "tagmanifest-sha256.txt")
    ]
    assert ended("check", bag / "data") == 0
    next((bag / "data/pages").iterdir()).write_bytes(b"")
    capsys.readouterr()
    assert ended("export", bag / "data", "--to", "bag", "--out", tmp_path / "again") == 2
    assert re.search(r"/pages/.*has 0 of", capsys.readouterr().err)
    selected = refusal(capsys, *words, tmp_path / "some", "--from", "2014")
    assert "leave out the selection" in selected


def test_links_tell_what_people_wrote_from_menus(exported, sample_run):
    folder = exported("links", "--host", "uferbote.example")
    table = pq.read_table(folder / "links").to_pylist()
    pages = {row["record_id"]: row for row in page_rows(sample_run)}
    for row in table:
        page = pages[row["record_id"]]
        assert (row["url"], row["fetch_time"]) == (page["url"], page["fetch_time"])
        assert page["site"] == "uferbote.example"
    content, boilerplate = (
        {row["text"] for row in table if row["label"] == label}
        for label in ("content", "boilerplate")
    )
    assert "Impressum" in boilerplate - content
    assert content - boilerplate
    targets = {row["target_surtkey"] for row in table}
    assert all(targets)
    assert targets & {page["url_surtkey"] for page in pages.values()}
    assert len({*files(folder)}) == 2
