"""Some captures of a finished run, in every command that reads runs."""

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from dbce.archive import select
from dbce.cli import main
from dbce.model import UsageError
from dbce.output import KINDS, STATUSES, RowSelection, open_whole
from dbce.output.row_selection import _host_prefixes
from dbce.storage import open_parquet
from tests.nights import Archive
from tests.runs import finished_run, printed, refusal, reseal
from tests.site import page, snapshots, stored

YEARS = (2014, 2015, 2016)
FERRY = "http://harbour.example/ferry"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run on the site in three years, and a page without text."""
    folder = tmp_path_factory.mktemp("selected")
    captures = [one for year in YEARS for one in snapshots(year)]
    empty = page("nothing", "20150101000000", "<html><body></body></html>")
    (folder / "a.warc.gz").write_bytes(stored(*captures, empty))
    return finished_run(folder / "a.warc.gz", folder / "clean")


@pytest.fixture
def lines(run, capsys):
    """Return the lines that a command prints of the run, with options."""
    return lambda command, *words: printed(capsys, command, run, *words).splitlines()


def texts(told: list[str]) -> list[tuple[str, str]]:
    return [(row["timestamp"][:4], row["url"]) for row in map(json.loads, told)]


def test_text_is_of_what_is_selected(lines) -> None:
    everything = texts(lines("text"))
    of_ferry = [one for one in everything if one[1] == FERRY]
    for words, selected in (
        (["--from", "2015", "--to", "2015"], [one for one in everything if one[0] == "2015"]),
        (["--url", FERRY], of_ferry),
        (["--url-prefix", "http://harbour.example/fer"], of_ferry),
        (["--host", "*.example"], everything),
        (["--status", "annotated"], everything),
    ):
        assert texts(lines("text", *words)) == selected
    markdown = lines("text", "--from", "2016", "--format", "markdown")
    assert sum(line.startswith("<!-- http") for line in markdown) == sum(
        one[0] == "2016" for one in everything
    )


def test_a_sample_is_that_of_the_archive(run, tmp_path, lines) -> None:
    few = finished_run(run.parent / "a.warc.gz", tmp_path / "few", "--sample", "4")
    ids = set(pq.read_table(few / "pages")["record_id"].to_pylist())
    rows = lines("list", "--of", "captures", "--sample", "4", "--json")
    assert {json.loads(row)["record_id"] for row in rows} == ids


def test_urls_captures_and_sites_are_listed(lines) -> None:
    urls = [json.loads(line) for line in lines("list", "--json")]
    ferry = next(row for row in urls if row["url"] == FERRY)
    assert (ferry["captures"], ferry["judged"]) == (len(YEARS), len(YEARS))
    assert (ferry["first"], ferry["last"]) == ("20140101000000", "20160101000000")
    (site,) = [json.loads(line) for line in lines("list", "--of", "sites", "--json")]
    assert (site["site"], site["urls"]) == ("harbour.example", len(urls))
    heading, *rows = lines("list", FERRY)
    assert heading.split() == ["timestamp", "text_last_changed", "status", "kind", "url", "title"]
    captures = [line.split() for line in rows]
    assert [words[:3] + words[4:5] for words in captures] == [
        [f"{year}0101000000", f"{YEARS[0]}0101000000", "annotated", FERRY] for year in YEARS
    ]
    assert all(kind in KINDS for _, _, _, kind, *_ in captures)
    (empty,) = lines("list", "--of", "captures", "--status", "no-text")[1:]
    assert "skipped: no-text" in empty


@pytest.fixture
def listed(sample_run, capsys):
    """Return the captures that are listed of the sample's run, with options."""

    def call(*words: str) -> list[dict]:
        told = printed(capsys, "list", sample_run, "--of", "captures", "--json", *words)
        return [json.loads(line) for line in told.splitlines()]

    return call


def test_captures_are_chosen_by_the_status_of_the_answer(listed) -> None:
    gone = listed("--status", "404")
    assert {row["reason"] for row in gone} == {"http-status"}
    assert 0 < len(gone) < len(listed("--status", "http-status"))
    both = listed("--status", "404", "--status", "single")
    assert [row for row in both if row["status"] == "skipped"] == gone
    assert len(both) == len(gone) + 1
    assert all(row["status"] != "skipped" for row in listed("--status", "200", "--kind", "article"))


def test_captures_are_chosen_by_declared_media_types_as_of_an_archive(
    listed, sample, sample_run, tmp_path
) -> None:
    some: dict[str, set[str]] = {}
    for mime in ("text/html", "application/*", "unk"):
        some[mime] = {row["record_id"] for row in listed("--mime", mime)}
        out = finished_run(sample, tmp_path / mime[:3], "--mime", mime)
        assert some[mime] == set(pq.read_table(out / "pages")["record_id"].to_pylist())
    assert set.union(*some.values()) == {row["record_id"] for row in listed()}
    revisits = set.intersection(*some.values())  # they say nothing of it, so that each has them
    assert {row["reason"] for row in listed() if row["record_id"] in revisits} == {"unchanged"}


def test_a_report_counts_what_is_selected(run, tmp_path, lines) -> None:
    out = tmp_path / "report.html"
    lines("report", "--out", str(out), "--csv", str(tmp_path / "figures"), "--url", FERRY)
    assert "Only selected captures: urls example,harbour)/ferry" in out.read_text()
    processed = (tmp_path / "figures/captures.csv").read_text()
    assert f"annotated,,{len(YEARS)},1" in processed
    sites = (tmp_path / "figures/sites.csv").read_text().splitlines()
    assert len(sites) == 2


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A nightly archive of the site, a year a night."""
    nights = Archive(tmp_path_factory.mktemp("nights"))
    for year in YEARS:
        nights.take(f"{year}.warc.gz", stored(*snapshots(year)))
    return str(nights.path)


@pytest.mark.wing
def test_every_command_that_reads_runs_selects_of_a_nightly_archive(nights, capsys, tmp_path):
    def shown(command: str, *words: str) -> str:
        return printed(capsys, command, nights, *words)

    since = ("--from", "2015", "--status", "200", "--mime", "text/html", "--host", "*.example")
    assert "20150101000000" in shown("show", FERRY, "--to", "2015", *since)
    assert "2 captures from 2015-01-01 to 2016-01-01" in shown("history", FERRY, *since)
    assert "from 2015-01-01" in shown("changes", "--pair", FERRY, "2014", "2016", *since)
    listed = shown("list", "--of", "captures", *since).splitlines()[1:]
    assert {line[:4] for line in listed} == {"2015", "2016"}
    assert "2014" not in shown("quality", *since)
    assert '"timestamp": "2014' not in shown("same", "--json", *since)
    assert "20140101000000" not in shown("text", "--url", FERRY, "--format", "txt", *since)
    report = tmp_path / "report.html"
    shown("report", "--out", str(report), "--sample", "3", *since)
    assert report.stat().st_size > 0
    shown("changes", "--url", FERRY, *since)
    tables = sorted((Path(nights) / "changes").glob("*.parquet"))
    rows = [row for path in tables for row in pq.read_table(path).to_pylist()]
    assert {(row["before_time"].year, row["fetch_time"].year) for row in rows} == {(2015, 2016)}
    out = str(tmp_path / "out")
    words = ("--to", "solr", "--out", out, "--since", "2015", "--status", "200")
    assert "JSON lines" in shown("export", *words)


@pytest.mark.wing
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("text {} --host other.example", "no capture of {} matches the selection"),
        ("list {} --from 2020", "no capture of {} matches the selection"),
        ("list {} --sample 2 --from 2020", "no capture of {} matches the selection"),
        ("list {} --status reject", "--status reject is not known; did you mean rejected?"),
        ("list {} --status xx", "give annotated, single, skipped, rejected, a reason, or an HTTP"),
        (f"list {{}} {FERRY} --of sites", "--of sites lists the whole run"),
        ("list {} http://harbour.example/fery", f"did you mean {FERRY}"),
        *(
            (f"{command} {{}} --url http://harbour.example/fery", f"did you mean {FERRY}")
            for command in ("text", "report", "changes", "quality", "same")
        ),
        ("text {} --mime image/png", "matches the selection"),
        ("list {} --status 999", "matches the selection"),
        ("text {} --at 2014", "--at is for pages"),
        ("text {}/../a.warc.gz --status single", "--status is for finished runs"),
        ("report {} --gold x --from 2015", "--gold scores the whole run"),
        ("list {} --from x", "--from x is not a time"),
        ("list {} --kind atricle", "did you mean article?"),
        ("text {}/../a.warc.gz --kind article", "--kind is for finished runs"),
    ],
)
def test_what_cannot_be_selected_is_one_sentence(run, capsys, words, told) -> None:
    assert told.format(run) in refusal(capsys, *words.format(run).split())


def test_every_status_and_reason_can_be_asked_for(run) -> None:
    for status in STATUSES:
        selection = RowSelection(statuses=(status,))
        if status in {"annotated", "skipped", "no-text"}:
            assert open_whole(str(run), selection)
        else:
            with pytest.raises(UsageError, match="matches the selection"):
                open_whole(str(run), selection)


def test_ports_and_hosts_below_are_told_apart() -> None:
    assert _host_prefixes("a.example") == ("example,a)", "example,a:")
    assert _host_prefixes("*.a.example") == ("example,a)", "example,a:", "example,a,")
    assert select(hosts=["www.a.example"]).hosts == ("a.example",)


def test_captures_are_selected_by_their_kind(run, lines) -> None:
    rows = [json.loads(line) for line in lines("list", "--of", "captures", "--json")]
    judged = [row for row in rows if row["kind"]]
    assert {row["status"] for row in judged} == {"annotated"}
    for kind in {row["kind"] for row in judged}:
        chosen = lines("list", "--of", "captures", "--json", "--kind", kind)
        ids = {json.loads(line)["record_id"] for line in chosen}
        assert ids == {row["record_id"] for row in judged if row["kind"] == kind}
        assert len(lines("text", "--kind", kind)) == len(ids)


def test_resources_count_whatever_the_kind_of_the_pages_that_are_selected(run) -> None:
    """An index knows no kinds, so its rows are those of the pages that are chosen."""
    kinds = {row["kind"] for row in pq.read_table(run / "pages").to_pylist()} - {None}
    folder, _ = open_whole(str(run), RowSelection(kinds=tuple(sorted(kinds))))
    (name,) = folder.names("index/*.parquet")
    with open_parquet(folder, name) as index:
        rows = index.read().filter(folder.shown_condition(name))
    judged = [row for row in pq.read_table(run / "pages").to_pylist() if row["kind"]]
    assert set(rows["record_id"].to_pylist()) == {row["record_id"] for row in judged}


def test_a_run_of_before_kinds_is_made_anew(run, tmp_path, capsys) -> None:
    old = tmp_path / "old"
    shutil.copytree(run, old)
    for path in (old / "pages").glob("*.parquet"):
        pq.write_table(pq.read_table(path).drop_columns(["kind"]), path)
    reseal(old)
    assert "run dbce again" in refusal(capsys, "list", old, "--kind", "article")
    assert main(["list", str(old)]) == 0
