"""docs/papers.md names tests, modules and options that are there."""

import re
from dataclasses import fields
from pathlib import Path

from dbce.visual.headings.registry import METHODS
from dbce.visual.segment import SEGMENTERS

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TEXT = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")


def named(pattern):
    """The names in code quotes that fit a pattern."""
    return set(re.findall(rf"`({pattern})`", TEXT))


def test_every_test_that_the_table_names_is_there():
    files = list(HERE.rglob("test_*.py"))
    tests = {
        found
        for f in files
        for found in re.findall(r"^def (test_\w+)", f.read_text(), re.MULTILINE)
    }
    assert named(r"test_\w+") - tests == {"test_1", "test_5"}  # how the names of some begin
    assert named(r"test_\w+\.py") <= {f.name for f in files}
    assert all((ROOT / folder).is_dir() for folder in named(r"tests/[\w/]+"))


def test_every_module_and_every_name_of_code_is_there():
    modules = named(r"\w+/\w+\.py") | {f"{name}.py" for name in named(r"evaluate/\w+")}
    wing = ROOT / "dbce" / "visual"
    assert [m for m in modules if not (wing / m).exists() and not (wing / m[:-3]).is_dir()] == []
    code = "".join(f.read_text() for f in wing.rglob("*.*") if f.suffix in (".py", ".js"))
    assert named(r"_?[a-z]+(?:_[a-z0-9]+)*") - named(r"test_\w+") <= set(re.findall(r"\w+", code))


def test_every_option_of_block_o_matic_and_heps_is_in_a_row_or_in_a_range():
    kinds = [SEGMENTERS["bom-paper"].options, METHODS["heps-paper"].options]
    options = {field.name for kind in kinds for field in fields(kind)}
    elsewhere = {"theta_2", "theta_3", "theta_4", "image_text", "at_least", "sibling"}
    assert {name for name in options - elsewhere if f"`{name}" not in TEXT} == set()
