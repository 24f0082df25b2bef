"""docs/jobs.md: what it says to type prints what it shows, on the sample archive."""

import re
import resource
import shlex
import sys
from pathlib import Path

import pytest

from dbce import sample
from tests.runs import process, read

JOBS = re.split(r"^## I want to (.+)$", read("docs/jobs.md"), flags=re.MULTILINE)[1:]
TEN = dict(zip(JOBS[::2], JOBS[1::2], strict=True))
SECONDS = dict(
    re.findall(r"^\| \[(.+?)\]\(#.+\) \| ([\d.]+) \|$", read("docs/jobs.md"), re.MULTILINE)
)


def typed(job: str) -> list[tuple[str, str]]:
    """What is typed at each prompt of a job, and what is printed below it."""
    (block,) = re.findall(r"^```\n(\$ .*?)^```", job, re.MULTILINE | re.DOTALL)
    _, *prompts = re.split(r"^\$ ", block, flags=re.MULTILINE)
    return [(line, printed) for line, _, printed in (one.partition("\n") for one in prompts)]


def pattern(printed: str) -> str:
    """Output with dots for lines that are left out, as a pattern of all of it."""
    lines = [re.escape(line) for line in printed.splitlines(keepends=True)]
    # The date of a night and its seconds are those of the day.
    lines = [
        re.sub(r"^n\d{8}", r"n\\d{8}", re.sub(r"\d+\\ s\\\n$", r"\\d+ s\n", line)) for line in lines
    ]
    return "".join(r"(?:.*\n)*?" if line == "\\.\\.\\.\\\n" else line for line in lines)


def test_there_are_ten_and_the_table_at_the_top_has_them_all() -> None:
    assert len(TEN) == 10
    assert list(SECONDS) == list(TEN)


@pytest.mark.slow
def test_what_they_say_to_type_prints_what_they_show(tmp_path: Path) -> None:
    """One after the other, in one folder: later jobs read what earlier ones leave."""
    sample.write(tmp_path / "archive")
    for name, job in TEN.items():
        begun = cpu()
        for line, printed in typed(job):
            if line.startswith("cat "):
                (tmp_path / line.removeprefix("cat ")).write_text(printed, encoding="utf-8")
            else:
                given = shell(line, tmp_path)
                assert re.fullmatch(pattern(printed), given), f"{name}: $ {line}\n{given}"
        print(f"{name}: {cpu() - begun:.1f} s of CPU")  # noqa: T201 - a figure of docs/jobs.md


def cpu() -> float:
    """Seconds of CPU that all that was started here has taken, whatever else the machine does."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def shell(line: str, folder: Path) -> str:
    """What a line prints in a folder where `dbce` and `python` are those of the tests."""
    python = shlex.quote(sys.executable)
    ours = f'dbce() {{ {python} -m dbce "$@"; }}; python() {{ {python} "$@"; }}'
    run = process("bash", "-o", "pipefail", "-c", f"{ours}; {line}", folder=folder, code=None)
    assert run.returncode in {0, 141}, run.stderr  # 141: `head` has read enough
    return run.stdout
