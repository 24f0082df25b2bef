"""The report in one file, as a colleague opens it."""

import csv
import io
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd
import pytest

from dbce.archive import capture
from dbce.model import Capture, Config, Origin, Reason, Reject, Stage, Status, UsageError
from dbce.output.manifest import RunTotals, finish
from dbce.output.unit_writer import write_unit
from dbce.pipeline import annotate
from dbce.report.figures import Table
from dbce.report.one_file import report, write_report
from dbce.storage.folder import Folder
from tests.markup import Markup

MENU = "<ul class='menu'><li>Start</li><li>Archive</li></ul>"
FOOT = "<div class='foot'><p>All rights reserved by the harbour board</p></div>"


def story(url: str, text: str, at: str, *, title: str = "A story") -> Capture:
    """A page of the one template that all stories here have."""
    html = (
        f"<!doctype html><html><head><title>{title}</title></head>"
        f"<body>{MENU}<div class='story'><h1>{title}</h1><p>{text}</p></div>{FOOT}</body>"
    )
    return capture(url, html, at=at)


def stories(site: str, count: int) -> list[Capture]:
    """As many pages of a site, two snapshots of each."""
    return [
        story(f"http://{site}/{n}", f"The ferry number {n} has left", at)
        for n in range(count)
        for at in ("20150301120000", "20160301120000")
    ]


@pytest.fixture
def run(tmp_path) -> Callable[..., Path]:
    """Judges the captures of one input file and leaves the folder of the run."""

    def made(captures: Sequence[Capture | Reject], name: str = "out") -> Path:
        folder = Folder(str(tmp_path / name))
        write_unit(folder, "part-0.warc.gz", list(annotate(captures, Config())), Config())
        finish(folder, ["part-0.warc.gz"], Config(), RunTotals(len(captures), {"judge": 1.25}))
        return tmp_path / name

    return made


HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>'


def rejected(reason: Reason, detail: str) -> Reject:
    about = {"stage": Stage.READ, "origin": Origin("part-0.warc.gz", 4711, 12)}
    url = f"http://ferry.example/{HOSTILE}"
    return Reject(status=Status.REJECTED, reason=reason, detail=detail, url=url, **about)


@pytest.fixture(scope="module")
def finished(sample_run) -> str:
    return str(sample_run)


def tables(folder: object, **more: str) -> dict[str, Table]:
    return {table.name: table for table in report(str(folder), **more).tables}


def counts(folder: str) -> dict[str, int]:
    account = json.loads(Path(folder, "run.json").read_text(encoding="utf-8"))
    return dict(account["captures"])


def headings(html: str) -> list[str]:
    return re.findall(r"<caption>(.*?)</caption>", html)


def test_it_needs_no_other_file_and_fetches_nothing(finished, sample) -> None:
    html = report(finished, str(sample / "sample.gold.jsonl")).html
    markup = Markup(html)
    for tag in ("script", "link", "img", "iframe", "object"):
        assert not markup.attributes(tag)
    assert not markup.values("src")
    assert all(link.startswith("#") for link in markup.values("href"))
    assert "url(" not in html
    assert "@import" not in html
    policy = next(m["content"] or "" for m in markup.attributes("meta") if "http-equiv" in m)
    assert policy.startswith("default-src 'none';")
    assert "script-src" not in policy


def test_its_links_lead_to_its_sections_and_ids_are_unique(finished) -> None:
    markup = Markup(report(finished).html)
    ids = markup.values("id")
    assert len(ids) == len(set(ids))
    assert {link.removeprefix("#") for link in markup.values("href")} <= set(ids)


def test_every_figure_stands_in_the_report_and_in_a_csv_file(finished, sample) -> None:
    made = report(finished, str(sample / "sample.nodes.gold.jsonl"))
    shown = {table.caption for table in made.tables if len(table.frame)}
    assert shown <= set(headings(made.html))
    for table in made.tables:
        rows = list(csv.reader(io.StringIO(table.csv().decode())))
        assert rows[0] == list(table.frame.columns)
        assert len(rows) == len(table.frame) + 1


def test_all_captures_are_accounted_for(finished) -> None:
    frame = tables(finished)["captures"].frame
    assert frame["captures"].sum() == counts(finished)["total"]
    assert frame["share"].sum() == pytest.approx(1)
    assert set(frame["status"]) == {"annotated", "single", "skipped", "rejected"}


def test_damage_is_named_with_its_place(finished) -> None:
    frame = tables(finished)["rejects"].frame
    assert len(frame) == counts(finished)["rejected"] > 0
    assert frame["file"].str.startswith("sample-").all()
    assert (frame["offset"] > 0).all()


def test_every_judged_capture_counts_once_in_every_division(finished) -> None:
    found = tables(finished)
    by_confidence = found["confidence"].frame[["annotated", "single"]].to_numpy().sum()
    divisions = ("sites", "years", "sites_and_years", "crosses", "templates")
    others = [found[name].frame["captures"].sum() for name in divisions]
    judged = counts(finished)["annotated"] + counts(finished)["single"]
    assert [by_confidence, *others] == [judged] * 6


def test_every_word_counts_once_in_every_division(finished) -> None:
    found = tables(finished)

    def sums(name: str, *labels: str) -> list[int]:
        return found[name].frame[list(labels)].sum().tolist()

    divisions = ("sites", "years", "sites_and_years")
    of_pages = [sums(name, "content", "boilerplate") for name in divisions]
    assert of_pages == [of_pages[0]] * 3
    of_runs = [
        sums(name, "content", "boilerplate", "invalid") for name in ("probabilities", "bits")
    ]
    assert of_runs == [of_runs[0]] * 2
    assert found["rules"].frame["words"].sum() == sum(of_runs[0])


def test_the_share_is_that_of_the_viewer_and_of_the_pages(finished) -> None:
    pages = pd.read_parquet(f"{finished}/pages", columns=["record_id", "words", "words_content"])
    share = pages.set_index("record_id").eval("words_content / words")
    low = tables(finished)["least_sure"].frame.set_index("record_id")["content_share"]
    assert low.tolist() == share[low.index].tolist()


def test_a_redesign_begins_a_new_template(finished) -> None:
    years = tables(finished)["templates_and_years"].frame
    harbour = years[years["site"] == "uferbote.example"]
    assert harbour.groupby("template")["year"].agg(list).tolist() == [[2013], [2015, 2016, 2017]]


def test_a_run_without_an_index_says_that_templates_are_not_known(run) -> None:
    made = report(str(run(stories("ferry.example", 3))))
    assert "No templates: the run" in made.html
    assert "templates" not in {table.name for table in made.tables}


def test_gold_adds_scores_and_says_what_is_missing(finished, sample) -> None:
    gold = str(sample / "sample.gold.jsonl")
    found = tables(finished, gold=gold)
    scores = found["scores"].frame.set_index(["words", "of_pages"])
    assert 0.5 < scores.loc[("bag", "mean"), "f1"] <= 1
    assert found["scores_by_page"].frame["bag_f1"].is_monotonic_increasing
    assert set(found["scores_by_group"].frame["site"]) == set(found["sites"].frame["site"])
    html = report(finished, gold).html
    assert "Reliability of the probabilities" in html
    assert "sample.gold.jsonl" in html
    assert str(sample) not in html


def test_scores_of_text_runs_count_whole_runs(finished, sample) -> None:
    found = tables(finished, gold=str(sample / "sample.nodes.gold.jsonl"))
    row = dict(zip(found["scores"].headings, found["scores"].rows(1)[0], strict=True))
    assert row["runs"] == "all"
    assert row["tp"].isdigit()
    assert re.fullmatch(r"[01]\.\d{3}", row["acc"])


def test_the_least_sure_pages_are_drawn_each_once(finished) -> None:
    made = report(finished)
    frame = next(table.frame for table in made.tables if table.name == "least_sure")
    assert frame["confidence"].is_monotonic_increasing
    assert frame["url"].is_unique
    assert made.html.count("The page drawn small") // 2 == len(frame)


def test_a_run_without_verdicts_has_a_report_too(run) -> None:
    html = report(str(run([rejected(Reason.NOT_AN_ARCHIVE, "empty")]))).html
    assert "of 0 archived pages" in html
    assert "not-an-archive" in html


def test_markup_in_titles_addresses_and_details_is_text(run) -> None:
    title = HOSTILE.replace("<", "&lt;")
    one = story(f"http://ferry.example/{HOSTILE}", "text", "20150101000000", title=title)
    damaged = rejected(Reason.DAMAGED, HOSTILE)
    html = report(str(run([one, *stories("ferry.example", 2), damaged]))).html
    assert "<script>alert(1)" not in html
    assert not Markup(html).attributes("img")
    assert not Markup(html).values("onerror")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_equal_runs_give_equal_bytes(run) -> None:
    captures = stories("ferry.example", 4)
    one, other = (report(str(run(captures, name=name))) for name in ("one", "other"))
    assert one.html == other.html
    assert [t.csv() for t in one.tables] == [t.csv() for t in other.tables]


def test_out_writes_one_file_and_nothing_into_the_run(run, tmp_path) -> None:
    folder = run(stories("ferry.example", 2))
    before = sorted(folder.rglob("*"))
    target, figures = tmp_path / "new" / "x.html", tmp_path / "figures"
    said = write_report(str(folder), out=str(target), csv=str(figures))
    assert "<title>dbce report" in target.read_text(encoding="utf-8")
    assert "sites.csv" in {path.name for path in figures.iterdir()}
    assert sorted(folder.rglob("*")) == before
    assert str(target) in said


def test_a_place_that_cannot_be_written_is_one_sentence(run, tmp_path) -> None:
    folder = str(run(stories("ferry.example", 2)))
    with pytest.raises(UsageError, match="is a folder; name a file"):
        write_report(folder, out=str(tmp_path))
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UsageError, match="cannot write"):
        write_report(folder, out=str(tmp_path / "file" / "x.html"))
