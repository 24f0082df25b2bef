"""A run migrated in this process: rendered pages in, conversion records and an account out."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from dbce.model import Limits, Rendering
from dbce.storage import WORK
from dbce.visual.migrate.unit import WARC, write_unit
from dbce.visual.migrate.unit_inputs import units
from dbce.visual.render import (
    MANIFEST,
    Answers,
    Renderer,
    find_places,
    known_places,
    open_rendered,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.archive import Source
    from dbce.progress import Progress
    from dbce.storage import Folder
    from dbce.visual.migrate.unit_inputs import Unit

MIGRATED = "migrated"
"""The folder of the outputs, in the one that is named."""

DONE = "migrated.json"
"""What says that all is there, written last."""

PACKAGES = ("dbce", "playwright", "pyarrow", "resiliparse", "tinycss2", "warcio")


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be migrated and whereto.

    Requests are answered from all that is `held`; `jar` is the Nu Html Checker, "" if pages are not
    checked.
    """

    run: str
    folder: Folder
    held: Sequence[Source]
    progress: Progress
    jar: str = ""

    def rendering(self) -> Rendering:
        """How the pages of the run were laid out: the new ones are so, too."""
        said = json.loads(open_rendered(self.run).read(MANIFEST))["config"]
        names = {field.name for field in dataclasses.fields(Rendering)} - {"limits"}
        return Rendering(
            **{name: value for name, value in said.items() if name in names},
            limits=Limits(**said["limits"]),
        )

    def units(self) -> list[Unit]:
        """The files of the run; says that they are migrated now."""
        found = units(self.run, self.held)
        self.progress.stage(2, "migrate", len(found), f"migrating {len(found)} files")
        return found

    def reading(self) -> None:
        """Says that the headers of all records are read now."""
        self.progress.stage(1, "read", len(self.held), f"reading {len(self.held)} files")

    def migrate(self, unit: Unit, path: str, config: Rendering) -> None:
        """Writes what comes of one file, with a browser of its own."""
        answers = Answers(known_places(self.folder), config.limits)
        with Renderer(path, answers, config) as renderer:
            write_unit(self.folder, self.run, unit, renderer, config, jar=self.jar)


def migrate_locally(task: Task, path: str) -> None:
    """Migrates all pages of a run, file by file; `path` is that of Chromium.

    Raises:
        UsageError: nothing was rendered there, or the archives are not those it was rendered of.
        StoreError: a store fails.
    """
    config = task.rendering()
    task.reading()
    for source in task.held:
        find_places(task.folder, source)
        task.progress.done(source.unit, 0)
    for unit in task.units():
        task.migrate(unit, path, config)
        task.progress.done(unit.name, len(unit.rows))


def finish(folder: Folder) -> dict[str, Any]:
    """Writes the index of the records and, last of all, `migrated.json`; removes what is left over."""
    lines = [
        line
        for name in folder.names(f"{WORK}/index/*.cdxj")
        for line in folder.read(name).splitlines(keepends=True)
    ]
    folder.write(f"{WARC}/index.cdxj", b"".join(sorted(lines)))
    counts: Counter[str] = Counter()
    for name in folder.names(f"{WORK}/units/*.json"):
        counts.update(json.loads(folder.read(name)))
    total, migrated = counts.total(), counts.pop("", 0)
    found = {
        "pages": total,
        "migrated": migrated,
        "refused": dict(sorted(counts.items())),
        "versions": {package: version(package) for package in PACKAGES},
    }
    folder.write(DONE, json.dumps(found, indent=1).encode())
    folder.remove(WORK)
    folder.remove_drafts()
    return found


def summary(found: dict[str, Any], out: str) -> str:
    """What was done, in a few lines."""
    kept = found["pages"] - found["migrated"]
    lines = [f"{found['migrated']} of {found['pages']} pages migrated, {kept} keep their old form"]
    lines += [f"  {count} {why}" for why, count in found["refused"].items()]
    lines.append(f"account and records: {out.rstrip('/')}/{MIGRATED}")
    return "\n".join(lines)
