"""The texts that crawlers stored of pages, from stage 1, which meets them in any file, to stage 3, which needs some.

A table an archive file that has any, with what only a run's own stages read. Of an archive without such texts there is none.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import datetime
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from dbce.model import CrawlerText, StoredText, TextKind
from dbce.output.rows import TIME, strings
from dbce.quality import TextAt, TextsByUrl
from dbce.storage import WORK, Folder, open_parquet, stem

TEXTS = pa.schema([("surt", pa.string()), ("timestamp", TIME), *strings("kind", "record", "text")])

CHARACTERS = 2_000_000  # of the texts that are stored together, at least

FOLDER = f"{WORK}/texts"


class _Place(NamedTuple):
    """A row of a table: its file, its row group, its number in that."""

    file: str
    group: int
    row: int


@contextmanager
def storing_texts(folder: Folder, unit: str) -> Iterator[Callable[[CrawlerText], None]]:
    """Open the file for the texts of a unit; it takes its name when the block ends, if there are any."""
    with ExitStack() as stack:
        texts = _Texts(stack, folder.create(f"{FOLDER}/{stem(unit)}.parquet"))
        yield texts.add
        texts.write()


class _Texts:
    """Texts on their way into a table, which is begun with the first, and ends with a stack."""

    def __init__(self, stack: ExitStack, file: AbstractContextManager[BinaryIO]) -> None:
        self._stack = stack
        self._file = file
        self._table: pq.ParquetWriter | None = None
        self._rows: list[dict[str, Any]] = []
        self._characters = 0

    def add(self, text: CrawlerText) -> None:
        if self._table is None:
            stream = self._stack.enter_context(self._file)
            table = pq.ParquetWriter(stream, TEXTS, compression="zstd", write_page_checksum=True)
            self._table = self._stack.enter_context(table)
        *about, stored = text
        self._rows.append(dict(zip(TEXTS.names, (*about, *stored), strict=True)))
        self._characters += len(stored.text)
        if self._characters > CHARACTERS:
            self.write()

    def write(self) -> None:
        rows, self._rows, self._characters = self._rows, [], 0
        if rows and self._table is not None:
            self._table.write_table(pa.Table.from_pylist(rows, TEXTS))


class TextsOfRun:
    """The texts that crawlers stored of some pages, in any file of a run; looked up when the first is asked for.

    `surts` gives the sort keys of the URLs that are asked for; some 200 bytes a text of theirs are in memory.
    """

    def __init__(self, folder: Folder, surts: Callable[[], Collection[str]]) -> None:
        self._folder = folder
        self._surts = surts
        self._places: TextsByUrl[_Place] | None = None
        self._read: tuple[tuple[str, int], list[str]] | None = None

    def nearest(self, surt: str, at: datetime) -> StoredText | None:
        """Return the text of a URL that was taken nearest to a time, None if none was near."""
        if self._places is None:
            self._places = self._look_up()
        found = self._places.nearest(surt, at)
        return StoredText(found.record, self._text(found.place)) if found else None

    def _look_up(self) -> TextsByUrl[_Place]:
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
