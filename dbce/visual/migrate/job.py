"""Migration as a job of the engine: rendered pages in, conversion records and an account out."""

import dataclasses
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import Any, ClassVar

from dbce.archive import Source
from dbce.engine import FolderJob, ReportProgress, Settings, Stage, Workers
from dbce.model import Limits, Progress, Rendering, files
from dbce.storage import FIXITY, Folder, accounts, files_of, index_lines, is_done, seal, tidy
from dbce.visual.migrate.unit import PAGES, WARC, Unit, units, write_unit
from dbce.visual.render import (
    MANIFEST,
    Answers,
    Renderer,
    known_places,
    note_places,
    open_rendered,
    path_here,
)

MIGRATED = "migrated"
"""The folder of the outputs, in the one that is named."""

DONE = "migrated.json"
"""The account of all pages, written last."""

PACKAGES = ("dbce", "pyarrow", "resiliparse", "tinycss2", "warcio")


@dataclass(frozen=True, slots=True)
class MigrationSettings(Settings):
    """The rendering that is migrated, and whether the Nu Html Checker is asked."""

    rendering: str
    checked: bool

    def digest(self) -> str:
        """Text that tells two migrations apart: the rendering, and whether pages are checked."""
        return f"{self.rendering} {self.checked}"


@dataclass(frozen=True, slots=True)
class MigrationJob(FolderJob):
    """The rendered pages of the folder `run` as HTML5, to the folder `out`.

    Requests are answered from all that is `held`, the archives that the run was rendered of; `jar` is the
    Nu Html Checker, "" if pages are not checked. `chromium` is the browser that is named, None for the one
    of each machine.
    """

    kind: ClassVar = "migration"
    outputs: ClassVar = (DONE, FIXITY, WARC, PAGES, "*.parquet")  # the last: of an older dbce

    run: str
    out: str
    held: tuple[Source, ...]
    jar: str = ""
    chromium: str | None = None

    @property
    def folder(self) -> Folder:
        """Part of the folder that migration looks after."""
        return Folder(self.out).subfolder(MIGRATED)

    @property
    def settings(self) -> MigrationSettings:
        """Settings that must be the same when an interrupted job goes on."""
        rendered = open_rendered(self.run).read(MANIFEST)
        return MigrationSettings(hashlib.sha256(rendered).hexdigest()[:12], bool(self.jar))

    @property
    def sources(self) -> tuple[Source, ...]:
        """Archives."""
        return self.held

    def rendering(self) -> Rendering:
        """Return the settings by which the pages of the run were laid out: the new ones are so, too."""
        told = json.loads(open_rendered(self.run).read(MANIFEST))["config"]
        names = {field.name for field in dataclasses.fields(Rendering)} - {"limits"}
        return Rendering(
            **{name: value for name, value in told.items() if name in names},
            limits=Limits(**told["limits"]),
        )

    def work(self, place: Folder, sources: tuple[Source, ...], workers: Workers) -> None:
        """Note where records are, then migrate every file that is not done yet, with a browser of its own.

        Raises:
            UsageError: nothing was rendered there, or the archives are not those it was rendered of.
        """
        progress = Progress("migrate", stages=2)
        todo = {u.name: u for u in units(self.run, sources) if not is_done(place, u.name)}
        note_places(place, sources, workers, progress)
        open_work = Migrating(place.uri, self.run, self.rendering(), self.jar, self.chromium)
        migrating = f"migrating {files(len(todo))}"
        workers.do(Stage(2, "migrate", migrating, todo, open_work), progress)

    def finish(self, place: Folder, _sources: tuple[Source, ...], _done: None) -> dict[str, Any]:
        """Write the index of the records and, last of all, the account."""
        done = accounts(place)
        place.write(f"{WARC}/index.cdxj", "".join(index_lines(done)).encode())
        refused: Counter[str] = Counter()
        for unit in done:
            refused.update(unit["refused"])
        total, migrated = refused.total(), refused.pop("", 0)
        account = {
            "pages": total,
            "migrated": migrated,
            "refused": dict(sorted(refused.items())),
            "versions": {package: version(package) for package in PACKAGES},
        }
        known = files_of(done) | place.take_digests()
        data = json.dumps(account, indent=1).encode()
        seal(place, [PAGES, WARC], known, last=DONE, data=data)
        tidy(place)
        return account


@dataclass(frozen=True, slots=True)
class Migrating:
    """The work of migration: a browser that stays open, and what migrates the pages of a file with it."""

    uri: str
    run: str
    settings: Rendering
    jar: str
    chromium: str | None

    @contextmanager
    def __call__(self) -> Iterator[Callable[[Unit, ReportProgress], int]]:
        """Open the browser, which starts with the first page that needs it.

        Raises:
            StoreError: this machine has none.
        """
        place = Folder(self.uri)
        answers = Answers(known_places(place), self.settings.limits)
        with Renderer(path_here(self.chromium), answers, self.settings) as renderer:
            yield partial(_migrate_file, self, place, renderer)


def _migrate_file(
    work: Migrating, place: Folder, renderer: Renderer, unit: Unit, _reached: ReportProgress
) -> int:
    write_unit(place, work.run, unit, renderer, work.settings, jar=work.jar)
    return len(unit.rows)


def summary(account: dict[str, Any], out: str) -> str:
    """Return the account in a few lines."""
    kept = account["pages"] - account["migrated"]
    lines = [
        f"{account['migrated']} of {account['pages']} pages migrated, {kept} kept in their old form"
    ]
    lines += [f"  {count} {why}" for why, count in account["refused"].items()]
    lines.append(f"account and records: {out.rstrip('/')}/{MIGRATED}")
    return "\n".join(lines)
