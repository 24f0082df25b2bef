"""Pages laid out from the archive by a browser that can reach nothing else.

The only room that knows Playwright; it is entered for reading without it.
"""

from dbce.visual.render.answers import Answers
from dbce.visual.render.browser import chromium
from dbce.visual.render.cluster import render_on_spark
from dbce.visual.render.directly import RenderedFolder, read_page, read_screenshot, screenshot_at
from dbce.visual.render.local import Work, find_places, known_places, render_locally
from dbce.visual.render.manifest import MANIFEST, OUTPUTS, Manifest, finish, summary
from dbce.visual.render.read import (
    RENDERED,
    open_rendered,
    pages_of_file,
    read_rendered,
    rendered_ids,
    rendered_names,
    rendered_pages,
)
from dbce.visual.render.renderer import Rendered, Renderer

__all__ = [
    "MANIFEST",
    "OUTPUTS",
    "RENDERED",
    "Answers",
    "Manifest",
    "Rendered",
    "RenderedFolder",
    "Renderer",
    "Work",
    "chromium",
    "find_places",
    "finish",
    "known_places",
    "open_rendered",
    "pages_of_file",
    "read_page",
    "read_rendered",
    "read_screenshot",
    "render_locally",
    "render_on_spark",
    "rendered_ids",
    "rendered_names",
    "rendered_pages",
    "screenshot_at",
    "summary",
]
