"""A run on Spark gives the same bytes as one without, whatever the partitioning."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from dbce.archive import capture, expand, read, read_annotated, surt
from dbce.boilerplate import Annotated
from dbce.cli import main
from dbce.commands.table import Exit
from dbce.engine.spark import tasks as stages
from dbce.engine.spark.session import LOCAL_SETTINGS, open_session
from dbce.engine.spark.tasks import GROUPED, GROUPED_BY_DEFAULT
from dbce.model import Limits, StoreError
from dbce.output.read import find_snapshots, node_rows
from dbce.output.rows import node_rows_of
from dbce.pipeline import annotate
from dbce.storage.folder import Folder
from tests import runs
from tests.archive.build import answer, arc_head, arc_record, record
from tests.crawls import WAITING, listed, shell, text_record, wacz, warc
from tests.nights import Archive, rows_of_index, same_nights
from tests.runs import fails_with, finished_run, page_rows, refusal, same
from tests.site import article, page, revisit, snapshots, stored

pytestmark = [pytest.mark.spark, pytest.mark.slow]


def run(source: object, out: Path, *options: object, **how: str) -> Path:
    """A run on Spark whose captures are compared by tasks, however few they are."""
    return finished_run(source, out, "--partitions", "3", *options, **{"master": "local[2]"} | how)


def test_a_run_on_spark_gives_the_bytes_of_one_without(sample, sample_run, tmp_path, monkeypatch):
    """Few captures are compared by the driver, unless what is found is too large to travel with a file."""
    compare, seen = stages.compare, []
    monkeypatch.setattr(stages, "compare", lambda *given: seen.append(1) or compare(*given))
    same(finished_run(sample, tmp_path / "few", master="local[2]"), sample_run)
    assert not seen
    monkeypatch.setattr(stages, "FEW_BYTES", 0)
    same(finished_run(sample, tmp_path / "large", master="local[2]"), sample_run)
    assert seen


def test_the_python_api_gives_the_same_pages_and_runs(sample, sample_run):
    captures = [one for source in expand([str(sample)]) for one in read(source, Limits())]
    judged = [one for one in annotate(captures) if isinstance(one, Annotated)]
    folder = Folder(str(sample_run))
    pages = {row["record_id"]: row for row in page_rows(folder) if row["text"] is not None}
    marked = {
        one.record_id: one.html
        for name in folder.names("warc/*.gz")
        for one in read_annotated(folder.full_path(name))
    }
    assert [one.capture.record_id for one in judged] == list(pages) == list(marked)
    for one in judged:
        row = pages[one.capture.record_id]
        of_row = tuple(row[name] for name in ("text", "status", "content_charset"))
        assert (one.text, one.status, one.charset.name) == of_row
        assert one.html == marked[one.capture.record_id]
    for one in judged[::10]:
        assert node_rows_of(one).to_pylist() == node_rows(folder, one.capture.record_id)


@pytest.mark.parametrize("tasks", [(1, 1), (7, 5)], ids=str)
@pytest.mark.nightly
def test_the_partitioning_does_not_change_a_byte(sample, sample_run, tmp_path, monkeypatch, tasks):
    partitions, shuffled = map(str, tasks)
    monkeypatch.setitem(LOCAL_SETTINGS, "spark.sql.shuffle.partitions", shuffled)
    out = run(sample, tmp_path / "out", "--partitions", partitions)
    assert open_session("local[2]").conf.get("spark.sql.shuffle.partitions") == shuffled
    same(out, sample_run)


def both(tmp_path: Path, *options: str) -> Path:
    """Runs `in` with and without Spark, which must give the same; the one folder."""
    local = run(tmp_path / "in", tmp_path / "local", *options, master="none")
    same(run(tmp_path / "in", tmp_path / "spark", *options), local)
    return local


@pytest.fixture
def inputs(tmp_path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    return folder


def test_texts_that_crawlers_stored_give_the_same_bytes(inputs, tmp_path):
    (inputs / "rec.warc.gz").write_bytes(warc(shell("ferry"), shell("bus", WAITING)))
    (inputs / "text.warc.gz").write_bytes(warc(text_record("ferry"), text_record("bus")))
    files = {"a.warc.gz": warc(shell("tram"))}
    (inputs / "crawl.wacz").write_bytes(wacz(files, pages=[listed("tram")]))
    out = both(tmp_path, "--wet", "--max-reject-ratio", "1")
    sources = [row["text_source"] for row in page_rows(out)]
    assert sources == ["crawler"] * 3


@pytest.mark.nightly
def test_mixed_inputs_give_the_same_bytes(inputs, tmp_path):
    """Copies within a file and across files, plain files, one gzip member for all, ARC, damage."""
    early, late = snapshots(2014), snapshots(2015)
    (inputs / "a.warc.gz").write_bytes(stored(late[0], *early, late[0]))
    (inputs / "b.warc").write_bytes(gzip.decompress(stored(late[0], early[0], *late)))
    extra = [page("harbour", "2013"), page("harbour", "2016")]
    mixed = [stored(extra[0]), stored(early[1]), stored(extra[1]), stored(extra[0])]
    error = record(5, answer(b"<p>gone", "404 Not Found"), url="http://harbour.example/maps")
    one_member = b"".join([gzip.decompress(mixed[0]), error, *map(gzip.decompress, mixed[1:])])
    (inputs / "c.warc.gz").write_bytes(gzip.compress(one_member, mtime=0))
    blocks = [answer(one.payload) for one in snapshots(2016)]
    arc = [arc_record(n, b, url=f"http://harbour.example/arc{n}") for n, b in enumerate(blocks)]
    (inputs / "d.arc").write_bytes(arc_head() + b"".join(arc))
    (inputs / "e.warc.gz").write_bytes(b"")
    (inputs / "f.warc.gz").write_bytes(stored(late[2])[:-30])
    (inputs / "sub").mkdir()
    (inputs / "sub" / "a.warc.gz").write_bytes(stored(page("sub", "2014")))
    (inputs / "._g.warc.gz").write_bytes(b"\0\5\x16\7 no archive")
    out = both(tmp_path, "--wet", "--wacz")
    captures = json.loads((out / "run.json").read_text())["captures"]
    assert captures["reasons"]["skipped/duplicate-record"] == 6
    kept = [row["warc_filename"] for row in find_snapshots(Folder(str(out)), surt(early[0].url))]
    assert kept == ["b.warc"] * 2, "of two copies the first in order of the names counts"


def test_a_store_that_fails_in_a_task_is_one_sentence(inputs, tmp_path, capsys, monkeypatch):
    error = StoreError("what was written reads back otherwise")
    monkeypatch.setattr("dbce.run.job.judge_file", fails_with(error))
    (inputs / "a.warc.gz").write_bytes(stored(*snapshots(2014)))
    assert runs.run(inputs, tmp_path / "out", master="local[2]") == Exit.STORE_FAILED
    told = capsys.readouterr().err.splitlines()
    assert told[-1].startswith("dbce: what was written reads back otherwise; finished work is kept")


@pytest.mark.nightly
def test_a_folder_name_with_odd_signs_is_written_to(inputs, tmp_path):
    (inputs / "a b.warc.gz").write_bytes(stored(*snapshots(2014)))
    local = run(inputs, tmp_path / "local", master="none")
    same(run(inputs, tmp_path / "größe 50% [1] {a}"), local)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "options", ["--across-sites --diff-engine lxml --signature layers", "--circle 6 --model {}"]
)
def test_other_settings_give_the_same_bytes(inputs, tiny_file, tmp_path, options):
    pages = [page(f"more{n}", "2014") for n in range(6)]
    (inputs / "a.warc.gz").write_bytes(stored(*snapshots(2014), *snapshots(2015), *pages))
    both(tmp_path, *options.format(tiny_file).split())


@pytest.mark.nightly
def test_pieces_of_a_file_give_the_same_bytes(inputs, tmp_path):
    data = b"".join(stored(*snapshots(year)) for year in range(2010, 2016))
    (inputs / "big.warc.gz").write_bytes(data)
    out = both(tmp_path, "--method", "T002", "--split-bytes", str(len(data) // 4))
    assert len(list((out / "warc").glob("*.gz"))) == 4


@pytest.mark.nightly
@pytest.mark.parametrize("method", ["T002", "joint"])
def test_snapshots_of_pages_without_others_give_the_same_bytes(inputs, tmp_path, method):
    """Of a site that is one URL, and of one beside a template; in several files, with a revisit."""
    lone = "<table><tr><td>Tides of {0}, as every year, and of no year but {0}.</table>"
    for year in (2014, 2015, 2016):
        fronts = [
            capture(f"http://{host}.example/", lone.format(year), f"{year}")
            for host in ("quay", "harbour")
        ]
        (inputs / f"{year}.warc.gz").write_bytes(stored(*fronts, *snapshots(year)))
    again = revisit(fronts[0], "20170101", "urn:again", WARC_Refers_To=fronts[0].record_id)
    (inputs / "2017.warc.gz").write_bytes(again)
    rows = page_rows(both(tmp_path, "--method", method))
    of_quay = [(row["cross_bits"], row["next"]) for row in rows if row["site"] == "quay.example"]
    assert [bits for bits, _ in of_quay] == ["10001", "10011", "10011", None]
    assert of_quay[2][1] == "urn:again"


@pytest.mark.nightly
@pytest.mark.parametrize("method", ["T002", "joint"])
def test_variants_of_pages_with_others_and_without_give_the_same_bytes(inputs, tmp_path, method):
    story = "".join(
        f"<p>{' '.join(f'ferry{part}x{n}' for n in range(30))}</p>" for part in range(6)
    )
    for name, rest in (("print", ""), ("sent", "<i>Sent to a friend</i>")):
        variants = [
            capture(f"http://{host}.example/{name}", story + rest, "2014")
            for host in ("quay", "harbour")
        ]
        (inputs / f"{name}.warc.gz").write_bytes(stored(*variants))
    for language in ("de", "fr"):
        translation = capture(f"http://pier.example/{language}/help", f"<p>{language}</p>", "2014")
        (inputs / f"{language}.warc.gz").write_bytes(stored(translation))
    (inputs / "a.warc.gz").write_bytes(stored(*snapshots(2014), *snapshots(2015)))
    rows = list(page_rows(both(tmp_path, "--method", method)))
    url = {row["record_id"]: row["url"] for row in rows}
    for host in ("quay", "pier"):
        two = [row for row in rows if row["site"] == f"{host}.example"]
        assert [(row["status"], row["cross_bits"]) for row in two] == [("single", None)] * 2
        assert [url[row["variant_of"]] for row in two] == [row["url"] for row in two[::-1]]


@pytest.mark.parametrize("master", ["nonsense", "local[x]", "local[0]", "spark://"])
def test_a_wrong_master_is_one_sentence(inputs, tmp_path, capsys, master):
    (inputs / "a.warc.gz").write_bytes(stored(*snapshots(2014)))
    out = tmp_path / "out"
    said = refusal(capsys, "run", inputs, "--out", out, "--master", master)
    assert said.startswith(f"dbce: --master {master} is not a Spark master; give local[*]")
    assert not out.exists()


@pytest.mark.parametrize(("set_to", "by"), [(GROUPED_BY_DEFAULT, "5"), ("3", "3")])
@pytest.mark.nightly
def test_spark_groups_rows_by_as_many_tasks_as_compare_where_nobody_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spark, set_to: str, by: str
) -> None:
    (tmp_path / "a.warc.gz").write_bytes(stored(*snapshots(2014)))
    monkeypatch.setitem(LOCAL_SETTINGS, GROUPED, set_to)
    compare, seen = stages.compare, []

    def asked(*given: Any) -> Any:
        seen.append(spark.conf.get(GROUPED))
        return compare(*given)

    monkeypatch.setattr(stages, "compare", asked)
    run(tmp_path / "a.warc.gz", tmp_path / "out", "--partitions", "5", method="T002")
    assert seen == [by]
    assert spark.conf.get(GROUPED) == set_to


@pytest.mark.nightly
@pytest.mark.parametrize("few", [0, 1000])
def test_of_what_is_known_only_the_sites_of_the_night_are_read(spark, monkeypatch, few):
    from dbce.engine.spark import compare

    monkeypatch.setattr(compare, "FEW", few)
    known = spark.createDataFrame(
        [(site, n) for n, site in enumerate("abca")], "site string, n int"
    )
    new = spark.createDataFrame(
        [
            ("a", None, None, None),
            (None, "rejected", "damaged", None),
            ("b", "skipped", "not-html", None),
            ("d", "skipped", "revisit", "c"),
        ],
        "site string, status string, reason string, refers_to_site string",
    )
    found = compare._rows_of_sites(known, new)
    assert sorted(row["n"] for row in found.collect()) == [0, 2, 3]


@pytest.mark.nightly
def test_nights_on_spark_leave_the_bytes_of_nights_without_it(tmp_path):
    """With repeated records, revisits, other sites, a list of what changes, and an index made compact."""
    elsewhere = [page(topic, "2015") for topic in ("tide", "moon", "star")]
    fronts = [
        capture("http://quay.example/", article(f"day{year}"), f"{year}") for year in (2014, 2015)
    ]
    ferry, clocks, benches, maps = snapshots(2014)
    place = {"WARC_Refers_To_Target_URI": clocks.url, "WARC_Refers_To_Date": "2014-01-01T00:00:00Z"}
    again = revisit(ferry, "20140601", "urn:0", WARC_Refers_To=ferry.record_id)
    nights = [
        stored(*snapshots(2014), *elsewhere, fronts[0]) + again,
        stored(ferry, *snapshots(2015)[:3], elsewhere[1], fronts[1])
        + revisit(maps, "20150101", "urn:1", f"{maps.url}/2", WARC_Refers_To="<urn:x>")
        + revisit(benches, "20150101", "urn:2", WARC_Payload_Digest=benches.digest)
        + revisit(clocks, "20150101", "urn:3", "http://quay.example/clocks", **place)
        + again,
    ]
    both = [Archive(tmp_path / "plain"), Archive(tmp_path / "spark")]
    for archive, master in zip(both, ("none", "local[2]"), strict=True):
        for number, data in enumerate(nights):
            archive.take(f"{number}.warc.gz", data, "--revise", "list", master=master)
            if master != "none":
                assert main(["compact", str(archive.path)]) == 0
    same_nights(*both)
    assert rows_of_index(both[0].index()) == rows_of_index(both[1].index())
