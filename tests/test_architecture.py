"""Imports run one way, and each outside library has one home."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# From the bottom up. The values of the lowest layer may use each other; above it, what stands on
# one layer does not import its neighbours. "dbce" is the package's own __init__.py.
LAYERS = (
    (
        *("dbce", "model", "errors", "config", "hashing", "blocks", "text"),
        *("progress", "faults", "terminal", "interrupt"),
    ),
    ("archive", "html", "signature", "models", "style"),
    ("cross", "diff", "classify", "merge", "metadata"),
    ("compare", "revisits", "verdicts", "formats", "sketch"),
    ("pipeline", "check"),
    ("output", "extraction"),
    ("stores", "index"),
    ("files", "explain"),
    ("local", "revise", "sample"),
    ("evaluate",),
    ("train", "report"),
    ("spark", "night", "view"),
    ("options", "parser"),
    ("commands",),
    ("cli",),
    ("__main__", "jobs"),
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}

# Library: where it may be imported. The longest name that fits an import decides.
HOMES = {
    "warcio": {"archive"},
    "lxml": {"html"},
    "lxml.html.diff": {"html", "diff"},
    "bs4": {"html"},
    "tinycss2": {"html", "view"},
    "cssselect2": {"html"},
    "pyspark": {"spark", "jobs"},
    "duckdb": {"view"},
    "flask": {"view"},
    "waitress": {"view"},
}


def part_of(module: str) -> str:
    """The part of the house that a module belongs to: dbce.html.parse is in html."""
    names = module.split(".")
    if names[0] == "jobs":
        return "jobs"
    return names[1] if names[1:] and names[1] in LEVEL else "dbce"


def imports(source: str, package: str) -> list[str]:
    """Full names of all that a source imports, wherever in the file and in whatever form."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")
            above = above[: len(above) - node.level + 1] if node.level else []
            origin = ".".join([*above, *([node.module] if node.module else [])])
            found += [f"{origin}.{alias.name}" for alias in node.names]
    return found


def violations(source: str, module: str, package: str) -> list[str]:
    """One sentence for each import that the module's place in the house forbids."""
    here = part_of(module)
    complaints = []
    for name in imports(source, package):
        if name.split(".")[0] in {"dbce", "jobs"}:
            there = part_of(name)
            if module == "dbce":  # the door of the house shows what is in it
                continue
            down = LEVEL[there] < LEVEL[here]
            if there != here and not down and LEVEL[here] + LEVEL[there] > 0:
                complaints.append(f"{module} ({here}) imports {name}: {there} is not below {here}")
            continue
        fitting = [home for home in HOMES if f"{name}.".startswith(f"{home}.")]
        if fitting and here not in HOMES[max(fitting, key=len)]:
            complaints.append(f"{module} ({here}) imports {name}: not its library")
    return complaints


def modules() -> list[tuple[Path, str, str]]:
    """File, module and package name of every source in dbce/ and jobs/."""
    found = []
    for path in sorted([*ROOT.glob("dbce/**/*.py"), *ROOT.glob("jobs/**/*.py")]):
        names = path.relative_to(ROOT).with_suffix("").parts
        if names[-1] == "__init__":
            names = names[:-1]
            found.append((path, ".".join(names), ".".join(names)))
        else:
            found.append((path, ".".join(names), ".".join(names[:-1])))
    return found


def test_imports_run_one_way() -> None:
    found = [
        complaint
        for path, module, package in modules()
        for complaint in violations(path.read_text(encoding="utf-8"), module, package)
    ]
    assert not found, "\n".join(found)


def test_every_part_of_the_package_has_a_layer() -> None:
    parts = {
        path.stem
        for path in ROOT.glob("dbce/*")
        if (path / "__init__.py").exists() or path.suffix == ".py"
    }
    unplaced = parts - {"__init__"} - LEVEL.keys()
    assert not unplaced, f"give these a place in LAYERS: {sorted(unplaced)}"


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("dbce.archive.records", "from dbce.pipeline import run"),
        ("dbce.archive.records", "from dbce import pipeline"),
        ("dbce.archive.records", "from ..html import parse"),
        ("dbce.cross.neighbours", "import dbce.diff.fast"),
        ("dbce.html.parse", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n import warcio"),
        ("dbce.cli", "def main():\n    from pyspark.sql import SparkSession"),
        ("dbce.diff.fast", "from lxml import html"),
        ("dbce.classify.patterns", "import bs4.dammit"),
        ("dbce.spark.session", "from jobs.annotate import main"),
        ("dbce.model", "import dbce.archive"),
    ],
)
def test_an_import_against_the_layers_is_found(module: str, source: str) -> None:
    assert len(violations(source, module, module.rpartition(".")[0])) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("dbce.errors", "from dbce.model import Reason"),
        ("dbce.archive.records", "from . import cdx\nfrom .cdx import Line"),
        ("dbce.archive.records", "from warcio.archiveiterator import ArchiveIterator"),
        ("dbce.diff.reference", "from lxml.html.diff import InsensitiveSequenceMatcher"),
        ("dbce.output.run", "from dbce import __version__, config"),
        ("dbce.cli", "from dbce.spark.session import session"),
        ("jobs.annotate", "from dbce.spark.session import session\nimport pyspark"),
        ("dbce.pipeline", "import pysparkling"),
    ],
)
def test_an_import_along_the_layers_is_fine(module: str, source: str) -> None:
    assert violations(source, module, module.rpartition(".")[0]) == []
