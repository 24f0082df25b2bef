"""The note of a job that has begun, and what `--resume` must find unchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import dbce
from dbce.archive import Source
from dbce.model import Config, UsageError
from dbce.progress import LOG, files
from dbce.storage import BEGUN, read_note, write_note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.storage import Folder


class Settings(Protocol):
    """Configuration of a job, as far as it must be the same when the job is gone on with."""

    def digest(self) -> str:
        """A few digits that tell two configurations apart."""

    def also(self) -> tuple[str, ...]:
        """The optional outputs that are asked for."""


def begin(folder: Folder, sources: Sequence[Source], config: Settings) -> None:
    """Note what a job is to do, before it does anything."""
    plain = [source.plain() for source in sources]
    note = _identity(config) | {"files": plain}
    write_note(folder, BEGUN, note)


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
        "also": list(config.also()),
    }


def differences(folder: Folder, config: Settings) -> Iterator[tuple[str, str]]:
    """Yield how the job in this folder was begun otherwise than now, and what continues it."""
    note, now = _note(folder), _identity(config)
    if (version := note.get("version")) != now["version"]:
        by = f"dbce {version}" if version else "an older dbce"
        yield f"by {by}, and this is dbce {now['version']}", "use that version"
    if now["model"] and (model := note.get("model")) and model != now["model"]:
        yield f"with model {model}, and this is model {now['model']}", "give the same model"
    if any(note.get(name) != now[name] for name in ("config_digest", "also")):
        yield "with another configuration", "give the same options"


def _note(folder: Folder) -> dict[str, Any]:
    return read_note(folder, BEGUN, dict) or {}


def begun(folder: Folder) -> tuple[Source, ...]:
    """The input files that the job in this folder began with."""
    return tuple(Source.of(plain) for plain in _note(folder).get("files", ()))


def resumed(folder: Folder, sources: Sequence[Source], config: Settings) -> tuple[Source, ...]:
    """The input files that the job began with; others came later and are left out.

    Raises:
        UsageError: dbce, its model or the configuration is another, or files are missing or lie elsewhere now.
    """
    for difference, same in differences(folder, config):
        raise UsageError(
            f"{folder.uri} was begun {difference}; {same} to continue, or start anew with --overwrite"
        )
    # Known by where they lie: a file that came later may have changed the names of others.
    now = {source.uri for source in sources}
    own = begun(folder)
    if not own:  # of a job that is told by its settings alone
        return own
    if not own[0].selection.is_as(sources[0].selection):
        raise UsageError(
            f"{folder.uri} was begun with another selection; give the same options to continue, or start "
            "anew with --overwrite"
        )
    known = {source.uri for source in own}
    if missing := sorted(known - now):
        raise UsageError(
            f"{folder.uri} was begun with {missing[0]}, which is not among the inputs now; give the "
            "same ones to continue, or start anew with --overwrite"
        )
    if late := len(now - known):
        LOG.warning("%s came since the run began: left to another run", files(late))
    return own
