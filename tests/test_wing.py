"""The core works without the wing, whose folder is taken away in a copy, and reaches it by one hook."""

import os
import re
import shutil
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from dbce import wing
from dbce.visual import PARTS
from tests.runs import ROOT, process

ASKED = re.compile(r'wing\.(?:part|require)\(\s*"(\w+)"')

HIDING = """
import sys
sys.meta_path[:] = [one for one in sys.meta_path if not one.__module__.startswith("__editable__")]
"""
"""An editable installation finds what is not in a package of the same name elsewhere."""


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package without the wing."""
    folder = tmp_path_factory.mktemp("core")
    without = shutil.ignore_patterns("visual", "__pycache__")
    shutil.copytree(ROOT / "dbce", folder / "dbce", ignore=without)
    (folder / "sitecustomize.py").write_text(HIDING)
    return folder


def call(core: Path, folder: Path, *words: str, code: int = 0) -> CompletedProcess[str]:
    """Result of a Python that has the copy."""
    path = f"{core}{os.pathsep}{ROOT}"
    return process(sys.executable, *words, folder=folder, code=code, PYTHONPATH=path)


def test_the_core_takes_what_the_wing_has_for_it() -> None:
    sources = [p.read_text() for p in ROOT.glob("dbce/**/*.py") if "visual" not in p.parts]
    assert {name for source in sources for name in ASKED.findall(source)} == PARTS.keys()
    assert all(wing.part(name) is not None for name in PARTS)


EVERY_MODULE = """
import importlib, pkgutil, sys, dbce
for module in pkgutil.walk_packages(dbce.__path__, "dbce."):
    if module.name not in ("dbce.__main__", "dbce.adapters.datatrove"):
        importlib.import_module(module.name)
print(*(name for name in sys.modules if name.startswith("dbce.visual")))
"""


def test_every_module_of_the_core_can_be_imported(core: Path, tmp_path: Path) -> None:
    assert call(core, tmp_path, "-c", EVERY_MODULE).stdout == "\n"


def test_commands_of_the_wing_are_not_listed(core: Path, tmp_path: Path) -> None:
    told = call(core, tmp_path, "-m", "dbce", "--help").stdout
    assert "\n  run " in told
    for name in ("render", "segment", "changes", "agree"):
        assert f"\n  {name} " not in told


USED = """
import sys
from dbce.cli import main
from dbce.view.app import create_app
from dbce.view.guard import Guard
from dbce.view.run import open_view
from tests.view.visitor import let_in

gold = "sample/sample.gold.jsonl"
for words in (
    "sample sample", "run sample --out out --master none", "nightly sample --archive nights",
    "text out", "text sample", "list out", "quality out", "report out --csv csv",
    "view out --export pages", f"evaluate out --gold {gold}", f"report out --gold {gold} --out with.html",
):
    assert main(words.split()) == 0, words
run = open_view("out", {})
client = let_in(create_app(run, Guard(token="secret")))
capture = run.tables.row("SELECT record_id FROM pages WHERE status = 'annotated' LIMIT 1")
for address in ("", "captures", "capture", "timeline", "history", "compare", "cross", "frame"):
    answer = client.get(f"/{address}", query_string={"id": capture["record_id"]})
    assert answer.status_code == 200, address
    assert "Screenshot" not in answer.text, address
from pathlib import Path
from subprocess import CompletedProcess
from dbce.annotate.server import CONTENT, DeskSettings, serving
with serving(CONTENT, DeskSettings("out", "gold.jsonl", {}, "random", 2), host="127.0.0.1", port=0) as server:
    print(server.address, file=sys.stderr)
"""


def test_runs_texts_reports_scores_the_viewer_and_labels_need_no_wing(core, tmp_path):
    call(core, tmp_path, "-c", USED)
    for words in (
        "text sample --format markdown --headings dbce",
        "nightly sample --archive nights --changes",
        "label out --headings headings.jsonl",
    ):
        refused = call(core, tmp_path, "-m", "dbce", *words.split(), code=2)
        assert "needs dbce.visual, which this installation of dbce lacks" in refused.stderr


OF_THE_CORE = (
    *("commands/test_text_command.py", "evaluate", "annotate/content", "view/test_app.py"),
    *("report/test_one_file.py", "output/test_row_selection.py"),
)
"""Tests of the core that reach into most of its rooms and take little time."""

REST = "not (spark or slow or browser or nightly or data or tools)"


@pytest.mark.slow
def test_tests_of_the_core_pass_without_the_wing(core: Path, tmp_path: Path) -> None:
    """All of them take as long as the gate; `pytest -m "not wing"` has them."""
    tests = [str(ROOT / "tests" / name) for name in OF_THE_CORE]
    # Neither the folder that it is called in nor that of the tests may come before the copy.
    path = ["--import-mode=append", "-o", "pythonpath=", "-c", str(ROOT / "pyproject.toml")]
    beside = ["-p", "no:cacheprovider", f"--basetemp={tmp_path / 'temp'}"]
    done = call(core, tmp_path, "-m", "pytest", "-q", "-m", REST, *path, *beside, *tests)
    assert " deselected" in done.stdout
