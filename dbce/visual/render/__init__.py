"""Pages rendered from the archive by a browser that can reach nothing else.

The only package that knows Chromium; reading starts none.
"""

from dbce.visual.render.answers import Answers, find_places, known_places
from dbce.visual.render.browser import chromium
from dbce.visual.render.job import RenderJob, note_places, path_here
from dbce.visual.render.outputs import MANIFEST, summary
from dbce.visual.render.rendered_folder import (
    RENDERED,
    Picture,
    RenderedFolder,
    open_pictures,
    open_rendered,
    page_rows,
    pages_of_file,
    read_rendered,
    rendered_ids,
    rendered_names,
    rendered_pages,
    screenshot_at,
)
from dbce.visual.render.renderer import RenderedCapture, Renderer
