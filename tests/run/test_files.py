"""One archive file through stages 1 and 3, also when it is another file by then."""

import gzip
from dataclasses import replace

import pyarrow.parquet as pq
import pytest

from dbce.archive import Source
from dbce.model import LOG, Config
from dbce.output.unit_writer import INDEX
from dbce.run.one_file import Stores, index_file, judge_file
from dbce.storage import is_done
from dbce.storage.folder import Folder
from tests.site import page, snapshots, stored

CONFIG = Config(method="T002")


@pytest.fixture
def source(tmp_path) -> Source:
    return Source("a.warc.gz", str(tmp_path / "a.warc.gz"), None)


@pytest.fixture
def stores(tmp_path) -> Stores:
    out = Folder(str(tmp_path / "out"))
    return Stores(out.subfolder(INDEX), out)


def write(source: Source, data: bytes) -> None:
    with open(source.uri, "wb") as stream:  # noqa: PTH123 - a Source names its file by text
        stream.write(data)


BEFORE = snapshots(2014)


@pytest.mark.parametrize(
    ("after", "kept"),
    [
        (stored(*BEFORE), 4),
        (stored(*BEFORE) + stored(page("more")), 4),
        (stored(*BEFORE)[:-40], 3),
        (stored(*BEFORE[:2]), 2),
        (stored(*reversed(BEFORE)), 0),
        (stored(page("other")) + stored(*BEFORE), 0),
        (stored(*BEFORE[:3], replace(BEFORE[3], payload=b"<p>Another page")), 3),
        (b"", 0),
    ],
    ids="same grown truncated shorter reordered shifted rewritten emptied".split(),
)
def test_a_file_that_changed_between_the_stages_is_rejected_where_it_did(
    source, stores, tmp_path, after, kept
):
    write(source, stored(*BEFORE))
    assert index_file(source, stores, CONFIG) == 4
    write(source, after)
    judge_file(source, stores, [], CONFIG)
    assert is_done(stores.out, source.name)
    rows = pq.read_table(tmp_path / "out" / "pages").to_pylist()
    lost = [("rejected", "damaged")] * (4 - kept)
    assert [(row["status"], row["reason"]) for row in rows] == [("single", None)] * kept + lost
    rejects = pq.read_table(tmp_path / "out" / "rejects").to_pylist()
    assert len(rejects) == 4 - kept
    for row in rejects:
        assert (row["reason"], row["stage"]) == ("damaged", "read")
        assert row["detail"].startswith("not there any more: the file has changed")


def test_how_to_mend_a_file_of_one_gzip_member_is_said_once(source, stores, caplog, monkeypatch):
    monkeypatch.setattr(LOG, "handlers", [caplog.handler])  # whatever ran before
    monkeypatch.setattr(LOG, "propagate", False)
    for data in (stored(*BEFORE), gzip.compress(gzip.decompress(stored(*BEFORE)))):
        write(source, data)
        assert index_file(source, stores, CONFIG) == 4
    (said,) = caplog.messages
    assert said.startswith(f"warning: {source.uri} has several records in one gzip member")
    assert said.endswith("warcio recompress IN OUT mends that")
