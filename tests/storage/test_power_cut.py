"""What a power cut leaves: all that was there when a command ended, and a run to go on with after one in the middle of it.

A snapshot of a disk's blocks, without waiting for anything, is what a power cut leaves of it.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dbce.cli import main
from dbce.storage import Folder
from scripts.experiments import disk as power
from scripts.experiments.disk import Disk, NoDiskError
from tests.browser import NONE, chromium
from tests.model.test_interrupt import Called
from tests.runs import files, same
from tests.site import write_years

pytestmark = [pytest.mark.slow, pytest.mark.nightly]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    try:
        with power.disk(tmp_path) as made:
            yield made
    except NoDiskError as e:
        pytest.skip(str(e))


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_years(tmp_path_factory.mktemp("crawl"), 2014, 2015, 2016)


COMMANDS = {
    "run": [["run", "{crawl}", "--out", "{out}", "--jobs", "2"]],
    "nightly": [["nightly", "{crawl}", "--archive", "{out}", "--master", "none"]],
    "run, in place of another": [
        ["run", "{crawl}", "--out", "{out}"],
        ["run", "{crawl}", "--out", "{out}", "--overwrite", "--wet", "--wacz"],
    ],
    "run on Spark": [["run", "{crawl}", "--out", "{out}", "--master", "local[2]"]],
    "compact": [
        ["nightly", "{crawl}/2014.warc.gz", "--archive", "{out}", "--master", "none"],
        ["nightly", "{crawl}", "--archive", "{out}", "--master", "none", "--changes"],
        ["compact", "{out}"],
    ],
    "export": [
        ["run", "{crawl}", "--out", "{out}/run"],
        ["export", "{out}/run", "--to", "huggingface", "--out", "{out}/export"],
    ],
    "report": [["run", "{crawl}", "--out", "{out}"], ["report", "{out}"]],
    "what reads a rendering": [
        ["run", "{crawl}", "--out", "{out}"],
        ["render", "{crawl}", "--out", "{out}"],
        ["segment", "{out}"],
        ["headings", "{out}"],
        ["changes", "{out}"],
        ["migrate", "{out}", "--archive", "{crawl}", "--out", "{out}/new"],
    ],
}
"""Commands that write, one after the other, by what is tried."""


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_command_has_written_is_there_after_a_cut(disk, crawl, name):
    if name.startswith("what reads") and chromium() is None:
        pytest.skip(NONE)
    out = disk.files / "out"
    for words in COMMANDS[name]:
        named = [word.format(crawl=crawl, out=out) for word in words]
        assert main(named) == 0
    with disk.files_after_cut() as left:
        assert files(left / "out") == files(out)
        assert len(files(out)) > 5
        differing = [
            file
            for file in files(out)
            if (left / "out" / file).read_bytes() != (out / file).read_bytes()
        ]
        assert differing == []


@pytest.mark.parametrize("stage", ["dbce: stage 2", "dbce: stage 3"])
@pytest.mark.parametrize("master", ["none", "local[2]"])
def test_a_run_that_a_cut_ended_goes_on_to_the_same_bytes(disk, crawl, tmp_path, stage, master):
    words = ["run", str(crawl), "--master", master, "--method", "T002", "--out"]
    assert main([*words, str(tmp_path / "undisturbed")]) == 0
    called = Called(*words, disk.files / "out")
    called.wait_for(stage)
    with disk.files_after_cut() as left:
        called.process.kill()
        called.process.wait()
        assert main([*words, str(left / "out"), "--resume"]) == 0
        same(left / "out", tmp_path / "undisturbed")


def test_a_file_is_on_the_disk_before_it_has_its_name(disk: Disk) -> None:
    """At whatever moment the cut comes, there is a whole file or none."""
    folder = Folder(str(disk.files))
    for number in range(20):
        with folder.create(f"a/b/{number}") as stream:
            stream.write(bytes([number]) * 100_000)
        with disk.files_after_cut() as left:
            found = files(left / "a")
            assert found == sorted(f"b/{n}" for n in range(number + 1))
            assert {(left / "a" / file).stat().st_size for file in found} == {100_000}
