"""Whole runs in one process, and what may be compared of their folders."""

import json
import os
import re
import runpy
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, AnyStr, NoReturn

import pytest

from dbce.archive import Source
from dbce.cli import main
from dbce.engine import Local, begin
from dbce.model import Config, Progress
from dbce.output import INDEX
from dbce.output.manifest import finish
from dbce.output.nights import Manifest
from dbce.output.read import rows_of
from dbce.output.rows import PAGES, Row
from dbce.run.job import run_stages
from dbce.run.one_file import Stores
from dbce.storage.fixity import FIXITY, Fixity, damages, file_digest
from dbce.storage.folder import Folder

ROOT = Path(__file__).resolve().parents[1]


def read(name: str) -> str:
    """The text of a file of the checkout."""
    return (ROOT / name).read_text(encoding="utf-8")


PYPROJECT = tomllib.loads(read("pyproject.toml"))

SECONDS = re.compile(r"^dbce_stage_seconds\{.*\n", re.MULTILINE)


def whole(sources: Sequence[Source], folder: str | Path, config: Config) -> Manifest:
    """Runs all stages without Spark into a folder; the manifest."""
    out = Folder(str(folder))
    begin(out, sources, config)
    stores = Stores(out.subfolder(INDEX), out)
    done = run_stages(sources, stores, config, Local(), Progress("test"))
    return finish(out, [source.name for source in sources], config, done)


def run(
    source: object, out: object, *options: object, master: str = "none", method: str = ""
) -> int:
    """A call of `dbce run`; its exit code."""
    words = ["run", source, "--out", out, "--master", master, *options]
    return main([str(word) for word in [*words, *(("--method", method) if method else ())]])


def finished_run(source: object, out: Path, *options: object, **how: str) -> Path:
    """The folder of a run that ends well."""
    assert run(source, out, *options, **how) == 0
    return out


def page_rows(run: Folder | Path) -> Iterator[Row]:
    """All rows of `pages`, input by input, in file order."""
    folder = run if isinstance(run, Folder) else Folder(str(run))
    for name in folder.names("pages/*.parquet"):
        yield from rows_of(folder, name, PAGES.names)


def counted(**statuses: int) -> dict[str, int]:
    """Captures by status, with their total, as an account has them; 0 of those that are not named."""
    every = dict.fromkeys(("annotated", "single", "skipped", "rejected"), 0) | statuses
    return {"total": sum(every.values())} | every


TRUSTING = "-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
"""What saves a Java a sixth of its start: it takes the classes of Spark for sound."""


def process(
    *words: object, code: int | None = 0, folder: Path = ROOT, stdin: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Result of a command in a process of its own, with this dbce; fails if it ends with another code, if one is given."""
    done = subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )
    assert code in {None, done.returncode}, done.stdout + done.stderr
    return done


def in_python(program: str, folder: Path = ROOT, **given: Any) -> subprocess.CompletedProcess[str]:
    """Result of a Python program; what else is given is that of `process`."""
    return process(sys.executable, "-c", program, folder=folder, **given)


def ended(*arguments: object) -> int:
    try:
        return main([str(argument) for argument in arguments])
    except SystemExit as e:  # argparse
        return int(e.code or 0)


def printed(capsys: pytest.CaptureFixture[AnyStr], *arguments: object) -> AnyStr:
    """Output of a call that ends well."""
    capsys.readouterr()
    assert ended(*arguments) == 0
    return capsys.readouterr().out


def shell_script(path: Path, text: str) -> Path:
    """A command that stands for another."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def refusal(capsys: pytest.CaptureFixture[str], *arguments: object, code: int = 2) -> str:
    """What a call says that is refused: one sentence on standard error, and nothing else."""
    capsys.readouterr()
    assert ended(*arguments) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1, err
    assert err.startswith("dbce")
    assert "Traceback" not in err
    return err


def job(name: str, *words: object) -> int:
    """Runs a script of jobs/ in this process, with arguments; its exit code."""
    script = str(ROOT / "jobs" / f"{name}.py")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [script, *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(script, run_name="__main__")
    return int(ended.value.code or 0)


def fails_with(error: BaseException) -> Callable[..., NoReturn]:
    """A function that fails, whatever it is called with."""

    def fail(*_: object, **__: object) -> NoReturn:
        raise error

    return fail


def dies_at(call: int, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which fails from one of its calls on."""
    calls: list[tuple[object, ...]] = []

    def dying(*given: object, **named: object) -> object:
        calls.append(given)
        if len(calls) >= call:
            raise RuntimeError("the machine fell over")
        return function(*given, **named)

    return dying


def files(folder: Path) -> list[str]:
    """The names of all files, hidden ones too."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def outputs(folder: Path) -> dict[str, bytes]:
    """All files of a finished run, as their list has them, without the seconds that it took and where its inputs lay."""
    found = {name: (folder / name).read_bytes() for name in files(folder)}
    fixity = Fixity.from_bytes(found.pop(FIXITY))
    assert fixity is not None
    assert not [*damages(Folder(str(folder)), fixity)]
    manifest = json.loads(found["run.json"])
    assert list(manifest.pop("seconds")) == ["read", "compare", "judge"]
    manifest.pop("places")
    found["run.json"] = json.dumps(manifest).encode()
    found["metrics.prom"] = SECONDS.sub("", found["metrics.prom"].decode()).encode()
    return found


def reseal(folder: Path) -> None:
    """List the files of a run as they are now, as if they had been written so."""
    run = Folder(str(folder))
    fixity = Fixity.from_bytes(run.read(FIXITY))
    assert fixity is not None
    files = {name: file_digest(run, name) for name in fixity.files if run.exists(name)}
    run.write(FIXITY, bytes(Fixity(files, fixity.copies, fixity.lost)))


def same(one: Path, other: Path) -> None:
    """Both hold the same files with the same bytes, but for seconds and places."""
    ours, theirs = outputs(one), outputs(other)
    assert ours.keys() == theirs.keys(), ours.keys() ^ theirs.keys()
    differing = [name for name in ours if ours[name] != theirs[name]]
    assert not differing, differing
