"""The pages of archive files, and the texts that crawlers stored of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from dbce import archive
from dbce.model import StoredText
from dbce.quality import TextAt, TextsByUrl
from dbce.storage import Shelf

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from dbce.archive import Source
    from dbce.model import Capture, Config, CrawlerText, Dropped


class HeldTexts:
    """Texts that crawlers stored, on a shelf: some 200 bytes of memory each, once they are many."""

    def __init__(self) -> None:
        self._shelf = Shelf[str]()
        self._places = TextsByUrl[int]()

    def add(self, text: CrawlerText) -> None:
        """Takes a text."""
        place = self._shelf.put(text.stored.text)
        known = TextAt(text.timestamp, text.kind, text.stored.record, place)
        self._places.add(text.surt, known)

    def nearest(self, surt: str, at: datetime) -> StoredText | None:
        """Return the text of a URL that was taken nearest to a time, None if none was near."""
        found = self._places.nearest(surt, at)
        return StoredText(found.record, self._shelf.take(found.place)) if found else None

    def close(self) -> None:
        """Lets go of the texts."""
        self._shelf.__exit__()


class ArchivedPages:
    """The captures of archive files, which are read anew each time; `texts` is filled as they are read first."""

    def __init__(self, sources: Sequence[Source], config: Config) -> None:
        self.texts = HeldTexts()
        self._sources = sources
        self._config = config
        self._is_read = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.texts.close()

    def __iter__(self) -> Iterator[Capture | Dropped]:
        take_text = None if self._is_read else self.texts.add
        self._is_read = True
        limits, verify = self._config.limits, self._config.verify
        for source in self._sources:
            yield from archive.read(source, limits, verify=verify, take_text=take_text)
