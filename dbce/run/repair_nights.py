"""Repair of a nightly archive: its indexes, then the outputs of its nights, each as of a run (dbce.run.repair).

A night whose list is gone is lost as such: nobody knows what was in it. Its files are new again for the next night.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from dbce.model import UsageError
from dbce.output import (
    COMPACTED,
    INDEX,
    METRICS,
    NIGHTS,
    REVISED,
    compact_in,
    complete_nights,
    indexes,
    listed_nights,
    seal_archive,
)
from dbce.output.index import CAPTURE, write_groups
from dbce.run.night import compact_nights
from dbce.run.repair import (
    ExpectedFile,
    Rebuild,
    RepairReport,
    load_fixity,
    record_lost,
    repair_notes,
)
from dbce.storage import (
    FIXITY,
    Digest,
    Fixity,
    damages,
    file_digest,
    fixity_of,
    open_parquet,
    seal,
    stem,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from dbce.engine import Engine
    from dbce.run.repair import Account
    from dbce.storage import Folder

KNOWN = "repair-known"
"""In an archive: the folder of what a night was compared with, while its outputs are made again."""


def repair_archive(archive: Folder, engine: Callable[[], Engine]) -> RepairReport:
    """Make the damaged files of a nightly archive again, and list as lost what cannot be.

    Raises:
        UsageError: a store, or an index that cannot be read, does not allow it.
    """
    done = RepairReport()
    nights = _listed(archive, done)
    accounts: dict[str, Account] = {}
    lost = []
    for night in nights:
        folder = archive.within(f"{NIGHTS}/{night}")
        try:
            accounts[night] = repair_notes(folder, load_fixity(folder, done), done)
        except UsageError:
            lost.append(night)
            done.lost.append(folder.path)
    indexes = _Indexes(archive.within(INDEX), accounts, engine, done)
    indexes.repair()
    if indexes.is_to_compact:
        compact_nights(archive)
    for night in accounts:
        _repair_outputs(archive, night, indexes)
    _repair_figures(archive, done)
    seal_archive(archive, lost=lost)
    return done


def _listed(archive: Folder, done: RepairReport) -> list[str]:
    """The nights that are there, or were; the list of them is made anew if it is damaged."""
    try:
        listed = listed_nights(archive)
    except UsageError:
        archive.remove(FIXITY)
        done.rebuilt.append(archive.at(FIXITY))
        listed = ()
    return sorted({*complete_nights(archive), *listed})


def _repair_figures(archive: Folder, done: RepairReport) -> None:
    """Write the figures of the archive again: they are those of its last night."""
    fixity = fixity_of(archive) or Fixity({})
    digest = fixity.files.get(METRICS)
    if digest is None or ExpectedFile(archive, METRICS, digest).is_sound():
        return
    for night in reversed(complete_nights(archive)):
        if ExpectedFile(archive.within(f"{NIGHTS}/{night}"), METRICS, digest).is_sound():
            archive.write(METRICS, archive.read(f"{NIGHTS}/{night}/{METRICS}"))
            done.rebuilt.append(archive.at(METRICS))
            return


def _repair_outputs(archive: Folder, night: str, indexes: _Indexes) -> None:
    """Make the outputs of a night again; what it judged again of older nights cannot be."""
    folder, done = archive.within(f"{NIGHTS}/{night}"), indexes.done
    fixity = fixity_of(folder) or Fixity({})
    revised = folder.within(REVISED)
    of_revised = f"{REVISED}/{FIXITY}"
    if of_revised in fixity.files:
        its_list = load_fixity(revised, done)
        repair_notes(revised, its_list, done)
        record_lost(revised, its_list, done)
        listed = {**fixity.files, of_revised: file_digest(revised, FIXITY)}
        if listed != fixity.files:
            fixity = Fixity(listed, fixity.copies, fixity.lost)
            folder.write(FIXITY, bytes(fixity))
    if any(damages(folder, fixity)):
        files = {name: ExpectedFile(folder, name, digest) for name, digest in fixity.files.items()}
        try:
            known = indexes.indexes_before(night, archive.within(KNOWN))
            own = indexes.files_of(night) if indexes.has_own(night) else {}
            Rebuild(indexes.accounts[night], folder, files | own, known).make(indexes.engine, done)
        finally:
            archive.remove(KNOWN)
        record_lost(folder, fixity, done)


@dataclass(slots=True)
class _Indexes:
    """The indexes of an archive, and what its nights say of themselves."""

    index: Folder
    accounts: Mapping[str, Account]
    engine: Callable[[], Engine]
    done: RepairReport
    is_to_compact: bool = False
    """True after the compact index was split into the indexes of its nights."""

    def repair(self) -> None:
        """Make what is damaged again."""
        compact, covered = self._compact()
        if compact is not None:
            folder = self.index.within(compact)
            if (fixity := _list_in(folder)) is None or any(damages(folder, fixity)):
                for night in sorted(covered & self.accounts.keys()):
                    self._make(night)
                self.index.remove(compact)
                self.is_to_compact = True
                self.done.rebuilt.append(folder.path)
                return
        for night in sorted(self.accounts.keys() - covered):
            self._make(night)

    def _compact(self) -> tuple[str | None, frozenset[str]]:
        """Return the compact index and its nights; its list of them is written again if it is damaged."""
        try:
            return compact_in(self.index)
        except UsageError:
            for name in self.index.names(f"compact-*/{FIXITY}"):
                folder = self.index.within(name.rpartition("/")[0])
                if fixity := _list_in(folder):
                    folder.write(COMPACTED, fixity.copies[COMPACTED].encode())
            return compact_in(self.index)

    def _make(self, night: str) -> None:
        """Make the index of a night again, as far as it is damaged."""
        folder = self.index.within(night)
        fixity = _list_in(folder)
        files = self.files_of(night)
        if fixity is None or any(damages(folder, fixity)):
            Rebuild(self.accounts[night], folder, files).make(self.engine, self.done)
        if fixity is None:
            seal(folder, [""], {})
            nothing = dict.fromkeys((file.name for file in files.values()), Digest(0, "0" * 64))
            record_lost(
                folder, Fixity(nothing | dict((fixity_of(folder) or Fixity({})).files)), self.done
            )
        elif any(damages(folder, fixity)):
            record_lost(folder, fixity, self.done)

    def has_own(self, night: str) -> bool:
        """Return whether a night has an index of its own: none that is in the compact one."""
        return night not in compact_in(self.index)[1]

    def files_of(self, night: str) -> dict[str, ExpectedFile]:
        """The files of the index of a night, by their names in the folder of a run."""
        folder = self.index.within(night)
        fixity = _list_in(folder)
        names = [f"{stem(source.unit)}.parquet" for source in self.accounts[night].sources]
        known = fixity.files if fixity else {}
        return {f"{INDEX}/{name}": ExpectedFile(folder, name, known.get(name)) for name in names}

    def indexes_before(self, night: str, place: Folder) -> tuple[Folder, ...]:
        """The indexes of the nights before one; where later ones are in the compact index, too, what it has of those, in a place."""
        before = [one for one in self.accounts if one < night]
        compact, covered = compact_in(self.index)
        if compact is None or max(covered) < night:
            return indexes(self.index, before)
        units = {source.unit for one in before for source in self.accounts[one].sources}
        _extract(self.index.within(compact), units, place)
        return (place,)


def _list_in(folder: Folder) -> Fixity | None:
    """The list of a folder; None if it is missing or damaged."""
    with suppress(UsageError):
        return fixity_of(folder)
    return None


def _extract(compact: Folder, units: Collection[str], place: Folder) -> None:
    """Write the rows that a compact index has of some units, as an index of their own."""
    names = pa.array(sorted(units), pa.string())
    for part in compact.names("*.parquet"):
        with open_parquet(compact, part) as table:
            schema = CAPTURE.with_metadata(table.schema_arrow.metadata)
            groups = (
                table.read_row_group(n).filter(pc.field("name").isin(names))
                for n in range(table.metadata.num_row_groups)
            )
            write_groups(place, part, groups, schema)
