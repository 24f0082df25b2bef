"""What is taken out of a page, before it is written in any format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from dbce.formats.part import Part
    from dbce.metadata import Metadata
    from dbce.model import Status


@dataclass(frozen=True, slots=True)
class Extract:
    """The content of a judged capture, and what the page says of itself.

    `text` is the main content, one line a block; `blocks` the same with its markup, empty for formats
    that have none. `timestamp` is None where nobody knows when the page was captured.
    """

    record_id: str
    url: str
    surt: str
    timestamp: datetime | None
    status: Status
    metadata: Metadata
    text: str
    blocks: tuple[Part, ...] = ()
