"""The notebooks run, and what they show is what they give."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from nbformat import NotebookNode

from tests.browser import NONE, chromium

nbformat = pytest.importorskip("nbformat", reason="pip install 'dbce[dev]'")
pytest.importorskip("nbclient", reason="pip install 'dbce[dev]'")
pytest.importorskip("ipykernel", reason="pip install 'dbce[dev]'")
pytest.importorskip("matplotlib", reason="pip install matplotlib")


DOCS = Path(__file__).resolve().parents[1] / "docs"
FIRST, FIGURES = "first-hour", "three-figures"
KILOBYTES = {FIRST: 80, FIGURES: 240}
"""Size that a reader on a code host has to load, the plots included."""

PLOTS = {FIRST: 1, FIGURES: 3}
each = pytest.mark.parametrize("name", [FIRST, FIGURES])


def stored(name: str) -> NotebookNode:
    return nbformat.read(DOCS / f"{name}.ipynb", as_version=4)


def texts(notebook: NotebookNode) -> list[tuple[str, list[Any]]]:
    """The source of every code cell, and what it prints or shows as text."""
    return [
        (cell.source, [o.get("text") or o.get("data", {}).get("text/plain") for o in cell.outputs])
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], NotebookNode]:
    """Return a notebook as it is executed anew, in a folder that it leaves empty."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    from scripts.setup.notebook import executed

    def run(name: str) -> NotebookNode:
        notebook = executed(DOCS / f"{name}.ipynb", tmp_path)
        assert list(tmp_path.iterdir()) == []
        return notebook

    return run


@pytest.mark.slow
@pytest.mark.nightly
def test_its_outputs_are_those_of_a_fresh_execution(fresh: Callable[[str], NotebookNode]) -> None:
    """After a change of the method `make notebook` makes them new."""
    assert texts(fresh(FIRST)) == texts(stored(FIRST))


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.skipif(chromium() is None, reason=NONE)
@pytest.mark.nightly
def test_three_figures_are_those_of_a_fresh_execution(fresh):
    """Roles depend on the boxes that this machine's browser and fonts give; all else is the same anywhere."""
    now, then = texts(fresh(FIGURES)), texts(stored(FIGURES))
    of_roles = next(n for n, (source, _) in enumerate(now) if "shares.round" in source)
    (shares,) = now.pop(of_roles)[1]
    then.pop(of_roles)
    assert now == then
    first = shares.partition("boilerplate in sections")[0]  # the table is printed in parts
    years = re.findall(r" (20\d\d) +([\d.]+)", first)
    assert {year for year, _ in years} == {"2013", "2015", "2016", "2017"}
    assert all(0.3 < float(content) < 0.95 for _, content in years)


@each
def test_it_is_small_and_sound_and_shows_its_plots(name: str) -> None:
    notebook = stored(name)
    nbformat.validate(notebook)
    assert (DOCS / f"{name}.ipynb").stat().st_size < KILOBYTES[name] * 1024
    shown = [o.data for cell in notebook.cells for o in cell.get("outputs", []) if "data" in o]
    assert sum("image/png" in data for data in shown) == PLOTS[name]
    counts = [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))


@each
def test_it_uses_nothing_private_and_its_links_lead_to_documents(name: str) -> None:
    source, prose = (
        "\n".join(cell.source for cell in stored(name).cells if cell.cell_type == kind)
        for kind in ("code", "markdown")
    )
    modules = set(re.findall(r"^from (dbce[\w.]*) import", source, re.MULTILINE))
    assert modules == {"dbce"}
    assert not re.search(r"\b_\w|\._\w", source)
    links = re.findall(r"\]\(([^)#]+)", prose)
    assert links
    assert [link for link in links if not (DOCS / link).exists()] == []
