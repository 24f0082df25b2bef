"""The archive files of one input: its annotated pages and, where asked for, their main texts."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING

import dbce
from dbce.archive import (
    AnnotatedWriter,
    PackagedPage,
    PlainText,
    TextWriter,
    verify,
    verify_package,
    write_package,
)
from dbce.model import Dropped
from dbce.output.read import rows_of
from dbce.output.schemas import JUDGED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from dbce.boilerplate import Annotated
    from dbce.model import Config
    from dbce.storage import Folder

SOFTWARE = f"dbce {dbce.__version__}"


@contextmanager
def archives(
    folder: Folder, base: str, config: Config, lines: list[str]
) -> Iterator[Callable[[Annotated | Dropped], Callable[[], None]]]:
    """Open the archives of an input for its pages, in file order; `lines` gets their CDXJ lines.

    A page is made ready to be written, and written by calling what comes back: a page that cannot be
    is then in none of the files. Of one that was dropped there is at most the text that its crawler stored.

    The files take their names when the block ends, after they were read back.

    Raises:
        StoreError: what is stored is not what was written.
    """
    origin = config.digest(), dbce.__version__
    name = f"{base}.dbce.warc.gz"
    of_texts: list[str] = []
    with ExitStack() as files:
        stream = files.enter_context(folder.create(f"warc/{name}", partial(verify, lines=lines)))
        model = config.model_name
        pages = AnnotatedWriter(stream, name, config.record_type, *origin, model=model)
        texts = None
        if config.wet:
            name = f"{base}.dbce.warc.wet.gz"
            check = partial(verify, lines=of_texts)
            stream = files.enter_context(folder.create(f"wet/{name}", check))
            texts = TextWriter(stream, name, *origin)

        def prepare(page: Annotated | Dropped) -> Callable[[], None]:
            marked = None if isinstance(page, Dropped) else pages.prepare(page.capture, page.html)
            plain = _text_of(page, model) if texts else None
            text = plain and texts and texts.prepare(plain)

            def write() -> None:
                if marked:
                    lines.append(pages.add(marked))
                if texts and text:
                    of_texts.append(texts.add(text))

            return write

        yield prepare
        pages.close()
        if texts:
            texts.close()


def _text_of(page: Annotated | Dropped, model: str) -> PlainText | None:
    """The main text of a page; None of one that was dropped and has none by its crawler."""
    stored = page.stored
    record = stored.record if stored else None
    if not isinstance(page, Dropped):
        return PlainText.of(page.capture, page.text, model, record)
    if stored is None or page.timestamp is None:
        return None
    identity = page.record_id, page.url, page.surt, page.timestamp
    return PlainText(*identity, stored.text, page.origin, page.digest, model, record)


def package(folder: Folder, base: str, lines: Sequence[str], out: Folder, name: str) -> int:
    """Packs the annotated pages of an input, which are stored, with their index and texts; the number of pages.

    Of a selection the package has all records, and lists the pages that are selected.

    Raises:
        StoreError: what is stored is not what was written.
    """
    columns = ["record_id", "url", "fetch_time", "title", "text"]
    rows = rows_of(folder, f"pages/{base}.parquet", [*columns, "status"])
    pages = [
        PackagedPage(*((row | {"title": row["title"] or ""})[column] for column in columns))
        for row in rows
        if row["status"] in JUDGED
    ]
    warc_name = f"{base.rpartition('%2F')[2]}.dbce.warc.gz"
    with (
        folder.fs.open(folder.at(f"warc/{base}.dbce.warc.gz"), "rb") as warc,
        out.create(name, verify_package) as stream,
    ):
        write_package(stream, warc, lines, pages, name=warc_name, software=SOFTWARE)
    return len(pages)
