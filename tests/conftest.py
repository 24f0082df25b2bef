"""What is made once: a Spark session, a browser, the sample and its run, a tiny model and what it learned from."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from threadpoolctl import threadpool_limits

from dbce import wing
from dbce.boilerplate.classify.model import Model, write
from dbce.model import Config
from dbce.sample import write as write_sample
from dbce.train.examples import Example, read_examples
from dbce.train.fit import fit
from tests.browser import NONE, chromium
from tests.runs import ROOT, TRUSTING, finished_run
from tests.training import commented_pages, write_labelled

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page
    from pyspark.sql import SparkSession

# How long an example takes says nothing but how busy the machine is. The gate has the same examples each time, so that
# what fails is what changed; `make search` draws new ones.
settings.register_profile("gate", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("search", deadline=None)
settings.load_profile("gate")

# Of the house as a whole; all else can be tested without the folder of the wing.
OF_THE_WHOLE = [
    *("visual", "acceptance", "experiments"),
    *("test_docs.py", "test_reachability.py", "test_installations.py"),
    *("adapters/test_export.py", "archive/test_robustness.py", "commands/test_table.py"),
    "engine/spark/test_cluster.py",
]
collect_ignore = [] if wing.is_there() else OF_THE_WHOLE


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Order and choose tests: of several workers one starts Spark and another the browser.

    What has no marker is between them, to be shared. What needs the wing is left out where it is missing.
    """
    if not wing.is_there():
        items[:] = [item for item in items if item.get_closest_marker("wing") is None]
    if hasattr(config, "workerinput"):
        items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    names = {mark.name for mark in item.iter_markers()}
    if "spark" in names:
        return 0
    return 2 if "browser" in names else 1


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says aloud what a line among the skipped would not: that no browser has looked at anything."""
    reports = terminalreporter.stats.get("skipped", [])
    missed = sum(NONE in str(report.longrepr) for report in reports)
    if missed:
        terminalreporter.section("NOT TESTED IN A BROWSER", red=True, bold=True)
        terminalreporter.line(f"{missed} tests were skipped: {NONE}", red=True)


@pytest.fixture(scope="session", autouse=True)
def _one_thread() -> Iterator[None]:
    """Threads that wait for each other make small trees grow twenty times slower."""
    with threadpool_limits(1):
        yield


@pytest.fixture(scope="session", autouse=True)
def _ctrl_c() -> Iterator[None]:
    """Is heard, by us and by what we start; what a shell starts in the background passes over it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session", autouse=True)
def _spark_stays() -> Iterator[None]:
    """The session of a command that ends well is there for the next, with its Python workers.

    Another one takes seconds to start. Where a command fails its session ends, and with it the tasks that
    are still at work.
    """
    if find_spec("pyspark") is None:
        yield
        return
    from pyspark.sql import SparkSession

    from dbce.engine.spark.session import LOCAL_SETTINGS

    stop = SparkSession.stop

    def stop_if_failed(session: SparkSession) -> None:
        if sys.exc_info()[0] is not None:
            stop(session)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SparkSession, "stop", stop_if_failed)
        patch.setitem(LOCAL_SETTINGS, "spark.sql.shuffle.partitions", "3")
        java = f"{LOCAL_SETTINGS['spark.driver.extraJavaOptions']} {TRUSTING}"
        patch.setitem(LOCAL_SETTINGS, "spark.driver.extraJavaOptions", java)
        yield
    if session := SparkSession.getActiveSession():
        session.stop()


@pytest.fixture
def spark() -> SparkSession:
    """The session that commands of the tests run in, to look into."""
    from dbce.engine.spark.session import open_session

    return open_session("local[2]")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium()
    if path is None:
        pytest.skip(NONE)
    sync_api = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    with sync_api.sync_playwright() as playwright:
        # Containers run the tests as root, for whom Chromium refuses its own sandbox.
        yield playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )


@pytest.fixture(scope="session")
def windows(browser: Browser) -> Iterator[BrowserContext]:
    """What opens windows faster than the browser itself, which begins anew for each."""
    context = browser.new_context(viewport={"width": 1300, "height": 850})
    yield context
    context.close()


@pytest.fixture
def page(windows: BrowserContext) -> Iterator[Page]:
    """A window; what its scripts complain about fails the test, and what they keep is forgotten."""
    page = windows.new_page()
    page.set_default_timeout(60_000)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    page.evaluate("localStorage.clear()")
    page.close()
    assert complaints == []


@pytest.fixture(scope="session")
def once(tmp_path_factory) -> Callable[[str, Callable[[Path], object]], Path]:
    """Return what gives a folder by name, which is filled by the first that asks, of all processes that test.

    Nobody writes to it afterwards.
    """
    own = tmp_path_factory.getbasetemp()
    place = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own

    def filled(name: str, fill: Callable[[Path], object]) -> Path:
        folder, draft = place / name, place / f"{name}.draft"
        with (place / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.exists():
                shutil.rmtree(draft, ignore_errors=True)
                draft.mkdir()
                fill(draft)
                draft.rename(folder)
        return folder

    return filled


@pytest.fixture(scope="session")
def sample(once) -> Path:
    return once("sample", write_sample)


@pytest.fixture(scope="session")
def sample_run(sample, once) -> Path:
    """The folder of a run on it, in this one process."""
    return once("sample-run", lambda folder: finished_run(sample, folder / "out")) / "out"


@pytest.fixture(scope="session")
def wheel(once) -> Path:
    """The wheel for this machine, without what makes its code quick: nobody waits for the compiler."""

    def build(folder: Path) -> None:
        quick = os.environ | {"CFLAGS": "-O0"}
        subprocess.run([ROOT / "scripts/setup/dist.sh", folder], env=quick, check=True)

    (built,) = once("wheel", build).glob("dbce-*.whl")
    return built


@pytest.fixture(scope="session")
def released(once) -> Path:
    if sys.platform != "linux" or not shutil.which("cc"):
        pytest.skip("a release is built on Linux, with a C compiler")

    def build(folder: Path) -> None:
        subprocess.run([sys.executable, "scripts/setup/release.py", folder], cwd=ROOT, check=True)

    return once("release", build)


@pytest.fixture(scope="session")
def labelled(tmp_path_factory) -> tuple[Path, Path]:
    """An archive of eight sites and its gold."""
    return write_labelled(tmp_path_factory.mktemp("labelled"), "eight")


@pytest.fixture(scope="session")
def examples(labelled) -> list[Example]:
    archive, gold = map(str, labelled)
    return read_examples(archive, gold, Config(), 1.0, progress=print)


@pytest.fixture(scope="session")
def tiny(examples) -> Model:
    """A model that tells the paragraphs of such sites from their menus."""
    return fit(examples, seed=1)


@pytest.fixture(scope="session")
def tiny_file(tiny, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("model") / "tiny.npz"
    write(tiny, path)
    return path


@pytest.fixture(scope="session")
def with_remarks(tmp_path_factory) -> list[Example]:
    """The examples of the eight sites with comments of readers, of which the gold tells."""
    folder = tmp_path_factory.mktemp("commented")
    archive, gold = map(str, write_labelled(folder, "commented", pages_of=commented_pages))
    return read_examples(archive, gold, Config(), 1.0, progress=print)


@pytest.fixture(scope="session")
def reader(with_remarks) -> Model:
    """A model that tells comments of readers from paragraphs, and both from menus."""
    return fit(with_remarks, seed=1)


@pytest.fixture(scope="session")
def reader_file(reader, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("model") / "reader.npz"
    write(reader, path)
    return path


@pytest.fixture
def phone(browser, windows):
    """A phone with the cookies of `windows`."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844},
        has_touch=True,
        storage_state=windows.storage_state(),
    )
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    context.close()
