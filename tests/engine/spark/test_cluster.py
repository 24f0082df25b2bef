"""A real standalone cluster: master and two workers, executors that have dbce from its wheel."""

import importlib.util
import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

from dbce.engine.spark.java import java_home
from tests.browser import NONE, chromium
from tests.engine.spark.test_java import hide_java
from tests.runs import ROOT, TRUSTING, page_rows, process, run, same
from tests.visual.render.test_render_command import outputs, render, written

pytestmark = [pytest.mark.spark, pytest.mark.slow]

NOBODY = "spark://127.0.0.1:1"

OLD_PYTHON = (
    "import sys; sys.version_info = type('Version', (tuple,), {'major': 3, 'minor': 9})"
    "((3, 9, 0, 'final', 0))\n"
)
"""Makes a Python say that it is another, where the machine has no other."""


def script(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    # Executors have what their own Python has.
    settings = {"CLUSTER_DIR": str(folder), "PYTHONPATH": ""}
    return process(ROOT / "scripts/setup/cluster.sh", *words, code=None, **settings)


def processes(folder: Path) -> list[str]:
    """The commands that run with this folder in their arguments."""
    listed = process("ps", "-eww", "-o", "args=").stdout
    return [line for line in listed.splitlines() if f"{folder}" in line]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("cluster") / "with a space"


@pytest.fixture(scope="module")
def cluster(folder) -> Iterator[str]:
    started = script("start", "--memory", "600m", folder=folder)
    assert started.returncode == 0, started.stderr
    yield started.stdout.strip()
    assert script("stop", folder=folder).returncode == 0
    assert processes(folder) == []


def environment(home: Path, *lines: str) -> Path:
    """A Python with all packages of this one, though without dbce, which is only linked to here."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    python = home / "bin" / "python"
    asked = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    (Path(packages) / "more.pth").write_text("\n".join([sysconfig.get_path("purelib"), *lines]))
    tried = subprocess.run(
        [python, "-c", "import dbce"], cwd=home, capture_output=True, check=False
    )
    assert b"No module named 'dbce'" in tried.stderr
    return python


@pytest.fixture(scope="module")
def bare(tmp_path_factory) -> Path:
    return environment(tmp_path_factory.mktemp("bare") / "env")


@pytest.fixture(scope="module")
def equipped(wheel, tmp_path_factory) -> Path:
    python = environment(tmp_path_factory.mktemp("equipped") / "env")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index"]
    subprocess.run([*pip, "--disable-pip-version-check", "--no-deps", wheel], check=True)
    return python


ONE = ("--conf", "spark.cores.max=1")
"""One executor is enough."""


def submit(
    master: str, *words: str | Path, executors: Path, driver: Path | None = None
) -> subprocess.CompletedProcess[str]:
    home = Path(importlib.util.find_spec("pyspark").origin).parent
    surroundings = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SPARK_", "PYSPARK_", "PYTHONPATH"))
    } | {
        "SPARK_HOME": str(home),
        "SPARK_CONF_DIR": str(ROOT / "conf"),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "JAVA_HOME": str(java_home()),
        "PYSPARK_PYTHON": str(executors),
        "PYSPARK_DRIVER_PYTHON": str(driver or executors),
    }
    # Six JVMs start on what may be two cores.
    quick = f"-XX:TieredStopAtLevel=1 -XX:+UseSerialGC {TRUSTING}"
    settings = [f"spark.{where}.extraJavaOptions={quick}" for where in ("driver", "executor")]
    settings += ["spark.ui.enabled=false", "spark.executor.memory=512m", "spark.driver.memory=512m"]
    settings += ["spark.sql.shuffle.partitions=2", "spark.task.maxFailures=1"]
    options = [word for setting in settings for word in ("--conf", setting)]
    command = [home / "bin" / "spark-submit", "--master", master, *options, *words]
    return subprocess.run(
        command,
        env=surroundings,
        cwd=executors.parent,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def sentence(done: subprocess.CompletedProcess[str]) -> str:
    """What dbce said at the end, below what Spark logged."""
    assert done.returncode == 2, done.stderr[-2000:]
    # spark-submit puts both streams of the driver into one.
    *_, line = (line for line in done.stdout.splitlines() if line.startswith("dbce: "))
    return line


def test_a_cluster_that_runs_is_not_started_again(cluster, folder):
    again = script("start", folder=folder)
    assert (again.returncode, again.stdout.strip()) == (0, cluster)
    assert "already running" in again.stderr
    status = script("status", folder=folder)
    assert status.returncode == 0
    assert status.stdout.startswith(cluster)
    assert status.stdout.count(" runs, pid ") == 3


@pytest.fixture
def submitted(cluster, equipped):
    """Submits a job to executors that have dbce installed."""

    def call(name: str | Path, *words: str | Path) -> str:
        job = ROOT / "jobs" / f"{name}.py"
        done = submit(cluster, job, *words, executors=equipped)
        assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
        return done.stdout

    return call


@pytest.mark.nightly
def test_the_doctor_finds_the_same_on_driver_and_executors(submitted, equipped):
    told = json.loads(submitted("doctor", "--json"))
    assert [place["name"] for place in told["places"]] == ["driver", "0", "1"]
    assert {place["executable"] for place in told["places"]} == {str(equipped)}
    assert told["findings"] == []


@pytest.mark.nightly
@pytest.mark.parametrize("tasks", [["--partitions", "4"], []])
def test_a_run_on_the_cluster_gives_the_bytes_of_one_without(
    submitted, sample, sample_run, tmp_path, tasks
):
    assert "annotated" in submitted("annotate", sample, "--out", tmp_path / "out", *tasks)
    same(tmp_path / "out", sample_run)


@pytest.mark.nightly
def test_examples_with_tables_of_pages_give_what_the_documents_show(
    submitted, sample, sample_run, tmp_path
):
    """The table of WARC rows and the notebook, one after the other in a session."""
    submitted(Path(__file__).with_name("examples"), ROOT / "docs", sample, tmp_path / "told")
    told = json.loads((tmp_path / "told").read_text())
    pages = [row for row in page_rows(sample_run) if row["text"] is not None]
    assert told["texts"] == {row["record_id"]: row["text"] for row in pages}
    document = (ROOT / "docs" / "spark.md").read_text(encoding="utf-8")
    assert f"is {told['content']:,} of {told['all']:,} texts" in document
    notebook = json.loads((ROOT / "docs" / "cluster.ipynb").read_text(encoding="utf-8"))
    assert told["shown"] == [
        "".join(output["data"]["text/plain"])
        for cell in notebook["cells"]
        for output in cell.get("outputs", [])
    ]


@pytest.mark.browser
@pytest.mark.nightly
def test_a_rendering_on_the_cluster_leaves_what_one_browser_leaves(submitted, tmp_path):
    """With a browser in each executor."""
    if chromium() is None:
        pytest.skip(NONE)
    written(tmp_path / "in")
    words = [tmp_path / "in", "--out", tmp_path / "out", "--chromium", chromium()]
    submitted("render", "--pictures", *words)
    render(tmp_path / "in", "--out", tmp_path / "plain", "--jobs", 1)
    assert outputs(tmp_path / "out") == outputs(tmp_path / "plain")


@pytest.mark.nightly
def test_executors_without_the_package_stop_a_run_before_it_begins(cluster, bare, sample, tmp_path):
    words = [ROOT / "jobs" / "annotate.py", sample, "--out", tmp_path / "out"]
    said = sentence(submit(cluster, *ONE, *words, executors=bare, driver=Path(sys.executable)))
    assert said.startswith(
        "dbce: executor 0 on 127.0.0.1 has no dbce; install its wheel (make dist)"
    )
    assert list((tmp_path / "out").rglob("*")) == []


@pytest.mark.nightly
def test_executors_with_another_python_are_named(cluster, tmp_path):
    other = environment(tmp_path / "env", OLD_PYTHON)
    job = ROOT / "jobs" / "doctor.py"
    said = sentence(submit(cluster, *ONE, job, executors=other, driver=Path(sys.executable)))
    here = "{}.{}".format(*sys.version_info)
    assert said.startswith(
        f"dbce: executor 0 on 127.0.0.1 runs Python 3.9 and the driver {here}; let PYSPARK_PYTHON"
    )


@pytest.mark.nightly
def test_a_master_that_is_not_there_is_one_sentence(equipped):
    said = sentence(submit(NOBODY, ROOT / "jobs" / "doctor.py", executors=equipped))
    assert said.startswith(f"dbce: no Spark master answers at {NOBODY}; ")


def test_dbce_run_does_not_wait_for_a_master_that_is_not_there(sample, tmp_path, capsys):
    assert run(sample, tmp_path / "out", master=NOBODY) == 2
    assert capsys.readouterr().err.startswith(f"dbce: no Spark master answers at {NOBODY}; ")
    assert not (tmp_path / "out").exists()


def test_without_java_one_sentence_says_what_to_type(sample, tmp_path, monkeypatch, capsys):
    hide_java(monkeypatch, tmp_path / "commands")
    monkeypatch.setattr("dbce.engine.spark.jvm.is_there", lambda: False)  # of an earlier test
    monkeypatch.setattr("importlib.util.find_spec", lambda *_: None)
    assert run(sample, tmp_path / "out", master=NOBODY) == 2
    assert capsys.readouterr().err.startswith("dbce: Spark needs Java 17 or newer and none was")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "say start, stop or status"),
        (("start", "--worker", "2"), "unknown option --worker; there are --workers"),
        (("start", "--workers"), "--workers needs a value"),
        (("start", "--cores", "many"), "take whole numbers"),
    ],
)
def test_a_wrong_call_of_the_script_is_one_sentence(words, said, tmp_path):
    done = script(*words, folder=tmp_path / "cluster")
    assert done.returncode == 2
    assert said in done.stderr


def test_where_nothing_runs_stop_is_content_and_status_says_so(tmp_path):
    assert script("stop", folder=tmp_path).returncode == 0
    status = script("status", folder=tmp_path)
    assert status.returncode == 3
    assert "no cluster runs in" in status.stderr
