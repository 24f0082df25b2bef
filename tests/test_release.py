"""What is published of a version: whole, sound, told of truly, and the same bytes each time."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from datetime import date
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


@pytest.mark.slow
@pytest.mark.nightly
def test_it_has_wheel_sources_bill_and_licences_with_their_digests(released) -> None:
    made = {path.name for path in released.iterdir()}
    (wheel,) = (name for name in made if "linux" in name)
    beside = {f"{NAME}.tar.gz", f"{NAME}.sbom.cdx.json", "NOTICES.txt", "SHA256SUMS"}
    assert made == beside | {wheel}
    told = process("sha256sum", "--check", "--strict", "SHA256SUMS", folder=released).stdout
    assert told.split() == [
        word for name in sorted(made - {"SHA256SUMS"}) for word in (f"{name}:", "OK")
    ]


@pytest.mark.slow
@pytest.mark.nightly
def test_an_index_of_packages_can_show_its_description(released) -> None:
    """Which is README.md; a wheel without it, or with one that cannot be rendered, is refused."""
    files = [*released.glob("*.whl"), *released.glob("*.tar.gz")]
    told = process(release_tools(), "-m", "twine", "check", "--strict", *files).stdout
    assert told.count("PASSED") == len(files) == 2


@pytest.mark.slow
@pytest.mark.nightly
def test_a_second_one_elsewhere_has_the_same_bytes(released, tmp_path) -> None:
    """The clock has gone on; folder for drafts, zone, rights of new files and language are others."""
    again, drafts = tmp_path / "dist", tmp_path / "drafts"
    drafts.mkdir()
    elsewhere = {"TMPDIR": str(drafts), "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    command = [sys.executable, "scripts/setup/release.py", again]
    subprocess.run(command, cwd=ROOT, env=os.environ | elsewhere, umask=0o077, check=True)
    assert (again / "SHA256SUMS").read_text() == (released / "SHA256SUMS").read_text()
    assert sums(again.glob("dbce*")) in (again / "SHA256SUMS").read_text()


@pytest.mark.slow
@pytest.mark.nightly
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


@pytest.mark.slow
@pytest.mark.nightly
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


@pytest.mark.slow
@pytest.mark.nightly
def test_the_bill_tells_what_is_published_and_nothing_of_the_machine(bill, released) -> None:
    dbce_itself = bill["metadata"]["component"]
    assert dbce_itself["purl"] == f"pkg:pypi/dbce@{dbce.__version__}"
    digests = (released / "SHA256SUMS").read_text()
    for file in dbce_itself["externalReferences"]:
        assert f"{file['hashes'][0]['content']}  {file['url']}\n" in digests
    assert str(ROOT) not in json.dumps(bill)
    assert "file:" not in json.dumps(bill)


@pytest.mark.slow
@pytest.mark.nightly
def test_the_bill_is_sound_by_the_schema(bill) -> None:
    refused = bill | {"components": [{"name": "without a type"}]}
    for code, document in enumerate((bill, refused)):
        process(release_tools(), "-c", VALIDATE, stdin=json.dumps(document), code=code)


@pytest.mark.slow
@pytest.mark.nightly
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


@pytest.mark.slow
@pytest.mark.nightly
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
