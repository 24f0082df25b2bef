"""The outputs of one input file, tables and archives: the unit of work of the last stage."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import chain
from typing import Any

import pyarrow as pa

import dbce
from dbce import archive, storage
from dbce.boilerplate import Annotated, batches
from dbce.model import OPTIONAL_OUTPUTS, Config, Reject, Stage, Status, reject_fault
from dbce.output import rows as tables
from dbce.output.nights import INDEX
from dbce.output.read import rows_of


@contextmanager
def archives(
    folder: storage.Folder, base: str, config: Config, lines: list[str]
) -> Iterator[Callable[[Annotated | Reject], Callable[[], None]]]:
    """Open the archives of an input: for its pages, in file order, and their main texts if asked for; `lines` gets CDXJ lines.

    A page is made ready to be written, and written by calling what comes back: a page that cannot be
    is then in none of the files. Of one that was dropped there is at most the text that its crawler stored.

    The files take their names when the block ends, after they were read back.
    Raises StoreError: what is stored is not what was written.
    """
    origin = config.digest(), dbce.__version__
    name = f"{base}.dbce.warc.gz"
    of_texts: list[str] = []
    with ExitStack() as files:
        stream = files.enter_context(
            folder.create(f"warc/{name}", partial(archive.verify, lines=lines))
        )
        model = config.model_name
        pages = archive.AnnotatedWriter(stream, name, config.record_type, *origin, model=model)
        texts = None
        if config.wet:
            name = f"{base}.dbce.warc.wet.gz"
            check = partial(archive.verify, lines=of_texts)
            stream = files.enter_context(folder.create(f"wet/{name}", check))
            texts = archive.TextWriter(stream, name, *origin)

        def prepare(page: Annotated | Reject) -> Callable[[], None]:
            marked = None if isinstance(page, Reject) else pages.prepare(page.capture, page.html)
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


def _text_of(page: Annotated | Reject, model: str) -> archive.PlainText | None:
    """The main text of a page; None of one that was dropped and has none by its crawler."""
    stored = page.stored
    record = stored.record if stored else None
    if not isinstance(page, Reject):
        return archive.PlainText.from_capture(page.capture, page.text, model, record)
    if stored is None or page.timestamp is None:
        return None
    identity = page.record_id, page.url, page.surt, page.timestamp
    return archive.PlainText(*identity, stored.text, page.origin, page.digest, model, record)


def package(
    folder: storage.Folder, base: str, lines: Sequence[str], out: storage.Folder, name: str
) -> int:
    """Pack the stored annotated pages of an input with their index and texts; return the number of pages.

    Of a selection the package has all records, and lists the pages that are selected.
    Raises StoreError: what is stored is not what was written.
    """
    columns = ["record_id", "url", "fetch_time", "title", "text", "status"]
    rows = rows_of(folder, f"pages/{base}.parquet", columns)
    pages = [row for row in rows if row["status"] in tables.JUDGED]
    warc_name = f"{base.rpartition('%2F')[2]}.dbce.warc.gz"
    software = f"dbce {dbce.__version__}"
    with (
        folder.fs.open(folder.full_path(f"warc/{base}.dbce.warc.gz"), "rb") as warc,
        out.create(name, archive.verify_package) as stream,
    ):
        archive.write_package(stream, warc, lines, pages, name=warc_name, software=software)
    return len(pages)


# Every input file has files of its own in `warc/`, `pages/`, `nodes/` and `rejects/`. So the
# bytes do not depend on how the work was spread, and a unit can be done again without touching
# another.

ANNOTATIONS = f"{storage.WORK}/annotations"  # where stage 2 on Spark puts what it finds
COMPARED = f"{storage.WORK}/compared"  # the mark that all of it is there
READ = f"{storage.WORK}/read"  # the notes of what stage 1 has written
AT_ONCE = 16, 1_000_000
"""Pages whose rows are made together, which takes a third less, and bytes of their HTML."""
OUTPUTS = ("warc", "pages", "nodes", "rejects", *OPTIONAL_OUTPUTS)  # the folders of a run's outputs


def mark_read(
    folder: storage.Folder, name: str, index: storage.Folder, kept: storage.Digest | None
) -> None:
    """Note what stage 1 has written of an input: files of the `index`, and the digest of the pages that it kept."""
    files = {f"{INDEX}/{file}": digest for file, digest in index.take_digests().items()}
    storage.write_note(folder, f"{READ}/{storage.stem(name)}.json", {"files": files, "kept": kept})


def kept_digest(folder: storage.Folder, name: str) -> storage.Digest | None:
    """The digest of the pages that stage 1 has kept of an input; None if it has kept none."""
    note = storage.read_note(folder, f"{READ}/{storage.stem(name)}.json", dict)
    return storage.Digest(*note["kept"]) if note and note["kept"] else None


def sketch_notes(folder: storage.Folder) -> Iterator[dict[str, Any]]:
    for name in folder.names(f"{READ}/*.json"):
        if note := storage.read_note(folder, name, dict):
            yield note


def write_unit(
    folder: storage.Folder, name: str, results: Iterable[Annotated | Reject], config: Config
) -> None:
    """Write all outputs of the input called `name`, then its account as the mark of completion.

    The files take their names together, when all are whole; a package follows, made of the others.
    Raises StoreError: what is stored is not what was written.
    """
    base = storage.stem(name)
    account: Counter[tuple[str, str]] = Counter()
    revisits: Counter[str] = Counter()
    walked = 0
    index: list[str] = []
    with ExitStack() as files:
        # First all streams, then the tables: what is entered last is closed first, so that no file
        # takes its name before every table is written out.
        enter = files.enter_context
        of_pages, of_nodes, of_rejects = (
            enter(folder.create(f"{kind}/{base}.parquet")) for kind in ("pages", "nodes", "rejects")
        )
        prepare = enter(archives(folder, base, config, index))
        pages = enter(storage.Table(of_pages, tables.PAGES, pa.Table.from_batches, 1))
        nodes = enter(storage.Table(of_nodes, tables.NODES, pa.Table.from_batches))
        rejects = enter(storage.Table(of_rejects, tables.REJECTS, pa.Table.from_pylist))
        write = partial(_write_results, config, prepare, pages, nodes)
        for result in chain.from_iterable(map(write, batches(results, _size, AT_ONCE))):
            account[result.status, result.reason if isinstance(result, Reject) else ""] += 1
            if isinstance(result, Reject):
                if result.repeats and result.repeats.resolution:
                    revisits[result.repeats.resolution] += 1
                if result.status is Status.REJECTED:
                    rejects.add(tables.reject_row(result))
            else:
                walked += result.walked
    if config.wacz:
        package(folder, base, index, folder, f"wacz/{base}.dbce.wacz")
    outcomes = sorted((*of, n) for of, n in account.items())
    note = {"account": outcomes, "revisits": revisits, "walked": walked}
    storage.mark_done(folder, name, note, index)


def _size(result: Annotated | Reject) -> int:
    return 0 if isinstance(result, Reject) else len(result.html)


def _write_results(
    config: Config,
    prepare: Callable[[Annotated | Reject], Callable[[], None]],
    pages: storage.Table[pa.RecordBatch],
    nodes: storage.Table[pa.RecordBatch],
    results: Sequence[Annotated | Reject],
) -> list[Annotated | Reject]:
    """The results, written together; as Reject, and nothing of it written, what fails by itself."""
    judged = [result for result in results if not isinstance(result, Reject)]
    try:
        of_archives = [*map(prepare, results)]
        with_rows = (r for r in results if not isinstance(r, Reject) or r.is_html)
        rows = [tables.page_row(result, config.site_by) for result in with_rows]
        its_nodes = tables.node_rows_of(*judged)
        of_pages = pa.RecordBatch.from_pylist(rows, tables.PAGES)
    except Exception as e:
        if len(results) > 1:
            write = partial(_write_results, config, prepare, pages, nodes)
            return [written for result in results for written in write([result])]
        if not judged:
            raise
        # Whatever it is, it is of this page.
        fault = reject_fault(judged[0].capture, e, Stage.JUDGE)
        return _write_results(config, prepare, pages, nodes, [fault])
    for write_page in of_archives:
        write_page()
    pages.add(of_pages, len(rows))
    nodes.add(its_nodes, len(its_nodes))
    return [*results]
