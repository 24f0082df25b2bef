"""A job: work on units that leaves a part of a folder, begun, gone on with, replaced and ended in one way.

Every command that writes outputs file by file is a job: it says what it is asked for, what its stages
are and what it leaves. When it may begin, what is still to do after a crash, when old outputs go and what
is removed at the end is told here, once.

    DIR/                the job's folder: a run's, or a part of it such as DIR/rendered
      run.lock          while a process works there
      work/             what only the stages read: what was begun, which units are done
      next/             where the job works while it replaces old outputs, and what becomes of it there
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import dbce
from dbce import storage
from dbce.archive import Source
from dbce.engine.workers import Workers
from dbce.model import LOG, Config, TooManyRejects, UsageError, files

# The note of a job that has begun, and what `--resume` must find unchanged.


class Settings(Protocol):
    """Configuration of a job, as far as it must be the same when the job is gone on with."""

    def digest(self) -> str:
        """A few digits that tell two configurations apart."""

    def optional_outputs(self) -> tuple[str, ...]:
        """The optional outputs that are asked for; none by default."""
        return ()


def begin(folder: storage.Folder, sources: Sequence[Source], config: Settings) -> None:
    """Note what a job is to do, before it does anything."""
    plain = [source.plain() for source in sources]
    note = _identity(config) | {"files": plain}
    storage.write_note(folder, storage.BEGUN, note)


def _identity(config: Settings) -> dict[str, Any]:
    """Return all that outputs depend on besides the inputs."""
    model = None
    if isinstance(config, Config) and config.method == "joint":
        from dbce.boilerplate.classify import model_digest  # a slow start

        model = model_digest(config.model)
    return {
        "version": dbce.__version__,
        "model": model,
        "config_digest": config.digest(),
        "also": list(config.optional_outputs()),
    }


def differences(folder: storage.Folder, config: Settings) -> Iterator[tuple[str, str]]:
    """Yield how the job in this folder was begun otherwise than now, and what continues it."""
    note, now = _note(folder), _identity(config)
    if (version := note.get("version", "of unknown version")) != now["version"]:
        yield f"by dbce {version}, and this is dbce {now['version']}", "use that version"
    if now["model"] and (model := note.get("model")) and model != now["model"]:
        yield f"with model {model}, and this is model {now['model']}", "give the same model"
    if any(note.get(name) != now[name] for name in ("config_digest", "also")):
        yield "with another configuration", "give the same options"


def _note(folder: storage.Folder) -> dict[str, Any]:
    return storage.read_note(folder, storage.BEGUN, dict) or {}


def noted_sources(folder: storage.Folder) -> tuple[Source, ...]:
    """The input files that the job in this folder began with."""
    return tuple(Source.from_plain(plain) for plain in _note(folder).get("files", ()))


def resumed_sources(
    folder: storage.Folder, sources: Sequence[Source], config: Settings
) -> tuple[Source, ...]:
    """The input files that the job began with; others came later and are left out.

    Raises UsageError: dbce, its model or the configuration is another, or files are missing or lie elsewhere now.
    """
    for difference, same in differences(folder, config):
        raise UsageError(
            f"{folder.uri} was begun {difference}; {same} to continue, or start anew with --overwrite"
        )
    # Known by where they lie: a file that came later may have changed the names of others.
    now = {source.uri for source in sources}
    noted = noted_sources(folder)
    if not noted:  # of a job that is told by its settings alone
        return noted
    if not noted[0].selection.is_as(sources[0].selection):
        raise UsageError(
            f"{folder.uri} was begun with another selection; give the same options to continue, or start "
            "anew with --overwrite"
        )
    known = {source.uri for source in noted}
    if missing := sorted(known - now):
        raise UsageError(
            f"{folder.uri} was begun with {missing[0]}, which is not among the inputs now; give the "
            "same ones to continue, or start anew with --overwrite"
        )
    if late := len(now - known):
        LOG.warning("%s came since the run began: left to another run", files(late))
    return noted


NEXT = "next"  # the folder, in that of the job, of outputs that are to replace others

WHOLE = "whole.json"
"""The names of all outputs in there, written before the first of them takes its place."""


class StartMode(StrEnum):
    REFUSE = "refuse"
    RESUME = "resume"
    OVERWRITE = "overwrite"


class Job:
    """Work on units, and the part of a folder that it leaves, which it has for itself by default.

    `kind` is what the user calls it ("run"), `out` the folder as the user named it, `folder` the `part`
    of it that is the job's. `outputs` are the names in there that a later job replaces, with stars where their
    number is open, first the one that says that all is there, which is written last. `sources` are the
    input files; a job that is told by its settings alone has none.
    """

    __slots__ = ()

    if TYPE_CHECKING:  # a data class would take what stands here for defaults

        @property
        def kind(self) -> str: ...
        @property
        def out(self) -> str: ...
        @property
        def outputs(self) -> tuple[str, ...]: ...
        @property
        def settings(self) -> Settings: ...
        @property
        def sources(self) -> tuple[Source, ...]: ...

        def work(
            self, folder: storage.Folder, sources: tuple[Source, ...], workers: Workers
        ) -> Any:
            """Do all units that are not done yet; what `finish` needs to know; UsageError if there is nothing to do."""

        def finish(self, folder: storage.Folder, sources: tuple[Source, ...], done: Any) -> Any:
            """Write what says that all is there, and remove what only the stages read, if there is no more to do; the account."""

    part: ClassVar[str]

    @property
    def folder(self) -> storage.Folder:
        return storage.Folder(self.out).subfolder(self.part)

    def is_finished(self) -> bool:
        """Return whether the outputs are there, whoever made them: the one that is written last."""
        return self.folder.exists(self.outputs[0])

    def check_free(self, mode: StartMode) -> None:
        """Raise UsageError if the folder holds what is not the job's, which stays."""
        refuse_others(self, mode)

    def check_finished(self) -> None:
        """Raise UsageError if the outputs that are there are others; by default their names, or the job's note, tell."""


class TableJob(Job):
    """Defaults of a job that reads what other jobs left, and whose tables stand beside those of others."""

    __slots__ = ()

    @property
    def sources(self) -> tuple[Source, ...]:
        """Input files; none, the job is told by its settings alone."""
        return ()

    def check_free(self, _mode: StartMode) -> None:
        """Accept every folder: tables of other settings may be there."""


Engine = AbstractContextManager[Workers]


def drive(job: Job, engine: Callable[[], Engine], mode: StartMode) -> Any:
    """Do a job, from the check whether it may begin to its account; None if nothing was left to do.

    Old outputs stay until the new ones are complete. A call that ends with an error of use leaves the
    folder as it was.

    Raises:
        UsageError: the folder holds other things, or another job; or a selection leaves nothing.
        StoreError: a store fails; what is done stays done.
    """
    if mode is StartMode.RESUME and job.is_finished() and not _is_under_way(job):
        job.check_finished()
        # A crash may have come when all was in its place.
        if job.folder.exists(NEXT) or job.folder.exists(storage.WORK):
            with storage.folder_lock(job.folder):
                job.folder.remove(NEXT)
                storage.tidy(job.folder)
        LOG.info("%s holds a finished %s; nothing is left to do", job.out, job.kind)
        return None
    # What is under way may be so in another process, which is said first; else no lock makes a folder that is not there.
    may_be_busy = mode is StartMode.REFUSE and _is_under_way(job)
    with storage.folder_lock(job.folder) if may_be_busy else nullcontext():
        _check(job, mode)
    with storage.folder_lock(job.folder):
        if _is_whole(job):  # a crash came between the new outputs' end and the old ones'
            _replace(job)
            if mode is StartMode.RESUME:
                return None
        _check(job, mode)
        with engine() as workers:
            place, sources, is_new = _start(job, mode)
            try:
                done = job.work(place, sources, workers)
            except (UsageError, TooManyRejects):
                if is_new:
                    _clear(place, job.outputs)
                    job.folder.remove(NEXT)
                raise
        # Spark has stopped: no attempt that it has given up writes any more.
        account = job.finish(place, sources, done)
        if place.uri != job.folder.uri and not storage.has_begun(place):
            _replace(job)
        return account


def refuse_others(job: Job, mode: StartMode, known: Collection[str] = ()) -> None:
    """Raise UsageError if a job's folder holds more than a job leaves before it begins, and `known` names."""
    if set(job.folder.entries()) - {storage.LOCK, storage.TAKING, storage.WORK, NEXT, *known}:
        kind = "is not empty"
        if mode is StartMode.RESUME:
            kind = f"holds no {job.kind} to continue and is not empty"
        raise UsageError(f"{job.folder.uri} {kind}; name another folder or add --overwrite")


def place_of(job: Job) -> storage.Folder:
    """The folder that a job works in: its own, or the one in it whose outputs are to replace those there."""
    successor = job.folder.subfolder(NEXT)
    return successor if storage.has_begun(successor) else job.folder


def _is_under_way(job: Job) -> bool:
    return storage.has_begun(place_of(job)) or _is_whole(job)


def _is_whole(job: Job) -> bool:
    """Return whether outputs that are to replace others are complete: from then on a crash leaves the new ones."""
    successor = job.folder.subfolder(NEXT)
    ended = successor.exists(job.outputs[0]) and not storage.has_begun(successor)
    return ended or successor.exists(WHOLE)


def _check(job: Job, mode: StartMode) -> None:
    """Raise UsageError if the job may not go on with what is in the folder, or replace it."""
    if mode is StartMode.OVERWRITE:
        return
    if _is_under_way(job):
        if mode is StartMode.REFUSE:
            raise UsageError(
                f"{job.out} holds an unfinished {job.kind}; --resume continues it, --overwrite starts anew"
            )
    elif job.is_finished():
        raise UsageError(
            f"{job.out} holds a finished {job.kind}; name another folder or add --overwrite"
        )
    else:
        job.check_free(mode)


def _start(job: Job, mode: StartMode) -> tuple[storage.Folder, tuple[Source, ...], bool]:
    """The folder to work in, the files of the job, and whether it begins with this call."""
    place = place_of(job)
    if mode is StartMode.RESUME and storage.has_begun(place):
        return place, resumed_sources(place, job.sources, job.settings), False
    job.folder.remove(NEXT)
    place = job.folder.subfolder(NEXT) if job.is_finished() else job.folder
    _clear(place, job.outputs)
    begin(place, job.sources, job.settings)
    return place, job.sources, True


def _clear(place: storage.Folder, outputs: Sequence[str]) -> None:
    """Remove what a job that did not end has left, its note first."""
    for name in (storage.BEGUN, *_present(place, outputs), storage.WORK):
        place.remove(name)


def _present(place: storage.Folder, outputs: Sequence[str]) -> list[str]:
    """The outputs that are in a place; a name with a star stands for all that it matches."""
    return [name for output in outputs for name in place.names(output)]


def _replace(job: Job) -> None:
    """Put whole outputs in the place of old ones, also after a crash in the middle; what says that all is there comes last."""
    successor = job.folder.subfolder(NEXT)
    may_be_moved = successor.exists(WHOLE)
    names = storage.read_note(successor, WHOLE, list)
    is_sure = not may_be_moved or names is not None
    if names is None:
        names = _present(successor, job.outputs)
        storage.write_note(successor, WHOLE, names)
    first = job.outputs[0]
    # Without its note nobody knows which outputs are the new ones, moved already: all of them stay.
    if successor.exists(first) and is_sure:
        job.folder.remove(first)
        for name in _present(job.folder, job.outputs):
            if name not in names:  # the new outputs have no such part
                job.folder.remove(name)
    storage.move_all(successor, job.folder, [*(name for name in names if name != first), first])
    # In this order: without both, what is still there is never put in place again.
    for name in (WHOLE, first):
        successor.remove(name)
    job.folder.remove(NEXT)
