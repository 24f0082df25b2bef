"""Nothing that was said is lost, and nothing that was there is overwritten blindly; what is to be labelled is drawn the same way every time."""

import json
import os
import signal
import subprocess
import sys
from itertools import accumulate
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.annotate.core.queue import ORDERS, sample
from dbce.annotate.core.store import has_matched
from dbce.cli import main
from dbce.model import StoreError
from dbce.output.rows import NODES, PAGES
from dbce.storage.folder import Folder
from dbce.view.run import Run, Tables
from tests.annotate.core.notes import NOTES, full, no_room_for_gold, note, opened, refuses_to_open


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "gold.jsonl"


def journal(path: Path) -> Path:
    return path.with_name("gold.jsonl.journal")


def notes(path: Path) -> list[str]:
    return [line["note"] for line in map(json.loads, path.read_text().splitlines())]


def test_what_is_said_is_in_the_file_at_once(path):
    with opened(path) as store:
        assert not path.exists()
        store.note(note("one"))
        store.note(note("two", "b"), note("three", "a", "Ben"))
        assert notes(path) == ["one", "three", "two"]


@pytest.mark.parametrize("is_gone", [False, True])
def test_who_comes_back_finds_everything_and_gold_that_is_gone_is_written_anew(path, is_gone):
    with opened(path) as store:
        store.note(note("one"))
        store.note(note("two"))
        store.note({"undo": 1})
    before = path.read_bytes()
    if is_gone:
        path.unlink()
    with opened(path) as store:
        assert store.people() == {"Anna": ["a"]}
        assert path.read_bytes() == before
        store.note({"undo": 0})
        assert store.people() == {}
        assert path.read_text() == ""


def test_a_process_that_is_killed_loses_nothing_that_it_said_is_saved(path):
    script = (
        "import sys, time; from pathlib import Path;"
        "from tests.annotate.core.notes import NOTES, AnnotationStore, note;"
        "store = AnnotationStore(Path(sys.argv[1]), NOTES); store.note(note('one'));"
        "print('saved', flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "saved\n"
        refuses_to_open(path, r"another dbce label has .*journal open")
        process.send_signal(signal.SIGKILL)
    with opened(path) as store:
        assert store.people() == {"Anna": ["a"]}


@pytest.mark.parametrize("cut", range(1, 40, 7))
def test_a_line_that_broke_off_was_never_said(path, cut):
    with opened(path) as store:
        store.note(note("one"))
        before = path.read_bytes()
        store.note(note("two"))
    journal(path).write_bytes(journal(path).read_bytes()[:-cut])
    path.write_bytes(before)
    with opened(path) as store:
        assert notes(path) == ["one"]
        store.note(note("three"))
    events = map(json.loads, journal(path).read_text().splitlines())
    assert [event["note"] for event in events] == ["one", "three"]


def test_a_full_disk_is_told_and_leaves_everything_as_it_was(path, monkeypatch):
    with opened(path) as store:
        store.note(note("one"))
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", full)
            with pytest.raises(StoreError, match=r"cannot save to .*No space left"):
                store.note(note("two"))
        assert notes(path) == ["one"]
        store.note(note("three", "b"))
    with opened(path):
        assert notes(path) == ["one", "three"]


@pytest.mark.parametrize("lost", [1, 29, 300])
def test_gold_that_a_full_disk_left_behind_is_written_anew(path, lost):
    with opened(path) as store:
        store.note(note("before", "b"))
        with no_room_for_gold():
            for number in range(lost):
                with pytest.raises(StoreError, match=r"is in \S+journal, but .*No space left"):
                    store.note(note(f"{number}", f"page {number % 7}"))
    assert notes(path) == ["before"]
    with opened(path):
        last = {number % 7: f"{number}" for number in range(lost)}
        assert notes(path) == ["before", *last.values()]


NAMES = st.sampled_from("abc")
NOTED = st.builds(note, st.sampled_from("xy"), NAMES, st.sampled_from(["Anna", "Ben"]))


@st.composite
def journals(draw: st.DrawFn) -> list[dict]:
    """Notes, some of which are taken back."""
    events: list[dict] = []
    standing: list[int] = []
    for event in draw(st.lists(NOTED | st.none(), max_size=12)):
        if event is None and not standing:
            continue
        if event is None:
            undone = draw(st.sampled_from(standing))
            standing.remove(undone)
            events.append({"undo": undone})
        else:
            standing.append(len(events))
            events.append(event)
    return events


def said(events: list[dict]) -> dict:
    """What the gold of some events says, by page; the literal way."""
    history = NOTES.history()
    keys = dict.fromkeys(map(history.add, events))
    lines = {
        key: frozenset(NOTES.parse_line(line)[1] for line in history.lines(key)) for key in keys
    }
    return {key: of_page for key, of_page in lines.items() if of_page}


@given(journals(), st.lists(NOTED, max_size=3))
def test_a_state_that_a_journal_went_through_is_told_from_one_that_it_did_not(events, others):
    states = [said(first) for first in accumulate(([event] for event in events), initial=[])]
    for state in filter(None, [*states, said(others)]):
        assert has_matched(NOTES, events, state) == (state in states)


def test_a_file_that_something_else_changed_is_not_overwritten(path):
    with opened(path) as store:
        store.note(note("one"))
        store.note(note("two"))
    for theirs in ("another", "one\\n"):
        path.write_text(json.dumps(note(theirs)) + "\n")
        before = path.read_bytes()
        refuses_to_open(path, r"is not what gold\.jsonl\.journal says")
        assert path.read_bytes() == before


def test_gold_without_a_journal_is_taken_over(path):
    path.write_text(json.dumps(note("one", by="Cleo")) + "\n")
    with opened(path) as store:
        assert store.people() == {"Cleo": ["a"]}
        store.note(note("two", "b"))
    assert notes(path) == ["one", "two"]
    with opened(path):
        assert notes(path) == ["one", "two"]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("missing/gold.jsonl", "name a file in an existing folder"),
        ("gold.jsonl.gz", "name a file without"),
        (".", "name a file in an existing folder"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_anything_is_said(tmp_path, name, sentence):
    refuses_to_open(tmp_path / name, sentence)


@pytest.mark.parametrize("line", ["[1]", "no", '{"by": "Anna"}', '{"undo": 5}', '{"undo": []}'])
def test_a_journal_of_something_else_is_told_with_its_line(path, line):
    journal(path).write_text(f"{json.dumps(note('one'))}\n{line}\n")
    refuses_to_open(path, r"journal, line 2: not what dbce label wrote")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [("no", "line 1: not JSON"), ("[]", "line 1: not a JSON object"), ("{}", "line 1: 'page'")],
)
def test_a_gold_file_of_something_else_is_told_with_its_line(path, line, sentence):
    path.write_text(f"{line}\n")
    refuses_to_open(path, sentence)
    assert path.read_text() == f"{line}\n"


def test_a_gold_file_behind_a_link_stays_where_it_is(tmp_path):
    (tmp_path / "there").mkdir()
    link = tmp_path / "gold.jsonl"
    link.symlink_to(tmp_path / "there" / "real.jsonl")
    with opened(link) as store:
        store.note(note("one"))
    assert link.is_symlink()
    assert (tmp_path / "there" / "real.jsonl").exists()


def drawn(tmp_path: Path, pages: list[tuple[str, str, float | None]], order: str, n: int) -> str:
    """The names of the captures that are drawn; each is given as (name, site, confidence)."""
    rows = [
        {
            "record_id": name,
            "site": site,
            "url": name,
            "confidence": confidence,
            "status": "skipped" if confidence is None else "annotated",
        }
        for name, site, confidence in pages
    ]
    for table, schema, of_table in (("pages", PAGES, rows), ("nodes", NODES, [])):
        (tmp_path / table).mkdir(exist_ok=True)
        pq.write_table(
            pa.Table.from_pylist(of_table, schema), tmp_path / table / "x.warc.gz.parquet"
        )
    folder = Folder(str(tmp_path))
    run = Run(folder, {}, Tables(folder), {}, ())
    return "".join(row["record_id"] for row in sample(run, order, n))


PAGES_OF_THREE_SITES = [
    *((name, "large.example", 0.9) for name in "abcdefgh"),
    ("i", "small.example", 0.6),
    ("k", "middle.example", 0.7),
    ("l", "middle.example", 0.8),
    ("x", "large.example", None),
]


def test_by_chance_it_is_always_the_same_whatever_the_order_of_the_files(tmp_path):
    found = drawn(tmp_path, PAGES_OF_THREE_SITES, "random", 5)
    assert found == drawn(tmp_path, PAGES_OF_THREE_SITES[::-1], "random", 5)
    assert len(found) == 5
    more = drawn(tmp_path, PAGES_OF_THREE_SITES, "random", 50)
    assert more.startswith(found)
    assert sorted(more) == [*"abcdefghikl"]
    assert more != "".join(sorted(more))


def test_by_site_every_site_has_its_turn(tmp_path):
    found = drawn(tmp_path, PAGES_OF_THREE_SITES, "site", 6)
    assert set(found[:3]) & set("abcdefgh")
    assert "i" in found[:3]
    assert set(found[:3]) & set("kl")
    assert set(found[3:5]) & set("kl")


def test_least_sure_first(tmp_path):
    assert drawn(tmp_path, PAGES_OF_THREE_SITES, "least-sure", 3) == "ikl"


def test_the_command_offers_these_orders(capsys):
    assert main(["label", "x", "--gold", "y", "--captures", "0"]) == 2
    assert "at least 1" in capsys.readouterr().err
    for order in ORDERS:
        assert main(["label", "x", "--gold", "y", "--order", order]) == 2
        assert "does not exist" in capsys.readouterr().err
