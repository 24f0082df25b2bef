"""The wheel holds what it should; in an environment that has nothing else it does what the README says."""

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from importlib.metadata import distribution, distributions
from pathlib import Path
from zipfile import ZipFile

import pytest

import dbce
from scripts.setup.packages import needed
from tests.runs import ROOT, read

STORY = "<h1>The ferry</h1><p>It takes four people and a goat, if the goat is calm.</p>"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def published(released) -> Path:
    (found,) = released.glob("*.whl")
    return found


class Bare:
    """An environment with the wheel and what it depends on, or some `packages` alone, and a folder to work in.

    The wheel is installed; what it declares is linked to where it is here, which takes no minutes.
    """

    def __init__(self, folder: Path, wheel: Path, packages: Sequence[str] = ()) -> None:
        self.programs = folder / "venv" / "bin"
        self.folder = folder / "work"
        self.folder.mkdir()
        venv.create(folder / "venv")
        (place,) = (folder / "venv").glob("lib/python*/site-packages")
        pip = [sys.executable, "-m", "pip", "--python", self.programs / "python", "install"]
        options = ["--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]
        subprocess.run([*pip, *options, wheel], check=True)
        (dbce_itself,) = distributions(name="dbce", path=[str(place)])
        for package in map(distribution, packages) if packages else needed(dbce_itself).values():
            for top in {file.parts[0] for file in package.files} - {"..", "__pycache__"}:
                if not (place / top).exists():
                    (place / top).symlink_to(package.locate_file(top))

    def call(self, command: str, *, code: int = 0, stdin: str = "") -> str:
        """What a command line prints, on stdout where it goes well and on stderr where it does not."""
        called = subprocess.run(
            command,
            shell=True,
            executable="/bin/bash",
            cwd=self.folder,
            env={"PATH": f"{self.programs}:{os.defpath}", "HOME": str(self.folder)},
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
        )
        assert called.returncode == code, called.stderr
        return called.stderr if code else called.stdout


@pytest.fixture(scope="module")
def bare(wheel, tmp_path_factory) -> Bare:
    made = Bare(tmp_path_factory.mktemp("bare"), wheel)
    made.call("dbce sample crawl")
    made.call("dbce run crawl/*.warc.gz --out clean --master none")
    return made


@pytest.mark.nightly
def test_it_has_the_version_of_the_code_and_names_what_it_runs_on(published) -> None:
    stable = rf"dbce-{re.escape(dbce.__version__)}-cp311-abi3-(many|musl)linux\S*_\w+\.whl"
    assert re.fullmatch(stable, published.name)


@pytest.mark.nightly
def test_it_holds_the_package_and_nothing_that_stands_beside_it(published) -> None:
    with ZipFile(published) as packed:
        names = packed.namelist()
    assert {re.split(r"[-./]", name)[0] for name in names} == {"dbce"}
    assert "dbce/kernel/compiled.abi3.so" in names


@pytest.mark.nightly
def test_without_a_compiler_one_is_installed_for_the_build(bare, tmp_path) -> None:
    """The wheel that it makes prints the same text."""
    sources, programs = tmp_path / "sources", tmp_path / "programs"
    made = shutil.ignore_patterns("*.so", "compiled.c", "__pycache__")
    shutil.copytree(ROOT / "dbce", sources / "dbce", ignore=made)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, sources)
    programs.mkdir()
    nothing = {name: value for name, value in os.environ.items() if name not in {"CC", "LDSHARED"}}
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    pip += ["--no-deps", "--wheel-dir", tmp_path, sources]
    subprocess.run(pip, env=nothing | {"PATH": str(programs), "CFLAGS": "-O1"}, check=True)
    (tmp_path / "bare").mkdir()
    (built,) = tmp_path.glob("*.whl")
    other = Bare(tmp_path / "bare", built)
    command = "python -c 'import sys, dbce; print(dbce.extract(sys.stdin.read()))'"
    texts = [one.call(command, stdin=STORY) for one in (bare, other)]
    assert texts[0] == texts[1]
    assert "goat" in texts[0]


def test_the_text_of_pages_and_archives_is_printed(bare) -> None:
    lines = bare.call("dbce text crawl/sample-2013.warc.gz").splitlines()
    assert len(lines) > 20
    assert bare.call("dbce text crawl/*.warc.gz") == bare.call("dbce text clean")
    (bare.folder / "page.html").write_text(STORY)
    assert "# The ferry" in bare.call("dbce text page.html --format markdown")
    assert "calm" in json.loads(bare.call("dbce text -", stdin=STORY))["text"]


def test_a_run_is_shown_and_stripped(bare) -> None:
    url = json.loads(bare.call("dbce text clean").splitlines()[0])["url"]
    assert "title:  " in bare.call(f"dbce show clean {url}")
    assert "data-dbce" not in bare.call(f"dbce strip clean {url}")
    assert "bag F1" in bare.call("dbce evaluate clean --gold crawl/sample.gold.jsonl")


def test_what_needs_an_extra_says_which(bare) -> None:
    for command, extra in {
        "view clean": "view",
        "label clean --gold gold.jsonl": "view",
        "label clean --blocks blocks.jsonl": "view",
        "report clean": "report",
        "run crawl --out x --master local[1]": "spark",
        "run http://a.example/x.warc.gz --out x": "http",
    }.items():
        assert f"pip install 'dbce[{extra}]'" in bare.call(f"dbce {command}", code=2)


def test_the_python_of_the_readme_prints_headlines_and_stories(bare) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", read("README.md"), re.DOTALL)
    (bare.folder / "readme.py").write_text(code)
    told = bare.call("python readme.py")
    assert "http://paper.example/ferry annotated The last hand ferry" in told
    assert "Letters" not in told
    assert "Printed in the harbour" not in told


LIGHT = re.search(
    r"^pip install --no-deps dbce ((?:.|\n)*?)^```",
    read("docs/operations.md"),
    re.MULTILINE,
)


@pytest.mark.nightly
def test_runs_and_texts_need_no_more_than_the_short_list(wheel, bare, tmp_path) -> None:
    assert LIGHT is not None
    packages = LIGHT[1].replace("\\\n", " ").split()
    (tmp_path / "texts").mkdir()
    light = Bare(tmp_path, wheel, packages)
    for library in ("pandas", "sklearn", "scipy"):
        assert f"No module named '{library}'" in light.call(f"python -c 'import {library}'", code=1)
    light.call("dbce sample crawl")
    light.call("dbce run crawl/*.warc.gz --out clean --master none")
    assert "pip install dbce" in light.call("dbce evaluate clean --gold x.jsonl", code=2)
    texts = Bare(tmp_path / "texts", wheel, [name for name in packages if name != "pyarrow"])
    texts.call("dbce sample crawl")
    of_files = "dbce text crawl/*.warc.gz --format chunks"
    assert texts.call(of_files) == light.call(of_files)
    for command in (
        *(
            "dbce text crawl --format markdown",
            "dbce text clean --format chunks",
            "dbce list clean",
        ),
        "dbce export clean --to links --out links && sha256sum links/links/*",
        "cd clean && sha256sum nodes/* pages/*",
    ):
        assert light.call(command) == bare.call(command)
