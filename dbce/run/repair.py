"""Repair of a finished run: files that are missing or changed, made again from the inputs.

What is made again takes the place of a file only if it has the digest that the file had. What has not, or whose inputs
are gone, is listed as lost, so that whoever reads the rest is not kept from it.

    DIR/repair/         where files are made again; removed at the end
    DIR/lost/           what is left of files that are lost
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from dbce.archive import Source, exists
from dbce.model import Stage, UsageError
from dbce.output import INDEX, METRICS, OUTPUTS, REVISED, RUN, as_prometheus, config_of
from dbce.progress import LOG, Progress
from dbce.run.night import FILES
from dbce.run.revise import LIST
from dbce.run.stages import run_stages
from dbce.run.stores import Stores
from dbce.storage import (
    BEGUN,
    FIXITY,
    Digest,
    Fixity,
    Folder,
    accounts,
    damages,
    fixity_of,
    index_lines,
    mark_done,
    move_all,
    seal,
    stem,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from dbce.engine import Engine
    from dbce.output import Manifest

PLACE = "repair"
"""The folder in which files are made again."""

LOST = "lost"
"""The folder of what is left of files that are lost."""

_PARTS = (*OUTPUTS, INDEX, METRICS, FILES, LIST, REVISED)
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
    """The account of a finished run and its inputs, from the copies in its list."""

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
    """The list of a run; made anew of what is there, which nobody can verify then, if it is damaged or missing.

    Raises:
        UsageError: the account of the run is damaged, too.
    """
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
    done.rebuilt.append(f"{folder.at(FIXITY)} (of what is there, which could not be verified)")
    return fixity_of(folder) or Fixity({})


def repair_notes(folder: Folder, fixity: Fixity, done: RepairReport) -> Account:
    """Make the account of a run, and what else its list has copies of, again; what they say."""
    account = json.loads(fixity.copies[RUN])
    texts = {**fixity.copies, RUN: json.dumps(account, indent=1), METRICS: as_prometheus(account)}
    for name in sorted(texts.keys() & fixity.files.keys()):
        if not (file := ExpectedFile(folder, name, fixity.files[name])).is_sound():
            folder.write(name, texts[name].encode())
            if file.is_sound():
                done.rebuilt.append(folder.at(name))
    note = json.loads(fixity.copies[BEGUN]) or {"files": ()}
    return Account(account, tuple(Source.of(one) for one in note["files"]))


def record_lost(folder: Folder, fixity: Fixity, done: RepairReport) -> None:
    """List as lost what could not be made again, and put aside what is left of it."""
    lost = frozenset(damage.name for damage in damages(folder, Fixity(fixity.files)))
    for name in sorted(lost):
        if folder.exists(name):
            move_all(folder, folder.within(LOST), [name])
        done.lost.append(folder.at(name))
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
        place = self.folder.within(PLACE)
        stores = Stores(place.within(INDEX), place, self.known)
        is_judged = any(not name.startswith(f"{INDEX}/") for name in left)
        try:
            sources = self._prepared(stores, left, with_index=with_index)
            if sources:
                config = config_of(self.account.manifest)
                last = Stage.JUDGE if is_judged else Stage.READ
                with engine() as workers:
                    run_stages(sources, stores, config, workers, Progress("repair"), last=last)
                if is_judged:
                    lines = index_lines(accounts(place))
                    place.write("warc/index.cdxj", "".join(lines).encode())
            for name, file in left.items():
                if file.is_sound(place, name):
                    place.copy(name, file.home, file.name)
                    done.rebuilt.append(file.home.at(file.name))
        except (
            UsageError
        ) as e:  # what is there was made by other settings; a store that fails ends the repair
            LOG.warning("warning: not all can be made again: %s", e)
        finally:
            self.folder.remove(PLACE)

    def _prepared(self, stores: Stores, left: Collection[str], *, with_index: bool) -> list[Source]:
        """Put what is sound of the index in place, and mark whose outputs are not asked for; the inputs that can be used."""
        usable = []
        for source in self.account.sources:
            base, is_there = stem(source.unit), exists(source.uri)
            table = f"{INDEX}/{base}.parquet"
            if with_index and table in self.files and table not in left:
                self.files[table].home.copy(self.files[table].name, stores.out, table)
            elif not is_there:
                continue
            usable.append(source)
            is_asked = any(name.startswith(f"{kind}/{base}.") for name in left for kind in _JUDGED)
            if not is_there or not (is_asked or "warc/index.cdxj" in left):
                mark_done(stores.out, source.unit, {})
        return usable
