"""Every command, in installations with few extras: it works, or it names the extra that it needs."""

import ast
import json
import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from importlib.metadata import packages_distributions
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import dbce
from dbce.cli import main
from dbce.commands.parser import COMMANDS
from dbce.model import EXTRAS
from tests.browser import NONE, chromium
from tests.installed import asked_for
from tests.runs import in_python
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
    of_options = [o.needs for o in command.options() if o.needs and o.flag in words]
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
    declared = {canonicalize_name(Requirement(line).name) for line in asked_for(extras)}
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
