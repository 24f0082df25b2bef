"""What stands beside the code says the same as the code: configuration, Makefile, scripts."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from fnmatch import fnmatch
from importlib.metadata import version
from pathlib import Path

import pytest

import dbce
from dbce.boilerplate.classify import load_model
from dbce.boilerplate.classify.model import PACKAGED
from dbce.engine.spark.session import SETTINGS
from tests.runs import PYPROJECT, ROOT, in_python, process, read, shell_script

PROJECT = PYPROJECT["project"]

MADE = {".py", ".c", ".so", ".pyd"}
"""Code, and what is made of it where dbce is built in place."""


def test_what_stands_beside_the_code_is_part_of_the_package() -> None:
    package = ROOT / "dbce"
    patterns = PYPROJECT["tool"]["setuptools"]["package-data"]["dbce"]
    packed = {path for pattern in patterns for path in package.glob(pattern)}
    beside = {
        path
        for path in package.rglob("*")
        if path.is_file() and path.suffix not in MADE and path.parent.name != "__pycache__"
    }
    for name in PACKAGED:
        assert package / "boilerplate" / "models" / name in beside
    assert beside == packed


@pytest.mark.parametrize("for_forums", [False, True])
def test_a_model_that_comes_with_the_package_is_small_and_has_a_card(for_forums: bool) -> None:
    assert (ROOT / "dbce/boilerplate/models" / PACKAGED[for_forums]).stat().st_size < 5_000_000
    card = load_model("", for_forums=for_forums).card
    assert ("forums" in card["data"]) == for_forums
    described = {"data", "sites", "folds", "held_out_f1", "expected_calibration_error"}
    assert described | {"versions", "importances"} <= card.keys()
    assert (not card["held_out_f1_comments_kept"]) == for_forums, "posts are the text of a forum"


def test_the_spark_defaults_do_not_contradict_the_session() -> None:
    lines = read("conf/spark-defaults.conf").splitlines()
    defaults = dict(line.split() for line in lines if line and not line.startswith("#"))
    assert {k: defaults.get(k, v) for k, v in SETTINGS.items()} == SETTINGS
    assert defaults["spark.sql.adaptive.coalescePartitions.enabled"] == "false"
    assert defaults["spark.sql.sources.partitionColumnTypeInference.enabled"] == "false"
    assert defaults["spark.sql.session.timeZone"] == "UTC"


def make(folder: Path, *goals: str) -> str:
    """What make prints in a folder, when it is not part of another make."""
    outside = [f"-u{name}" for name in os.environ if name.startswith("MAKE")]
    return process("env", *outside, "make", *goals, folder=folder).stdout


def test_make_alone_lists_every_target() -> None:
    listed = {line.split()[1] for line in make(ROOT).splitlines()}
    assert {"demo", "test", "check", "format", "dist", "clean"} <= listed


def test_make_clean_keeps_the_environment(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    kept, removed = tmp_path / ".venv" / "__pycache__", tmp_path / "demo" / "out"
    kept.mkdir(parents=True)
    removed.mkdir(parents=True)
    make(tmp_path, "clean")
    assert kept.exists()
    assert not removed.exists()


def python(folder: Path, *, suits: bool = True) -> Path:
    """A python3 that is new enough or not, and notes in a file what it was asked to make."""
    cases = f"-c) exit {int(not suits)};; --version) echo Python 3;;"
    text = f"""case "$1" in {cases} -m) echo "$@" > "{folder}/made";; esac"""
    return shell_script(folder / "python", text)


def copied(project: Path, name: str) -> Path:
    """A script of scripts/setup in another project."""
    (project / "scripts/setup").mkdir(parents=True, exist_ok=True)
    return shutil.copy(ROOT / "scripts/setup" / name, project / "scripts/setup")


def make_environment(project: Path, command: Path, code: int = 0) -> str:
    """What scripts/setup/venv.sh says of an environment for a project."""
    copied(project, "headers.sh")
    return process(copied(project, "venv.sh"), PYTHON=str(command), code=code).stderr


def test_an_environment_is_made_with_the_python_named_and_left_where_it_works(
    tmp_path: Path,
) -> None:
    command = python(tmp_path / "bin")
    make_environment(tmp_path, command)
    made = command.parent / "made"
    assert made.read_text() == "-m venv --clear --upgrade-deps .venv\n"
    made.unlink()
    python(tmp_path / ".venv/bin")
    make_environment(tmp_path, command)
    assert not made.exists()


def test_without_a_suitable_python_one_sentence_says_what_is_needed(tmp_path: Path) -> None:
    said = make_environment(tmp_path, python(tmp_path / "bin", suits=False), code=1)
    assert said.startswith("dbce needs Python 3.11 or newer")
    assert not (tmp_path / ".venv").exists()


@pytest.mark.nightly
@pytest.mark.skipif(not shutil.which("apt-get"), reason="the headers are Debian's")
def test_a_python_without_headers_gets_those_of_its_package(tmp_path: Path) -> None:
    home = Path(sysconfig.get_path("stdlib")).parents[1]
    bare = tmp_path / "python/bin/python3"
    bare.parent.mkdir(parents=True)
    shutil.copy(Path(sys.executable).resolve(), bare)
    (tmp_path / "python/lib").symlink_to(home / "lib")
    project = tmp_path / "project"
    process(copied(project, "headers.sh"), bare)
    source = project / "one.c"
    source.write_text("#define Py_LIMITED_API 0x030B0000\n#include <Python.h>\n")
    (headers,) = (project / ".headers/usr/include").glob("python3.*")
    process("cc", "-fsyntax-only", f"-I{headers}", f"-I{headers.parent}", source)


def bare_machine(folder: Path, **commands: str) -> dict[str, str]:
    """The environment of a machine that has these commands, by what they do, and the plainest others."""
    tools = folder / "bin"
    tools.mkdir(parents=True)
    for name in ("sh", "dirname", "cat", "chmod"):
        (tools / name).symlink_to(shutil.which(name) or name)
    for name, does in ({"id": "echo 1000"} | commands).items():
        shell_script(tools / name, does)
    return {"PATH": str(tools), "TOOLS": str(tools)}


def find_chromium(project: Path, environment: dict[str, str]) -> tuple[str, str]:
    """What scripts/setup/chromium.sh prints in a project, and what it says."""
    script = copied(project, "chromium.sh")
    run = subprocess.run([script], env=environment, capture_output=True, text=True, check=True)
    return run.stdout, run.stderr


BROWSER = """printf '#!/bin/sh\\n' > "$TOOLS/chromium"; chmod +x "$TOOLS/chromium\""""


def test_the_chromium_of_the_machine_is_taken_if_it_starts(tmp_path: Path) -> None:
    machine = bare_machine(tmp_path, chromium="exit 1", **{"google-chrome": "exit 0"})
    assert find_chromium(tmp_path, machine) == (f"{tmp_path}/bin/google-chrome\n", "")
    named = machine | {"CHROMIUM": "/nowhere/chromium"}
    assert find_chromium(tmp_path, named)[0] == "", "one that is named and missing is not replaced"


def test_root_gets_the_package_of_the_system(tmp_path: Path) -> None:
    install = f"""case "$*" in *install*chromium*) {BROWSER};; esac; echo noise"""
    machine = bare_machine(tmp_path, id="echo 0", **{"apt-get": install})
    found, said = find_chromium(tmp_path, machine)
    assert found == f"{tmp_path}/bin/chromium\n"
    assert "installing the system's" in said


def playwright(project: Path, does: str) -> None:
    """An environment whose Playwright puts its browser into .chromium, or does something else."""
    text = f"""case "$1" in -c) echo "$PLAYWRIGHT_BROWSERS_PATH/chrome";; -m) {does};; esac"""
    shell_script(project / ".venv/bin/python", text)


def test_without_rights_playwright_brings_its_own(tmp_path: Path) -> None:
    machine = bare_machine(tmp_path, **{"apt-get": "exit 100"}, mkdir='exec /bin/mkdir "$@"')
    browser = """mkdir -p .chromium; printf '#!/bin/sh\\n' > .chromium/chrome; chmod +x .chromium/chrome"""
    playwright(tmp_path, browser)
    found, said = find_chromium(tmp_path, machine)
    assert found == f"{tmp_path}/.chromium/chrome\n"
    assert "into .chromium" in said


def test_without_any_it_says_what_to_type_and_stops_nothing(tmp_path: Path) -> None:
    playwright(tmp_path, "exit 1")
    found, said = find_chromium(tmp_path, bare_machine(tmp_path))
    assert found == ""
    assert "apt-get install chromium" in said
    assert "playwright install --with-deps chromium" in said


@pytest.mark.slow
def test_tests_that_no_browser_ran_are_named_at_the_end(tmp_path: Path) -> None:
    test = "tests/view/test_in_browser.py::test_a_page_is_shown_in_five_ways"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test]
    told = process(*command, CHROMIUM=str(tmp_path / "none")).stdout
    assert "NOT TESTED IN A BROWSER" in told
    assert "1 tests were skipped: there is no Chromium: as root type" in told


@pytest.mark.parametrize("script", [*sorted(ROOT.glob("scripts/setup/*.sh")), ROOT / ".ci/run"])
def test_scripts_can_be_run_and_parsed(script: Path) -> None:
    assert os.access(script, os.X_OK)
    head, *_ = script.read_text(encoding="utf-8").splitlines()
    process(head.removeprefix("#!").split()[-1], "-n", script)


# What is looked at before a commit and after a push


def test_the_hooks_of_pre_commit_run_what_make_check_runs_and_fetch_nothing() -> None:
    makefile = read("Makefile")
    variables = dict(re.findall(r"^(BIN|PYTEST) := (.+)$", makefile, re.MULTILINE))
    recipes = dict(re.findall(r"^([a-z]+):.*\n((?:\t@.+\n)+)", makefile, re.MULTILINE))
    assert re.search(r"^check: lint ", makefile, re.MULTILINE)
    recipe = recipes["lint"] + recipes["check"]
    recipe = recipe.replace("$(PYTEST)", variables["PYTEST"]).replace("$(BIN)", variables["BIN"])
    hooks = read(".pre-commit-config.yaml")
    assert re.findall(r" entry: (.+)", hooks) == re.findall(r"\t@(.+)", recipe)
    assert set(re.findall(r" repo: (.+)", hooks)) == {"local"}
    assert set(re.findall(r" language: (.+)", hooks)) == {"system"}


def test_the_gate_of_a_clean_clone_is_what_make_check_runs_and_all_tests_but_the_nightly() -> None:
    """The quick tests are part of the gate: only the rest of `make check` is to be run beside them."""
    makefile = read("Makefile")
    recipes = dict(re.findall(r"^(test|test-all): (.+\n\t@.+)", makefile, re.MULTILINE))
    assert recipes["test"].endswith('; $(PYTEST) -m "not nightly"')
    assert recipes["test-all"].startswith("test ##")
    assert recipes["test-all"].endswith("; $(PYTEST) -m nightly")
    gate = read(".ci/run")
    called = re.findall(r"^make --no-print-directory (\w+)", gate, re.MULTILINE)
    assert called == ["lint", "test"]


def test_the_hosted_gate_is_that_of_a_clean_clone_with_every_python_and_all_at_night() -> None:
    steps = read(".github/workflows/ci.yml")
    called = dict(re.findall(r"- if: github.event_name (.+)\n +run: (.+)\n", steps))
    assert called == {"!= 'schedule'": "bash .ci/run", "== 'schedule'": "make test-all"}
    (pythons,) = re.findall(r"python: (\[.+\])", steps)
    declared = re.findall(r":: (3\.\d+)$", "\n".join(PROJECT["classifiers"]), re.MULTILINE)
    assert json.loads(pythons) == declared
    assert PROJECT["requires-python"] == f">={declared[0]}"


# The version, and what is installed with it


def test_the_version_stands_in_one_place() -> None:
    assert "version" in PROJECT["dynamic"]
    assert PYPROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "dbce.__version__"}
    patterns = ("Makefile", "Containerfile", "*.md", "docs/*.md", "scripts/*.*")
    beside = [path for pattern in patterns for path in ROOT.glob(pattern)]
    number = f"dbce-{dbce.__version__}"
    pinned = [path.name for path in beside if number in path.read_text(encoding="utf-8")]
    assert pinned == []


def test_what_is_installed_and_what_the_changelog_begins_with_has_the_version_of_the_code() -> None:
    """Which `run.json` names; where it has not, `make` installs anew."""
    assert version("dbce") == dbce.__version__
    first, *_ = re.findall(r"^## \[(.+?)\]", read("CHANGELOG.md"), re.MULTILINE)
    assert first in {"Unreleased", dbce.__version__}


def test_no_build_packs_what_stands_beside_the_package() -> None:
    """Whoever builds from the checkout itself gets what scripts/setup/dist.sh gets from its copy."""
    patterns = PYPROJECT["tool"]["setuptools"]["packages"]["find"]["include"]
    beside = {path.parent.name for path in ROOT.glob("*/__init__.py")} | {"scripts.experiments"}
    assert {"dbce", "scripts", "tests"} <= beside
    assert {name for name in beside if any(fnmatch(name, one) for one in patterns)} == {"dbce"}


def packages(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=\[]", one)[0] for one in requirements}


def test_what_the_project_is_to_stand_on_is_declared() -> None:
    """Spark as an extra: beside a cluster's own, which counts there, a second one does harm."""
    fixed = {"beautifulsoup4", "datasketch", "lxml", "pandas", "scikit-learn", "warcio"}
    assert fixed <= packages(PROJECT["dependencies"])
    assert packages(PROJECT["optional-dependencies"]["spark"]) == {"pyspark"}


@pytest.mark.slow
@pytest.mark.nightly
def test_plain_runs_import_every_dependency(tmp_path: Path) -> None:
    """Some only for a method that learns on each page, a signature other than the default, or style sheets."""
    modules = {"beautifulsoup4": "bs4", "scikit-learn": "sklearn"}
    declared = {
        modules.get(name, name.replace("-", "_")) for name in packages(PROJECT["dependencies"])
    }
    code = (
        "import sys; from dbce.cli import main; main(['sample', 'sample']); "
        "plain = ['run', 'sample', '--master', 'none', '--out']; "
        "main([*plain, 'out']); main([*plain, 'thesis', '--method', 'thesis', '--num-perm', '64']); "
        "main(['headings', 'out', '--styles', 'sheets']); "
        f"sys.exit(', '.join({declared!r} - sys.modules.keys()) or 0)"
    )
    in_python(code, tmp_path)
