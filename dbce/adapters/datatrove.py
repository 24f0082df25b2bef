"""Steps of a datatrove pipeline: a reader of archives, and an extractor for pages that come from elsewhere.

    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.writers import JsonlWriter
    from dbce.adapters.datatrove import ArchiveReader

    steps = [ArchiveReader("crawl"), JsonlWriter("texts")]
    LocalPipelineExecutor(steps, tasks=4).run()

Pages of one task are compared with each other: a site whose files are read by one task is judged as `dbce run`
judges it.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from datatrove.data import Document
from datatrove.pipeline.base import PipelineStep
from datatrove.pipeline.readers.base import BaseDiskReader

from dbce.adapters.documents import datatrove_document, document_of
from dbce.archive import expand, is_archive
from dbce.model import Config, Reject
from dbce.pipeline import ArchivedPages, extract_all, extracts


class ArchiveReader(BaseDiskReader):  # type: ignore[misc]
    """Reads the WARC, ARC and WACZ files of a folder; yields a document for each page with main text.

    Id, text and metadata are those of `dbce export --to datatrove`, without `confidence`, `expected_f1` and the kind,
    which only a run computes.
    """

    name = "dbce"
    _requires_dependencies = ("lxml", "warcio")

    def __init__(self, data_folder: Any, config: Config | None = None, **options: Any) -> None:
        """Create a reader with a configuration; `options` are those of BaseDiskReader."""
        super().__init__(data_folder, **options)
        self.config = Config.or_default(config)

    def read_file(self, filepath: str) -> Iterator[Document]:
        """Yield the documents of a file by itself."""
        yield from self._documents([filepath])

    def read_files_shard(self, shard: list[str]) -> Iterator[Document]:
        """Yield the documents of a task's files, compared with each other."""
        stop = None if self.limit == -1 else self.skip + self.limit
        yield from islice(self._documents(shard), self.skip, stop)

    def _documents(self, paths: list[str]) -> Iterator[Document]:
        files = [self.data_folder.resolve_paths(path) for path in sorted(paths) if is_archive(path)]
        with ArchivedPages(expand(files) if files else (), self.config) as captures:
            for page in extracts(captures, self.config, markup=False, texts=captures):
                if not isinstance(page, Reject) and page.text:
                    yield Document(**datatrove_document(document_of(page, self.config)))


class CompareAndExtract(PipelineStep):  # type: ignore[misc]
    """Takes documents whose text is HTML; yields those with main text, which replaces it.

    Pages of a task are compared by `url` and `date` of their metadata, and are in memory together.
    """

    type = "🛢 - EXTRAC"
    name = "dbce"

    def __init__(self, config: Config | None = None) -> None:
        super().__init__()
        self.config = Config.or_default(config)

    def run(
        self, data: Iterable[Document], rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        """Yield the documents with main text, in their order."""
        del rank, world_size
        documents = list(data)
        pages = [(d.metadata.get("url"), d.text, d.metadata.get("date")) for d in documents]
        texts = extract_all(pages, "txt", config=self.config)
        for document, page in zip(documents, texts, strict=True):
            self.stat_update("total")
            if not page.text:
                self.stat_update("dropped", page.reason or "no main text")
                continue
            document.text = page.text
            document.metadata["title"] = document.metadata.get("title") or page.metadata.title
            self.stat_update("forwarded")
            self.update_doc_stats(document)
            yield document
