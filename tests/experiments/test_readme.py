"""The list of experiments names every one of them."""

from importlib import import_module

import pytest

from tests.runs import ROOT
from tests.test_docs import table

FOLDER = ROOT / "scripts" / "experiments"
README = (FOLDER / "README.md").read_text(encoding="utf-8")
MODULES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")
LISTED = [row[0] for row in table(README, columns=6)[1:]]
HARNESS = [row[0] for row in table(README, columns=2)[1:]]


@pytest.mark.parametrize("name", MODULES)
def test_a_module_is_listed_once_and_can_be_imported(name: str) -> None:
    assert [*LISTED, *HARNESS].count(name) == 1
    assert import_module(f"scripts.experiments.{name}").__doc__


@pytest.mark.parametrize("name", [name for name in MODULES if name in LISTED])
def test_an_experiment_can_be_started(name: str) -> None:
    source = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    assert 'if __name__ == "__main__":' in source
