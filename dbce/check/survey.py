"""One pass over archive files that counts their records and finds their faults."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from dbce.archive import heads, inspect, surt
from dbce.boilerplate import Original, resolve, revisit_of
from dbce.check.account import Account, Finding
from dbce.engine import Pool
from dbce.html import decode
from dbce.model import UNREAD, Capture, Dropped, InputError, Reason, Status, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from dbce.archive import Entry, Odd, Oddity, Source
    from dbce.boilerplate import Revisit
    from dbce.model import Limits

# Revisits are looked up in all files together, so that it makes no difference what a site is.
SITE_BY = "host"

BY_CRAWLER = frozenset({"length", "time", "disconnect", "unspecified"})
"""Truncations that the crawler made and declared (WARC-Truncated): they are no damage."""


def surveys(sources: Sequence[Source], limits: Limits, jobs: int) -> Iterator[tuple[str, Account]]:
    """Name and account of every file, in their order; several at a time, each in a process."""
    if min(jobs, len(sources)) <= 1:
        yield from _by_file(sources, map(partial(survey, limits=limits), sources))
        return
    with Pool(min(jobs, len(sources)), partial(_surveying, limits), _lost) as pool:
        yield from _by_file(sources, pool.in_order(sources))


@contextmanager
def _surveying(limits: Limits) -> Iterator[Callable[[Source], Account]]:
    yield partial(survey, limits=limits)


def _lost(source: Source) -> Account:
    raise StoreError(
        f"the process that read {source.uri} was ended twice, as the system does where memory ends; "
        "check fewer files at a time: --jobs 1"
    )


def _by_file(
    sources: Iterable[Source], accounts: Iterable[Account]
) -> Iterator[tuple[str, Account]]:
    """The accounts, those of the pieces of a file made one."""
    pairs = zip(sources, accounts, strict=True)
    for name, of_file in groupby(pairs, key=lambda pair: pair[0].name):
        (_, whole), *others = of_file
        for _, other in others:
            findings = whole.findings + other.findings
            oddities = whole.oddities + other.oddities
            whole = replace(whole + other, files=1, findings=findings, oddities=oddities)
        yield name, whole


def survey(source: Source, limits: Limits) -> Account:
    """The account of one file; every record is read once, and its digests are verified."""
    tally = _Tally(source.name)
    for entry in inspect(source, limits, verify=True):
        tally.add(entry)
    return tally.account(whole=source.offsets is None and source.piece is None)


class _Tally:
    """The counts while a file is read."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._records: Counter[str] = Counter()
        self._skipped: Counter[str] = Counter()
        self._rejected: Counter[str] = Counter()
        self._charsets: Counter[str] = Counter()
        self._truncated: Counter[str] = Counter()
        self._findings: list[Finding] = []
        self._oddities: list[Finding] = []
        self._repeating: list[Revisit] = []
        self._html = self._digests = self._replaced = self._furthest = 0

    def add(self, entry: Entry) -> None:
        """Counts a record or a damaged place."""
        if entry.kind:
            self._records[entry.kind] += 1
            self._furthest = max(self._furthest, entry.offset)
        self._digests += entry.digests
        self._oddities += [
            self._finding(entry.kind, oddity, oddity.what, oddity.detail) for oddity in entry.odd
        ]
        result = entry.result
        if isinstance(result, Capture):
            self._html += 1
            self._page(entry.kind, result)
        elif isinstance(result, Dropped):
            self._html += result.is_html
            self._dropped(entry, result)

    def _page(self, kind: str, page: Capture) -> None:
        try:
            decoded = decode(page.payload, page.content_type)
        except InputError as e:
            self._rejected[e.reason] += 1
            self._find(kind, page, e.reason, e.detail)
            return
        self._charsets[decoded.source] += 1
        self._replaced += decoded.replacements > 0
        if page.truncated:
            self._truncated[page.truncated] += 1
            if page.truncated not in BY_CRAWLER:
                detail = f"{page.truncated}: {len(page.payload)} bytes of the page are there"
                self._find(kind, page, Reason.TRUNCATED, detail)

    def _dropped(self, entry: Entry, dropped: Dropped) -> None:
        rejected = dropped.status is Status.REJECTED
        if revisit := revisit_of(dropped, SITE_BY):
            self._repeating.append(revisit)
        if entry.counts:
            (self._rejected if rejected else self._skipped)[dropped.reason] += 1
        if rejected:
            self._find(entry.kind, dropped, dropped.reason, dropped.detail)

    def _find(self, kind: str, where: Capture | Dropped, reason: Reason, detail: str) -> None:
        self._findings.append(self._finding(kind, where, reason, detail))

    def _finding(
        self, kind: str, where: Capture | Dropped | Oddity, reason: Reason | Odd, detail: str
    ) -> Finding:
        at = where.origin
        values = (at.offset, at.length, where.record_id, where.url, kind, reason, detail)
        return Finding(self._name, *values)

    def account(self, *, whole: bool) -> Account:
        """The account of all that was counted; a `whole` file may be one gzip member."""
        return Account(
            files=1,
            records=self._records,
            html=self._html,
            pages=self._charsets.total(),
            revisits=self._records["revisit"],
            digests=self._digests,
            replaced=self._replaced,
            skipped=self._skipped,
            rejected=self._rejected,
            charsets=self._charsets,
            truncated=self._truncated,
            damaged=len(self._findings),
            bytes_skipped=sum(
                finding.length for finding in self._findings if finding.reason in UNREAD
            ),
            single_members=int(whole and self._furthest == 0 and self._records.total() > 1),
            findings=tuple(self._findings),
            repeating=tuple(self._repeating),
            odd=Counter(finding.reason for finding in self._oddities),
            oddities=tuple(self._oddities),
        )


def with_resolutions(account: Account, sources: Iterable[Source]) -> Account:
    """The account of all these files with its revisits resolved among their captures.

    Where there are revisits the files are read again. Payload digests are those that are declared, and
    what is damaged counts as well.

    Raises:
        StoreError: a file cannot be read.
    """
    resolved = resolve(account.repeating, _originals(sources))
    counted = Counter(resolved[revisit.record_id][0].value for revisit in account.repeating)
    return replace(account, resolutions=counted)


def _originals(sources: Iterable[Source]) -> Iterator[Original]:
    for source in sources:
        for head in heads(source):
            if head.timestamp is not None:
                yield Original(
                    is_dropped=False,
                    timestamp=head.timestamp,
                    record_id=head.record_id,
                    surt=surt(head.url),
                    digest=head.digest,
                    is_html=False,
                )
