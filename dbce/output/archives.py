"""The archive files of one input: its annotated pages and, where asked for, their main texts."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING

import dbce
from dbce.archive import (
    AnnotatedWriter,
    PackagedPage,
    TextWriter,
    verify,
    verify_package,
    write_package,
)
from dbce.output.schemas import JUDGED
from dbce.storage import open_parquet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from dbce.boilerplate import Annotated
    from dbce.model import Config
    from dbce.storage import Folder

SOFTWARE = f"dbce {dbce.__version__}"


@contextmanager
def archives(
    folder: Folder, base: str, config: Config, lines: list[str]
) -> Iterator[Callable[[Annotated], Callable[[], None]]]:
    """Open the archives of an input for its pages, in file order; `lines` gets their CDXJ lines.

    A page is made ready to be written, and written by calling what comes back: a page that cannot be
    is then in none of the files.

    The files take their names when the block ends, after they were read back.

    Raises:
        StoreError: what is stored is not what was written.
    """
    origin = config.digest(), dbce.__version__
    name = f"{base}.dbce.warc.gz"
    of_texts: list[str] = []
    with ExitStack() as files:
        stream = files.enter_context(folder.create(f"warc/{name}", partial(verify, lines=lines)))
        pages = AnnotatedWriter(stream, name, config.record_type, *origin)
        texts = None
        if config.wet:
            name = f"{base}.dbce.warc.wet.gz"
            check = partial(verify, lines=of_texts)
            stream = files.enter_context(folder.create(f"wet/{name}", check))
            texts = TextWriter(stream, name, *origin)

        def prepare(page: Annotated) -> Callable[[], None]:
            marked = pages.prepare(page.capture, page.html)
            text = texts and texts.prepare(page.capture, page.text)

            def write() -> None:
                lines.append(pages.add(marked))
                if texts and text:
                    of_texts.append(texts.add(text))

            return write

        yield prepare
        pages.close()
        if texts:
            texts.close()


def package(folder: Folder, base: str, lines: Sequence[str]) -> None:
    """Packs the annotated pages of an input, which are stored, with their index and texts.

    Raises:
        StoreError: what is stored is not what was written.
    """
    name = f"{base}.dbce.warc.gz"
    with (
        folder.fs.open(folder.at(f"warc/{name}"), "rb") as warc,
        folder.create(f"wacz/{base}.dbce.wacz", verify_package) as stream,
    ):
        pages = _pages(folder, base)
        write_package(stream, warc, lines, pages, name=name, software=SOFTWARE)


def _pages(folder: Folder, base: str) -> Iterator[PackagedPage]:
    columns = ["record_id", "url", "fetch_time", "title", "text", "status"]
    with open_parquet(folder, f"pages/{base}.parquet") as table:
        for batch in table.iter_batches(columns=columns):
            for row in batch.to_pylist():
                if row.pop("status") in JUDGED:
                    row["title"] = row["title"] or ""
                    yield PackagedPage(*(row[column] for column in columns[:-1]))
