"""What is published of a version: whole, sound, told of truly, and the same bytes each time."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
from collections.abc import Callable, Sequence
from datetime import date
from importlib.metadata import distribution, distributions
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import yaml
from packaging.requirements import Requirement

import dbce
from scripts.setup import release_check
from scripts.setup.bill import SOURCES_ONLY, VALIDATE
from scripts.setup.container_steps import steps
from scripts.setup.packages import needed, unpacked_metadata
from scripts.setup.release import release_tools, sums
from tests.runs import PYPROJECT, ROOT, process, read

NAME = f"dbce-{dbce.__version__}"


def at_night(test: Callable[..., None]) -> Callable[..., None]:
    return pytest.mark.slow(pytest.mark.nightly(test))


@pytest.fixture(scope="module")
def bill(released) -> dict[str, Any]:
    return json.loads((released / f"{NAME}.sbom.cdx.json").read_text(encoding="utf-8"))


def test_what_keeps_a_version_from_being_tagged_is_told(tmp_path) -> None:
    for name in ("dbce/__init__.py", "CITATION.cff", release_check.RECIPE):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    own, today = dbce.__version__, date(2026, 11, 27)
    changelog = tmp_path / "CHANGELOG.md"

    def told(heading: str, tag: str = "") -> list[str]:
        changelog.write_text(
            f"# Changelog\n\n## {heading}\n\nSomething.\n\n## [0.0.1] - 2020-01-01\n"
        )
        return release_check.missing(tmp_path, tag, today)

    assert told(f"[{own}] - 2026-11-27", f"v{own}") == []
    assert told("[Unreleased]") == [
        f"CHANGELOG.md begins with [Unreleased], not with [{own}] - YYYY-MM-DD"
    ]
    assert told(f"[{own}] - 2026-11-28") == [
        f"CHANGELOG.md dates {own} to 2026-11-28, which is to come"
    ]
    assert told(f"[{own}] - 2026-11-27", "v9") == [f"the tag is v9, not v{own}"]
    (tmp_path / "CITATION.cff").write_text("version: 9.9\n")
    assert told(f"[{own}] - 2026-11-27") == [f"CITATION.cff says 9.9, not {own}"]


def test_the_recipe_for_conda_asks_for_what_the_wheel_asks_for() -> None:
    """Under the names that conda has."""
    recipe = yaml.safe_load(read(str(release_check.RECIPE)))
    names = {"brotli": "brotli-python", "zlib-ng": "python-zlib-ng"}
    needed_here = [
        re.split(r"(?=[<>])", one, maxsplit=1) for one in PYPROJECT["project"]["dependencies"]
    ]
    python = f"python {PYPROJECT['project']['requires-python']}"
    expected = [python, *(f"{names.get(name, name)} {bounds}" for name, bounds in needed_here)]
    assert recipe["requirements"]["run"] == expected
    assert recipe["context"]["version"] == dbce.__version__
    built_with = {one.replace(">", " >", 1) for one in PYPROJECT["build-system"]["requires"]}
    assert set(recipe["requirements"]["host"]) == {python, "pip", *built_with}


def test_a_hosted_release_is_checked_first_and_published_without_a_password() -> None:
    jobs = yaml.safe_load(read(".github/workflows/release.yml"))["jobs"]
    assert jobs["wheels"]["needs"] == jobs["sources"]["needs"] == "check"
    assert jobs["publish"]["needs"] == ["wheels", "sources"]
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    run = jobs["check"]["steps"][-1]["run"]
    assert (ROOT / run.split()[1]).exists()


@pytest.fixture(scope="module")
def packages(released, tmp_path_factory) -> dict[str, Any]:
    (wheel,) = released.glob("*.whl")
    return needed(unpacked_metadata(wheel, tmp_path_factory.mktemp("metadata")), ["all"])


@at_night
def test_it_has_wheel_sources_bill_and_licences_with_their_digests(released) -> None:
    made = {path.name for path in released.iterdir()}
    (wheel,) = (name for name in made if "linux" in name)
    beside = {f"{NAME}.tar.gz", f"{NAME}.sbom.cdx.json", "NOTICES.txt", "SHA256SUMS"}
    assert made == beside | {wheel}
    told = process("sha256sum", "--check", "--strict", "SHA256SUMS", folder=released).stdout
    assert told.split() == [
        word for name in sorted(made - {"SHA256SUMS"}) for word in (f"{name}:", "OK")
    ]


@at_night
def test_an_index_of_packages_can_show_its_description(released) -> None:
    """Which is README.md; a wheel without it, or with one that cannot be rendered, is refused."""
    files = [*released.glob("*.whl"), *released.glob("*.tar.gz")]
    told = process(release_tools(), "-m", "twine", "check", "--strict", *files).stdout
    assert told.count("PASSED") == len(files) == 2


@at_night
def test_a_second_one_elsewhere_has_the_same_bytes(released, tmp_path) -> None:
    """The clock has gone on; folder for drafts, zone, rights of new files and language are others."""
    again, drafts = tmp_path / "dist", tmp_path / "drafts"
    drafts.mkdir()
    elsewhere = {"TMPDIR": str(drafts), "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    command = [sys.executable, "scripts/setup/release.py", again]
    subprocess.run(command, cwd=ROOT, env=os.environ | elsewhere, umask=0o077, check=True)
    assert (again / "SHA256SUMS").read_text() == (released / "SHA256SUMS").read_text()
    assert sums(again.glob("dbce*")) in (again / "SHA256SUMS").read_text()


@at_night
def test_the_wheel_built_from_the_sources_is_the_wheel(released, tmp_path) -> None:
    with tarfile.open(released / f"{NAME}.tar.gz") as packed:
        members = packed.getmembers()
    assert len({member.mtime for member in members}) == 1
    assert [member.name for member in members] == sorted(member.name for member in members)
    settings = os.environ | {"SOURCE_DATE_EPOCH": str(int(members[0].mtime)), "CFLAGS": "-g0"}
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    pip += ["--no-deps", "--build-constraint", ROOT / "scripts/setup/build-tools.txt"]
    pip += ["--wheel-dir", tmp_path, released / f"{NAME}.tar.gz"]
    subprocess.run(pip, env=settings, check=True)
    (built,), (wheel,) = tmp_path.glob("*.whl"), released.glob("*.whl")
    assert contents(built) == contents(wheel)


def contents(wheel: Path) -> dict[str, bytes]:
    """Files of a wheel, without what auditwheel changes: the compiled part, tags and digests."""
    changed = (".so", "WHEEL", "RECORD", "auditwheel.cdx.json")
    with ZipFile(wheel) as packed:
        names = [name for name in packed.namelist() if not name.endswith((*changed, "/"))]
        return {name: packed.read(name) for name in names}


@at_night
def test_the_bill_names_all_that_dbce_needs_as_it_is_installed_here(bill, packages) -> None:
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    told = {one["name"].lower().replace("_", "-"): one for one in bill["components"]}
    assert told.keys() == packages.keys()
    for name, one in told.items():
        assert one["version"] == packages[name].version
        assert one["purl"].lower() == f"pkg:pypi/{name}@{one['version']}"
        assert one["licenses"]
    assert {name for name, one in told.items() if "hashes" not in one} == SOURCES_ONLY
    assert told["lxml"]["scope"] == "required"
    assert told["pyspark"]["scope"] == "optional"


@at_night
def test_the_bill_tells_what_is_published_and_nothing_of_the_machine(bill, released) -> None:
    dbce_itself = bill["metadata"]["component"]
    assert dbce_itself["purl"] == f"pkg:pypi/dbce@{dbce.__version__}"
    digests = (released / "SHA256SUMS").read_text()
    for file in dbce_itself["externalReferences"]:
        assert f"{file['hashes'][0]['content']}  {file['url']}\n" in digests
    assert str(ROOT) not in json.dumps(bill)
    assert "file:" not in json.dumps(bill)


@at_night
def test_the_bill_is_sound_by_the_schema(bill) -> None:
    refused = bill | {"components": [{"name": "without a type"}]}
    for code, document in enumerate((bill, refused)):
        process(release_tools(), "-c", VALIDATE, stdin=json.dumps(document), code=code)


@at_night
def test_licences_are_those_of_all_packages_and_those_without_are_named(released, packages) -> None:
    text = (released / "NOTICES.txt").read_text(encoding="utf-8")
    silent = []
    for package in packages.values():
        assert f"\n{package.name} {package.version}\nLicence as declared: " in text
        files = [file for file in package.files if "licen" in file.name.lower()]
        files += [file for file in package.files if "COPYING" in file.name]
        for file in files:
            if ".dist-info" in str(file) and file.suffix != ".py":
                assert file.read_text(encoding="utf-8").strip() in text
        silent += [] if files else [package.name]
    assert f"{len(silent)} of them bring no text of their licence: {', '.join(silent)}." in text


@at_night
def test_the_wheel_runs_with_another_python(released) -> None:
    """One other than this one; `make try-release` has all that are here, and takes a minute for each."""
    own = f"{sys.version_info[0]}.{sys.version_info[1]}"
    others = [one for one in ("3.13", "3.12", "3.11") if one != own]
    for other in others:
        command = ["scripts/setup/try_wheels.sh", "--versions", other, released]
        run = process(*command, code=None)
        if "not here, not tried" not in run.stdout:
            assert run.returncode == 0, run.stderr
            assert run.stdout.startswith(f"Python {other}.")
            return
    pytest.skip(f"only Python {own} is here, of 3.11, 3.12 and 3.13")


# The container


def test_every_step_of_the_container_is_one_that_is_run_by_hand() -> None:
    text = read("Containerfile")
    plan = steps(text)
    assert plan[0] == ("FROM", "docker.io/library/debian:trixie-slim")
    known = {"FROM", "RUN", "COPY", "ENV", "USER", "WORKDIR", "ENTRYPOINT", "CMD"}
    assert {step for step, _ in plan} == known
    assert sum(line[:3] == "RUN" for line in text.splitlines()) == len(
        [about for step, about in plan if step == "RUN"]
    )
    assert ("USER", "dbce") in plan


def test_what_a_release_is_built_with_is_pinned_to_what_will_do() -> None:
    pinned = map(Requirement, read("scripts/setup/build-tools.txt").split("\n")[1:-1])
    versions = {one.name: next(iter(one.specifier)) for one in pinned}
    declared = {one.name: one for one in map(Requirement, PYPROJECT["build-system"]["requires"])}
    assert versions.keys() == declared.keys()
    for name, exactly in versions.items():
        assert exactly.operator == "=="
        assert declared[name].specifier.contains(exactly.version)


def test_all_is_every_extra_but_java_and_those_of_developers() -> None:
    extras = PYPROJECT["project"]["optional-dependencies"]
    (one,) = map(Requirement, extras["all"])
    assert one.name == "dbce"
    assert one.extras == extras.keys() - {"all", "java", "dev", "fuzz", "peers"}


# The wheel, and an environment that has nothing else


STORY = "<h1>The ferry</h1><p>It takes four people and a goat, if the goat is calm.</p>"


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


@at_night
def test_it_names_what_it_runs_on_and_holds_the_package_alone(released) -> None:
    (published,) = released.glob("*.whl")
    stable = rf"dbce-{re.escape(dbce.__version__)}-cp311-abi3-(many|musl)linux\S*_\w+\.whl"
    assert re.fullmatch(stable, published.name)
    with ZipFile(published) as packed:
        names = packed.namelist()
    assert {re.split(r"[-./]", name)[0] for name in names} == {"dbce"}
    assert "dbce/kernel/compiled.abi3.so" in names


@at_night
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


@pytest.mark.slow
def test_the_text_of_pages_and_archives_is_printed(bare) -> None:
    lines = bare.call("dbce text crawl/sample-2013.warc.gz").splitlines()
    assert len(lines) > 20
    assert bare.call("dbce text crawl/*.warc.gz") == bare.call("dbce text clean")
    (bare.folder / "page.html").write_text(STORY)
    assert "# The ferry" in bare.call("dbce text page.html --format markdown")
    assert "calm" in json.loads(bare.call("dbce text -", stdin=STORY))["text"]


@pytest.mark.slow
def test_a_run_is_shown_and_stripped(bare) -> None:
    url = json.loads(bare.call("dbce text clean").splitlines()[0])["url"]
    assert "title:  " in bare.call(f"dbce show clean {url}")
    assert "data-dbce" not in bare.call(f"dbce strip clean {url}")
    assert "captures" in bare.call("dbce check crawl")
    assert "bag F1" in bare.call("dbce evaluate clean --gold crawl/sample.gold.jsonl")


LIGHT = re.search(
    r"^pip install --no-deps dbce ((?:.|\n)*?)^```", read("docs/operations.md"), re.MULTILINE
)


@at_night
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
