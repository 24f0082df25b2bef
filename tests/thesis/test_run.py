"""`dbce run --method thesis`, from archive files to the folder of a run."""

import re
from collections import Counter
from pathlib import Path

import pytest

from dbce.archive import expand, read_annotated
from dbce.cli import main
from dbce.html import strip
from dbce.model import Config, UsageError
from dbce.output.read import rows_of
from dbce.output.rows import NODES
from dbce.pipeline import annotate
from dbce.storage.folder import Folder
from dbce.thesis import annotation, merging
from dbce.thesis.grouping import MAX_WORDS
from tests.runs import ended, page_rows, refusal, same, whole
from tests.site import FOOTER, article, page, revisit, snapshots, stored, story, write_years


@pytest.fixture
def archive(tmp_path) -> Path:
    """A site in two years, a page that is too large for the method, and a revisit."""
    first, *others = snapshots(2015)
    large = page("large", html=article("large", "word " * (MAX_WORDS + 1)))
    again = revisit(
        first, "20170101000000", "urn:uuid:again", WARC_Refers_To=f"<{first.record_id}>"
    )
    path = tmp_path / "site.warc.gz"
    path.write_bytes(stored(first, *others, *snapshots(2016), large) + again)
    return path


def run(archive: Path, out: Path, **settings: str) -> Folder:
    whole(expand([str(archive)]), out, Config(method="thesis", **settings))
    return Folder(str(out))


def test_a_run_tells_content_from_boilerplate_and_accounts_for_all_captures(archive, tmp_path):
    rows = list(page_rows(run(archive, tmp_path / "out", classifier="T001")))
    texts = {row["url"]: row["text"] for row in rows if row["status"] == "annotated"}
    assert len(texts) == 4
    for url, text in texts.items():
        assert story(url.rpartition("/")[2]) in text
        assert FOOTER not in text
    assert Counter((row["status"], row["reason"]) for row in rows) == {
        ("annotated", None): 8,
        ("rejected", "too-many-words"): 1,
        ("skipped", "unchanged"): 1,
    }


def test_marks_are_those_of_all_runs_or_the_elements_of_the_thesis(archive, tmp_path):
    folders = run(archive, tmp_path / "out"), run(archive, tmp_path / "literal", marks="dbce")
    (name,) = folders[0].names("warc/*.gz")
    pages = (read_annotated(folder.full_path(name)) for folder in folders)
    for one, other in zip(*pages, strict=True):
        plain = strip(one.html)
        assert b"<dbce" not in one.html + plain
        assert re.search(rb"<title>.*</title>", plain)[0] in other.html
        assert re.search(rb'<dbce class="dbce-cur [^"]*dbce-class-bp', other.html)
    (nodes,) = folders[0].names("nodes/*.parquet")
    ours, literal = ([*rows_of(folder, nodes, NODES.names)] for folder in folders)
    assert ours == literal


def test_damaged_outputs_are_made_again(archive, tmp_path):
    run(archive, tmp_path / "out")
    (table,) = (tmp_path / "out").glob("nodes/*.parquet")
    whole_table = table.read_bytes()
    table.write_bytes(whole_table[:-20])
    assert main(["repair", str(tmp_path / "out")]) == 0
    assert table.read_bytes() == whole_table


def test_an_entry_that_the_diff_fails_on_is_rejected_alone(archive, tmp_path, monkeypatch):
    tokenize = annotation.tokenize_annotated

    def fail(body: str, version: object) -> object:
        if "clocks" in body:
            raise AssertionError("weird state")
        return tokenize(body, version)

    annotation._tokens.cache_clear()
    monkeypatch.setattr(annotation, "tokenize_annotated", fail)
    folder = run(archive, tmp_path / "out")
    (name,) = folder.names("rejects/*.parquet")
    rejects = rows_of(folder, name, ["reason", "detail"])
    details = [row["detail"] for row in rejects if row["reason"] == "fault"]
    assert len(details) == 2  # the two snapshots; whoever has none of them in a cross is compared
    assert all("weird state" in detail for detail in details)


def test_other_commands_say_that_it_is_for_runs(archive, tmp_path, capsys):
    settings = tmp_path / "settings.toml"
    settings.write_text('[paper]\nmethod = "thesis"\n')
    for words in (
        ["text", archive, "--config", settings],
        ["nightly", archive, "--archive", tmp_path / "a", "--method", "thesis"],
    ):
        assert "dbce run" in refusal(capsys, *words)
    with pytest.raises(UsageError):
        next(annotate([page("ferry")], Config(method="thesis")))


@pytest.mark.slow
@pytest.mark.nightly
def test_several_processes_leave_the_same_and_say_at_the_start_what_a_page_costs(tmp_path, capsys):
    crawl = write_years(tmp_path / "in", 2015, 2016)
    for jobs in ("1", "2"):
        command = ["run", crawl, "--out", tmp_path / jobs, "--method", "thesis", "--jobs", jobs]
        assert ended(*command, "--master", "none") == 0
        assert "ms of CPU a page" in capsys.readouterr().err.splitlines()[0]
    same(tmp_path / "1", tmp_path / "2")


def test_of_the_strongest_cross_alone_the_others_are_not_annotated(archive, tmp_path, monkeypatch):
    annotated = []
    annotate_cross = merging.annotate_cross

    def counted(bodies: object, cross: object, config: object) -> object:
        annotated.append(cross)
        return annotate_cross(bodies, cross, config)

    monkeypatch.setattr(merging, "annotate_cross", counted)
    run(archive, tmp_path / "out", merge="strongest", classifier="T001")
    assert len(annotated) == len({cross.cur for cross in annotated}) == 8


def test_large_buckets_are_worked_on_in_pieces_which_is_said(
    archive, tmp_path, monkeypatch, caplog
):
    monkeypatch.setattr("dbce.thesis.grouping.MAX_BUCKET", 4)
    run(archive, tmp_path / "out", classifier="T001")
    assert "of more than 4 captures, the largest of 8: compared in pieces" in caplog.text
