"""Tables of blocks."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dbce.model import UsageError
from dbce.visual import Rect
from dbce.visual.evaluate.blocks.sides import read_blocks

ROWS = [
    ("r1", "a", -1, 0, "header"),
    ("r1", "a", 0, 1, ""),
    ("r1", "b", -1, 2, None),
    ("<r2>", "a", -1, 3, ""),
]


def write(path, rows=ROWS, without=()):
    names = ("record_id", "algorithm", "parent", "x", "role")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    columns |= dict.fromkeys("ywh", [9.0] * len(rows))
    kept = {name: values for name, values in columns.items() if name not in without}
    path.parent.mkdir(exist_ok=True, parents=True)
    pq.write_table(pa.table(kept), path)


def test_blocks_come_by_page_and_algorithm(tmp_path):
    write(tmp_path / "blocks" / "one.parquet")
    pages = list(read_blocks(str(tmp_path)))
    assert [(page.record_id, page.algorithm, len(page.blocks)) for page in pages] == [
        ("r1", "a", 2),
        ("r1", "b", 1),
        ("r2", "a", 1),
    ]
    first, second = pages[0].blocks
    assert (first.rect, first.label) == (Rect(0, 9, 9, 9), "header")
    assert second.parent == first.id
    assert list(read_blocks(str(tmp_path / "blocks" / "one.parquet"))) == pages


def test_what_is_no_table_of_blocks_is_wrong_use(tmp_path):
    with pytest.raises(UsageError, match="no table of blocks: make one with dbce segment"):
        list(read_blocks(str(tmp_path)))
    path = tmp_path / "one.parquet"
    write(path, without=("parent", "x"))
    with pytest.raises(UsageError, match="no column parent, x"):
        list(read_blocks(str(path)))
    path.write_text("record_id,x,y,w,h")
    with pytest.raises(UsageError, match="cannot read the table of blocks"):
        list(read_blocks(str(path)))
