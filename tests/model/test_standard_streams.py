"""Standard streams that lead nowhere: the work of a command is done whatever becomes of its log, and lost output is told."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gate import first
from tests.runs import ROOT, files
from tests.site import write_years

FULL, CLOSED, LEFT = "/dev/full", "&-", "&{pipe}"
"""Where a shell sends a stream: to a full disk, to nothing, and to a pipe that nobody reads."""


@pytest.fixture
def pipe() -> Iterator[int]:
    """The end to write to of a pipe whose reader has left."""
    there, here = os.pipe()
    os.close(there)
    yield here
    os.close(here)


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_years(tmp_path_factory.mktemp("crawl"), 2015, 2016)


def called(
    pipe: int, *words: object, stdout: str = "", stderr: str = ""
) -> subprocess.CompletedProcess[bytes]:
    """A command whose streams lead where a shell sends them."""
    sent = [f"1>{stdout}"] * bool(stdout) + [f"2>{stderr}"] * bool(stderr)
    line = " ".join(['exec "$0" "$@"', *sent]).format(pipe=pipe)
    command = ["bash", "-c", line, sys.executable, *map(str, words)]
    return subprocess.run(
        command,
        check=False,
        capture_output=True,
        pass_fds=[pipe],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )


def dbce(pipe: int, *words: object, **sent: str) -> subprocess.CompletedProcess[bytes]:
    return called(pipe, "-m", "dbce", *words, **sent)


RUN = "run {crawl} --out {out} --master none"
NIGHTLY = "nightly {crawl} --archive {out} --master none"
LOST = b"dbce: standard output cannot be written: %s; what is there is incomplete\n"


@pytest.mark.parametrize("stderr", [FULL, CLOSED, LEFT])
def test_help_and_a_complaint_have_their_exit_code_whatever_becomes_of_the_log(pipe, stderr):
    done = dbce(pipe, "--help", stderr=stderr)
    assert done.returncode == 0
    assert done.stdout.startswith(b"usage: dbce")
    assert dbce(pipe, "list", "no-such-run", stderr=stderr).returncode == 2


@pytest.mark.parametrize(
    ("stdout", "code", "said"),
    [
        (FULL, 4, LOST % b"No space left on device"),
        (CLOSED, 4, LOST % b"Bad file descriptor"),
        (LEFT, 0, b""),  # a reader that has had enough is no failure
    ],
)
@pytest.mark.parametrize("word", ["--help", "--version"])  # more than a buffer holds, and less
def test_help_that_cannot_be_written_is_told_in_a_sentence(pipe, word, stdout, code, said):
    done = dbce(pipe, word, stdout=stdout)
    assert (done.returncode, done.stderr) == (code, said)


def test_no_file_is_opened_in_the_place_of_a_closed_stream(pipe: int, tmp_path: Path) -> None:
    program = (
        "import os, sys; from dbce.model import secure_streams; secure_streams()\n"
        f"file = open({str(tmp_path / 'opened')!r}, 'w'); file.write(str(file.fileno()))\n"
        "file.flush(); os.write(2, b'a warning of a library'); os.system('echo one of a program >&2')"
    )
    assert called(pipe, "-c", program, stdout=CLOSED, stderr=CLOSED).returncode == 0
    assert int((tmp_path / "opened").read_text()) > 2


def test_a_log_that_takes_no_more_at_the_moment_loses_lines_only(pipe: int) -> None:
    program = (
        "import os, sys; from dbce.model import secure_streams; secure_streams()\n"
        "there, here = os.pipe(); os.set_blocking(here, False); os.dup2(here, 2)\n"
        "for _ in range(100): print('x' * 10_000, file=sys.stderr)\n"
        "print('done')"
    )
    done = called(pipe, "-c", program)
    assert (done.returncode, done.stdout) == (0, b"done\n")


@pytest.mark.slow(seconds=10)
@pytest.mark.parametrize("stderr", [FULL, CLOSED, LEFT])
@pytest.mark.parametrize(
    "words",
    first(
        (
            *(RUN, f"{RUN} --jobs 2", f"{RUN} --log json", NIGHTLY),
            *("text {crawl}", "check {crawl}", "check {crawl} --jobs 2"),
        )
    ),
)
def test_a_command_does_its_work_whatever_becomes_of_its_log(pipe, crawl, tmp_path, words, stderr):
    given = words.format(crawl=crawl, out=tmp_path / "out").split()
    done = dbce(pipe, *given, stderr=stderr)
    assert done.returncode == 0
    if "{out}" in words:
        assert any(name.endswith("run.json") for name in files(tmp_path))
    else:
        assert done.stdout == dbce(pipe, *given).stdout


@pytest.mark.slow(seconds=5)
@pytest.mark.parametrize(
    "words",
    first(
        (
            *("text {crawl}", "text {crawl} --format wet", "check {crawl}"),
            *("check {crawl} --jobs 2", NIGHTLY, RUN),
        )
    ),
)
def test_lost_output_is_told_after_the_work(pipe, crawl, tmp_path, words) -> None:
    given = words.format(crawl=crawl, out=tmp_path / "out").split()
    done = dbce(pipe, "--quiet", *given, stdout=FULL)
    assert (done.returncode, done.stderr) == (4, LOST % b"No space left on device")
    if "{out}" in words:
        assert any(name.endswith("run.json") for name in files(tmp_path))


@pytest.mark.nightly
@pytest.mark.slow(seconds=5)
@pytest.mark.parametrize("command", ["text", "check"])
def test_what_nobody_reads_ends_quietly(pipe: int, crawl: Path, command: str) -> None:
    done = dbce(pipe, command, crawl, stdout=LEFT)
    assert (done.returncode, done.stderr) == (0, b"")
