"""An error that nobody foresaw costs the record that it is met with, in whichever stage, and no other."""

import json
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from dbce.archive import surt
from dbce.model import Config, StoreError
from dbce.pipeline import annotate
from tests.archive.build import stored as file
from tests.runs import fails_with, whole
from tests.site import TOPICS, page, stored

BAD = "http://harbour.example/clocks"
DATA = stored(*map(page, TOPICS))
CONFIG = Config(method="T002", wet=True)

STEPS = {
    "dbce.archive.inputs.capture:read_answer": ("read", lambda *said: said[2].url == BAD),
    "dbce.boilerplate.sketch:signature": ("parse", lambda found, *_: "clocks" in found.title),
    "dbce.boilerplate.cross:document": ("compare", lambda key: key == surt(BAD)),
    "dbce.boilerplate.judge:judged_text": ("judge", lambda found, *_: "clocks" in found.title),
    "dbce.output.unit_writer:tables.node_rows_of": (
        "judge",
        lambda *pages: BAD in {one.capture.url for one in pages},
    ),
    "dbce.archive.outputs.write:TextWriter.prepare": ("judge", lambda _, one, *__: one.url == BAD),
}
"""What is called for every record, in which stage, and how the call for the bad one is told."""


def failing(monkeypatch: pytest.MonkeyPatch, step: str, error: Exception) -> None:
    """Makes a step fail on the bad record."""
    module, _, names = step.partition(":")
    *owner, name = names.split(".")
    inside: Any = import_module(module)
    for each in owner:
        inside = getattr(inside, each)
    right, is_bad = getattr(inside, name), STEPS[step][1]

    def wrong(*said: Any, **more: Any) -> Any:
        if is_bad(*said):
            raise error
        return right(*said, **more)

    monkeypatch.setattr(inside, name, wrong)


def rows(folder: Path, table: str) -> list[dict[str, Any]]:
    return pq.read_table(folder / table).to_pylist()


@pytest.mark.parametrize("step", STEPS)
def test_a_fault_in_one_record_is_its_reject_and_the_rest_goes_on(
    step, tmp_path, monkeypatch, caplog
):
    source = file(DATA, "harbour.warc.gz")
    sound = whole([source], tmp_path / "sound", CONFIG)
    offsets = {row["url"]: row["warc_record_offset"] for row in rows(tmp_path / "sound", "pages")}
    failing(monkeypatch, step, KeyError("no such thing\ud800"))
    odd = whole([source], tmp_path / "odd", CONFIG)
    (reject,) = rows(tmp_path / "odd", "rejects")
    assert (reject["file"], reject["offset"]) == ("harbour.warc.gz", offsets[BAD])
    assert (reject["reason"], reject["stage"]) == ("fault", STEPS[step][0])
    assert reject["detail"].startswith("KeyError: ")
    where = f"at {offsets[BAD]} of harbour.warc.gz"
    named = reject["record_id"] if reject["stage"] == "compare" else where
    assert f"{named}: KeyError" in caplog.text
    assert odd["captures"]["total"] == sound["captures"]["total"] == len(TOPICS)
    assert odd["captures"]["reasons"] == {"rejected/fault": 1}
    pages = rows(tmp_path / "odd", "pages")
    judged = {row["url"] for row in pages if row["runs_content"] is not None}
    assert judged == offsets.keys() - {BAD}
    lines = (tmp_path / "odd" / "warc" / "index.cdxj").read_text().splitlines()
    assert {json.loads(line.split(" ", 2)[2])["url"] for line in lines} == judged
    if reject["stage"] == "judge":
        kept = [
            r for r in rows(tmp_path / "sound", "nodes") if r["record_id"] != reject["record_id"]
        ]
        assert rows(tmp_path / "odd", "nodes") == kept, (
            "others of its batch are judged as without it"
        )


def test_a_row_that_cannot_be_stored_costs_its_page_alone(tmp_path, monkeypatch):
    inside: Any = import_module("dbce.output.rows")
    right = inside.page_row

    def with_half_a_character(page: Any, site_by: str) -> dict[str, Any]:
        row = right(page, site_by)
        is_bad = row["url"] == BAD and row["status"] != "rejected"
        return row | {"title": "half \ud800"} if is_bad else row

    monkeypatch.setattr(inside, "page_row", with_half_a_character)
    manifest = whole([file(DATA, "harbour.warc.gz")], tmp_path, CONFIG)
    (reject,) = rows(tmp_path, "rejects")
    assert (reject["url"], reject["reason"], reject["stage"]) == (BAD, "fault", "judge")
    assert "surrogates" in reject["detail"]
    assert manifest["captures"]["annotated"] == len(TOPICS) - 1
    assert reject["record_id"] not in {row["record_id"] for row in rows(tmp_path, "nodes")}


@pytest.mark.parametrize("error", [MemoryError(), StoreError("gone"), OSError(28, "full")])
@pytest.mark.parametrize("step", list(STEPS)[1:])
def test_what_is_wrong_with_the_machine_or_a_store_stops_the_run(
    step, error, tmp_path, monkeypatch
):
    failing(monkeypatch, step, error)
    with pytest.raises(type(error)):
        whole([file(DATA)], tmp_path / "out", CONFIG)


def test_a_reader_that_fails_between_records_rejects_the_rest_of_its_file(tmp_path, monkeypatch):
    inside: Any = import_module("dbce.archive.inputs.capture")
    right = inside.records_of

    def wrong(*said: Any) -> Any:
        yield from islice(right(*said), 2)
        raise IndexError("lost")

    source = file(DATA, "harbour.warc.gz")
    whole([source], tmp_path / "sound", CONFIG)
    monkeypatch.setattr(inside, "records_of", wrong)
    manifest = whole([source], tmp_path / "odd", CONFIG)
    assert manifest["captures"]["total"] == 3
    (reject,) = rows(tmp_path / "odd", "rejects")
    third = rows(tmp_path / "sound", "pages")[2]
    assert (reject["reason"], reject["offset"]) == ("fault", third["warc_record_offset"])


def test_in_memory_too_a_fault_while_comparing_costs_one_page(monkeypatch):
    failing(monkeypatch, "dbce.boilerplate.cross:document", KeyError("no such thing"))
    found = list(annotate(map(page, TOPICS), CONFIG))
    assert [str(getattr(one, "reason", one.status)) for one in found] == [
        "fault" if topic == "clocks" else "annotated" for topic in TOPICS
    ]


def test_where_comparing_fails_with_everything_it_is_no_fault_of_a_record(tmp_path, monkeypatch):
    wrong = fails_with(KeyError("no such thing"))
    monkeypatch.setattr(import_module("dbce.boilerplate.cross"), "document", wrong)
    pages = [page(f"{topic}{n}") for topic in TOPICS for n in range(4)]
    with pytest.raises(KeyError):
        whole([file(stored(*pages))], tmp_path / "out", CONFIG)
