"""The stored tables of a run, made of rows in memory."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dbce.output.schemas import NODES, PAGES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def stored(tmp_path: Path) -> Callable[..., tuple[str, str]]:
    """Writes the tables of a run, two files each, and its gold; returns both places."""

    def write(
        gold: list[dict],
        pages: list[dict] = (),
        nodes: list[dict] = (),
        name: str = "run",
        account: dict | None = None,
    ) -> tuple[str, str]:
        for kind, schema, rows in (("pages", PAGES, pages), ("nodes", NODES, nodes)):
            folder = tmp_path / name / kind
            folder.mkdir(parents=True)
            for i in range(2):
                mine = [r for r in rows if _file(r["record_id"]) == i]
                pq.write_table(pa.Table.from_pylist(mine, schema), folder / f"file{i}.parquet")
            (folder / ".draft.parquet").write_bytes(b"not whole yet")
        (tmp_path / name / "run.json").write_text(json.dumps(account or {}))
        path = tmp_path / "gold.jsonl"
        path.write_text("\n".join(map(json.dumps, gold)))
        return str(tmp_path / name), str(path)

    return write


def _file(record_id: str) -> int:
    """A page's rows lie together in one of two files, as in a run."""
    return (sum(record_id.encode()) + 1) % 2
