"""An index in few large files: the same rows, in order, found with less reading."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from dbce.archive import capture
from dbce.boilerplate.sketch import sketch
from dbce.model import Config, Origin, Reason, Reject, Sketch, Stage, Status, StoreError
from dbce.output import index as store
from dbce.output import indexes
from dbce.output.index import capture_row, dropped_row, make_compact, write, write_unit
from dbce.output.index.rows import _groups
from dbce.storage.folder import Folder
from tests.nights import rows_of_index
from tests.runs import fails_with
from tests.site import article

CONFIG = Config(num_perm=16)
SITES = [f"site{number}.example" for number in range(6)]
NIGHTS = [f"n20260524-{number:02}" for number in range(1, 5)]


def rows(night: int, number: int) -> Iterator[dict]:
    """What an archive file of a night holds: a page of each site, and a damaged place."""
    for site in SITES:
        url = f"http://{site}/{number}"
        one = capture(url, article(f"{site[:5]}{number}"), f"2026052{night}")
        found = sketch(one, CONFIG)
        assert isinstance(found, Sketch)
        yield capture_row(one, found)
    origin = Origin(f"{night}-{number}.warc.gz", 9, 0)
    damaged = Reject(Status.REJECTED, Reason.DAMAGED, Stage.READ, "", origin)
    yield dropped_row(damaged, CONFIG.site_by)


@pytest.fixture
def index(tmp_path, monkeypatch) -> Folder:
    """Four nights of three files; five rows make a group and twenty a file."""
    monkeypatch.setattr(write, "ROWS", 5)
    monkeypatch.setattr(write, "PART", 20)
    folder = Folder(str(tmp_path))
    for night, name in enumerate(NIGHTS):
        for number in range(3):
            found = list(rows(night, number))
            random.Random(night).shuffle(found)
            write_unit(folder.subfolder(name), f"{night}-{number}.warc.gz", found, CONFIG)
    return folder


def stored(index: Folder) -> list[tuple]:
    return rows_of_index([Path(folder.path) for folder in indexes(index, NIGHTS)])


@pytest.fixture
def before(index) -> list[tuple]:
    """Its rows, before anything was made compact."""
    return stored(index)


def test_the_rows_are_the_same_and_the_files_fewer_than_before(index, before):
    done = make_compact(index, NIGHTS)
    assert stored(index) == before
    assert index.names("*") == ["compact-000004"]
    files = index.names("*/*.parquet")
    assert (done.nights, done.added, done.captures) == (4, 4, len(before))
    assert (done.before, done.after) == (12, len(files))
    assert 3 < len(files) < 8


def test_the_rows_are_in_the_order_of_sites_and_urls_in_all_files_together(index):
    make_compact(index, NIGHTS)
    (compact,) = indexes(index, NIGHTS)
    found = [
        (row["site"], row["surt"], row["timestamp"])
        for name in compact.names("*.parquet")
        for row in pq.read_table(compact.full_path(name)).to_pylist()
        if row["site"]
    ]
    assert found == sorted(found)
    assert len(found) == 4 * 3 * len(SITES)


def test_a_row_group_holds_so_many_bytes_of_sketches_at_most(index, before, monkeypatch):
    monkeypatch.setattr(write, "BYTES", 1)  # a row that has any fills it
    make_compact(index, NIGHTS)
    assert stored(index) == before
    (compact,) = indexes(index, NIGHTS)
    groups = []
    for name in compact.names("*.parquet"):
        table = pq.ParquetFile(compact.full_path(name))
        rows = [table.read_row_group(n)["words"].to_pylist() for n in range(table.num_row_groups)]
        groups += [[words is not None for words in group] for group in rows]
    assert sum(map(sum, groups)) == 4 * 3 * len(SITES)
    assert all(sum(group) == 1 and group[-1] for group in groups if any(group))
    assert any(not any(group) and len(group) == 5 for group in groups), "or so many rows"


def test_of_some_sites_few_row_groups_are_read(index):
    make_compact(index, NIGHTS)
    (compact,) = indexes(index, NIGHTS)
    tables = [pq.ParquetFile(compact.full_path(name)) for name in compact.names("*.parquet")]
    every = sum(len(_groups(table, None)) for table in tables)
    some = sum(len(_groups(table, SITES[2:3])) for table in tables)
    assert some <= every // 3
    assert sum(len(_groups(table, ["absent.example"])) for table in tables) == 0


@pytest.mark.parametrize("sites", [(), SITES[:1], SITES[1:4], SITES, ["absent.example"]])
@pytest.mark.parametrize("config", [CONFIG, replace(CONFIG, across_sites=True)])
def test_what_is_known_of_sites_is_the_same(index, sites, config):
    def known() -> list[tuple]:
        found = store.captures_of_sites(indexes(index, NIGHTS), sites, config, store.SKETCHES)
        return sorted((*place, one.record_id, one.site, one.words.sum()) for place, one in found)

    before = known()
    make_compact(index, NIGHTS)
    assert known() == before


def test_nights_that_come_later_are_added(index, before):
    make_compact(index, NIGHTS[:2])
    assert index.names("*") == ["compact-000002", *NIGHTS[2:]]
    assert stored(index) == before
    done = make_compact(index, NIGHTS)
    assert (done.nights, done.added) == (4, 2)
    assert index.names("*") == ["compact-000004"]
    assert stored(index) == before
    assert make_compact(index, NIGHTS) is None


def test_a_night_that_does_not_count_stays_as_it_is(index):
    make_compact(index, NIGHTS[:3])
    assert index.names("*") == ["compact-000003", NIGHTS[3]]
    (compact,) = indexes(index, NIGHTS[:3])
    assert compact.path == index.full_path("compact-000003")


broken = fails_with(OSError("the machine fell over"))


@pytest.mark.parametrize("where", ["_scatter", "write_groups", "json.dumps"])
def test_what_dies_before_the_list_is_written_has_done_nothing(index, before, monkeypatch, where):
    with monkeypatch.context() as patch:
        patch.setattr(f"dbce.output.index.write.{where}", broken)
        with pytest.raises(OSError, match="fell over"):
            make_compact(index, NIGHTS)
    assert stored(index) == before
    assert [folder.path for folder in indexes(index, NIGHTS)] == [*map(index.full_path, NIGHTS)]
    make_compact(index, NIGHTS)
    assert index.names("*") == ["compact-000004"]
    assert stored(index) == before


def test_what_dies_after_the_list_is_written_has_done_all(index, before, monkeypatch):
    """What it replaces is still there, and no reader takes it for more; the next call removes it."""
    make_compact(index, NIGHTS[:2])
    calls = []

    def dying(folder: Folder) -> None:
        calls.append(folder)
        if len(calls) == 2:
            broken()
        remove(folder)

    remove = write._remove_replaced
    with monkeypatch.context() as patch:
        patch.setattr(write, "_remove_replaced", dying)
        with pytest.raises(OSError, match="fell over"):
            make_compact(index, NIGHTS)
    assert index.names("*") == ["compact-000002", "compact-000004", *NIGHTS[2:]]
    assert stored(index) == before
    assert make_compact(index, NIGHTS) is None
    assert index.names("*") == ["compact-000004"]


def test_what_is_not_stored_in_full_replaces_nothing(index, before, monkeypatch):
    monkeypatch.setattr(write, "_sorted_groups", lambda *_: iter(()))
    with pytest.raises(StoreError, match="holds 0 captures where there were 84"):
        make_compact(index, NIGHTS)
    assert stored(index) == before


def test_files_of_two_recipes_are_not_put_together(index):
    other = replace(CONFIG, seed=1)
    write_unit(index.subfolder(NIGHTS[0]), "other.warc.gz", [], other)
    with pytest.raises(StoreError, match="are of several recipes"):
        make_compact(index, NIGHTS)
