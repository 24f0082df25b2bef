"""The desks on which people make gold for headings and blocks, for `dbce label`."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from dbce.annotate.core.queue import sample
from dbce.annotate.core.store import AnnotationStore
from dbce.annotate.server import DeskSettings, OpenDesk, Served
from dbce.view.app import bare_app, create_app
from dbce.view.guard import Guard
from dbce.view.run import open_view
from dbce.visual.annotate.blocks.desk import BlockDesk, add_drawing
from dbce.visual.annotate.blocks.pages import Pages, block_gold, import_file
from dbce.visual.annotate.headings.desk import HeadingDesk, add_headings
from dbce.visual.annotate.headings.history import HEADING_GOLD
from dbce.visual.render import open_pictures, open_rendered


@contextmanager
def _headings(settings: DeskSettings, guard: Guard) -> Iterator[Served]:
    run = open_view(settings.directory, settings.places)
    open_rendered(settings.directory)
    with closing(AnnotationStore(Path(settings.gold), HEADING_GOLD)) as store:
        app = create_app(run, guard)
        add_headings(app, HeadingDesk(run, store, sample(run, settings.order, settings.captures)))
        yield app, run


@contextmanager
def _blocks(settings: DeskSettings, guard: Guard) -> Iterator[Served]:
    open_pictures(settings.directory)  # people draw on screenshots, not on a wireframe
    pages = Pages(settings.directory)
    with closing(AnnotationStore(Path(settings.gold), block_gold(pages))) as store:
        for other in settings.others:
            import_file(store, Path(other), pages)
        app = bare_app(guard)
        add_drawing(app, BlockDesk(pages, store, pages.random_rows(settings.captures)))
        yield app, None


DESKS: dict[str, OpenDesk] = {"headings": _headings, "blocks": _blocks}
"""The desk of each kind of gold, by the name that its addresses begin with."""
