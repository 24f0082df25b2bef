"""A nightly archive as one run: its parts, and the outputs of all its nights together, as they were judged last."""

from __future__ import annotations

import hashlib
import json
import posixpath
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dbce import storage
from dbce.archive import RUN, is_archive, is_index
from dbce.model import Status, UsageError
from dbce.output.row_selection import RowSelection
from dbce.output.rows import Row

# The parts of a nightly archive: nights, their indexes, and the list of both with the digest of
# each. A night that is gone, with its own list, is still in that of the archive.

NIGHTS = "nights"  # in an archive: the folders of its nights

INDEX = "index"  # what stage 1 keeps of every capture; it stays, for comparisons to come

METRICS = "metrics.prom"
"""The file in the folder of a run; for the text file collector of the node exporter."""

COMPACTED = "_nights.json"
"""In a compact index: the list of its nights; Spark passes over names that begin so."""


def complete_nights(archive: storage.Folder) -> list[str]:
    """The names of the nights that count, in order."""
    return [name.split("/")[1] for name in archive.names(f"{NIGHTS}/*/{RUN}")]


def indexes(index: storage.Folder, nights: Sequence[str]) -> tuple[storage.SealedFolder, ...]:
    """The folders that hold what is known of some nights: the compact one, and those of nights since.

    Raises UsageError: one of them is not there.
    """
    names = index_names(index, nights)
    for name in sorted({*names} - {*index.entries()}):
        archive = posixpath.dirname(index.uri.rstrip("/"))
        raise UsageError(f"{index.full_path(name)}: missing; dbce repair {archive} rebuilds it")
    return tuple(storage.SealedFolder(index.subfolder(name).uri) for name in names)


def index_names(index: storage.Folder, nights: Sequence[str]) -> list[str]:
    """The names of the folders that hold, or held, what is known of some nights."""
    compact, covered = compact_in(index)
    return [*([compact] if compact else []), *(night for night in nights if night not in covered)]


def listed_nights(archive: storage.Folder, *, with_lost: bool = False) -> tuple[str, ...]:
    """The nights that the list of an archive has, without those that are lost for good or with them.

    Raises UsageError: the list is damaged.
    """
    fixity = storage.fixity_of(archive) or storage.Fixity({})
    names = fixity.files.keys() - (frozenset() if with_lost else fixity.lost)
    return tuple(sorted(name.split("/")[1] for name in names if name.startswith(f"{NIGHTS}/")))


def check_nights(archive: storage.Folder, nights: Sequence[str]) -> None:
    """Raise UsageError unless all nights of an archive's list are there."""
    for night in sorted({*listed_nights(archive)} - {*nights}):
        path = archive.full_path(f"{NIGHTS}/{night}")
        what = f"its {RUN} is missing" if archive.fs.exists(path) else "missing"
        raise UsageError(f"{path}: {what}; dbce repair {archive.uri} rebuilds what it can")


def compact_in(index: storage.Folder) -> tuple[str | None, frozenset[str]]:
    """The compact folder that counts, which holds all that earlier ones did, and its nights."""
    lists = index.names(f"compact-*/{COMPACTED}")
    if not lists:
        return None, frozenset()
    covered = storage.read_note(index, lists[-1], list)
    if covered is None:
        # Without it the index of these nights would be removed as not made to the end.
        raise UsageError(
            f"{index.full_path(lists[-1])} must list, as JSON, the names of all nights without a folder of their own "
            f"in {index.uri}; restore it from a copy, or write it"
        )
    return lists[-1].split("/")[0], frozenset(covered)


def seal_archive(archive: storage.Folder, *, lost: Collection[str] = ()) -> None:
    """List the nights that count and those that the list had, which may be gone, with the indexes of all.

    Nights that are `lost` for good are marked so. Raises UsageError: the list is damaged.
    """
    before = storage.fixity_of(archive) or storage.Fixity({})
    nights = sorted({*complete_nights(archive), *listed_nights(archive)})
    known = {name.rpartition("/")[0]: name for name in before.files}
    folders = [f"{NIGHTS}/{night}" for night in nights]
    folders += [f"{INDEX}/{name}" for name in index_names(archive.subfolder(INDEX), nights)]
    files: dict[str, storage.Digest] = {}
    for folder in folders:
        name = f"{folder}/{storage.FIXITY}"
        if archive.exists(name):
            files[name] = storage.file_digest(archive, name)
        elif folder in known:
            files[known[folder]] = before.files[known[folder]]
    if archive.exists(METRICS):
        files[METRICS] = storage.file_digest(archive, METRICS)
    gone = {name: before.files[name] for name in before.lost}
    marked = {name for name in files if name.startswith(tuple(f"{NIGHTS}/{n}/" for n in lost))}
    archive.write(
        storage.FIXITY, bytes(storage.Fixity(gone | files, lost=before.lost | frozenset(marked)))
    )


NAMED = 3  # runs in a folder that are named


def no_run(folder: storage.Folder) -> str:
    """Return why a folder, or a file, is no finished run, with the command that was probably meant."""
    hint = "" if folder.entries() else f": dbce run INPUT --out {folder.uri}"
    return f"{folder.uri} {next(_suggestions(folder), f'holds no finished run{hint}')}"


def _suggestions(folder: storage.Folder) -> Iterator[str]:
    uri = folder.uri.rstrip("/")
    above = storage.Folder(posixpath.dirname(uri) or ".")
    if folder.fs.isfile(folder.path):
        if is_archive(uri) or is_index(uri):
            yield f"is an archive, no run: dbce run {uri} --out DIR"
    elif not folder.exists(""):
        yield "does not exist"
    elif storage.has_begun(folder):
        yield f"holds an unfinished run: dbce run INPUT --out {uri} --resume"
    elif folder.exists(RUN) or (folder.exists(storage.FIXITY) and not folder.exists("nights")):
        yield f"holds a run whose {RUN} is damaged or missing: dbce repair {uri}"
    elif nights := folder.names(f"nights/*/{RUN}"):
        last = posixpath.dirname(nights[-1])
        yield f"is a nightly archive, of which every night is a run: dbce COMMAND {uri}/{last}"
    elif runs := [posixpath.dirname(name) for name in folder.names(f"*/{RUN}")]:
        more = f" and {len(runs) - NAMED} more" if len(runs) > NAMED else ""
        yield f"is not a run but contains some ({', '.join(runs[:NAMED])}{more}): dbce COMMAND {uri}/{runs[0]}"
    elif any(map(is_archive, folder.entries())):
        yield f"holds archives, no run: dbce run {uri} --out DIR"
    if above.exists(RUN):
        yield f"is inside of a run: dbce COMMAND {above.uri}"


# A nightly archive as one run. Every command that reads runs opens them here. A night that judges
# older captures again leaves their rows in `revised/`, in the form of a run: these count, and not
# those of the night that the captures came in.

Manifest = dict[str, Any]  # the content of run.json; docs/formats.md describes it

REVISED = "revised"
"""In a night's folder: the outputs of older captures that it judged again, in the form of a run."""

_TABLES = ("pages", "nodes", "rejects")
_KINDS = (*_TABLES, "warc", "wet", "wacz")
_CHANGES = "changes"
_OF = "%2F"  # between the name of a night and that of a file of it, as in names of outputs
_AGAIN = f".{REVISED}"  # behind the name of a night; no night is called so


class NightsFolder(storage.Folder):
    """The folder of a nightly archive, in which the files of all nights are together.

    `pages/NAME` of a night is called `pages/NIGHT%2FNAME` here, and `pages/NIGHT.revised%2FNAME` if it is of what
    the night judged again. What lies in the archive itself has its own name.
    """

    def __init__(
        self, uri: str, nights: Sequence[str] = (), selection: RowSelection | None = None
    ) -> None:
        super().__init__(uri)
        self.selection = selection
        self.nights = tuple(nights or complete_nights(self))
        revised = {name.split("/")[1] for name in self.names(f"{NIGHTS}/*/{REVISED}/{RUN}")}
        self.revised_parts = tuple(f"{night}{_AGAIN}" for night in self.nights if night in revised)
        self._sealed: dict[str, storage.SealedFolder] = {}
        self._has_changes = bool(super().names(f"{_CHANGES}/part-*.parquet"))

    def __reduce__(self) -> tuple[type[NightsFolder], tuple[object, ...]]:
        """Other processes open it anew, as it was: what is read of it is not sent."""
        return NightsFolder, (self.uri, self.nights, self.selection)

    def full_path(self, name: str) -> str:
        home, base = self._place_of(name)
        return home.full_path(base) if home else super().full_path(name)

    def names(self, pattern: str) -> list[str]:
        """The names that match a glob pattern, sorted; those of one night stand together."""
        kind, _, rest = pattern.partition("/")
        if not self._is_joined(kind):
            return super().names(pattern)
        parts = [*self.nights, *self.revised_parts]
        if kind == INDEX and _OF not in rest:
            parts = [posixpath.basename(each.path) for each in self._indexes]
        elif _OF in rest:
            asked, _, rest = rest.partition(_OF)
            parts = [asked] if kind == INDEX or asked in parts else []
        within = "" if kind == INDEX else f"{kind}/"
        return sorted(
            f"{kind}/{part}{_OF}{name.removeprefix(within)}"
            for part in parts
            for name in self.home(part, kind).names(within + rest)
        )

    def check(self, name: str, *, verify: bool = False) -> None:
        """Check a file as the base does, by the list of its night."""
        home, base = self._place_of(name)
        (home or storage.SealedFolder(self.uri)).check(base, verify=verify)

    @cached_property
    def _indexes(self) -> tuple[storage.SealedFolder, ...]:
        return indexes(storage.Folder(self.uri).subfolder(INDEX), self.nights)

    def _place_of(self, name: str) -> tuple[storage.SealedFolder | None, str]:
        """Return the folder whose list has a file of a part, and its name there; None and the name of any other file."""
        kind, _, rest = name.partition("/")
        part, mark, base = rest.partition(_OF)
        if not (mark and self._is_joined(kind)):
            return None, name
        return self.home(part, kind), base if kind == INDEX else f"{kind}/{base}"

    def home(self, part: str, kind: str = "") -> storage.SealedFolder:
        """The folder of a run that a part of the files is of: a night's, that of what it revised, or an index."""
        place = f"{INDEX}/{part}" if kind == INDEX else _place_of_part(part)
        if place not in self._sealed:
            self._sealed[place] = storage.SealedFolder(f"{self.uri.rstrip('/')}/{place}")
        return self._sealed[place]

    def name_of(self, path: str) -> str:
        name = super().name_of(path)
        first, *within, base = ["", *name.split("/")][-max(2, name.count("/") + 1) :]
        if first == INDEX and within:
            return f"{INDEX}/{within[0]}{_OF}{base}"
        if first == NIGHTS and len(within) in (2, 3) and self._is_joined(within[-1]):
            again = _AGAIN if len(within) == 3 else ""
            return f"{within[-1]}/{within[0]}{again}{_OF}{base}"
        return name

    @cached_property
    def revised_captures(self) -> pa.Table:
        """The captures that were judged again, by `record_id`, each with the part that holds its last verdicts.

        Some 60 bytes a capture are in memory.
        """
        tables = [pa.schema([("record_id", pa.string()), ("night", pa.int64())]).empty_table()]
        for number, part in enumerate(self.revised_parts):
            for name in self.names(f"{_place_of_part(part)}/pages/*.parquet"):
                rows = storage.read_table(self, name, ["record_id", "status"])
                # What could not be read again keeps the verdicts that it has.
                kept = rows.filter(pc.field("status") != Status.REJECTED).select(["record_id"])
                tables.append(kept.append_column("night", pa.repeat(number, len(kept))))
        last = pa.concat_tables(tables).group_by("record_id").aggregate([("night", "max")])
        parts = pa.array(self.revised_parts, pa.string())
        return pa.table({"record_id": last["record_id"], "part": parts.take(last["night_max"])})

    def shown_condition(self, name: str) -> pc.Expression | None:
        """The condition on the rows of a table's file by which they count; None: all do."""
        selected = self.selection.condition(self, name) if self.selection else None
        return combine_conditions(self._judged_last(name), selected)

    def _judged_last(self, name: str) -> pc.Expression | None:
        if not self.revised_parts or name.partition("/")[0] not in _TABLES:
            return None
        part = part_of(name)
        if not part.endswith(_AGAIN):
            return ~pc.field("record_id").isin(self.revised_captures["record_id"].combine_chunks())
        if name.startswith("rejects/"):
            return pc.scalar(False)
        record_ids = self.revised_captures.filter(pc.field("part") == part)["record_id"]
        return pc.field("record_id").isin(record_ids.combine_chunks())

    def _is_joined(self, kind: str) -> bool:
        return kind in _KINDS or kind == INDEX or (kind == _CHANGES and not self._has_changes)


class SelectedRun(storage.SealedFolder):
    """The folder of a run of which some captures count alone."""

    def __init__(self, uri: str, selection: RowSelection) -> None:
        super().__init__(uri)
        self.selection = selection

    def __reduce__(self) -> tuple[type[SelectedRun], tuple[str, RowSelection]]:
        return SelectedRun, (self.uri, self.selection)

    def shown_condition(self, name: str) -> pc.Expression | None:
        return self.selection.condition(self, name)


def _place_of_part(part: str) -> str:
    return f"{NIGHTS}/{part.replace(_AGAIN, f'/{REVISED}')}"


def part_of(name: str) -> str:
    """The part of an archive that a file of `NightsFolder` is of; "" of a file that is of none."""
    part, mark, _ = name.partition("/")[2].partition(_OF)
    return part if mark else ""


def combine_conditions(
    shown: pc.Expression | None, where: pc.Expression | None
) -> pc.Expression | None:
    """The condition that both hold; None holds of all rows."""
    if shown is None or where is None:
        return where if shown is None else shown
    return shown & where


def home_of(folder: storage.Folder, page: Row) -> storage.Folder:
    """The folder of the run that judged a capture last, by its row of `pages`; of a run its own."""
    if not isinstance(folder, NightsFolder):
        return folder
    return folder.home(page["night"] if "night" in page else part_of(folder.name_of(page["file"])))


def is_readable(uri: str) -> bool:
    """Return whether there is a run, a nightly archive, or a night by its name."""
    try:
        folder = storage.Folder(uri)
    except UsageError:  # no outputs can be called so
        return False
    return folder.exists(RUN) or bool(complete_nights(folder)) or _night_named(uri) is not None


def open_whole(uri: str, selection: RowSelection | None = None) -> tuple[storage.Folder, Manifest]:
    """The folder of a finished run and its manifest; of a nightly archive as of all nights as one run.

    ARCHIVE/NIGHT is the night of this name. With a selection only what it takes counts in the tables, and the manifest
    is that of all captures nevertheless. Raises UsageError: there is neither, or the selection leaves nothing.
    """
    folder = storage.Folder(uri)
    if not folder.exists(RUN):
        if nights := complete_nights(folder):
            check_nights(folder, nights)
            archive = NightsFolder(uri, nights)
            manifest = _joined_manifest(archive)
            if selection and not selection.takes_all:
                archive = NightsFolder(uri, nights, selection.draw_sample(archive))
            return archive, manifest
        folder = _night_named(uri) or folder
    folder, manifest = open_run(folder.uri)
    if selection and not selection.takes_all:
        return SelectedRun(folder.uri, selection.draw_sample(folder)), manifest
    return folder, manifest


def open_run(uri: str) -> tuple[storage.Folder, Manifest]:
    """The folder of a finished run and its manifest.

    Raises UsageError: there is no finished run, or its account is damaged.
    """
    folder = storage.SealedFolder(uri)
    try:
        manifest = json.loads(folder.read(RUN))
    except (OSError, ValueError) as e:
        raise UsageError(no_run(folder)) from e
    folder.check(RUN)
    if folder.fixity is None and manifest.get("fixity"):
        raise UsageError(
            f"{folder.full_path(storage.FIXITY)}: missing, so {uri} cannot be verified: dbce repair {uri}"
        )
    return folder, manifest


def digest_of(uri: str) -> str:
    """A few digits that tell a run from another; of a nightly archive all of its nights."""
    folder, _ = open_whole(uri)
    names = [f"{NIGHTS}/{night}/{RUN}" for night in getattr(folder, "nights", ())] or [RUN]
    return hashlib.sha256(b"".join(map(folder.read, names))).hexdigest()[:12]


def _night_named(uri: str) -> storage.Folder | None:
    """The night that is called by its archive and its name."""
    above, name = posixpath.split(uri.rstrip("/"))
    if not name or not above or ".." in (above, name):
        return None
    night = storage.Folder(f"{above}/{NIGHTS}/{name}")
    return night if night.exists(RUN) else None


def _joined_manifest(archive: NightsFolder) -> Manifest:
    """One manifest of all nights: counts are sums, all else is what the last night says; `recount` makes both right."""
    manifests = [open_run(archive.home(night).uri)[1] for night in archive.nights]
    return manifests[-1] | {
        "nights": list(archive.nights),
        "inputs": [name for manifest in manifests for name in manifest["inputs"]],
        "places": {k: v for manifest in manifests for k, v in manifest.get("places", {}).items()},
        "captures": _sums(manifest["captures"] for manifest in manifests)
        | {"reasons": _sums(manifest["captures"]["reasons"] for manifest in manifests)},
        "bytes_skipped": sum(manifest["bytes_skipped"] for manifest in manifests),
        "walked": sum(manifest.get("walked", 0) for manifest in manifests),
        **{
            name: _sums(manifest[name] for manifest in manifests)
            for name in ("revisits", "truncated", "words", "runs", "seconds")
        },
    }


def _sums(counts: Iterable[dict[str, Any]]) -> dict[str, Any]:
    sums: Counter[str] = Counter()
    for counted in counts:
        sums.update({name: n for name, n in counted.items() if not isinstance(n, dict)})
    return dict(sums)
