"""Stored tables of runs, made of rows in memory; lines of gold; and scores."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dbce.evaluate import Comparison, evaluate_all
from dbce.evaluate.runs import Run
from dbce.output.rows import NODES, PAGES


def page(record_id: str, text: str | None, url: str = "u", year: int = 2015) -> dict:
    status = "annotated" if text is not None else "rejected"
    time = datetime(year, 1, 1, tzinfo=UTC) if text is not None else None
    return {"record_id": record_id, "url": url, "status": status, "text": text, "fetch_time": time}


def truth(record_id: str, text: str, site: str = "one.example") -> dict:
    return {"record_id": f"<{record_id}>", "gold_text": text, "site": site}


def run(
    record_id: str, start: int, text: str, label: str, site: str = "", *, probability: float = 0.5
) -> dict:
    """A text run, as a row of `nodes` or a line of gold; both ignore what is the other's."""
    place = {"record_id": record_id, "xpath": "/html/body/p/text()[1]", "probability": probability}
    end = start + len(text)
    return place | {"start": start, "end": end, "text": text, "label": label, "site": site}


def store(
    place: Path,
    gold: Sequence[dict],
    pages: Sequence[dict] = (),
    nodes: Sequence[dict] = (),
    *,
    name: str = "run",
    account: dict | None = None,
) -> tuple[str, str]:
    """Write the tables of a run, two files each, and its gold; return both places."""
    for kind, schema, rows in (("pages", PAGES, pages), ("nodes", NODES, nodes)):
        folder = place / name / kind
        folder.mkdir(parents=True)
        for i in range(2):
            mine = [r for r in rows if _file(r["record_id"]) == i]
            pq.write_table(pa.Table.from_pylist(mine, schema), folder / f"file{i}.parquet")
        (folder / ".draft.parquet").write_bytes(b"not whole yet")
    (place / name / "run.json").write_text(json.dumps(account or {}))
    path = place / "gold.jsonl"
    path.write_text("\n".join(map(json.dumps, gold)))
    return str(place / name), str(path)


def _file(record_id: str) -> int:
    """The file, of two, that a page's rows lie in together, as in a run."""
    return (sum(record_id.encode()) + 1) % 2


def evaluate(folder: str, gold: str) -> Run:
    """Return the scores of one run against gold."""
    return evaluate_all([folder], gold).runs[0]


@pytest.fixture
def stored(tmp_path: Path) -> Callable[..., tuple[str, str]]:
    """Writes the tables of a run and its gold below the place of a test; returns both places."""
    return partial(store, tmp_path)


@pytest.fixture
def evaluated(stored: Callable[..., tuple[str, str]]) -> Callable[..., Run]:
    """Stores a run and its gold and scores it."""
    return lambda *tables, **more: evaluate(*stored(*tables, **more))


@pytest.fixture
def compared(stored: Callable[..., tuple[str, str]]) -> Callable[..., Comparison]:
    """Stores runs by their names, each as (settings, pages, text runs), and scores all against one gold."""

    def compare(gold: list[dict], **runs: tuple[dict, list[dict], list[dict]]) -> Comparison:
        places = []
        for name, (config, *tables) in runs.items():
            account = {"config": config, "config_digest": f"digest of {name}"}
            places.append(stored(gold, *tables, name=name, account=account))
        return evaluate_all([folder for folder, _ in places], places[0][1])

    return compare
