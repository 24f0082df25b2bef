"""Pages laid out from the archive by a browser that can reach nothing else.

The only room that knows Playwright; it is entered for reading without it.
"""

from dbce.visual.render.browser import chromium
from dbce.visual.render.cluster import render_on_spark
from dbce.visual.render.local import Work, render_locally
from dbce.visual.render.manifest import MANIFEST, OUTPUTS, Manifest, finish, summary
from dbce.visual.render.read import (
    RENDERED,
    open_rendered,
    pages_of_file,
    read_page,
    read_rendered,
    read_screenshot,
    rendered_files,
    screenshot_at,
)

__all__ = [
    "MANIFEST",
    "OUTPUTS",
    "RENDERED",
    "Manifest",
    "Work",
    "chromium",
    "finish",
    "open_rendered",
    "pages_of_file",
    "read_page",
    "read_rendered",
    "read_screenshot",
    "render_locally",
    "render_on_spark",
    "rendered_files",
    "screenshot_at",
    "summary",
]
