"""The notebook runs, and what it shows is what it gives."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

nbformat = pytest.importorskip("nbformat", reason="pip install 'dbce[dev]'")
pytest.importorskip("nbclient", reason="pip install 'dbce[dev]'")
pytest.importorskip("ipykernel", reason="pip install 'dbce[dev]'")
pytest.importorskip("matplotlib", reason="pip install 'dbce[evaluate]'")

if TYPE_CHECKING:
    from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parents[1]
KILOBYTES = 80
"""What a reader on a code host has to load, the plot included."""


def texts(notebook: NotebookNode) -> list[tuple[str, list[Any]]]:
    """The source of every code cell, and what it prints or shows as text."""
    return [
        (cell.source, [o.get("text") or o.get("data", {}).get("text/plain") for o in cell.outputs])
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


@pytest.fixture(scope="module")
def stored() -> NotebookNode:
    return nbformat.read(ROOT / "docs" / "first-hour.ipynb", as_version=4)


@pytest.mark.slow
def test_its_outputs_are_those_of_a_fresh_execution(
    stored: NotebookNode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the method has changed, `make notebook` makes them new."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    from scripts.setup.notebook import NOTEBOOK, executed

    assert texts(executed(NOTEBOOK, tmp_path)) == texts(stored)
    assert list(tmp_path.iterdir()) == []


def test_it_is_small_and_sound(stored: NotebookNode) -> None:
    nbformat.validate(stored)
    assert (ROOT / "docs" / "first-hour.ipynb").stat().st_size < KILOBYTES * 1024
    counts = [cell.execution_count for cell in stored.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))


def test_it_shows_its_plot(stored: NotebookNode) -> None:
    shown = [o.data for cell in stored.cells for o in cell.get("outputs", []) if "data" in o]
    assert sum("image/png" in data for data in shown) == 1


def test_it_uses_what_the_guide_documents_and_nothing_private(stored: NotebookNode) -> None:
    source = "\n".join(cell.source for cell in stored.cells if cell.cell_type == "code")
    modules = set(re.findall(r"^from (dbce[\w.]*) import", source, re.MULTILINE))
    assert modules == {"dbce"}
    assert not re.search(r"\b_\w|\._\w", source)


def test_it_reads_tables_by_their_columns_and_no_archive_into_memory(stored: NotebookNode) -> None:
    source = "\n".join(cell.source for cell in stored.cells if cell.cell_type == "code")
    reads = re.findall(r"read_\w+\((?:[^()]|\([^()]*\))*\)", source)
    tables = [one for one in reads if one.startswith("read_parquet")]
    assert len(tables) == 3
    assert all("columns=" in one or "filters=" in one for one in tables)
    assert not re.search(r"dbce\.(archive|pipeline)|\bexpand\(", source)


def test_its_links_lead_to_documents(stored: NotebookNode) -> None:
    prose = "\n".join(cell.source for cell in stored.cells if cell.cell_type == "markdown")
    links = re.findall(r"\]\(([^)#]+)", prose)
    assert links
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []
