"""Repair of a finished run or nightly archive: files that are missing or changed, made again from the inputs."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from dbce import output
from dbce.archive import Source, exists
from dbce.engine import Engine
from dbce.model import LOG, Progress, Stage, UsageError
from dbce.output import COMPACTED, INDEX, METRICS, NIGHTS, OUTPUTS, REVISED, RUN, Manifest, indexes
from dbce.output.index import CAPTURE, write_groups
from dbce.run.job import run_stages
from dbce.run.night import FILES, STALE, compact_nights
from dbce.run.one_file import Stores
from dbce.storage import (
    BEGUN,
    FIXITY,
    Digest,
    Fixity,
    Folder,
    accounts,
    damages,
    file_digest,
    fixity_of,
    index_lines,
    mark_done,
    move_all,
    open_parquet,
    seal,
    stem,
)

# What is made again takes the place of a file only if it has the digest that the file had. What
# has not, or whose inputs are gone, is listed as lost, so that whoever reads the rest is not kept
# from it.

PLACE = "repair"  # the folder in which files are made again; removed at the end
LOST = "lost"  # the folder of what is left of files that are lost

_PARTS = (*OUTPUTS, INDEX, METRICS, FILES, STALE, REVISED)
"""Names in the folder of a run or a night that belong to it."""

_JUDGED = ("pages", "nodes", "rejects", "warc", "wet", "wacz")
"""Folders of what the last stage writes."""


@dataclass(slots=True)
class RepairReport:
    """The paths of files that were rebuilt, and of those that are lost."""

    rebuilt: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


class ExpectedFile(NamedTuple):
    """A file that stages make: its folder, its name there, and the digest that it must have, None if nobody knows."""

    home: Folder
    name: str
    digest: Digest | None

    def is_sound(self, home: Folder | None = None, name: str = "") -> bool:
        """Return whether it is as it was, here or where it was made again."""
        home, name = home or self.home, name or self.name
        if self.digest is None:
            return home.exists(name)
        return not any(damages(home, Fixity({name: self.digest})))


class Account(NamedTuple):
    manifest: Manifest
    sources: tuple[Source, ...]


def repair_run(folder: Folder, engine: Callable[[], Engine]) -> RepairReport:
    """Make the damaged files of a finished run again.

    Raises:
        UsageError: both its list and its account are damaged, so that nobody knows what was right.
    """
    done = RepairReport()
    fixity = load_fixity(folder, done)
    account = repair_notes(folder, fixity, done)
    files = {name: ExpectedFile(folder, name, fixity.files[name]) for name in fixity.files}
    Rebuild(account, folder, files).make(engine, done)
    record_lost(folder, fixity, done)
    return done


def load_fixity(folder: Folder, done: RepairReport) -> Fixity:
    """The list of a run; made anew of what is there, which nobody can verify then; UsageError if its account is damaged, too."""
    with suppress(UsageError):
        if (found := fixity_of(folder)) is not None:
            return found
    try:
        manifest = json.loads(folder.read(RUN))
        files = [Source(name, uri).plain() for name, uri in manifest["places"].items()]
    except (OSError, ValueError, KeyError, TypeError) as e:
        raise UsageError(
            f"{folder.uri} cannot be repaired: {FIXITY} and {RUN} are both damaged or missing; restore one of them "
            "from a copy"
        ) from e
    copies = {RUN: json.dumps(manifest), BEGUN: json.dumps({"files": files})}
    names = [name for name in folder.entries() if name in _PARTS]
    seal(folder, names, {}, last=RUN, data=folder.read(RUN), copies=copies)
    done.rebuilt.append(
        f"{folder.full_path(FIXITY)} (of what is there, which could not be verified)"
    )
    return fixity_of(folder) or Fixity({})


def repair_notes(folder: Folder, fixity: Fixity, done: RepairReport) -> Account:
    """Make the account of a run, and what else its list has copies of, again; what they say."""
    account = json.loads(fixity.copies[RUN])
    texts = {
        **fixity.copies,
        RUN: json.dumps(account, indent=1),
        METRICS: output.as_prometheus(account),
    }
    for name in sorted(texts.keys() & fixity.files.keys()):
        if not (file := ExpectedFile(folder, name, fixity.files[name])).is_sound():
            folder.write(name, texts[name].encode())
            if file.is_sound():
                done.rebuilt.append(folder.full_path(name))
    note = json.loads(fixity.copies[BEGUN]) or {"files": ()}
    return Account(account, tuple(Source.from_plain(one) for one in note["files"]))


def record_lost(folder: Folder, fixity: Fixity, done: RepairReport) -> None:
    """List as lost what could not be made again, and put aside what is left of it."""
    lost = frozenset(damage.name for damage in damages(folder, Fixity(fixity.files)))
    for name in sorted(lost):
        if folder.exists(name):
            move_all(folder, folder.subfolder(LOST), [name])
        done.lost.append(folder.full_path(name))
    if lost != fixity.lost:
        folder.write(FIXITY, bytes(Fixity(fixity.files, fixity.copies, lost)))


@dataclass(frozen=True, slots=True)
class Rebuild:
    """The stages of a run once more, for the sake of some files.

    `files` are those that they make, by their names in the folder of a run. `known` are the indexes that it was compared with.
    """

    account: Account
    folder: Folder
    files: Mapping[str, ExpectedFile]
    known: tuple[Folder, ...] = ()

    def make(self, engine: Callable[[], Engine], done: RepairReport) -> None:
        """Make what is damaged again: with what is sound of the index, and if that gives other bytes, without."""
        parts = (INDEX, *_JUDGED)
        of_stages = {name: f for name, f in self.files.items() if name.split("/")[0] in parts}
        for with_index in (True, False):
            left = {name: file for name, file in of_stages.items() if not file.is_sound()}
            if left:
                self._try(left, engine, done, with_index=with_index)

    def _try(
        self,
        left: Mapping[str, ExpectedFile],
        engine: Callable[[], Engine],
        done: RepairReport,
        *,
        with_index: bool,
    ) -> None:
        self.folder.remove(PLACE)
        place = self.folder.subfolder(PLACE)
        stores = Stores(place.subfolder(INDEX), place, self.known)
        is_judged = any(not name.startswith(f"{INDEX}/") for name in left)
        try:
            sources = self._prepare(stores, left, with_index=with_index)
            if sources:
                config = output.config_of(self.account.manifest)
                last = Stage.JUDGE if is_judged else Stage.READ
                with engine() as workers:
                    run_stages(sources, stores, config, workers, Progress("repair"), last=last)
                if is_judged:
                    lines = index_lines(accounts(place))
                    place.write("warc/index.cdxj", "".join(lines).encode())
            for name, file in left.items():
                if file.is_sound(place, name):
                    place.copy(name, file.home, file.name)
                    done.rebuilt.append(file.home.full_path(file.name))
        except (
            UsageError
        ) as e:  # what is there was made by other settings; a store that fails ends the repair
            LOG.warning("warning: not all can be made again: %s", e)
        finally:
            self.folder.remove(PLACE)

    def _prepare(self, stores: Stores, left: Collection[str], *, with_index: bool) -> list[Source]:
        """Put what is sound of the index in place, and mark whose outputs are not asked for; the inputs that can be used."""
        usable = []
        # Its entries went with the run's work, and stage 1 makes them.
        literal = output.config_of(self.account.manifest).is_literal
        for source in self.account.sources:
            base, is_there = stem(source.unit), exists(source.uri)
            table = f"{INDEX}/{base}.parquet"
            if with_index and not literal and table in self.files and table not in left:
                self.files[table].home.copy(self.files[table].name, stores.out, table)
            elif not is_there:
                continue
            usable.append(source)
            is_asked = any(name.startswith(f"{kind}/{base}.") for name in left for kind in _JUDGED)
            if not is_there or not (is_asked or "warc/index.cdxj" in left):
                mark_done(stores.out, source.unit, {})
        return usable


# Repair of a nightly archive: its indexes, then the outputs of its nights, each as of a run. A night
# whose list is gone is lost as such: nobody knows what was in it. Its files are new for the next.

KNOWN = "repair-known"
"""In an archive: the folder of what a night was compared with, while its outputs are made again."""


def repair_archive(archive: Folder, engine: Callable[[], Engine]) -> RepairReport:
    """Make the damaged files of a nightly archive again, and list as lost what cannot be.

    Raises:
        UsageError: a store, or an index that cannot be read, does not allow it.
    """
    done = RepairReport()
    nights = _known_nights(archive, done)
    accounts: dict[str, Account] = {}
    lost = []
    for night in nights:
        folder = archive.subfolder(f"{NIGHTS}/{night}")
        try:
            accounts[night] = repair_notes(folder, load_fixity(folder, done), done)
        except UsageError:
            lost.append(night)
            done.lost.append(folder.path)
    indexes = _Indexes(archive.subfolder(INDEX), accounts, engine, done)
    indexes.repair()
    if indexes.is_to_compact:
        compact_nights(archive)
    for night in accounts:
        _repair_outputs(archive, night, indexes)
    _repair_figures(archive, done)
    output.seal_archive(archive, lost=lost)
    return done


def _known_nights(archive: Folder, done: RepairReport) -> list[str]:
    """The nights that are there, or were; the list of them is made anew if it is damaged."""
    try:
        listed = output.listed_nights(archive)
    except UsageError:
        archive.remove(FIXITY)
        done.rebuilt.append(archive.full_path(FIXITY))
        listed = ()
    return sorted({*output.complete_nights(archive), *listed})


def _repair_figures(archive: Folder, done: RepairReport) -> None:
    """Write the figures of the archive again: they are those of its last night."""
    fixity = fixity_of(archive) or Fixity({})
    digest = fixity.files.get(METRICS)
    if digest is None or ExpectedFile(archive, METRICS, digest).is_sound():
        return
    for night in reversed(output.complete_nights(archive)):
        if ExpectedFile(archive.subfolder(f"{NIGHTS}/{night}"), METRICS, digest).is_sound():
            archive.write(METRICS, archive.read(f"{NIGHTS}/{night}/{METRICS}"))
            done.rebuilt.append(archive.full_path(METRICS))
            return


def _repair_outputs(archive: Folder, night: str, indexes: _Indexes) -> None:
    """Make the outputs of a night again; what it judged again of older nights cannot be."""
    folder, done = archive.subfolder(f"{NIGHTS}/{night}"), indexes.done
    fixity = fixity_of(folder) or Fixity({})
    revised = folder.subfolder(REVISED)
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
            known = indexes.indexes_before(night, archive.subfolder(KNOWN))
            is_compact = night in output.compact_in(indexes.index)[1]
            own = {} if is_compact else indexes.files_of(night)
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
        compact, covered = self._compact()
        if compact is not None:
            folder = self.index.subfolder(compact)
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
            return output.compact_in(self.index)
        except UsageError:
            for name in self.index.names(f"compact-*/{FIXITY}"):
                folder = self.index.subfolder(name.rpartition("/")[0])
                if fixity := _list_in(folder):
                    folder.write(COMPACTED, fixity.copies[COMPACTED].encode())
            return output.compact_in(self.index)

    def _make(self, night: str) -> None:
        """Make the index of a night again, as far as it is damaged."""
        folder = self.index.subfolder(night)
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

    def files_of(self, night: str) -> dict[str, ExpectedFile]:
        """The files of the index of a night, by their names in the folder of a run."""
        folder = self.index.subfolder(night)
        fixity = _list_in(folder)
        names = [f"{stem(source.unit)}.parquet" for source in self.accounts[night].sources]
        known = fixity.files if fixity else {}
        return {f"{INDEX}/{name}": ExpectedFile(folder, name, known.get(name)) for name in names}

    def indexes_before(self, night: str, place: Folder) -> tuple[Folder, ...]:
        """The indexes of the nights before one; where later ones are in the compact index, too, what it has of those, in a place."""
        before = [one for one in self.accounts if one < night]
        compact, covered = output.compact_in(self.index)
        if compact is None or max(covered) < night:
            return indexes(self.index, before)
        units = {source.unit for one in before for source in self.accounts[one].sources}
        _extract(self.index.subfolder(compact), units, place)
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
