"""Checks of what is stored: the faults of archive files, without a run, and the outputs of a run or a nightly archive."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from itertools import groupby

from dbce import model
from dbce.archive import RUN, Entry, Odd, Oddity, Source, heads, inspect, surt
from dbce.boilerplate import Original, Revisit, resolve, revisit_of
from dbce.engine import Pool, ready_work
from dbce.html import decode
from dbce.model import files
from dbce.output import INDEX, NIGHTS, complete_nights, index_names, listed_nights
from dbce.storage import AGAIN, FIXITY, Damage, Fixity, Folder, damages, fixity_of, is_of_others

# One pass over archive files that counts their records and finds their faults.


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault or an oddity of a file: its place, its kind and its reason.

    `length` is in stored bytes, 0 where it is unknown; `kind` is the WARC-Type, "" of a place where no record can be read.
    """

    offset: int
    length: int
    record_id: str
    url: str
    kind: str
    reason: model.Reason | Odd
    detail: str


@dataclass(slots=True)
class ArchiveAccount:
    """The account of one file, or the sum of several, which has no `findings` and `oddities`.

    `records` counts by WARC-Type; `html` are captures of HTML, of which `pages` can be decoded. `skipped` and `rejected` are
    captures by reason, `charsets` pages by who names the charset, and `truncated` pages by how they break off; `replaced`
    pages have bytes that mean nothing in their charset. `digests` were compared with what is stored; `damaged` records and
    places have findings; `bytes_skipped` are those of places where no record can be read. `single_members` are files that are
    one gzip member. `visits` has, for each page, a digest of its record id, URL and date, and the source of its charset: of
    two with the same the second is a duplicate, in whichever file. `repeating` are the revisits that were read, and
    `resolutions` counts them by how what they repeat was found, where it was looked for. `odd` counts what is not as it
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
    findings: list[Finding] = field(default_factory=list)
    visits: dict[int, str] = field(default_factory=dict)
    repeating: list[Revisit] = field(default_factory=list)
    resolutions: Counter[str] = field(default_factory=Counter)
    odd: Counter[str] = field(default_factory=Counter)
    oddities: list[Finding] = field(default_factory=list)

    def __add__(self, other: ArchiveAccount) -> ArchiveAccount:
        unsummed = ("findings", "oddities", "visits")
        summed = [field.name for field in fields(self) if field.name not in unsummed]
        return ArchiveAccount(
            **{name: getattr(self, name) + getattr(other, name) for name in summed}
        )

    def add_entry(self, entry: Entry) -> None:
        if entry.kind:
            self.records[entry.kind] += 1
        self.digests += entry.digests
        self.oddities += [
            _finding(entry.kind, oddity, oddity.what, oddity.detail) for oddity in entry.odd
        ]
        result = entry.result
        if isinstance(result, model.Capture):
            self.html += 1
            self.findings += self._page_findings(entry.kind, result)
        elif isinstance(result, model.Reject):
            self.html += result.is_html
            self._add_reject(entry, result)

    def _page_findings(self, kind: str, page: model.Capture) -> Iterator[Finding]:
        """Count a page; yield what is wrong with it."""
        try:
            decoded = decode(page.payload, page.content_type)
        except model.InputError as e:
            self.rejected[e.reason] += 1
            yield _finding(kind, page, e.reason, e.detail)
            return
        visit = model.digest64(
            "\n".join((page.record_id, page.url, str(page.timestamp), page.digest)).encode()
        )
        if visit in self.visits:
            self.skipped[model.Reason.DUPLICATE_RECORD] += 1
            return
        self.visits[visit] = decoded.charset.source
        self.charsets[decoded.charset.source] += 1
        self.replaced += decoded.charset.replacements > 0
        if page.truncated:
            self.truncated[page.truncated] += 1
            if page.truncated not in BY_CRAWLER:
                detail = f"{page.truncated}: {len(page.payload)} bytes of the page are there"
                yield _finding(kind, page, model.Reason.TRUNCATED, detail)

    def _add_reject(self, entry: Entry, reject: model.Reject) -> None:
        rejected = reject.status is model.Status.REJECTED
        if revisit := revisit_of(reject, SITE_BY):
            self.repeating.append(revisit)
        if entry.counts:
            (self.rejected if rejected else self.skipped)[reject.reason] += 1
        if rejected:
            self.findings.append(_finding(entry.kind, reject, reject.reason, reject.detail))

    def without_repeated(self, seen: set[int]) -> ArchiveAccount:
        """The account without pages that are `seen` in other files; its own are then seen as well."""
        again = Counter(self.visits[visit] for visit in self.visits.keys() & seen)
        seen.update(self.visits)
        if not again:
            return self
        repeated = Counter[str]({model.Reason.DUPLICATE_RECORD: again.total()})
        return replace(
            self,
            pages=self.pages - again.total(),
            charsets=self.charsets - again,
            skipped=self.skipped + repeated,
        )


# Revisits are looked up in all files together, so that it makes no difference what a site is.
SITE_BY = "host"

BY_CRAWLER = frozenset({"length", "time", "disconnect", "unspecified"})
"""Truncations that the crawler made and declared (WARC-Truncated): they are no damage."""


def survey_archives(
    sources: Sequence[Source], limits: model.Limits, jobs: int
) -> Iterator[tuple[str, ArchiveAccount]]:
    """Name and account of every file, in their order; several at a time, each in a process."""
    survey = partial(survey_archive, limits=limits)
    if min(jobs, len(sources)) <= 1:
        yield from _by_file(sources, map(survey, sources))
        return
    with Pool(min(jobs, len(sources)), partial(ready_work, survey), _lost) as pool:
        yield from _by_file(sources, pool.in_order(sources))


def _lost(source: Source) -> ArchiveAccount:
    raise model.StoreError(
        f"the process that read {source.uri} was ended twice, as the system does where memory ends; "
        "check fewer files at a time: --jobs 1"
    )


def _by_file(
    sources: Iterable[Source], accounts: Iterable[ArchiveAccount]
) -> Iterator[tuple[str, ArchiveAccount]]:
    """The accounts, those of the pieces of a file made one."""
    seen: set[int] = set()
    pairs = zip(sources, (of_file.without_repeated(seen) for of_file in accounts), strict=True)
    for name, of_file in groupby(pairs, key=lambda pair: pair[0].name):
        (_, whole), *others = of_file
        for _, other in others:
            findings = whole.findings + other.findings
            oddities = whole.oddities + other.oddities
            whole = replace(whole + other, files=1, findings=findings, oddities=oddities)
        yield name, whole


def survey_archive(source: Source, limits: model.Limits) -> ArchiveAccount:
    """The account of one file; every record is read once, and its digests are verified."""
    account, furthest = ArchiveAccount(files=1), 0
    for entry in inspect(source, limits, verify=True):
        account.add_entry(entry)
        furthest = max(furthest, entry.offset if entry.kind else 0)
    account.pages = account.charsets.total()
    account.revisits = account.records["revisit"]
    account.damaged = len(account.findings)
    account.bytes_skipped = sum(
        finding.length for finding in account.findings if finding.reason in model.UNREAD
    )
    account.odd = Counter(oddity.reason for oddity in account.oddities)
    whole = source.offsets is None and source.piece is None
    account.single_members = int(whole and furthest == 0 and account.records.total() > 1)
    return account


def _finding(
    kind: str,
    where: model.Capture | model.Reject | Oddity,
    reason: model.Reason | Odd,
    detail: str,
) -> Finding:
    at = where.origin
    return Finding(at.offset, at.length, where.record_id, where.url, kind, reason, detail)


def with_resolutions(account: ArchiveAccount, sources: Iterable[Source]) -> ArchiveAccount:
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


# An account as lines for people, or as JSON.


SHOWN = 20  # findings of a file that people are shown; JSON has all


def account_as_json(file: str | None, account: ArchiveAccount) -> str:
    """One line: the account of a file with its findings, or the sum of all where `file` is None."""
    # Some are for the sum and for `with_resolutions` alone: `skipped` and `resolutions` have their counts.
    untold = {"repeating", "visits", *(("findings", "oddities") if file is None else ())}
    columns = (column.name for column in fields(account) if column.name not in untold)
    values = {"file": file} | {name: getattr(account, name) for name in columns}
    return json.dumps(values, ensure_ascii=False, default=asdict)


def account_as_text(file: str | None, account: ArchiveAccount) -> str:
    """The account in some lines: the content, then the faults."""
    return "\n".join(_lines(file, account))


def _lines(file: str | None, account: ArchiveAccount) -> Iterator[str]:
    yield files(account.files) if file is None else file
    yield f"  records         {_counts_with_total(account.records)}"
    yield f"  HTML captures   {account.html}"
    yield f"  pages           {account.pages}"
    yield f"  skipped         {_counts_with_total(account.skipped)}"
    yield f"  charset from    {_counts_with_total(account.charsets)}"
    if account.replaced:
        yield f"  pages with bytes that mean nothing in their charset: {account.replaced}"
    if account.truncated:
        yield f"  pages cut short {_counts_with_total(account.truncated)}"
    resolved = f"  ({_counts(account.resolutions)})" if account.resolutions else ""
    yield f"  revisits        {account.revisits}{resolved}"
    yield f"  digests         {account.digests} compared"
    yield f"  rejected        {_counts_with_total(account.rejected)}"
    yield f"  damaged         {account.damaged}"
    if account.odd:
        yield f"  odd             {_counts_with_total(account.odd)}"
    if account.bytes_skipped:
        yield f"  bytes skipped   {account.bytes_skipped:,}"
    if account.single_members and file is None:
        yield f"  files that are one gzip member, to be recompressed: {account.single_members}"
    elif account.single_members:
        yield "  The file is one single gzip member: no record can be read without all before it. Mend it:"
        yield f"    warcio recompress {file} NEW.warc.gz"
    yield from _finding_lines("!", account.findings)
    yield from _finding_lines("~", account.oddities)


def _finding_lines(mark: str, findings: Sequence[Finding]) -> Iterator[str]:
    for finding in findings[:SHOWN]:
        length = f", {finding.length} bytes" if finding.length else ""
        named = " ".join(filter(None, (finding.kind, finding.record_id, finding.url)))
        at = f"{finding.reason} at {finding.offset}{length}"
        yield f"  {mark} {at}: {named or 'no record'}: {finding.detail}"
    if len(findings) > SHOWN:
        yield f"  ... {len(findings) - SHOWN} more; --json lists all"


def _counts_with_total(counts: Counter[str]) -> str:
    return f"{counts.total()}  ({_counts(counts)})" if counts else "0"


def _counts(counts: Counter[str]) -> str:
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{n} {key}" for key, n in ordered)


# A finished run or a nightly archive against the lists of its files: what is missing, cut or changed.

NEEDED = {
    FIXITY: "dbce check",
    RUN: "every command that reads this run",
    "pages": "texts and metadata of its captures, and all that lists them",
    "nodes": "verdicts on single texts: view, report, --with and --without",
    "rejects": "the account of what was left out, and why",
    "warc": "annotated pages: Markdown, HTML, strip, replay",
    "wet": "texts for other tools",
    "wacz": "replay",
    INDEX: "comparing with later captures, and reports",
    NIGHTS: "every command that reads this archive",
    "changes": "changes between snapshots",
}
"""Dependents of a file, by the folder that it is in or its name."""


@dataclass(frozen=True, slots=True)
class OutputsAccount:
    """The number of verified files of a run or an archive, their bytes, and the damaged ones."""

    folder: str
    files: int
    bytes: int
    damages: tuple[Damage, ...]


def is_output_folder(uri: str) -> bool:
    """Return whether a place is the folder of a finished run or of a nightly archive."""
    if "://" in uri and uri.startswith("http"):
        return False
    folder = Folder(uri)
    return folder.fs.isdir(folder.path) and (
        folder.exists(RUN) or folder.exists(FIXITY) or bool(complete_nights(folder))
    )


def check_outputs(uri: str) -> OutputsAccount:
    """Verify every file of a run or an archive against its digest."""
    top = Folder(uri)
    files = size = 0
    by_path: dict[str, Damage] = {}
    for folder in _sealed_folders(top):
        try:
            fixity = fixity_of(folder)
        except model.UsageError:
            by_path[folder.full_path(FIXITY)] = Damage(folder, FIXITY, "changed")
            continue
        if fixity is None:
            what = "missing; no file next to it can be verified"
            by_path[folder.full_path(FIXITY)] = Damage(folder, FIXITY, what)
            continue
        if folder.path == top.path and not folder.exists(RUN):
            fixity = _without_replaced(top, fixity)
        files += len(fixity.files)
        size += sum(digest.size for digest in fixity.files.values())
        by_path |= {folder.full_path(damage.name): damage for damage in damages(folder, fixity)}
    return OutputsAccount(uri, files, size, tuple(by_path.values()))


def damages_of_others(uri: str) -> list[Damage]:
    """Return the damaged files of a run or an archive that `dbce repair` does not make."""
    homes = [home for home in _sealed_folders(Folder(uri)) if is_of_others(home)]
    return [damage for home in homes for damage in check_outputs(home.uri).damages]


def _sealed_folders(top: Folder) -> Iterator[Folder]:
    """The folders that have a list of their own, or should."""
    marked = (FIXITY, RUN)
    paths = top.fs.find(top.path)
    above = {path.rpartition("/")[0] for path in paths if path.rpartition("/")[2] in marked}
    places = {top.path.rstrip("/")} | above
    for path in sorted(places):
        yield Folder(top.fs.unstrip_protocol(path) if not top.renames else path)


def _without_replaced(archive: Folder, fixity: Fixity) -> Fixity:
    """The list of an archive without the indexes that a compact one has replaced since."""
    nights = {*complete_nights(archive), *listed_nights(archive)}
    try:
        current = index_names(archive.subfolder(INDEX), sorted(nights))
    except model.UsageError:  # the list of the compact index is damaged, and told with that
        return fixity
    files = {
        name: digest
        for name, digest in fixity.files.items()
        if name.split("/")[0] != INDEX or name.split("/")[1] in current
    }
    return Fixity(files, lost=fixity.lost)


def outputs_as_text(account: OutputsAccount) -> str:
    whole = "all intact" if not account.damages else "damaged:"
    lines = [f"{account.folder}: {account.files:,} files, {account.bytes:,} bytes, {whole}"]
    for damage in account.damages:
        lines.append(f"  ! {damage}")
        lines.append(f"      needed by {_dependents(damage)}")
    by = f"dbce repair {account.folder}: rebuilds them if the inputs are still available"
    of_others = {is_of_others(damage.folder, damage.name) for damage in account.damages}
    lines += [f"  {AGAIN if each else by}" for each in sorted(of_others)]
    return "\n".join(lines)


def outputs_as_json(account: OutputsAccount) -> str:
    damages = [
        {"file": d.folder.full_path(d.name), "what": d.what, "needed_by": _dependents(d)}
        for d in account.damages
    ]
    values = {"folder": account.folder, "files": account.files, "bytes": account.bytes}
    return json.dumps(values | {"damages": damages}, ensure_ascii=False)


def _dependents(damage: Damage) -> str:
    words = damage.folder.full_path(damage.name).split("/")[-3:]
    return next(
        (NEEDED[word] for word in reversed(words) if word in NEEDED), "commands that read it"
    )
