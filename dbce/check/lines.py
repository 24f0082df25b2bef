"""An account as lines for people, or as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from typing import TYPE_CHECKING

from dbce.progress import files

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator, Sequence

    from dbce.check.account import Account, Finding

SHOWN = 20
"""Findings of a file that people are shown; JSON has all."""


def as_json(file: str | None, account: Account) -> str:
    """One line: the account of a file with its findings, or the sum of all where `file` is None."""
    values = {"file": file} | {
        column.name: getattr(account, column.name) for column in fields(account)
    }
    del values[
        "repeating"
    ]  # whole revisits, for `with_resolutions` alone: `resolutions` has their counts
    for name in ("findings", "oddities"):
        values[name] = [_without_file(finding) for finding in getattr(account, name)]
        if file is None:
            del values[name]
    return json.dumps(values, ensure_ascii=False)


def _without_file(finding: Finding) -> dict[str, object]:
    """As JSON has a finding, below the file's name."""
    return {name: value for name, value in asdict(finding).items() if name != "file"}


def as_text(file: str | None, account: Account) -> str:
    """The account in some lines: the content, then the faults."""
    return "\n".join(_lines(file, account))


def _lines(file: str | None, account: Account) -> Iterator[str]:
    yield files(account.files) if file is None else file
    yield f"  records         {_listed(account.records)}"
    yield f"  HTML captures   {account.html}"
    yield f"  pages           {account.pages}"
    yield f"  skipped         {_listed(account.skipped)}"
    yield f"  charset from    {_listed(account.charsets)}"
    if account.replaced:
        yield f"  pages with bytes that mean nothing in their charset: {account.replaced}"
    if account.truncated:
        yield f"  pages cut short {_listed(account.truncated)}"
    resolved = f"  ({_counts(account.resolutions)})" if account.resolutions else ""
    yield f"  revisits        {account.revisits}{resolved}"
    yield f"  digests         {account.digests} compared"
    yield f"  rejected        {_listed(account.rejected)}"
    yield f"  damaged         {account.damaged}"
    if account.odd:
        yield f"  odd             {_listed(account.odd)}"
    if account.bytes_skipped:
        yield f"  bytes skipped   {account.bytes_skipped:,}"
    if account.single_members:
        yield from _single_members(file, account.single_members)
    yield from _finding_lines("!", account.findings)
    yield from _finding_lines("~", account.oddities)


def _finding_lines(mark: str, findings: Sequence[Finding]) -> Iterator[str]:
    """The faults or oddities, a line each."""
    for finding in findings[:SHOWN]:
        yield f"  {mark} {_finding_line(finding)}"
    if len(findings) > SHOWN:
        yield f"  ... {len(findings) - SHOWN} more; --json lists all"


def _single_members(file: str | None, count: int) -> Iterator[str]:
    if file is None:
        yield f"  files that are one gzip member, to be recompressed: {count}"
        return
    yield "  The file is one single gzip member: no record can be read without all before it. Mend it:"
    yield f"    warcio recompress {file} NEW.warc.gz"


def _finding_line(finding: Finding) -> str:
    length = f", {finding.length} bytes" if finding.length else ""
    names = [finding.kind, finding.record_id, finding.url]
    named = " ".join(word for word in names if word) or "no record"
    return f"{finding.reason} at {finding.offset}{length}: {named}: {finding.detail}"


def _listed(counts: Counter[str]) -> str:
    """The sum, and the counts by key, the largest first."""
    if not counts:
        return "0"
    return f"{counts.total()}  ({_counts(counts)})"


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{n} {key}" for key, n in _ordered(counts))


def _ordered(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
