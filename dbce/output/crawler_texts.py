"""The texts that crawlers stored of pages, from stage 1, which meets them in any file, to stage 3, which needs some.

A table an archive file that has any, with what only a run's own stages read. Of an archive without such texts there is none.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from dbce.model import CrawlerText, StoredText, TextKind
from dbce.output.rows import TIME, Row, strings
from dbce.quality import TextAt, TextsByUrl
from dbce.storage import ROWS_AT_ONCE, WORK, Folder, Table, open_parquet, stem

TEXTS = pa.schema([("surt", pa.string()), ("timestamp", TIME), *strings("kind", "record", "text")])

FOLDER = f"{WORK}/texts"


class _Place(NamedTuple):
    """A row of a table: its file, its row group, its number in that."""

    file: str
    group: int
    row: int


@contextmanager
def storing_texts(folder: Folder, unit: str) -> Iterator[Callable[[CrawlerText], None]]:
    """Open the file for the texts of a unit, which is begun with the first; it takes its name when the block ends."""
    with ExitStack() as stack:
        table: Table[Row] | None = None

        def add(text: CrawlerText) -> None:
            nonlocal table
            if table is None:
                stream = stack.enter_context(folder.create(f"{FOLDER}/{stem(unit)}.parquet"))
                texts = Table(stream, TEXTS, pa.Table.from_pylist, ROWS_AT_ONCE)
                table = stack.enter_context(texts)
            *about, stored = text
            table.add(dict(zip(TEXTS.names, (*about, *stored), strict=True)))

        yield add


class TextsOfRun:
    """The texts that crawlers stored of some pages, in any file of a run; looked up when the first is asked for.

    `surts` gives the sort keys of the URLs that are asked for; some 200 bytes a text of theirs are in memory.
    """

    def __init__(self, folder: Folder, surts: Callable[[], Collection[str]]) -> None:
        self._folder = folder
        self._surts = surts
        self._read: tuple[tuple[str, int], list[str]] | None = None

    def nearest(self, surt: str, at: datetime) -> StoredText | None:
        """Return the text of a URL that was taken nearest to a time, None if none was near."""
        text = self._places.nearest(surt, at)
        return StoredText(text.record, self._text(text.place)) if text else None

    @cached_property
    def _places(self) -> TextsByUrl[_Place]:
        places = TextsByUrl[_Place]()
        files = self._folder.names(f"{FOLDER}/*.parquet")
        surts = pa.array(sorted(self._surts()), pa.string()) if files else None
        for file in files:
            with open_parquet(self._folder, file) as table:
                for group in range(table.metadata.num_row_groups):
                    rows = table.read_row_group(group, columns=TEXTS.names[:-1])
                    numbered = rows.append_column("row", pa.array(range(len(rows)), pa.int64()))
                    for row in numbered.filter(pc.is_in(rows["surt"], surts)).to_pylist():
                        place = _Place(file, group, row["row"])
                        text = TextAt(
                            *(row["timestamp"], TextKind(row["kind"]), row["record"], place)
                        )
                        places.add(row["surt"], text)
        return places

    def _text(self, place: _Place) -> str:
        """Return the text of a row; those beside it are held, since pages come in their order."""
        at = place.file, place.group
        if self._read is None or self._read[0] != at:
            with open_parquet(self._folder, place.file) as table:
                texts = table.read_row_group(place.group, columns=["text"])["text"].to_pylist()
            self._read = at, texts
        return self._read[1][place.row]
