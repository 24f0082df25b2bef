"""`dbce headings` and `dbce evaluate-headings` on a run, on rendered pages, and on gold of other pages."""

import json
from dataclasses import replace

import pyarrow.parquet as pq
import pytest

from dbce.cli import main
from dbce.visual import Rect
from dbce.visual.headings import HEADINGS, job, read_bodies, read_heading_gold
from tests.runs import refusal
from tests.test_command_line import WITHOUT, imported
from tests.visual.headings.build import page
from tests.visual.pages import write_rendered

A = "Something is said here at some length, as in any paragraph."
B = "Then something else is told, which takes a while."

ONE = page(f"<div><h1>Title</h1><p>{A}</p><h2>First</h2><p>{B}</p></div><p>Foot</p>")
TWO = replace(page(f"<h2>Other</h2><p>{A} {B}</p>"), record_id="urn:uuid:2")


def laid_out(one):
    """A page as if it were rendered, each text in a box."""
    texts = tuple(text._replace(rects=(Rect(0, 0, 100, 10),)) for text in one.texts)
    return replace(one, size=(1000, 1000), texts=texts)


@pytest.fixture
def rendered(tmp_path):
    """A folder with two pages, as `dbce render` leaves it but for the pictures."""
    write_rendered(tmp_path, [laid_out(ONE), laid_out(TWO)])
    return tmp_path


def gold(path, **changed):
    line = {
        "record_id": ONE.record_id,
        "url": ONE.url,
        "kind": "news",
        "body": "/html/body/div",
        "by": "a",
        "headings": [{"nodes": [0], "level": 1}, {"nodes": [2], "level": 2}],
    }
    path.write_text(json.dumps(line | changed) + "\n", encoding="utf-8")
    return path


def test_there_is_a_row_for_each_block_and_one_for_the_body(rendered, capsys):
    assert main(["headings", str(rendered), "--body", "body", "--method", "hn-dt"]) == 0
    table = pq.read_table(rendered / "headings" / "headings" / "hn-dt.parquet")
    assert table.schema.equals(HEADINGS)
    body, title, first, *_ = table.to_pylist()
    assert (body["block"], body["parent"], body["xpath"]) == (0, -1, "/html/body")
    assert title == {
        "record_id": ONE.record_id,
        "url": "https://example.org/",
        "algorithm": "hn-dt()",
        "block": 1,
        "parent": 0,
        "level": 1,
        "heading": "Title",
        "nodes": [0],
        "images": [],
        "first": 3,
        "end": 12,
        "first_node": 0,
        "last_node": 4,
        "xpath": "/html/body/div[1]/h1[1]",
    }
    assert (first["parent"], first["level"], first["heading"]) == (1, 2, "First")
    assert "2 pages, 3 headings" in capsys.readouterr().out


def test_options_that_differ_are_in_the_name(rendered):
    words = ["--body", "body", "--method", "heps-paper", "--set", "sibling=no"]
    assert main(["headings", str(rendered), *words]) == 0
    assert (rendered / "headings" / "headings" / "heps-paper.sibling-False.parquet").exists()


@pytest.mark.spark
@pytest.mark.slow
def test_the_bytes_are_the_same_however_the_work_is_spread(rendered):
    write_rendered(rendered, [laid_out(ONE), laid_out(TWO)], name="other")
    made = []
    for words in ((), ("--jobs", "2"), ("--master", "local[2]")):
        command = ["headings", str(rendered), "--body", "body", "--overwrite", *words]
        assert main(command) == 0
        made.append((rendered / "headings" / "headings" / "dbce.parquet").read_bytes())
    assert made[0] == made[1] == made[2]
    left = sorted(path.name for path in (rendered / "headings").iterdir())
    assert left == ["headings", "rejects"]


def test_a_search_that_died_goes_on_with_what_is_left(rendered, monkeypatch, capsys):
    write_rendered(rendered, [laid_out(ONE), laid_out(TWO)], name="other")
    command = ["headings", str(rendered), "--body", "body"]
    find, found = job.find_file, []

    def fails_on_the_second(*arguments):
        found.append(arguments[-1])
        if len(found) == 2:
            raise RuntimeError("the lights went out")
        find(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(job, "find_file", fails_on_the_second)
        assert main(command) == 1
    assert not (rendered / "headings" / "headings" / "dbce.parquet").exists()
    assert main(command) == 2
    assert "--resume continues it, --overwrite starts anew" in capsys.readouterr().err
    with monkeypatch.context() as patch:
        patch.setattr(job, "find_file", fails_on_the_second)
        assert main([*command, "--resume"]) == 0
    assert found == ["other.parquet", "site.parquet", "site.parquet"]
    assert pq.read_table(rendered / "headings" / "headings" / "dbce.parquet").num_rows == 2 * 5


def test_a_page_without_the_body_is_a_reject_and_the_others_are_not(rendered):
    assert main(["headings", str(rendered), "--body", "/html/body/div[1]"]) == 0
    (row,) = pq.read_table(rendered / "headings" / "rejects" / "dbce.parquet").to_pylist()
    assert row["record_id"] == TWO.record_id
    assert row["detail"] == "the page has no element /html/body/div[1]"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "holds no verdicts to tell the content body by: add --body body"),
        (["--method", "x"], "no method is called 'x'"),
        (["--set", "x=1"], "no option 'x' here"),
        (["--body", "body", "--styles", "sheets"], "holds no finished run"),
        (["--bodies", "nowhere.jsonl"], "nowhere.jsonl"),
    ],
)
def test_wrong_use_is_told_in_one_sentence(rendered, words, said, capsys):
    assert said in refusal(capsys, "headings", rendered, *words)


def test_gold_is_scored_page_by_page(rendered, capsys):
    marked = gold(rendered / "gold.jsonl")
    assert main(["headings", str(rendered), "--bodies", str(marked), "--method", "hn-dt"]) == 0
    scores = rendered / "scores.csv"
    words = ["--gold", str(marked), "--csv", str(scores), "--html", str(rendered / "x.html")]
    assert main(["evaluate-headings", str(rendered), *words]) == 0
    printed = capsys.readouterr().out
    assert "| hn-dt  | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 | 1.000 |     1 |" in printed
    header, row = scores.read_text(encoding="utf-8").splitlines()
    found = dict(zip(header.split(","), row.split(","), strict=True))
    assert [found[f"heading_{n}"] for n in ("correct", "extracted", "annotated")] == ["2"] * 3
    assert "Title" in (rendered / "x.html").read_text(encoding="utf-8")


def test_an_end_in_the_gold_counts(rendered, capsys):
    marked = gold(rendered / "gold.jsonl", headings=[{"nodes": [0], "level": 1, "end": 2}])
    assert main(["headings", str(rendered), "--bodies", str(marked), "--method", "hn-dt"]) == 0
    assert main(["evaluate-headings", str(rendered), "--gold", str(marked)]) == 0
    assert "| hn-dt  | 0.500 | 1.000 | 0.667 | 0.000 |" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"record_id": "urn:uuid:9"}, "1 page of"),
        ({"body": "/html/body/table"}, "the page has no element /html/body/table"),
        ({"headings": [{"nodes": [99]}]}, "the page has no text node 99"),
        ({"headings": [{"nodes": [0], "hash": "0"}]}, "text node 0 has other words than the gold"),
        ({"headings": [{"level": 1}]}, "a heading needs nodes"),
        ({"headings": [{"nodes": [0], "level": 0}]}, "level is 0"),
        ({"headings": None}, "no list of headings"),
        ({"body": None}, "it needs record_id and body"),
    ],
)
def test_gold_of_other_pages_and_gold_that_is_none_are_told(rendered, changed, said, capsys):
    assert main(["headings", str(rendered), "--body", "body", "--method", "hn-dt"]) == 0
    marked = gold(rendered / "gold.jsonl", **changed)
    capsys.readouterr()
    assert said in refusal(capsys, "evaluate-headings", rendered, "--gold", marked)


def test_a_folder_without_tables_is_told(rendered, capsys):
    marked = gold(rendered / "gold.jsonl")
    said = refusal(capsys, "evaluate-headings", rendered, "--gold", marked)
    assert "make one with dbce headings" in said


def test_of_several_annotators_of_a_page_the_first_counts(rendered):
    first = gold(rendered / "gold.jsonl").read_text(encoding="utf-8")
    second = gold(rendered / "other.jsonl", by="b", body="/html/body/p", headings=[]).read_text()
    both = rendered / "both.jsonl"
    both.write_text(first + second, encoding="utf-8")
    assert read_bodies(str(both)) == {ONE.record_id: "/html/body/div"}
    assert [page.by for page in read_heading_gold(str(both))] == ["a"]
    assert [page.by for page in read_heading_gold(str(both), by="b")] == ["b"]


def test_headings_of_a_text_wait_for_nothing_that_learns(tmp_path):
    (tmp_path / "page.html").write_text("<p><b>The ferry</b><p>It leaves at nine every day.")
    words = ["text", "page.html", "--format", "markdown", "--headings", "dbce"]
    assert imported(tmp_path, *words).isdisjoint(WITHOUT)
