"""The note of a job that has begun, and what `--resume` must find unchanged."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Protocol

from dbce.archive import Source
from dbce.model import UsageError
from dbce.progress import LOG, files
from dbce.storage import BEGUN

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    note = {"config_digest": config.digest(), "also": config.also(), "files": plain}
    folder.write(BEGUN, json.dumps(note).encode())


def is_to_write(folder: Folder, config: Settings) -> bool:
    """Return whether a configuration would write the same as the job begun in this folder."""
    note = json.loads(folder.read(BEGUN))
    return (note["config_digest"], note.get("also")) == (config.digest(), list(config.also()))


def begun(folder: Folder) -> tuple[Source, ...]:
    """The input files that the job in this folder began with."""
    return tuple(Source.of(plain) for plain in json.loads(folder.read(BEGUN))["files"])


def resumed(folder: Folder, sources: Sequence[Source], config: Settings) -> tuple[Source, ...]:
    """The input files that the job began with; others came later and are left out.

    Raises:
        UsageError: the configuration is another, or files are missing or lie elsewhere now.
    """
    if not is_to_write(folder, config):
        raise UsageError(
            f"{folder.uri} was begun with another configuration; give the same options to continue, or "
            "start anew with --overwrite"
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
