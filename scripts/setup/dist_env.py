"""`make dist-env`: a Python with dbce and all it needs, for spark-submit's --archives.

    python scripts/setup/dist_env.py ARCHIVE.tar.gz WHEEL [PACKAGE...]

The archive holds this Python itself (program and standard library), so that a node needs none: a
packed virtual environment, venv-pack's too, is a link to a Python that every node must have at the
same place. Nodes must have the same kind of processor, and the C library of this system or a later
one. pyspark is left out: the cluster's own is used, and a second one is harmful.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

NOT_NEEDED = (
    *("site-packages", "dist-packages", "EXTERNALLY-MANAGED"),  # others' packages, the system's ban
    *("test", "idlelib", "tkinter", "turtledemo", "ensurepip", "config-*", "__pycache__"),
)
"""Parts of a standard library that no job uses."""

START = """\
#!/bin/sh
# Most of this Python is a shared library, which it would look for where it was built.
here=$(dirname "$(readlink -f "$0")")
LD_LIBRARY_PATH=$here/../lib${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}} exec "$here/{name}" "$@"
"""

TRIAL = "import pyarrow, dbce.boilerplate.classify; dbce.boilerplate.classify.load_model('')"


def main(arguments: Sequence[str]) -> None:
    """Builds the environment, tries it at another place than it was built at, and packs it."""
    archive, *packages = arguments
    python = Path(sys._base_executable).resolve()  # type: ignore[attr-defined]  # noqa: SLF001 - venv's
    with TemporaryDirectory() as directory:
        built, moved = Path(directory, "built"), Path(directory, "moved")
        program = copy_python(python, built)
        subprocess.run(install(program, packages), check=True)
        built.rename(moved)
        program = moved / program.relative_to(built)
        subprocess.run([program, "-I", "-c", TRIAL], check=True, cwd=directory)
        with tarfile.open(archive, "w:gz", compresslevel=6) as tar:
            tar.add(moved, arcname=".")


def copy_python(python: Path, home: Path) -> Path:
    """Copies a Python, without its packages, to a new home; where its program is then."""
    standard = Path(sysconfig.get_path("stdlib"))
    shutil.copytree(
        standard, home / "lib" / standard.name, ignore=shutil.ignore_patterns(*NOT_NEEDED)
    )
    program = home / "bin" / standard.name
    start = program.with_name("python")
    program.parent.mkdir()
    shutil.copy(python, program)
    if sysconfig.get_config_var("Py_ENABLE_SHARED"):
        for library in Path(sysconfig.get_config_var("LIBDIR")).glob("libpython*.so*"):
            shutil.copy(library, home / "lib", follow_symlinks=False)
        start.write_text(START.format(name=program.name), encoding="utf-8")
        start.chmod(0o755)
    else:
        start.symlink_to(program.name)
    program.with_name("python3").symlink_to(start.name)
    return start


def install(program: Path, packages: Sequence[str]) -> list[str | Path]:
    """The command that installs packages and what they need for a Python that has no pip."""
    pip: list[str | Path] = [sys.executable, "-m", "pip", "--python", program, "--isolated"]
    quiet = ["--quiet", "--disable-pip-version-check", "--no-warn-script-location"]
    quiet += ["--root-user-action", "ignore"]
    return [*pip, "install", *quiet, "--only-binary", ":all:", *packages]


if __name__ == "__main__":
    main(sys.argv[1:])
