"""Nothing needs what Windows lacks; there is none here, so what it lacks is hidden."""

import json
import os
import subprocess
import sys

import pytest

from dbce.archive.inputs import files
from dbce.engine.spark import jvm
from dbce.model import UsageError
from dbce.storage import LOCK, folder_lock, units
from dbce.storage.folder import Folder
from tests.runs import ROOT

LACKING = """\
import os, signal, sys
import random, shutil, subprocess, tempfile, threading  # look for some of it when they are imported
for name in ("fcntl", "grp", "pty", "pwd", "resource", "termios"):
    sys.modules[name] = None
for name in ("fork", "forkpty", "getuid", "geteuid", "killpg", "mkfifo", "pread", "pwrite", "setsid",
             "O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK"):
    vars(os).pop(name, None)
for name in ("SIGKILL", "SIGHUP", "SIGALRM", "alarm", "pthread_sigmask"):
    vars(signal).pop(name, None)
"""
COMMAND = f"{LACKING}from dbce.cli import main\nsys.exit(main(sys.argv[1:]))"
EVERY_MODULE = f"""{LACKING}
import importlib, pkgutil, dbce
for module in pkgutil.walk_packages(dbce.__path__, "dbce."):
    # Steps for datatrove are imported where that is.
    if not module.name.endswith(("__main__", "adapters.datatrove")):
        importlib.import_module(module.name)
print("all")
"""
STORE = f"""{LACKING}
from pathlib import Path
from dbce.annotate.content.history import NODE_GOLD
from dbce.annotate.core.store import AnnotationStore
store = AnnotationStore(Path(sys.argv[1]), NODE_GOLD)
print("open", flush=True)
sys.stdin.read()
store.close()
"""


def start(code: str, *words: object, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, words)],
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="backslashreplace",
    )


def called(*words: object, code: str = COMMAND, **environment: str) -> str:
    """What a command prints, and that it ends well."""
    process = start(code, *words, **environment)
    out, err = process.communicate()
    assert process.returncode == 0, err
    return out


@pytest.mark.slow
def test_every_module_can_be_imported():
    pytest.importorskip("flask")
    pytest.importorskip("pyspark")
    assert called(code=EVERY_MODULE) == "all\n"


@pytest.mark.slow
@pytest.mark.nightly
def test_the_plain_commands_work(sample, tmp_path):
    out = tmp_path / "out"
    crawl = sample / "sample-2013.warc.gz"
    assert "usage: dbce" in called("--help")
    assert "captures" in called("run", crawl, "--out", out, "--master", "none", "--method", "T002")
    assert called("text", out).count("\n") > 20
    assert called("text", crawl).count("\n") > 20


def test_what_a_console_cannot_show_is_a_question_mark(sample_run):
    url = "http://kuchniapodlipa.example/przepis/barszcz-czerwony-czysty"
    shown = called("show", sample_run, url, PYTHONIOENCODING="cp1252", PYTHONUTF8="0")
    assert "?" in shown


@pytest.mark.slow
def test_of_two_that_label_one_has_the_gold(tmp_path):
    gold = tmp_path / "gold.jsonl"
    first = start(STORE, gold)
    assert first.stdout.readline() == "open\n"
    second = start(STORE, gold)
    _, err = second.communicate()
    assert second.returncode != 0
    assert "another dbce label has" in err
    assert f"or remove {gold}.journal.lock if none runs" in err
    first.communicate("")
    assert first.returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gold.jsonl.journal"]
    assert called(gold, code=STORE) == "open\n"


def test_who_has_a_lock_is_not_asked_whether_it_lives(tmp_path, monkeypatch):
    """There os.kill(pid, 0), which elsewhere asks that, is a Ctrl-C."""
    holder = units._process(os.getpid()) | {"pid": 2**22 + 1}
    (tmp_path / LOCK).write_text(json.dumps(holder))
    monkeypatch.setattr(units, "fcntl", None)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "kill", lambda *_: pytest.fail("a process was sent a Ctrl-C"))
    with (
        pytest.raises(UsageError, match="if you know that it is dead, remove"),
        folder_lock(Folder(str(tmp_path))),
    ):
        pass


def test_places_have_one_spelling(monkeypatch):
    monkeypatch.setattr(files.os, "sep", "\\")
    monkeypatch.setattr(files.os.path, "abspath", lambda _: "C:\\crawls\\a.warc.gz")
    assert files.normal("a.warc.gz") == "C:/crawls/a.warc.gz"


def test_java_is_ended_without_process_groups(monkeypatch):
    monkeypatch.delattr(os, "killpg")
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as process:
        jvm._Java.processes.append(process)
        jvm.end()
    assert process.returncode is not None
