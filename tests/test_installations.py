"""Every command, in installations with few extras: it works, or it names the extra that it needs."""

import ast
import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path
from subprocess import CompletedProcess

import pyarrow.parquet as pq
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import dbce
from dbce import wing
from dbce.cli import COMMANDS, main
from dbce.model import EXTRAS
from dbce.visual import PARTS
from tests.browser import NONE, chromium
from tests.runs import PYPROJECT, ROOT, in_python, process
from tests.site import snapshots, stored
from tests.training import write_labelled

URL = "http://harbour.example/ferry"

CALLS = {
    "run": "crawl --out new",
    "text": "crawl/harbour.warc.gz",
    "nightly": "crawl --archive new",
    "compact": "nights",
    "check": "crawl",
    "repair": "clean",
    "sample": "new",
    "show": f"clean {URL} --at 201605",
    "view": "clean --archive crawl --port 0",
    "strip": f"clean {URL} --at 2015",
    "report": "clean",
    "changes": "clean",
    "list": "clean",
    "quality": "clean",
    "same": "clean",
    "history": f"clean {URL}",
    "export": "clean --to huggingface --out new",
    "render": "crawl --out new",
    "segment": "clean",
    "headings": "clean",
    "migrate": "clean --archive crawl --out new",
    "label": "clean --gold labelled.jsonl --order site --captures 2 --port 0",
    "agree": "clean --blocks anna.jsonl ben.jsonl",
    "evaluate": "clean --gold gold.jsonl",
    "evaluate-blocks": "anna.jsonl --gold anna.jsonl --rendered clean",
    "evaluate-headings": "found --gold headings.jsonl",
    "train": "--data labelled/eight.warc.gz labelled/eight.gold.jsonl --out my.npz",
}
"""A call of every command, as its help has it, on the world below."""


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that the calls name."""
    if chromium() is None:
        pytest.skip(NONE)
    here = tmp_path_factory.mktemp("world")
    for name in ("crawl", "labelled"):
        (here / name).mkdir()
    pages = [*snapshots(2015), *snapshots(2016)]
    (here / "crawl/harbour.warc.gz").write_bytes(stored(*pages))
    write_labelled(here / "labelled", "eight")
    for command in (
        "run {0}/crawl --out {0}/clean --master none",
        "render {0}/crawl --out {0}/clean",
        "headings {0}/clean --body body --method hn-dt",
        "nightly {0}/crawl --archive {0}/nights --master none",
    ):
        assert main(command.format(here).split()) == 0, command
    shutil.copytree(here / "clean", here / "found")
    shutil.rmtree(here / "clean/headings")
    (row, *_) = pq.read_table(here / "clean/rendered/pages").to_pylist()
    name = {"record_id": row["record_id"], "url": row["url"]}
    block = {"id": "b1", "rect": [0, 0, 1366, 60], "label": "header"}
    _write(here / "anna.jsonl", name | {"blocks": [block | {"by": "Anna"}]})
    _write(here / "ben.jsonl", name | {"blocks": [block | {"by": "Ben"}]})
    _write(here / "headings.jsonl", name | {"body": "/html/body", "headings": []})
    _write(here / "gold.jsonl", name | {"gold_text": "ferry in the old town"})
    return here


def _write(path: Path, line: dict[str, object]) -> None:
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")


def needed(name: str, words: Sequence[str]) -> set[str]:
    """Extras that the declaration of a command asks for, as it is called."""
    command = COMMANDS[name]
    given = (o.needs for o in command.options() if o.needs and o.flag in words)
    of_options = [need for need in given if set(words).isdisjoint(need.free)]
    return {need.extra for need in (*command.needs, *of_options) if need.libraries}


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("extras", [(), ("view",), ("render",)], ids=["none", "view", "render"])
@pytest.mark.nightly
def test_every_command_works_or_names_its_extra(world, tmp_path, extras):
    assert CALLS.keys() == COMMANDS.keys()
    calls = []
    for name, words in CALLS.items():
        shutil.copytree(world, tmp_path / name)
        calls.append((str(tmp_path / name), [name, *shlex.split(words)]))
    played = in_python(f"from tests.installed import play; play({extras!r}, {calls!r})", tmp_path)
    said = {
        name: (int(code), text)
        for name, text, code in re.findall(
            r"^CALL (\S+)\n(.*?)^EXIT (\d+)\n", played.stderr, re.MULTILINE | re.DOTALL
        )
    }
    brought = set(extras) | ({"report"} if "view" in extras else set())
    for name, words in CALLS.items():
        missing = needed(name, shlex.split(words)) - brought
        code, told = said[name]
        assert code == (2 if missing else 0), (name, told)
        assert not missing or any(f"dbce[{extra}]" in told for extra in missing), told


# Declared


def test_what_is_imported_is_declared() -> None:
    package = Path(dbce.__file__).parent
    imported = {
        name.partition(".")[0]
        for path in package.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in _names(node)
    }
    brings = packages_distributions()
    extras = (*dict.fromkeys(EXTRAS.values()), "completion", "java")
    project = PYPROJECT["project"]
    of_extras = (project["optional-dependencies"].get(extra, ()) for extra in extras)
    lines = [*project["dependencies"], *chain(*of_extras)]
    declared = {canonicalize_name(Requirement(line).name) for line in lines}
    # Whoever imports steps of datatrove has it: they are for its pipelines, and no command leads to them.
    others = imported - sys.stdlib_module_names - {"dbce", "pwd", "winreg", "datatrove"}
    undeclared = {
        name
        for name in others
        if not {canonicalize_name(one) for one in brings.get(name, [name])} & declared
    }
    assert undeclared == set()


def _names(node: ast.AST) -> list[str]:
    """The modules that a statement imports."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [node.module]
    return []


# The core without the wing, whose folder is taken away in a copy, and its one hook


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
from dbce.view.app import Guard
from dbce.view.run import open_view
from tests.view.conftest import let_in

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


@pytest.mark.nightly
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


@pytest.mark.nightly
def test_tests_of_the_core_pass_without_the_wing(core: Path, tmp_path: Path) -> None:
    """All of them take as long as the gate; `pytest -m "not wing"` has them."""
    tests = [str(ROOT / "tests" / name) for name in OF_THE_CORE]
    # Neither the folder that it is called in nor that of the tests may come before the copy.
    path = ["--import-mode=append", "-o", "pythonpath=", "-c", str(ROOT / "pyproject.toml")]
    beside = ["-p", "no:cacheprovider", f"--basetemp={tmp_path / 'temp'}"]
    done = call(core, tmp_path, "-m", "pytest", "-q", "-m", REST, *path, *beside, *tests)
    assert " deselected" in done.stdout
