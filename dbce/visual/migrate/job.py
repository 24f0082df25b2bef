"""Migration as a job of the engine: rendered pages in, conversion records and an account out."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import Any, ClassVar

from dbce.archive import Source
from dbce.engine import Job, ReportProgress, Settings, Stage, Workers
from dbce.model import Limits, Progress, Rendering, files, override
from dbce.storage import FIXITY, Folder, accounts, files_of, index_lines, is_done, seal, tidy
from dbce.visual import render
from dbce.visual.migrate.unit import PAGES, WARC, Unit, units, write_unit

MIGRATED = "migrated"  # folder of the outputs
DONE = "migrated.json"  # the account of all pages, written last

PACKAGES = ("dbce", "pyarrow", "resiliparse", "tinycss2", "warcio")


@dataclass(frozen=True, slots=True)
class MigrationJob(Job, Settings):
    """The rendered pages of the folder `run` as HTML5, to the folder `out`.

    Requests are answered from the archives `held`, from which the run was rendered; `jar` is the Nu Html
    Checker, "" if pages are not checked. `chromium` is the path of the browser, None for that of each
    machine.
    """

    kind: ClassVar = "migration"
    part: ClassVar = MIGRATED
    outputs: ClassVar = (DONE, FIXITY, WARC, PAGES)

    run: str
    out: str
    held: tuple[Source, ...]
    jar: str = ""
    chromium: str | None = None

    @property
    def settings(self) -> Settings:
        return self

    def digest(self) -> str:
        """Return the identifier of the rendering, with whether the Nu Html Checker is used."""
        rendered = render.open_rendered(self.run).read(render.MANIFEST)
        return f"{hashlib.sha256(rendered).hexdigest()[:12]} {bool(self.jar)}"

    @property
    def sources(self) -> tuple[Source, ...]:
        return self.held

    def rendering(self) -> Rendering:
        """Return the settings with which the run was rendered, for the new pages, too."""
        stored = json.loads(render.open_rendered(self.run).read(render.MANIFEST))["config"]
        return override(Rendering(), stored | {"limits": Limits(**stored["limits"])})

    def work(self, place: Folder, sources: tuple[Source, ...], workers: Workers) -> None:
        """Index the places of records, then migrate every file that is not done yet, with a browser of its own."""
        progress = Progress("migrate", stages=2)
        todo = {u.name: u for u in units(self.run, sources) if not is_done(place, u.name)}
        render.note_places(place, sources, workers, progress)
        settings = self.run, self.rendering(), self.jar, self.chromium
        start = partial(open_migration, place.uri, *settings)
        stage = Stage(2, "migrate", f"migrating {files(len(todo))}", todo, start)
        workers.do(stage, progress)

    def finish(self, place: Folder, _sources: tuple[Source, ...], _done: None) -> dict[str, Any]:
        """Write the index of the records and, last of all, the account."""
        done = accounts(place)
        place.write(f"{WARC}/index.cdxj", "".join(index_lines(done)).encode())
        refused = sum((Counter(unit["refused"]) for unit in done), Counter[str]())
        total, migrated = refused.total(), refused.pop("", 0)
        account = {
            "pages": total,
            "migrated": migrated,
            "refused": dict(sorted(refused.items())),
            "versions": {package: version(package) for package in PACKAGES},
        }
        digests = files_of(done) | place.take_digests()
        data = json.dumps(account, indent=1).encode()
        seal(place, [PAGES, WARC], digests, last=DONE, data=data)
        tidy(place)
        return account


@contextmanager
def open_migration(
    uri: str, run: str, settings: Rendering, jar: str, chromium: str | None
) -> Iterator[Callable[[Unit, ReportProgress], int]]:
    """Open a browser, which starts with the first page, and yield a function that migrates a file."""
    place = Folder(uri)
    answers = render.Answers(render.known_places(place), settings.limits)
    with closing(render.Renderer(render.path_here(chromium), answers, settings)) as renderer:
        yield lambda unit, _: write_unit(place, run, unit, renderer, settings, jar=jar)


def summary(account: dict[str, Any], out: str) -> str:
    kept = account["pages"] - account["migrated"]
    migrated = f"{account['migrated']} of {account['pages']} pages migrated"
    reasons = [f"  {count} {reason}" for reason, count in account["refused"].items()]
    location = f"account and records: {out.rstrip('/')}/{MIGRATED}"
    return "\n".join([f"{migrated}, {kept} kept in their old form", *reasons, location])
