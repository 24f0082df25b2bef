"""The wheels hold what they should; in an environment that has nothing else they do what the README says."""

import json
import os
import re
import subprocess
import sys
import venv
from importlib.metadata import distributions
from pathlib import Path
from zipfile import ZipFile

import pytest

import dbce
from scripts.setup.packages import needed

ROOT = Path(__file__).resolve().parents[1]
STORY = "<h1>The ferry</h1><p>It takes four people and a goat, if the goat is calm.</p>"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pure(released) -> Path:
    (found,) = released.glob("*-none-any.whl")
    return found


@pytest.fixture(scope="module")
def compiled(released) -> Path:
    (found,) = released.glob("*linux*.whl")
    return found


class Bare:
    """An environment with the wheel and what it depends on, no extras, and a folder to work in.

    The wheel is installed; what it declares is linked to where it is here, which takes no minutes.
    """

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.programs = folder / "venv" / "bin"
        self.folder = folder / "work"
        self.folder.mkdir()
        venv.create(folder / "venv")
        (place,) = (folder / "venv").glob("lib/python*/site-packages")
        pip = [sys.executable, "-m", "pip", "--python", self.programs / "python", "install"]
        options = ["--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]
        subprocess.run([*pip, *options, wheel], check=True)
        (dbce_itself,) = distributions(name="dbce", path=[str(place)])
        for package in needed(dbce_itself).values():
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
def test_the_wheels_have_the_version_of_the_code_and_name_what_they_run_on(pure, compiled) -> None:
    assert pure.name == f"dbce-{dbce.__version__}-py3-none-any.whl"
    stable = rf"dbce-{re.escape(dbce.__version__)}-cp311-abi3-(many|musl)linux\S*_\w+\.whl"
    assert re.fullmatch(stable, compiled.name)


@pytest.mark.nightly
def test_the_zip_for_spark_is_the_pure_wheel(released, pure) -> None:
    assert (released / f"dbce-{dbce.__version__}.zip").read_bytes() == pure.read_bytes()


PREDICT = """
import sys, dbce
text = dbce.extract(sys.argv[1])
walk = sys.modules.get("dbce.kernel.compiled")
print(dbce.__file__, walk and walk.__file__, "sklearn" in sys.modules, text, sep="\\n")
"""


def predicted(wheel: Path, folder: Path) -> list[str]:
    """What PREDICT prints with a wheel and the packages of this environment; there is no compiler."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    install = [*pip, "--no-index", "--no-deps", "--target", folder, wheel]
    nothing = {"PATH": str(folder / "no-programs"), "HOME": str(folder)}
    subprocess.run(install, env=nothing, check=True)
    called = subprocess.run(
        [sys.executable, "-c", PREDICT, STORY],
        env=nothing | {"PYTHONPATH": os.pathsep.join([str(folder), *filter(None, sys.path)])},
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return called.stdout.splitlines()


@pytest.mark.nightly
def test_trees_are_walked_by_what_the_wheel_holds_with_the_same_outcome(pure, compiled, tmp_path):
    home, walk, sklearn, *text = predicted(compiled, tmp_path / "compiled")
    assert home.startswith(str(tmp_path / "compiled"))
    assert Path(walk) == Path(home).parent / "kernel/compiled.abi3.so"
    assert sklearn == "False"
    home, *others = predicted(pure, tmp_path / "pure")
    assert home.startswith(str(tmp_path / "pure"))
    assert others == ["None", "False", *text]
    assert "goat" in " ".join(text)


@pytest.mark.nightly
def test_they_hold_the_package_and_nothing_that_stands_beside_it(pure, compiled) -> None:
    for wheel in (pure, compiled):
        with ZipFile(wheel) as packed:
            tops = {name.partition("/")[0] for name in packed.namelist()}
        assert {top.partition("-")[0].partition(".")[0] for top in tops} == {"dbce"}


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
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    (bare.folder / "readme.py").write_text(code)
    told = bare.call("python readme.py")
    assert "http://paper.example/ferry annotated The last hand ferry" in told
    assert "Letters" not in told
    assert "Printed in the harbour" not in told
