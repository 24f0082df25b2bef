"""The sample, read back."""

import json
from pathlib import Path
from typing import Any

import pytest

from dbce.archive import expand, read
from dbce.model import Capture, Limits, Reject

Rows = list[dict[str, Any]]


@pytest.fixture(scope="session")
def entries(sample: Path) -> list[Capture | Reject]:
    """What the project's own reader makes of the two files."""
    return [entry for source in expand([str(sample)]) for entry in read(source, Limits())]


@pytest.fixture(scope="session")
def pages(sample: Path) -> Rows:
    return _rows(sample / "sample.gold.jsonl")


@pytest.fixture(scope="session")
def runs(sample: Path) -> Rows:
    return _rows(sample / "sample.nodes.gold.jsonl")


def _rows(path: Path) -> Rows:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
