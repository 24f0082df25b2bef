"""The account of an archive file, its content and its faults, as plain values."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dbce.archive import Odd
    from dbce.boilerplate import Revisit
    from dbce.model import Reason


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault or an oddity: its place, its kind and its reason.

    `length` is in stored bytes, 0 where it is unknown; `kind` is the WARC-Type, "" of a place where no
    record can be read.
    """

    file: str
    offset: int
    length: int
    record_id: str
    url: str
    kind: str
    reason: Reason | Odd
    detail: str


@dataclass(frozen=True, slots=True)
class Account:
    """The account of one file, or the sum of several, which has no `findings` and `oddities`.

    `records` counts by WARC-Type; `html` are captures of HTML, of which `pages` can be decoded.
    `skipped` and `rejected` are captures by reason, `charsets` pages by who names the charset, and
    `truncated` pages by how they break off; `replaced` pages have bytes that mean nothing in their
    charset. `digests` were compared with what is stored; `damaged` records and places have findings;
    `bytes_skipped` are those of places where no record can be read. `single_members` are files that
    are one gzip member. `repeating` are the revisits that were read, and `resolutions` counts them by how
    what they repeat was found (dbce.check.survey), where that was asked. `odd` counts what is not as it
    should be and yet no damage, by what it is about; `oddities` are these, of one file.
    """

    files: int = 0
    records: Counter[str] = field(default_factory=Counter)
    html: int = 0
    pages: int = 0
    revisits: int = 0
    digests: int = 0
    replaced: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)
    charsets: Counter[str] = field(default_factory=Counter)
    truncated: Counter[str] = field(default_factory=Counter)
    damaged: int = 0
    bytes_skipped: int = 0
    single_members: int = 0
    findings: tuple[Finding, ...] = ()
    repeating: tuple[Revisit, ...] = ()
    resolutions: Counter[str] = field(default_factory=Counter)
    odd: Counter[str] = field(default_factory=Counter)
    oddities: tuple[Finding, ...] = ()

    def __add__(self, other: Account) -> Account:
        return Account(
            files=self.files + other.files,
            records=self.records + other.records,
            html=self.html + other.html,
            pages=self.pages + other.pages,
            revisits=self.revisits + other.revisits,
            digests=self.digests + other.digests,
            replaced=self.replaced + other.replaced,
            skipped=self.skipped + other.skipped,
            rejected=self.rejected + other.rejected,
            charsets=self.charsets + other.charsets,
            truncated=self.truncated + other.truncated,
            damaged=self.damaged + other.damaged,
            bytes_skipped=self.bytes_skipped + other.bytes_skipped,
            single_members=self.single_members + other.single_members,
            repeating=self.repeating + other.repeating,
            resolutions=self.resolutions + other.resolutions,
            odd=self.odd + other.odd,
        )
