"""Nightly archives to test with, and what may be compared of them."""

import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from dbce.cli import main
from dbce.output.index.rows import CAPTURE
from tests import runs


class Archive:
    """An incoming folder and the archive that takes its files, both in one folder."""

    def __init__(self, folder: Path) -> None:
        self.incoming = folder / "in"
        self.path = folder / "archive"
        self.incoming.mkdir(parents=True)

    def bring(self, name: str, data: bytes) -> None:
        file = self.incoming / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(data)

    def call(self, *options: str, master: str = "none") -> int:
        """A call of `dbce nightly`; its exit code."""
        fixed = ["--archive", str(self.path), "--master", master, "--method", "T002"]
        return main(["nightly", str(self.incoming), *fixed, *options])

    def take(self, name: str, data: bytes, *options: str, master: str = "none") -> None:
        """A night that takes a file, and ends well."""
        self.bring(name, data)
        assert self.call(*options, master=master) == 0

    def nights(self) -> list[str]:
        return sorted(path.parent.name for path in self.path.glob("nights/*/run.json"))

    def outputs(self, night: str) -> Path:
        return self.path / "nights" / night

    def accounts(self) -> list[dict[str, Any]]:
        """What the nights that count say of themselves."""
        return [json.loads((self.outputs(n) / "run.json").read_text()) for n in self.nights()]

    def index(self) -> list[Path]:
        return sorted((self.path / "index").iterdir())


def same_nights(one: Archive, other: Archive) -> None:
    """Both have as many nights, with the same bytes but for seconds and where files lie."""
    assert len(one.nights()) == len(other.nights())
    for ours, theirs in zip(one.nights(), other.nights(), strict=True):
        said = [runs.outputs(one.outputs(ours)), runs.outputs(other.outputs(theirs))]
        for found in said:
            del found["files.json"]
        assert said[0].keys() == said[1].keys()
        assert [name for name in said[0] if said[0][name] != said[1][name]] == []


def rows_of_index(folders: Iterable[Path]) -> list[tuple[Any, ...]]:
    """All rows of some folders of an index, in an order of their own."""
    rows = [
        tuple(row.values())
        for folder in folders
        for path in sorted(folder.glob("*.parquet"))
        for row in pq.read_table(path).select(CAPTURE.names).to_pylist()
    ]
    return sorted(rows, key=repr)


def verdicts(folder: Path) -> dict[str, tuple[Any, list[Any]]]:
    """The row in `pages` and those in `nodes` of every judged capture, by record id."""
    nodes = defaultdict(list)
    for row in pq.read_table(folder / "nodes").to_pylist():
        nodes[row["record_id"]].append(row)
    pages = {row["record_id"]: row for row in pq.read_table(folder / "pages").to_pylist()}
    return {record_id: (pages[record_id], rows) for record_id, rows in nodes.items()}
