"""The archive files of an input: read back before they have their names, and always the same."""

import gzip
from dataclasses import replace
from io import BytesIO

import pytest

from dbce.model import Config, StoreError
from dbce.output.unit_writer import write_unit
from dbce.pipeline import annotate
from dbce.storage import is_done
from dbce.storage.folder import Folder
from tests.site import TOPICS, page

CONFIG = Config(method="T002")
ALL = replace(CONFIG, wet=True, wacz=True)


@pytest.fixture(scope="module")
def results() -> list:
    return list(annotate([page(topic) for topic in TOPICS], CONFIG))


def stored(folder: Folder) -> dict[str, bytes]:
    return {
        name: folder.read(name)
        for kind in ("warc", "wet", "wacz", "pages", "nodes", "rejects")
        for name in folder.names(f"{kind}/*")
    }


def rot(folder: Folder, monkeypatch, ending: str) -> None:
    """Lets one bit of each file flip, of those whose name ends so, while they are drafts."""
    opened = folder.fs.open

    def rotten(path: str, mode: str = "rb"):
        stream = opened(path, mode)
        if mode != "rb" or f"{ending}." not in path:
            return stream
        with stream:
            data = bytearray(stream.read())
        data[len(data) // 2] ^= 1
        return BytesIO(data)

    monkeypatch.setattr(folder.fs, "open", rotten)


def test_wet_and_wacz_change_nothing_else(results, tmp_path) -> None:
    plain, more = Folder(str(tmp_path / "plain")), Folder(str(tmp_path / "more"))
    write_unit(plain, "a.warc.gz", results, CONFIG)
    write_unit(more, "a.warc.gz", results, ALL)
    ours = stored(more)
    assert set(ours) - set(stored(plain)) == {"wet/a.dbce.warc.wet.gz", "wacz/a.dbce.wacz"}
    assert ours.items() > stored(plain).items()


def test_the_texts_are_those_of_the_pages(results, tmp_path) -> None:
    folder = Folder(str(tmp_path))
    write_unit(folder, "a.warc.gz", results, ALL)
    texts = gzip.decompress(folder.read("wet/a.dbce.warc.wet.gz")).decode()
    for result in results:
        assert f"WARC-Refers-To: <{result.capture.record_id}>" in texts
        assert result.text in texts


def test_the_bytes_are_the_same_on_every_file_system(results, tmp_path) -> None:
    folders = [Folder(str(tmp_path)), Folder("memory://archives/same")]
    for folder in folders:
        write_unit(folder, "a.warc.gz", results, ALL)
    assert stored(folders[0]) == stored(folders[1])


@pytest.mark.parametrize("ending", [".dbce.warc.gz", ".dbce.warc.wet.gz", ".dbce.wacz"])
def test_what_reads_back_otherwise_never_takes_its_name(ending, results, tmp_path, monkeypatch):
    folder = Folder(str(tmp_path))
    rot(folder, monkeypatch, ending)
    with pytest.raises(StoreError, match=r"reads? back (otherwise|as it was written)"):
        write_unit(folder, "a.warc.gz", results, ALL)
    assert not [name for name in stored(folder) if name.endswith(ending)]
    assert not folder.fs.glob(f"{tmp_path}/**/.*")
    assert not is_done(folder, "a.warc.gz")


def test_a_store_that_failed_can_be_gone_on_with(results, tmp_path, monkeypatch) -> None:
    folder, sound = Folder(str(tmp_path / "a")), Folder(str(tmp_path / "b"))
    with monkeypatch.context() as once:
        rot(folder, once, ".dbce.warc.gz")
        with pytest.raises(StoreError):
            write_unit(folder, "a.warc.gz", results, ALL)
    for each in (folder, sound):
        write_unit(each, "a.warc.gz", results, ALL)
    assert stored(folder) == stored(sound)
