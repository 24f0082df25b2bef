"""The stored tables of runs, made of rows in memory, and their scores."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from dbce.evaluate import Comparison, evaluate_all
from dbce.evaluate.runs import Report
from tests.evaluate.rows import evaluate, store


@pytest.fixture
def stored(tmp_path: Path) -> Callable[..., tuple[str, str]]:
    """Writes the tables of a run and its gold below the place of a test; returns both places."""
    return partial(store, tmp_path)


@pytest.fixture
def evaluated(stored: Callable[..., tuple[str, str]]) -> Callable[..., Report]:
    """Stores a run and its gold and scores it."""
    return lambda *tables, **more: evaluate(*stored(*tables, **more))


@pytest.fixture
def compared(stored: Callable[..., tuple[str, str]]) -> Callable[..., Comparison]:
    """Stores runs by their names, each as (settings, pages, text runs), and scores all against one gold."""

    def compare(gold: list[dict], **runs: tuple[dict, list[dict], list[dict]]) -> Comparison:
        folders = []
        for name, (config, pages, nodes) in runs.items():
            account = {"config": config, "config_digest": f"digest of {name}"}
            folder, path = stored(gold, pages, nodes, name=name, account=account)
            folders.append(folder)
        return evaluate_all(folders, path)

    return compare
