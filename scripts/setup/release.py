"""`make release`: all that is published of a version, into a folder, the same bytes each time.

    python scripts/setup/release.py DIST

The wheel (dist.sh), the sources (.tar.gz), a list of all packages that dbce needs with its extras
(CycloneDX), their licences, and the digests of these files. Packages are those of this environment:
what the tests ran with.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from scripts.setup import release_check  # noqa: E402 - the path above
from scripts.setup.bill import bill_of_materials  # noqa: E402 - the path above
from scripts.setup.packages import (  # noqa: E402
    declared_licence,
    legal_texts,
    needed,
    unpacked_metadata,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from importlib.metadata import Distribution

TOP = """\
Licences and notices of all packages that dbce {version} needs on this kind of system, its extra "all"
included. dbce holds none of them; pip installs them beside it. The licences of dbce itself are in its wheel.
{count} packages; {silent} of them bring no text of their licence: {names}.
"""


def main(arguments: Sequence[str]) -> None:
    """Fills the folder that is named; older files of a release go."""
    out = Path(*arguments).resolve()
    os.environ["SOURCE_DATE_EPOCH"] = str(commit_time())
    out.mkdir(parents=True, exist_ok=True)
    for older in (*out.glob("dbce-[0-9]*"), *out.glob("NOTICES.txt"), *out.glob("SHA256SUMS")):
        older.unlink()
    subprocess.run([ROOT / "scripts/setup/dist.sh", out], check=True)
    (wheel,) = out.glob("dbce-*.whl")
    version = wheel.name.split("-")[1]
    tools = release_tools()
    source_archive(out, tools)
    with TemporaryDirectory() as folder:
        package = unpacked_metadata(wheel, Path(folder))
        with_extras, plain = needed(package, ["all"]), needed(package)
        files = [path for path in out.iterdir() if path.name.startswith(f"dbce-{version}")]
        bill = bill_of_materials(package, with_extras, plain, files=sorted(files), tools=tools)
        (out / f"dbce-{version}.sbom.cdx.json").write_text(bill, encoding="utf-8")
    (out / "NOTICES.txt").write_text(notices(version, with_extras.values()), encoding="utf-8")
    made = [*out.glob(f"dbce-{version}*"), out / "NOTICES.txt"]
    (out / "SHA256SUMS").write_text(sums(made), encoding="utf-8")
    release_check.main()


def commit_time() -> int:
    """The time of the last commit in seconds, else that which the environment names, else 1980's start."""
    command = ["git", "log", "-1", "--format=%ct"]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    return int(os.environ.get("SOURCE_DATE_EPOCH") or output or 315532800)


def release_tools() -> Path:
    """The Python of the environment with the tools that only a release needs."""
    command = [str(ROOT / "scripts/setup/tools.sh"), "release"]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return Path(output.strip(), "bin/python")


def source_archive(out: Path, tools: Path) -> None:
    """Writes the sources from which pip builds a wheel: the package, and no tests."""
    with TemporaryDirectory() as folder:
        copy, built = Path(folder, "dbce"), Path(folder, "built")
        copy.mkdir()
        for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, copy)
        made = shutil.ignore_patterns("*.so", "*.pyd", "compiled.c", "__pycache__")
        shutil.copytree(ROOT / "dbce", copy / "dbce", ignore=made)
        # What is pinned for it is in the environment of the tools, and need not be installed once more.
        build = [str(tools), "-m", "build", "--sdist", "--no-isolation"]
        build += ["--outdir", str(built), str(copy)]
        run = subprocess.run(build, capture_output=True, text=True, check=False)
        if run.returncode:
            sys.exit(f"{run.stdout}{run.stderr}the archive of the sources could not be built")
        (archive,) = built.iterdir()
        (out / archive.name).write_bytes(levelled(archive))


def levelled(archive: Path) -> bytes:
    """A .tar.gz whose members stand in order and tell neither when nor by whom they were packed."""
    time = int(os.environ["SOURCE_DATE_EPOCH"])
    fresh = archive.with_name("levelled")
    with (
        tarfile.open(archive) as packed,
        fresh.open("wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=time) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for member in sorted(packed.getmembers(), key=lambda member: member.name):
            member.mtime, member.uid, member.gid, member.uname, member.gname = time, 0, 0, "", ""
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            member.pax_headers = {}
            tar.addfile(member, packed.extractfile(member) if member.isfile() else None)
    return fresh.read_bytes()


def notices(version: str, packages: Iterable[Distribution]) -> str:
    """The licences of packages, one below the other."""
    texts = {package.name: (package, legal_texts(package)) for package in packages}
    silent = [name for name, (_, legal) in texts.items() if not legal]
    names = ", ".join(silent) or "none"
    parts = [TOP.format(version=version, count=len(texts), silent=len(silent), names=names)]
    for name, (package, legal) in texts.items():
        licence = declared_licence(package) or "as below"
        parts.append(f"{'=' * 100}\n{name} {package.version}\nLicence as declared: {licence}\n")
        parts += [f"{'-' * 100}\n{file}\n\n{text}\n" for file, text in legal.items()]
        if not legal:
            parts.append("The package brings no text of its licence.\n")
    return "\n".join(parts)


def sums(paths: Iterable[Path]) -> str:
    """Lines for `sha256sum --check`."""
    digests = ((hashlib.sha256(path.read_bytes()).hexdigest(), path.name) for path in paths)
    return "".join(
        f"{digest}  {name}\n" for digest, name in sorted(digests, key=lambda pair: pair[1])
    )


if __name__ == "__main__":
    main(sys.argv[1:])
