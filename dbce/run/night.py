"""A nightly archive: every night takes the files that are new, compares them with all before.

An archive is a folder: `index/` keeps what was read, `nights/NIGHT/` the outputs of each night. A
night counts from the moment that its `run.json` is there, which is written last of all. So a night
that died is not part of the archive; the next call goes on with it first.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Literal, TypeAlias

from dbce import model, output, storage
from dbce.archive import Selection, Source, file_of, split, unique_names
from dbce.engine import begin, differences
from dbce.model import files
from dbce.output import INDEX, METRICS, NIGHTS, REVISED, Manifest, finish, index
from dbce.run.one_file import Stores
from dbce.run.quarantine import ASIDE, QuarantinedFile, count_tries, forget_tries, quarantined_files
from dbce.run.revision import STALE, revise
from dbce.storage import BEGUN, FIXITY, WORK, Folder

Engine: TypeAlias = Callable[
    [Sequence[Source], Stores, model.Config, Callable[[], None]], output.RunTotals
]
"""Runs the stages of a night, and calls the last argument after the first of them."""

FILES = "files.json"
"""In a night's folder: the archive files that it takes, and what they were when it began."""

DAMAGED = (model.Status.REJECTED, model.Reason.DAMAGED)
"""Status and reason of places whose URL and time are not known, so that no selection leaves them out."""

WORST = 3  # files that are named where too many captures were rejected


@dataclass(frozen=True, slots=True)
class Night:
    """A night of the archive: its name, the manifest of its run, how many older captures it changes (None: nobody asked)."""

    name: str
    manifest: Manifest
    stale: int | None


def is_archive_of_nights(folder: Folder) -> bool:
    return bool(folder.names(f"{NIGHTS}/*/{FILES}"))


def nights_to_run(
    archive: Folder, sources: Sequence[Source], config: model.Config
) -> Iterator[tuple[str, tuple[Source, ...]]]:
    """The nights to run, each with its files: one that died, then tonight's if anything is new.

    One that died and cannot be gone on with is forgotten, and its files are new again. What is new is
    found when the night before has ended. A file that two nights died of is set aside, with a warning; if
    they said nothing of it, the next call tries it once more, in a night of its own behind the others.
    """
    just_died: frozenset[str] = frozenset()
    for name in _begun(archive):
        versions = {source.uri: version for source, version in _files(archive, name)}
        just_died |= count_tries(archive, outputs_of(archive, name), name, versions)
        why = _restart_reason(archive, name, sources, config)
        if why is None:
            yield name, tuple(source for source, _ in _files(archive, name))
        else:
            model.LOG.warning("the night %s died and begins again: %s", name, why)
            _forget(archive, name)
    aside = _files_aside(archive, sources)
    alone = [s for s, known in aside if known.may_be_sound and s.uri not in just_died]
    _warn_of_aside(archive, aside, alone)
    taken = {source.uri for _, source in taken_files(archive)}
    taken.update(source.uri for source, _ in aside)
    if new := [source for source in sources if source.uri not in taken]:
        yield name_of_night(archive), _with_unique_names(archive, new)
    for source in alone:
        yield name_of_night(archive), _with_unique_names(archive, [source])


def _begun(archive: Folder) -> list[str]:
    """The nights that died; complete ones are tidied up, those whose notes are lost forgotten, and drafts removed."""
    archive.subfolder(INDEX).remove_drafts()
    complete = output.complete_nights(archive)
    died = []
    for name in [name.split("/")[1] for name in archive.names(f"{NIGHTS}/*/{WORK}")]:
        out = outputs_of(archive, name)
        if name in complete:
            out.remove(WORK)
        elif storage.has_begun(out) and storage.read_note(out, FILES, list):
            died.append(name)
        else:
            _forget(archive, name)
    return died


def _restart_reason(
    archive: Folder, name: str, sources: Sequence[Source], config: model.Config
) -> str | None:
    """Return why an interrupted night cannot be continued; None if it can."""
    for difference, _ in differences(outputs_of(archive, name), config):
        return f"it was begun {difference}"
    aside = quarantined_files(archive)
    for source, version in _files(archive, name):
        if source.uri in aside and aside[source.uri].version == version:
            return f"{source.uri} is set aside"
        if sources and not source.selection.is_as(sources[0].selection):
            return "the selection is another"
        now = _version(source)
        if now != version:
            return f"{source.uri} has {'changed' if now else 'gone'}"
    return None


def _files_aside(
    archive: Folder, sources: Sequence[Source]
) -> list[tuple[Source, QuarantinedFile]]:
    """The files that are set aside as they are now."""
    known = quarantined_files(archive)
    pairs = ((source, known[source.uri]) for source in sources if source.uri in known)
    return [(source, file) for source, file in pairs if file.version == _version(source)]


def _warn_of_aside(
    archive: Folder, aside: Sequence[tuple[Source, QuarantinedFile]], alone: Sequence[Source]
) -> None:
    for source, known in aside:
        then = (
            "it is tried once more now, alone"
            if source in alone
            else "the next night tries it once more, alone"
            if known.may_be_sound
            else "dbce check says what is in it, and without its entry in "
            f"{archive.full_path(ASIDE)} it is tried again"
        )
        model.LOG.warning(
            "warning: %s is set aside: %d nights died while working on it; %s",
            *(source.uri, known.nights, then),
            extra={"file": source.name},
        )


def _forget(archive: Folder, name: str) -> None:
    """Remove a night that does not count, its mark first: what is left then is no night."""
    outputs_of(archive, name).remove(BEGUN)
    archive.remove(f"{INDEX}/{name}")
    archive.remove(f"{NIGHTS}/{name}")


def _version(source: Source) -> str | None:
    """Return a version that differs when a file has changed; None if there is no such file."""
    filesystem, path = storage.filesystem_of(file_of(source.uri))
    try:
        return str(filesystem.ukey(path))
    except FileNotFoundError:
        return None


def _files(archive: Folder, name: str) -> list[tuple[Source, str]]:
    """The archive files of a night, and what they were when it began; "" if its list is damaged."""
    out = storage.SealedFolder(outputs_of(archive, name).uri)
    try:
        out.check(FILES)
        files = storage.read_note(out, FILES, list)
    except model.UsageError as e:
        storage.warn_once(str(e))
        files = None
    if files is None:
        places = output.open_run(out.uri)[1].get("places", {})
        return [(Source(base, model.unescape_bytes(uri)), "") for base, uri in places.items()]
    return [(Source.from_plain(file), file["version"]) for file in files]


def taken_files(archive: Folder) -> Iterator[tuple[str, Source]]:
    """Yield (night, file) of all nights that count, and of those that would if their account were there."""
    known = [
        name for name in output.listed_nights(archive) if outputs_of(archive, name).exists(FILES)
    ]
    for night in sorted({*output.complete_nights(archive), *known}):
        yield from ((night, source) for source, _ in _files(archive, night))


def _with_unique_names(archive: Folder, new: Sequence[Source]) -> tuple[Source, ...]:
    """New files by names that each stand for one file in the whole archive."""
    taken = {source.uri for _, source in taken_files(archive)}
    names = unique_names(sorted(taken.union(source.uri for source in new)))
    named = (replace(source, name=names[source.uri]) for source in new)
    return tuple(sorted(named, key=lambda source: source.unit))


def name_of_night(archive: Folder, moment: datetime | None = None) -> str:
    """A name for tonight: the day, or that of the last night if a clock was set back, and a number that no other has."""
    taken = {*archive.subfolder(NIGHTS).entries(), *output.listed_nights(archive, with_lost=True)}
    nights = re.findall(r"^(n\d{8}-)(\d+)$", "\n".join(taken), re.MULTILINE)
    # A letter first: a column of such names must not be taken for numbers. Of the last by name the verdicts count.
    day = max([f"n{moment or datetime.now(UTC):%Y%m%d}-", *(day for day, _ in nights)])
    number = 1 + max((int(number) for of_day, number in nights if of_day == day), default=0)
    if number > 99:  # three digits would come before two
        return f"n{(date.fromisoformat(day[1:9]) + timedelta(1)).isoformat().replace('-', '')}-01"
    return f"{day}{number:02}"


def run_night(
    archive: Folder,
    name: str,
    sources: Sequence[Source],
    config: model.Config,
    engine: Engine,
    *,
    revising: Literal["list", "apply"] | None = None,
) -> Night:
    """Run a night, or continue it if it has begun.

    Raises:
        UsageError: what is known was made by another recipe.
        TooManyRejects: of what was read; nothing was compared, and the night is forgotten.
    """
    out = outputs_of(archive, name)
    known = output.indexes(archive.subfolder(INDEX), output.complete_nights(archive))
    for earlier in known:
        index.check_recipe(earlier, config)
    if not storage.has_begun(out):
        _forget(archive, name)
        sources = split(sources, config.split_bytes)
        listed = [source.plain() | {"version": _version(source)} for source in sources]
        out.write(FILES, json.dumps(listed).encode())
        begin(out, sources, config)
    stores = Stores(archive.subfolder(f"{INDEX}/{name}"), out, known, is_night=True)
    try:
        when_read = partial(_check_rejects, stores.index, sources[0].selection, config)
        done = engine(sources, stores, config, when_read)
    except model.TooManyRejects:
        _forget(archive, name)
        raise
    stale = None
    if revising is not None:
        taken = list(taken_files(archive))
        stale = revise(sources, stores, taken, config, apply=revising == "apply", archive=archive)
    digests = storage.files_of(output.sketch_notes(out))
    of_index = {name.removeprefix(f"{INDEX}/"): digest for name, digest in digests.items()}
    storage.seal(stores.index, [""], of_index)
    extra = [FILES, STALE, f"{REVISED}/{FIXITY}"]
    manifest = finish(out, [source.name for source in sources], config, done, extra)
    forget_tries(archive, [source.uri for source in sources])
    archive.write(METRICS, out.read(METRICS))
    output.seal_archive(archive)
    return Night(name, manifest, stale)


def _check_rejects(folder: Folder, selection: Selection, config: model.Config) -> None:
    taken = index.counts(folder, "status", "reason")
    if not selection.takes_all:
        del taken[DAMAGED]  # most of it is in files of which little is taken
    rejected = model.Status.REJECTED
    rejects = {reason: n for (status, reason), n in taken.items() if status == rejected}
    if sum(rejects.values()) > config.max_reject_ratio * taken.total():
        reasons = ", ".join(f"{reason} {n}" for reason, n in sorted(rejects.items()))
        by_file = index.counts(folder, "status", "name").most_common()
        worst = [f"{n} of {name}" for (status, name), n in by_file if status == rejected][:WORST]
        raise model.TooManyRejects(
            f"rejected {sum(rejects.values())} of {taken.total()} captures ({reasons}; {', '.join(worst)}), "
            f"more than max_reject_ratio {config.max_reject_ratio} allows; nothing was compared: "
            "repair or remove the files and call again, or allow more"
        )


def compact_nights(archive: Folder) -> index.Compaction | None:
    done = index.make_compact(archive.subfolder(INDEX), output.complete_nights(archive))
    output.seal_archive(archive)
    return done


def summary_line(night: Night) -> str:
    """One line on a night, for a log or a mail."""
    captures = night.manifest["captures"]
    outcomes = ", ".join(
        f"{captures[s]} {s}" for s in ("annotated", "single", "skipped", "rejected")
    )
    if night.stale is not None:
        outcomes += f"; older ones that change: {night.stale}"
    seconds = sum(night.manifest["seconds"].values())
    taken = files(len(night.manifest["inputs"]))
    return f"{night.name}: {taken}, {model.count_of(captures['total'], 'capture')}: {outcomes}; {seconds:.0f} s"


def outputs_of(archive: Folder, night: str) -> Folder:
    return archive.subfolder(f"{NIGHTS}/{night}")
