"""Pictures of the viewer for the documents, made anew of the sample archive.

    .venv/bin/python -m scripts.setup.pictures

Writes overview, capture, compare and cross to docs/pictures, in a window of 1280 by 800 pixels. Needs Chromium and the
environment of `make test`. The pictures of desks, of rendered pages and of other archives are taken by hand.
"""

import sys
from contextlib import chdir
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

from PIL import Image
from playwright.sync_api import sync_playwright

from dbce.cli import main as dbce
from dbce.view.server import start
from dbce.visual.render.browser import chromium

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
ESSAY = "urn:uuid:7d767fe7-e4e6-5ff8-83a6-24d57978be8b"
CORRECTED = "urn:uuid:437b9eca-a726-537e-8abd-d85e91b8d43e"
"""The essay four years later, after a mistake was corrected."""
PLACES = {
    "overview": "/",
    "capture": f"/capture?id={ESSAY}&run=20",
    "compare": f"/compare?id={CORRECTED}&with={ESSAY}",
    "cross": f"/cross?id={ESSAY}",
}
COLOURS = 128
LOADED = 1_500
"""Milliseconds in which a page has loaded its frames and answers."""


def main() -> int:
    """Write the pictures; the exit code."""
    with TemporaryDirectory() as folder, chdir(folder), sync_playwright() as playwright:
        if dbce(["sample", "archive"]) or dbce(["run", "archive", "--out", "demo"]):
            return 1
        server = start("demo", {}, "127.0.0.1", 0)
        Thread(target=server.run, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(server.address)
        address = server.address.partition("?")[0].rstrip("/")
        for name, place in PLACES.items():
            page.goto(f"{address}{place}")
            page.wait_for_timeout(LOADED)
            picture = Image.open(BytesIO(page.screenshot()))
            picture.quantize(COLOURS).save(PICTURES / f"{name}.png", optimize=True)
        browser.close()
        server.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
