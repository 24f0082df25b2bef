"""What cron and systemd call: scripts/setup/nightly.sh and the units in conf/."""

import configparser
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.runs import ROOT, process, shell_script
from tests.site import snapshots, stored

SCRIPT = ROOT / "scripts" / "setup" / "nightly.sh"


def call(*arguments: object, **settings: object) -> subprocess.CompletedProcess[str]:
    surroundings = {k: v for k, v in os.environ.items() if not k.startswith("DBCE")}
    return subprocess.run(
        [SCRIPT, *map(str, arguments)],
        env=surroundings | {name: str(value) for name, value in settings.items()},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def program(tmp_path) -> Path:
    """Stands for dbce: says what it was called with, and ends as it is told."""
    return shell_script(tmp_path / "dbce", 'echo progress >&2\necho "$@"\nexit ${CODE:-0}')


def test_a_night_is_one_line_with_its_time_and_exit_code(program):
    done = call(
        DBCE=program, DBCE_INCOMING="/in coming", DBCE_ARCHIVE="/a", DBCE_OPTIONS="--revise list"
    )
    assert (done.returncode, done.stderr) == (0, "")
    line = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ exit=0 nightly /in coming --archive /a --revise list\n"
    assert re.fullmatch(line, done.stdout)


@pytest.mark.parametrize("code", [2, 3, 4])
def test_a_night_that_failed_says_all_of_it_and_passes_its_exit_code_on(program, code):
    done = call(DBCE=program, DBCE_INCOMING="in", DBCE_ARCHIVE="a", CODE=code)
    assert done.returncode == code
    assert f" exit={code} nightly in --archive a\n" in done.stdout
    assert done.stderr == "progress\nnightly in --archive a\n"


def test_settings_may_be_in_a_file(program, tmp_path):
    (tmp_path / "settings").write_text('DBCE_INCOMING="my files"\nDBCE_ARCHIVE=a\n')
    done = call(tmp_path / "settings", DBCE=program)
    assert done.stdout.endswith(" exit=0 nightly my files --archive a\n")


def test_without_settings_one_sentence_says_what_is_missing():
    done = call()
    assert done.returncode == 2
    assert done.stderr.startswith("nightly.sh: set DBCE_INCOMING and DBCE_ARCHIVE, ")
    assert done.stderr.count("\n") == 1


def test_spark_submit_is_called_where_its_options_are_set(program, tmp_path):
    program.rename(tmp_path / "spark-submit")
    path = f"{tmp_path}:{os.environ['PATH']}"
    submit = "--master yarn"
    done = call(DBCE_SUBMIT=submit, DBCE_INCOMING="in", DBCE_ARCHIVE="a", PATH=path)
    assert done.stdout.endswith(" exit=0 --master yarn jobs/nightly.py in --archive a\n")


def test_a_real_night(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "x.warc.gz").write_bytes(stored(*snapshots(2014)))
    done = call(
        DBCE=Path(sys.executable).with_name("dbce"),
        DBCE_INCOMING=tmp_path / "in",
        DBCE_ARCHIVE=tmp_path / "archive",
        DBCE_OPTIONS="--master none --method T002",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r" exit=0 n\d{8}-01: 1 file, 4 captures: 4 annotated, ", done.stdout)


def test_the_units_fit_each_other_and_the_script():
    units = {}
    for kind in ("service", "timer"):
        units[kind] = configparser.ConfigParser(interpolation=None, strict=False)
        units[kind].optionxform = str  # type: ignore[assignment,method-assign]
        units[kind].read(ROOT / "conf" / f"dbce-nightly.{kind}")
    service = units["service"]["Service"]
    assert service["Type"] == "oneshot"
    assert service["ExecStart"] == f"{service['WorkingDirectory']}/scripts/setup/nightly.sh"
    assert units["timer"]["Timer"]["OnCalendar"] == "*-*-* 02:00:00"


@pytest.mark.parametrize("job", "nightly evaluate headings sketch compare judge".split())
def test_jobs_take_the_arguments_of_their_command(job):
    path = ROOT / "jobs" / f"{job}.py"
    done = process(sys.executable, path, "--help")
    assert done.stderr == ""
    assert done.stdout.startswith(f"usage: {path} ")
