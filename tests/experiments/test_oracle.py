"""The fast way beside the thesis to the letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.archive import expand
from dbce.model import Config
from dbce.storage.folder import Folder
from scripts.experiments.oracle import compare
from tests.runs import whole
from tests.site import snapshots, stored

if TYPE_CHECKING:
    from pathlib import Path


def test_words_of_another_label_are_counted_by_their_cause(tmp_path: Path):
    (tmp_path / "site.warc.gz").write_bytes(stored(*snapshots(2015), *snapshots(2016)))
    configs = {
        "literal": Config(method="thesis", classifier="T001", merge="strongest"),
        "fast": Config(method="T001", signature="layers", diff_engine="lxml"),
    }
    for name, config in configs.items():
        whole(expand([str(tmp_path / "site.warc.gz")]), tmp_path / name, config)
    literal, fast = (Folder(str(tmp_path / name)) for name in configs)
    assert set(compare(literal, literal)) == {"same bits"}
    by_cause = compare(literal, fast)
    assert by_cause.get("same bits", [0, 0, 0])[1] == 0  # equal bits, equal patterns
    assert (
        sum(counts[0] for counts in by_cause.values()) == compare(literal, literal)["same bits"][0]
    )
