"""One container file to read, whole or in part: what every input comes to."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Self

from dbce.archive.inputs import wacz
from dbce.archive.inputs.page_file import PageFile
from dbce.archive.inputs.selection import EVERYTHING, Selection
from dbce.model import escape_bytes, unescape_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class FilePiece:
    """A part of a container file: the records that begin in it, and its number in the file.

    `start` and `stop` are offsets where records begin; the last piece has no `stop`.
    """

    number: int
    start: int
    stop: int | None


@dataclass(frozen=True, slots=True)
class Source:
    """One container file to read: all of it, or the records at `offsets` (sorted), or a piece of it.

    `name` is the base name, with as many parent folders as make it unique among the inputs: results
    do not depend on where the files lie. A file inside a WACZ has the WACZ's place and name with its
    own behind it: `crawl.wacz/archive/data.warc.gz`. With a `page` the file is an HTML page.
    """

    name: str
    uri: str
    offsets: tuple[int, ...] | None = None
    piece: FilePiece | None = None
    selection: Selection = EVERYTHING
    page: PageFile | None = None

    @property
    def unit(self) -> str:
        """The name of what is read from it and written for it: its own, with the piece's number."""
        return self.name if self.piece is None else f"{self.name}.{self.piece.number:04}"

    @property
    def is_packed(self) -> bool:
        """True of a file inside a WACZ."""
        return wacz.parts(self.uri)[1] != ""

    def plain(self) -> dict[str, Any]:
        """The same as values that JSON knows."""
        return asdict(self) | {"uri": escape_bytes(self.uri)}

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Self:
        """A source from its `plain` values, after a way through JSON too."""
        offsets, piece, page = plain["offsets"], plain["piece"], plain.get("page")
        return cls(
            plain["name"],
            unescape_bytes(plain["uri"]),
            None if offsets is None else tuple(offsets),
            None if piece is None else FilePiece(**piece),
            Selection.of(plain["selection"]),
            None if page is None else PageFile(**page),
        )
