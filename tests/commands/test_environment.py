"""What is wrong around a command is named, whatever error it shows as: one sentence, exit code 4."""

import errno
import resource
import subprocess
import sys
from functools import partial
from pathlib import Path

import fsspec
import pytest

from dbce.commands import faults
from dbce.commands.faults import environment_fault
from dbce.commands.settings import config_at
from dbce.model import Config, UsageError
from tests.runs import ROOT
from tests.site import snapshots, stored

CODE = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); from dbce.cli import main; sys.exit(main())"
)


def called(*words: object, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", CODE, ROOT, *words]
    return subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, **options
    )


@pytest.fixture
def archive(tmp_path) -> Path:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(stored(*snapshots(2014)))
    return path


@pytest.mark.slow
def test_a_folder_that_is_gone(archive, tmp_path) -> None:
    (tmp_path / "gone").mkdir()
    (tmp_path / "b.warc.gz").write_bytes(archive.read_bytes())
    done = called(
        "check", tmp_path, "--jobs", 2, cwd=tmp_path / "gone", preexec_fn=(tmp_path / "gone").rmdir
    )
    assert done.returncode == 4
    assert done.stderr == (
        "dbce: the working directory no longer exists; change to another one and call again\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("megabytes", "code", "said"),
    [
        (200, 4, "dbce: ulimit -v allows 200 MB, but each dbce process needs at least 800 MB\n"),
        (800, 0, ""),
    ],
)
def test_memory_that_a_shell_limits(archive, megabytes, code, said) -> None:
    bounded = partial(resource.setrlimit, resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    words = ("run", archive, "--out", archive.with_name("out"), "--master", "none", "--quiet")
    done = called(*words, preexec_fn=bounded)
    assert (done.returncode, done.stderr) == (code, said)


def test_what_libraries_say_where_memory_ends() -> None:
    for error in (
        MemoryError(),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        RuntimeError("can't start new thread"),
        ImportError("libx.so: failed to map segment from shared object"),
    ):
        assert (told := environment_fault(error)) is not None
        assert told.startswith("out of memory")
    assert environment_fault(OSError(errno.ENOENT, "No such file")) is None
    with pytest.raises(UsageError) as damaged:
        raise UsageError("x.parquet is damaged") from OSError(errno.EMFILE, "Too many open files")
    assert "ulimit -n 1024" in (environment_fault(damaged.value) or "")


def test_a_place_to_share_that_cannot_be_written(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(faults, "SHARED", str(tmp_path / "none"))
    error = OSError(errno.EROFS, "Read-only file system")
    assert str(tmp_path / "none") in (environment_fault(error) or "")
    wrapped = ValueError("out cannot be reached")
    wrapped.__cause__ = error
    assert "--jobs 1" in (environment_fault(wrapped) or "")
    assert environment_fault(OSError(errno.EROFS, "Read-only", "/mnt/out")) is None


def test_settings_may_lie_on_any_store() -> None:
    fsspec.filesystem("memory").pipe("/conf/dbce.toml", b"template_similarity = 0.5\n")
    assert config_at("memory://conf/dbce.toml") == Config(template_similarity=0.5)
    assert config_at(None) == Config()
    with pytest.raises(UsageError, match=r"configuration memory://conf/none\.toml"):
        config_at("memory://conf/none.toml")
