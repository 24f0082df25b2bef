"""Repair of a finished run or nightly archive: files that are missing or changed, made again from the inputs."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from dbce import output, storage
from dbce.archive import RUN, Source, exists
from dbce.engine import Engine
from dbce.model import LOG, Progress, Stage, UsageError
from dbce.output import COMPACTED, INDEX, METRICS, OUTPUTS, REVISED, Manifest
from dbce.output.index import CAPTURE, check_recipe, write_groups
from dbce.run.job import run_stages
from dbce.run.night import FILES, compact_nights, outputs_of
from dbce.run.one_file import Stores
from dbce.run.revision import STALE
from dbce.storage import accounts

# What is made again takes the place of a file only if it has the digest that the file had. What
# has not, or whose inputs are gone, is listed as lost, so that whoever reads the rest is not kept
# from it.

PLACE = "repair"  # the folder in which files are made again; removed at the end
LOST = "lost"  # the folder of what is left of files that are lost

_PARTS = (*OUTPUTS, INDEX, METRICS, FILES, STALE, REVISED)
"""Names in the folder of a run or a night that belong to it."""


class ExpectedFile(NamedTuple):
    """A file that stages make: its folder, its name there, and the digest that it must have, None if nobody knows."""

    home: storage.Folder
    name: str
    digest: storage.Digest | None

    def is_sound(self, home: storage.Folder | None = None, name: str = "") -> bool:
        """Return whether it is as it was, here or where it was made again."""
        home, name = home or self.home, name or self.name
        if self.digest is None:
            return home.exists(name)
        return not any(storage.damages(home, storage.Fixity({name: self.digest})))


class Account(NamedTuple):
    manifest: Manifest
    sources: tuple[Source, ...]


def repair_run(folder: storage.Folder, engine: Callable[[], Engine]) -> Repair:
    """Make the damaged files of a finished run again.

    Raises:
        UsageError: both its list and its account are damaged, so that nobody knows what was right.
    """
    repair = Repair(engine)
    fixity = repair.load_fixity(folder)
    account = repair.notes(folder, fixity)
    Rebuild(account, folder, _expected_files(folder, fixity)).make(repair)
    repair.record_lost(folder, fixity)
    return repair


def _expected_files(folder: storage.Folder, fixity: storage.Fixity) -> dict[str, ExpectedFile]:
    return {name: ExpectedFile(folder, name, digest) for name, digest in fixity.files.items()}


@dataclass(slots=True)
class Repair:
    """The repair of a folder: the paths of files that were rebuilt, and of those that are lost."""

    engine: Callable[[], Engine]
    rebuilt: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    def load_fixity(self, folder: storage.Folder) -> storage.Fixity:
        """The list of a run; made anew of what is there, which nobody can verify then; UsageError if its account is damaged, too."""
        if (known := _list_in(folder)) is not None:
            return known
        try:
            manifest = json.loads(folder.read(RUN))
            files = [Source(name, uri).plain() for name, uri in manifest["places"].items()]
        except (OSError, ValueError, KeyError, TypeError) as e:
            raise UsageError(
                f"{folder.uri} cannot be repaired: {storage.FIXITY} and {RUN} are both damaged or missing; restore one of them "
                "from a copy"
            ) from e
        copies = {RUN: json.dumps(manifest), storage.BEGUN: json.dumps({"files": files})}
        names = [name for name in folder.entries() if name in _PARTS]
        made = storage.seal(folder, names, {}, last=RUN, data=folder.read(RUN), copies=copies)
        path = folder.full_path(storage.FIXITY)
        self.rebuilt.append(f"{path} (of what is there, which could not be verified)")
        return made

    def notes(self, folder: storage.Folder, fixity: storage.Fixity) -> Account:
        """Make the account of a run, and what else its list has copies of, again; what they say."""
        account = json.loads(fixity.copies[RUN])
        texts = {
            **fixity.copies,
            RUN: json.dumps(account, indent=1),
            METRICS: output.as_prometheus(account),
        }
        for name, file in sorted(_expected_files(folder, fixity).items()):
            if name in texts and not file.is_sound():
                folder.write(name, texts[name].encode())
                if file.is_sound():
                    self.rebuilt.append(folder.full_path(name))
        note = json.loads(fixity.copies[storage.BEGUN]) or {"files": ()}
        return Account(account, tuple(Source.from_plain(plain) for plain in note["files"]))

    def record_lost(self, folder: storage.Folder, fixity: storage.Fixity) -> None:
        """List as lost what could not be made again, and put aside what is left of it."""
        lost = frozenset(
            damage.name for damage in storage.damages(folder, storage.Fixity(fixity.files))
        )
        for name in sorted(lost):
            if folder.exists(name):
                storage.move_all(folder, folder.subfolder(LOST), [name])
            self.lost.append(folder.full_path(name))
        if lost != fixity.lost:
            folder.write(storage.FIXITY, bytes(storage.Fixity(fixity.files, fixity.copies, lost)))


@dataclass(frozen=True, slots=True)
class Rebuild:
    """The stages of a run once more, for the sake of some files.

    `files` are those that they make, by their names in the folder of a run. `known` are the indexes that it was compared with.
    """

    account: Account
    folder: storage.Folder
    files: Mapping[str, ExpectedFile]
    known: tuple[storage.Folder, ...] = ()

    def make(self, repair: Repair) -> None:
        """Make what is damaged again: with what is sound of the index, and if that gives other bytes, without."""
        parts = (INDEX, *OUTPUTS)
        of_stages = {name: f for name, f in self.files.items() if name.split("/")[0] in parts}
        for with_index in (True, False):
            left = {name: file for name, file in of_stages.items() if not file.is_sound()}
            if left:
                self._try(left, repair, with_index=with_index)

    def _try(self, left: Mapping[str, ExpectedFile], repair: Repair, *, with_index: bool) -> None:
        self.folder.remove(PLACE)
        place = self.folder.subfolder(PLACE)
        stores = Stores(place.subfolder(INDEX), place, self.known)
        config = output.config_of(self.account.manifest)
        is_judged = any(not name.startswith(f"{INDEX}/") for name in left)
        try:
            # Entries of the method of the thesis went with the run's work, and stage 1 makes them.
            reads_all = not with_index or config.is_literal
            if sources := self._prepare(stores, left, reads_all=reads_all):
                for index in (stores.index, *stores.known):
                    check_recipe(index, config)
                last = Stage.JUDGE if is_judged else Stage.READ
                with repair.engine() as workers:
                    run_stages(sources, stores, config, workers, Progress("repair"), last=last)
                if is_judged:
                    lines = storage.index_lines(accounts(place))
                    place.write("warc/index.cdxj", "".join(lines).encode())
            for name, file in left.items():
                if file.is_sound(place, name):
                    place.copy(name, file.home, file.name)
                    repair.rebuilt.append(file.home.full_path(file.name))
        # What is there was made by other settings; a store that fails ends the repair.
        except UsageError as e:
            LOG.warning("warning: not all can be made again: %s", e)
        finally:
            self.folder.remove(PLACE)

    def _prepare(self, stores: Stores, left: Collection[str], *, reads_all: bool) -> list[Source]:
        """Put what is sound of the index in place, and mark whose outputs are not asked for; the inputs that can be used."""
        usable = []
        for source in self.account.sources:
            base, is_there = storage.stem(source.unit), exists(source.uri)
            table = f"{INDEX}/{base}.parquet"
            if not reads_all and table in self.files and table not in left:
                self.files[table].home.copy(self.files[table].name, stores.out, table)
            elif not is_there:
                continue
            usable.append(source)
            is_asked = any(name.startswith(f"{kind}/{base}.") for name in left for kind in OUTPUTS)
            if not is_there or not (is_asked or "warc/index.cdxj" in left):
                storage.mark_done(stores.out, source.unit, {})
        return usable


# Repair of a nightly archive: its indexes, then the outputs of its nights, each as of a run. A night
# whose list is gone is lost as such: nobody knows what was in it. Its files are new for the next.

KNOWN = "repair-known"
"""In an archive: the folder of what a night was compared with, while its outputs are made again."""


def repair_archive(archive: storage.Folder, engine: Callable[[], Engine]) -> Repair:
    """Make the damaged files of a nightly archive again, and list as lost what cannot be.

    Raises:
        UsageError: a store, or an index that cannot be read, does not allow it.
    """
    repair = ArchiveRepair(engine, archive=archive)
    lost = []
    for night in repair.known_nights():
        folder = outputs_of(archive, night)
        try:
            repair.accounts[night] = repair.notes(folder, repair.load_fixity(folder))
        except UsageError:
            lost.append(night)
            repair.lost.append(folder.path)
    if repair.indexes():
        compact_nights(archive)
    for night in repair.accounts:
        repair.night(night)
    repair.figures()
    output.seal_archive(archive, lost=lost)
    return repair


@dataclass(slots=True, kw_only=True)
class ArchiveRepair(Repair):
    """The repair of a nightly archive, with what its nights say of themselves."""

    archive: storage.Folder
    accounts: dict[str, Account] = field(default_factory=dict)

    def index_of(self, name: str) -> storage.Folder:
        return self.archive.subfolder(f"{INDEX}/{name}")

    def known_nights(self) -> list[str]:
        """The nights that are there, or were; the list of them is made anew if it is damaged."""
        try:
            listed = output.listed_nights(self.archive)
        except UsageError:
            self.archive.remove(storage.FIXITY)
            self.rebuilt.append(self.archive.full_path(storage.FIXITY))
            listed = ()
        return sorted({*output.complete_nights(self.archive), *listed})

    def figures(self) -> None:
        """Write the figures of the archive again: they are those of its last night."""
        expected = _expected_files(
            self.archive, storage.fixity_of(self.archive) or storage.Fixity({})
        ).get(METRICS)
        if expected is None or expected.is_sound():
            return
        for night in reversed(output.complete_nights(self.archive)):
            folder = outputs_of(self.archive, night)
            if expected.is_sound(folder):
                folder.copy(METRICS, self.archive)
                self.rebuilt.append(self.archive.full_path(METRICS))
                return

    def night(self, night: str) -> None:
        """Make the outputs of a night again; what it judged again of older nights cannot be."""
        folder = outputs_of(self.archive, night)
        fixity = storage.fixity_of(folder) or storage.Fixity({})
        of_revised = f"{REVISED}/{storage.FIXITY}"
        if of_revised in fixity.files:
            revised = folder.subfolder(REVISED)
            its_list = self.load_fixity(revised)
            self.notes(revised, its_list)
            self.record_lost(revised, its_list)
            listed = {**fixity.files, of_revised: storage.file_digest(revised, storage.FIXITY)}
            if listed != fixity.files:
                fixity = storage.Fixity(listed, fixity.copies, fixity.lost)
                folder.write(storage.FIXITY, bytes(fixity))
        if any(storage.damages(folder, fixity)):
            try:
                known = self._indexes_before(night)
                is_compact = night in output.compact_in(self.archive.subfolder(INDEX))[1]
                files = _expected_files(folder, fixity) | (
                    {} if is_compact else self._index_files(night)
                )
                Rebuild(self.accounts[night], folder, files, known).make(self)
            finally:
                self.archive.remove(KNOWN)
            self.record_lost(folder, fixity)

    def indexes(self) -> bool:
        """Make the indexes of all nights again; return whether the compact one was split into theirs, and is to be made anew."""
        compact, covered = self._compact()
        is_split = False
        if compact is not None:
            folder = self.index_of(compact)
            fixity = _list_in(folder)
            is_split = fixity is None or any(storage.damages(folder, fixity))
        for night in sorted(self.accounts):
            if is_split or night not in covered:
                self._make_index(night)
        if compact is not None and is_split:
            self.archive.remove(f"{INDEX}/{compact}")
            self.rebuilt.append(folder.path)
        return is_split

    def _compact(self) -> tuple[str | None, frozenset[str]]:
        """Return the compact index and its nights; its list of them is written again if it is damaged."""
        index = self.archive.subfolder(INDEX)
        try:
            return output.compact_in(index)
        except UsageError:
            for name in index.names(f"compact-*/{storage.FIXITY}"):
                folder = index.subfolder(name.rpartition("/")[0])
                if fixity := _list_in(folder):
                    folder.write(COMPACTED, fixity.copies[COMPACTED].encode())
            return output.compact_in(index)

    def _make_index(self, night: str) -> None:
        """Make the index of a night again, as far as it is damaged."""
        folder = self.index_of(night)
        fixity = _list_in(folder)
        if fixity is not None and not any(storage.damages(folder, fixity)):
            return
        files = self._index_files(night)
        Rebuild(self.accounts[night], folder, files).make(self)
        if fixity is None:
            nothing = storage.Digest(0, "0" * 64)
            unknown = {file.name: nothing for file in files.values()}
            fixity = storage.Fixity({**unknown, **storage.seal(folder, [""], {}).files})
        self.record_lost(folder, fixity)

    def _index_files(self, night: str) -> dict[str, ExpectedFile]:
        """The files of the index of a night, by their names in the folder of a run."""
        folder = self.index_of(night)
        fixity = _list_in(folder) or storage.Fixity({})
        names = [f"{storage.stem(source.unit)}.parquet" for source in self.accounts[night].sources]
        return {
            f"{INDEX}/{name}": ExpectedFile(folder, name, fixity.files.get(name)) for name in names
        }

    def _indexes_before(self, night: str) -> tuple[storage.Folder, ...]:
        """The indexes of the nights before one; where later ones are in the compact index, too, what it has of those, in a place."""
        before = [earlier for earlier in self.accounts if earlier < night]
        index = self.archive.subfolder(INDEX)
        compact, covered = output.compact_in(index)
        if compact is None or max(covered) < night:
            return output.indexes(index, before)
        place = self.archive.subfolder(KNOWN)
        units = {source.unit for earlier in before for source in self.accounts[earlier].sources}
        _extract(self.index_of(compact), units, place)
        return (place,)


def _list_in(folder: storage.Folder) -> storage.Fixity | None:
    """The list of a folder; None if it is missing or damaged."""
    with suppress(UsageError):
        return storage.fixity_of(folder)
    return None


def _extract(compact: storage.Folder, units: Collection[str], place: storage.Folder) -> None:
    """Write the rows that a compact index has of some units, as an index of their own."""
    names = pa.array(sorted(units), pa.string())
    for part in compact.names("*.parquet"):
        with storage.open_parquet(compact, part) as table:
            schema = CAPTURE.with_metadata(table.schema_arrow.metadata)
            groups = (
                table.read_row_group(n).filter(pc.field("name").isin(names))
                for n in range(table.metadata.num_row_groups)
            )
            write_groups(place, part, groups, schema)
