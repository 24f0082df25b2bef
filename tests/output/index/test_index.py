"""The index: what is put into it comes out again, and only where it may be compared."""

import random
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.archive import capture
from dbce.boilerplate.neighbourhood import original_of, revisit_of
from dbce.boilerplate.sketch import sketch
from dbce.model import (
    Config,
    Origin,
    Reason,
    Reference,
    Reject,
    Sketch,
    Stage,
    Status,
    StoreError,
    UsageError,
)
from dbce.output import index as store
from dbce.output import indexes
from dbce.output.index import capture_row, dropped_row, make_compact, unit_rows, write, write_unit
from dbce.output.index import rows as index_rows
from dbce.output.index.rows import CAPTURE, _groups, recipe, recipe_differences
from dbce.storage.folder import Folder
from scripts.experiments.large_pages import address
from scripts.experiments.large_pages import page as large_page
from tests.nights import rows_of_index
from tests.runs import dies_at, fails_with
from tests.site import article

CONFIG = Config()
PAGE = capture("http://harbour.example/ferry", article("ferry"), "20160101000000.123456")
SKETCH = sketch(PAGE, CONFIG)
DAMAGED = Reject(
    Status.REJECTED, Reason.DAMAGED, Stage.READ, "no record", Origin("größe/x.warc", 2**40, 0)
)
WITHOUT_TEXT = Reject(
    *(Status.SKIPPED, Reason.NO_TEXT, Stage.PARSE, "", Origin("x.warc.gz", 7, 9), "urn:x"),
    *(PAGE.url, PAGE.surt, PAGE.timestamp, PAGE.digest),
    is_html=True,
)


@pytest.fixture
def index(tmp_path) -> Folder:
    return Folder(str(tmp_path / "index"))


def same(one: object, other: object) -> bool:
    return all(
        np.array_equal(getattr(one, field.name), getattr(other, field.name))
        for field in fields(one)  # type: ignore[arg-type]
    )


def through_arrow(row: dict) -> dict:
    (back,) = pa.Table.from_pylist([row], CAPTURE).to_pylist()
    return back


hashes = st.lists(st.integers(0, 2**32 - 1), max_size=50).map(lambda n: np.array(n, np.uint32))


@given(hashes, hashes, hashes, hashes)
def test_a_sketch_comes_back_to_the_last_bit(signature, words, ends, places):
    one = replace(SKETCH, signature=signature, words=words, ends=ends, places=places)
    assert same(store.sketch_of(through_arrow(capture_row(PAGE, one))), one)


@pytest.mark.parametrize("dropped", [DAMAGED, WITHOUT_TEXT])
def test_what_was_dropped_comes_back(dropped):
    row = through_arrow(dropped_row(dropped, CONFIG.site_by))
    assert store.dropped_of(row, dropped.origin.filename) == dropped


def test_a_revisit_comes_back_with_what_it_refers_to(index):
    silent = Reference("", "", None)
    full = Reference("urn:y", "http://www.Quay.example/?b&a", PAGE.timestamp)
    some = [
        replace(WITHOUT_TEXT, reason=Reason.REVISIT, refers_to=said, record_id=f"urn:{number}")
        for number, said in enumerate((silent, full))
    ]
    rows = [dropped_row(one, CONFIG.site_by) for one in some]
    write_unit(index, "x.warc.gz", [capture_row(PAGE, SKETCH), *rows], CONFIG)
    expected = [revisit_of(one, CONFIG.site_by) for one in some]
    placed = [(("x.warc.gz", number), one) for number, one in enumerate(expected, 1)]
    assert list(store.captures_of_unit(index, "x.warc.gz", store.REVISITS)) == placed
    assert (
        list(store.captures_of_sites([index], {"harbour.example"}, CONFIG, store.REVISITS))
        == placed
    )
    assert list(store.captures_of_sites([index], {"quay.example"}, CONFIG, store.REVISITS)) == []


def test_what_a_revisit_may_repeat_has_an_id_and_a_date_and_is_none_itself(index):
    revisit = replace(WITHOUT_TEXT, reason=Reason.REVISIT, refers_to=Reference("", "", None))
    undated = replace(WITHOUT_TEXT, timestamp=None)
    others = [dropped_row(one, CONFIG.site_by) for one in (DAMAGED, revisit, undated, WITHOUT_TEXT)]
    write_unit(index, "x.warc.gz", [capture_row(PAGE, SKETCH), *others], CONFIG)
    known = original_of(PAGE, is_dropped=False), original_of(WITHOUT_TEXT, is_dropped=True)
    assert tuple(store.originals((), (), index, ["x.warc.gz"], CONFIG)) == known
    assert (
        tuple(store.captures_of_sites([index], {"harbour.example"}, CONFIG, store.ORIGINALS))
        == known
    )
    assert tuple(store.captures_of_sites([index], {"quay.example"}, CONFIG, store.ORIGINALS)) == ()


def write_mixed(index: Folder, name: str = "x.warc.gz") -> None:
    rows = [
        dropped_row(DAMAGED, CONFIG.site_by),
        capture_row(PAGE, SKETCH),
        dropped_row(WITHOUT_TEXT, CONFIG.site_by),
    ]
    assert write_unit(index, name, rows, CONFIG) == 3


def test_rows_are_numbered_in_their_order_and_sketches_keep_their_numbers(index):
    write_mixed(index)
    rows = list(unit_rows(index, "x.warc.gz"))
    statuses = [*enumerate((Status.REJECTED, None, Status.SKIPPED))]
    assert [(row["number"], row["status"]) for row in rows] == statuses
    assert not any(row.keys() & {"signature", "words", "ends", "places"} for row in rows)
    ((place, one),) = store.captures_of_unit(index, "x.warc.gz", store.SKETCHES)
    assert place == ("x.warc.gz", 1)
    assert isinstance(SKETCH, Sketch)
    assert same(one, SKETCH)


def test_sketches_are_found_by_site_or_all_where_sites_may_mix(index):
    write_mixed(index)
    everywhere = replace(CONFIG, across_sites=True)
    for site, config, found in (
        ("harbour", CONFIG, 1),
        ("else", CONFIG, 0),
        ("else", everywhere, 1),
    ):
        sites = {f"{site}.example"}
        sketches = store.captures_of_sites([index], sites, config, store.SKETCHES)
        assert len(list(sketches)) == found


def test_outcomes_are_counted_over_all_files(index):
    write_mixed(index, "a.warc.gz")
    write_mixed(index, "b.warc.gz")
    assert store.counts(index, "status", "reason") == {
        (None, None): 2,
        ("rejected", "damaged"): 2,
        ("skipped", "no-text"): 2,
    }


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (replace(CONFIG, num_perm=64), "its num_perm is 128 and the run's is 64"),
        (replace(CONFIG, signature="layers", seed=7), "its seed is 2047226289 and the run's is 7"),
        (replace(CONFIG, site_by="domain"), "its site_by is 'host' and the run's is 'domain'"),
    ],
)
def test_an_index_of_another_recipe_is_refused_in_one_sentence(index, config, said):
    write_mixed(index)
    with pytest.raises(UsageError) as refused:
        store.check_recipe(index, config)
    told = str(refused.value)
    assert told.startswith(f"{index.full_path('x.parquet')} cannot be compared: its ")
    assert f"{said}; use the settings that made it, or " in told


def test_an_index_of_another_version_and_a_table_of_others_are_told_apart(monkeypatch):
    own, number = recipe(CONFIG), index_rows.FORMAT
    assert recipe_differences(CONFIG, own) == ""
    for others in (None, {}, {b"dbce": b"no json"}):
        assert recipe_differences(CONFIG, others) == "it is no file of an index"
    monkeypatch.setattr(index_rows, "FORMAT", number + 1)
    said = f"its format is {number} and the run's is {number + 1}"
    assert recipe_differences(CONFIG, own) == said


def test_what_does_not_change_a_sketch_does_not_change_the_recipe():
    other = replace(CONFIG, method="T001", template_similarity=0.3, crosses=1, across_sites=True)
    assert recipe(other) == recipe(CONFIG)


def test_a_file_is_there_whole_or_not_at_all(index):
    def broken():
        yield capture_row(PAGE, SKETCH)
        raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError):
        write_unit(index, "x.warc.gz", broken(), CONFIG)
    assert not store.has_unit(index, "x.warc.gz")
    assert index.entries() == []
    write_mixed(index)
    assert store.has_unit(index, "x.warc.gz")
    assert index.entries() == ["x.parquet"]


def test_a_file_that_lost_rows_on_its_way_never_takes_its_name(index, monkeypatch):
    class Forgetful(pq.ParquetWriter):
        def write_table(self, table: pa.Table, *_: object) -> None:
            super().write_table(table.slice(1))

    monkeypatch.setattr(write.pq, "ParquetWriter", Forgetful)
    with pytest.raises(StoreError, match="2 rows where 3 were written"):
        write_mixed(index)
    assert index.entries() == []


def test_every_row_is_written_however_many_row_groups_there_are(index, monkeypatch):
    monkeypatch.setattr(write, "ROWS", 2)
    rows = [dropped_row(DAMAGED, CONFIG.site_by) for _ in range(5)]
    assert write_unit(index, "x.warc.gz", rows, CONFIG) == 5
    assert [row["number"] for row in unit_rows(index, "x.warc.gz")] == [0, 1, 2, 3, 4]


def test_a_row_group_holds_so_many_bytes_of_sketches_at_most(index, monkeypatch):
    row = capture_row(PAGE, SKETCH)
    size = sum(len(row[name]) for name in ("signature", "words", "ends", "places"))
    monkeypatch.setattr(write, "BYTES", 2 * size)
    write_unit(index, "x.warc.gz", [row] * 5, CONFIG)
    stored = pq.ParquetFile(index.full_path("x.parquet")).metadata
    assert [stored.row_group(n).num_rows for n in range(stored.num_row_groups)] == [2, 2, 1]


def test_a_page_of_50_kb_takes_at_most_6_kb(index, tmp_path):
    rows = []
    for number in random.Random(1).sample(range(900), 60):
        html = large_page(1, 0, number % 300, number // 300)
        one = capture(address(1, 0, number % 300), html, f"{2014 + number // 300}0101000000")
        rows.append(capture_row(one, sketch(one, CONFIG)))
    write_unit(index, "x.warc.gz", rows, CONFIG)
    size = index.fs.size(index.full_path("x.parquet"))
    assert size / len(rows) < 6 * 1024


# An index in few large files: the same rows, in order, found with less reading


SMALL = Config(num_perm=16)
SITES = [f"site{number}.example" for number in range(6)]
NIGHTS = [f"n20260524-{number:02}" for number in range(1, 5)]


def night_rows(night: int, number: int) -> Iterator[dict]:
    """What an archive file of a night holds: a page of each site, and a damaged place."""
    for site in SITES:
        url = f"http://{site}/{number}"
        one = capture(url, article(f"{site[:5]}{number}"), f"2026052{night}")
        found = sketch(one, SMALL)
        assert isinstance(found, Sketch)
        yield capture_row(one, found)
    origin = Origin(f"{night}-{number}.warc.gz", 9, 0)
    damaged = Reject(Status.REJECTED, Reason.DAMAGED, Stage.READ, "", origin)
    yield dropped_row(damaged, SMALL.site_by)


@pytest.fixture
def nights(tmp_path, monkeypatch) -> Folder:
    """Four nights of three files; five rows make a group and twenty a file."""
    monkeypatch.setattr(write, "ROWS", 5)
    monkeypatch.setattr(write, "PART", 20)
    folder = Folder(str(tmp_path))
    for night, name in enumerate(NIGHTS):
        for number in range(3):
            found = list(night_rows(night, number))
            random.Random(night).shuffle(found)
            write_unit(folder.subfolder(name), f"{night}-{number}.warc.gz", found, SMALL)
    return folder


def stored(nights: Folder) -> list[tuple]:
    return rows_of_index([Path(folder.path) for folder in indexes(nights, NIGHTS)])


@pytest.fixture
def before(nights) -> list[tuple]:
    """Its rows, before anything was made compact."""
    return stored(nights)


def test_the_rows_are_the_same_and_the_files_fewer_than_before(nights, before):
    done = make_compact(nights, NIGHTS)
    assert stored(nights) == before
    assert nights.names("*") == ["compact-000004"]
    files = nights.names("*/*.parquet")
    assert (done.nights, done.added, done.captures) == (4, 4, len(before))
    assert (done.before, done.after) == (12, len(files))
    assert 3 < len(files) < 8


def test_the_rows_are_in_the_order_of_sites_and_urls_in_all_files_together(nights):
    make_compact(nights, NIGHTS)
    (compact,) = indexes(nights, NIGHTS)
    found = [
        (row["site"], row["surt"], row["timestamp"])
        for name in compact.names("*.parquet")
        for row in pq.read_table(compact.full_path(name)).to_pylist()
        if row["site"]
    ]
    assert found == sorted(found)
    assert len(found) == 4 * 3 * len(SITES)


def test_a_row_group_of_it_holds_so_many_bytes_of_sketches_at_most(nights, before, monkeypatch):
    monkeypatch.setattr(write, "BYTES", 1)  # a row that has any fills it
    make_compact(nights, NIGHTS)
    assert stored(nights) == before
    (compact,) = indexes(nights, NIGHTS)
    groups = []
    for name in compact.names("*.parquet"):
        table = pq.ParquetFile(compact.full_path(name))
        rows = [table.read_row_group(n)["words"].to_pylist() for n in range(table.num_row_groups)]
        groups += [[words is not None for words in group] for group in rows]
    assert sum(map(sum, groups)) == 4 * 3 * len(SITES)
    assert all(sum(group) == 1 and group[-1] for group in groups if any(group))
    assert any(not any(group) and len(group) == 5 for group in groups), "or so many rows"


def test_of_some_sites_few_row_groups_are_read(nights):
    make_compact(nights, NIGHTS)
    (compact,) = indexes(nights, NIGHTS)
    tables = [pq.ParquetFile(compact.full_path(name)) for name in compact.names("*.parquet")]
    every = sum(table.num_row_groups for table in tables)
    some = sum(len(_groups(table, SITES[2:3])) for table in tables)
    assert some <= every // 3
    assert sum(len(_groups(table, ["absent.example"])) for table in tables) == 0


@pytest.mark.parametrize("sites", [(), SITES[:1], SITES[1:4], SITES, ["absent.example"]])
@pytest.mark.parametrize("config", [SMALL, replace(SMALL, across_sites=True)])
def test_what_is_known_of_sites_is_the_same(nights, sites, config):
    def known() -> list[tuple]:
        found = store.captures_of_sites(indexes(nights, NIGHTS), sites, config, store.SKETCHES)
        return sorted((*place, one.record_id, one.site, one.words.sum()) for place, one in found)

    before = known()
    make_compact(nights, NIGHTS)
    assert known() == before


def test_nights_that_come_later_are_added(nights, before):
    make_compact(nights, NIGHTS[:2])
    assert nights.names("*") == ["compact-000002", *NIGHTS[2:]]
    assert stored(nights) == before
    done = make_compact(nights, NIGHTS)
    assert (done.nights, done.added) == (4, 2)
    assert nights.names("*") == ["compact-000004"]
    assert stored(nights) == before
    assert make_compact(nights, NIGHTS) is None


def test_a_night_that_does_not_count_stays_as_it_is(nights):
    make_compact(nights, NIGHTS[:3])
    assert nights.names("*") == ["compact-000003", NIGHTS[3]]
    (compact,) = indexes(nights, NIGHTS[:3])
    assert compact.path == nights.full_path("compact-000003")


broken = fails_with(OSError("the machine fell over"))


@pytest.mark.parametrize("where", ["_scatter", "write_groups", "json.dumps"])
def test_what_dies_before_the_list_is_written_has_done_nothing(nights, before, monkeypatch, where):
    with monkeypatch.context() as patch:
        patch.setattr(f"dbce.output.index.write.{where}", broken)
        with pytest.raises(OSError, match="fell over"):
            make_compact(nights, NIGHTS)
    assert stored(nights) == before
    assert [folder.path for folder in indexes(nights, NIGHTS)] == [*map(nights.full_path, NIGHTS)]
    make_compact(nights, NIGHTS)
    assert nights.names("*") == ["compact-000004"]
    assert stored(nights) == before


def test_what_dies_after_the_list_is_written_has_done_all(nights, before, monkeypatch):
    """What it replaces is still there, and no reader takes it for more; the next call removes it."""
    make_compact(nights, NIGHTS[:2])
    with monkeypatch.context() as patch:
        patch.setattr(write, "_remove_replaced", dies_at(2, write._remove_replaced))
        with pytest.raises(RuntimeError, match="fell over"):
            make_compact(nights, NIGHTS)
    assert nights.names("*") == ["compact-000002", "compact-000004", *NIGHTS[2:]]
    assert stored(nights) == before
    assert make_compact(nights, NIGHTS) is None
    assert nights.names("*") == ["compact-000004"]


def test_what_is_not_stored_in_full_replaces_nothing(nights, before, monkeypatch):
    monkeypatch.setattr(write, "_sorted_groups", lambda *_: iter(()))
    with pytest.raises(StoreError, match="holds 0 captures where there were 84"):
        make_compact(nights, NIGHTS)
    assert stored(nights) == before


def test_files_of_two_recipes_are_not_put_together(nights):
    other = replace(SMALL, seed=1)
    write_unit(nights.subfolder(NIGHTS[0]), "other.warc.gz", [], other)
    with pytest.raises(StoreError, match="are of several recipes"):
        make_compact(nights, NIGHTS)
