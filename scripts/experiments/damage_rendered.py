"""Accuracy of `dbce changes` in telling pages without style sheets or images from changed ones.

    python -m scripts.experiments.damage_rendered ARCHIVE... [--sample N]

Each page of the archives that finds a style sheet or an image is rendered as it is, then twice more with its style
sheets or images answered with status 404, and once with every third paragraph, list item and image taken out: a real
change. Where an archive has a page twice (`index.html` and `index.dom.html` of kreuzer) the other version is a real change
too. docs/changes.md has the figures.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser
from contextlib import closing
from dataclasses import replace
from itertools import count, islice
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from dbce.archive import Reply, expand, read
from dbce.model import Capture, Rendering
from dbce.storage import Folder
from dbce.visual.changes.look import LACKING, damage_of_look, look_of
from dbce.visual.changes.snapshot import BlockColumns
from dbce.visual.render import (
    Answers,
    RenderedCapture,
    Renderer,
    chromium,
    find_places,
    known_places,
)
from dbce.visual.render.outputs import page_row

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from dbce.model import Reject
    from dbce.output import Row
    from dbce.visual.changes.snapshot import Look

SHORT = 2_000
"""Bytes below which HTML is no page of a reader's, but a frame for advertisements."""

AS_IT_IS, CHANGED = WHOLE = ("as it is", "changed")

KINDS = {"style_sheets": "text/css", "images": "image/"}
"""What is lost, and how its media types begin."""

_THIRD = re.compile(
    rb"<(p|li)\b[^<>]*>(?:(?!<\1\b).)*?</\1>|<img\b[^<>]*>", re.DOTALL | re.IGNORECASE
)

_NONE, _NO_SHARES = np.empty(0, np.uint32), np.empty(0, np.float32)
NO_BLOCKS = BlockColumns(
    *(_NONE, np.empty(0, np.uint8), _NONE, _NO_SHARES, _NONE),
    *(_NO_SHARES, np.empty((0, 4), np.float32)),
)
"""What damage of this kind is not told by."""


class Lossy(Answers):
    """Answers of which a kind is lost, as if the server had said 404."""

    lost = ""

    def answer(self, url: str, at: datetime) -> Reply | None:
        """Return the reply to a request; one with status 404 for a type that is lost."""
        reply = super().answer(url, at)
        if reply is None or not self.lost:
            return reply
        media = next((v for k, v in reply.headers if k.lower() == "content-type"), "")
        if not media.startswith(self.lost):
            return reply
        return Reply(404, (("Content-Type", "text/html"),), b"not found", "", None)


def drop_thirds(capture: Capture) -> Capture:
    """A page without every third paragraph, list item and image."""
    number = count()
    body = _THIRD.sub(lambda one: b"" if next(number) % 3 == 0 else one[0], capture.payload)
    return replace(capture, payload=body)


def looks(uri: str, sample: int | None) -> Iterator[tuple[str, dict[str, Look]]]:
    """Yield (URL, looks by what was done) of each page that finds a style sheet or an image."""
    config = Rendering()
    with TemporaryDirectory() as scratch:
        folder = Folder(scratch)
        sources = list(expand([uri]))
        for source in sources:
            find_places(folder, source)
        answers = Lossy(known_places(folder), config.limits)
        captures = (
            one
            for source in sources
            for one in read(source, config.limits)
            if isinstance(one, Capture) and len(one.payload) >= SHORT
        )
        with closing(Renderer(chromium(), answers, config)) as renderer:
            for one in islice(captures, sample):
                found = _looks(renderer, answers, one)
                if len(found) > len(WHOLE):
                    yield (
                        one.url,
                        {name: look_of(row, "", NO_BLOCKS) for name, row in found.items()},
                    )


def _looks(renderer: Renderer, answers: Lossy, capture: Capture) -> dict[str, Row]:
    """The rows of the page as it is, changed, and without each kind of which it found anything."""
    rows = {
        AS_IT_IS: _row(renderer.render(capture)),
        CHANGED: _row(renderer.render(drop_thirds(capture))),
    }
    for kind, media in KINDS.items():
        if rows[AS_IT_IS].get(f"{kind}_found"):
            answers.lost = media
            rows[kind] = _row(renderer.render(capture))
            answers.lost = ""
    return {name: row for name, row in rows.items() if row}


def _row(one: RenderedCapture | Reject) -> Row:
    return page_row(one, 0) if isinstance(one, RenderedCapture) else {}


def pairs(found: dict[str, dict[str, Look]]) -> Iterator[tuple[str, str, str | None]]:
    """Yield (URL, what was done, what `dbce changes` would say is damaged) of each pair."""
    for url, of_page in found.items():
        whole = of_page[AS_IT_IS]
        yield from (
            (url, done, damage_of_look(whole, look))
            for done, look in of_page.items()
            if done != AS_IT_IS
        )
        other = found.get(url.replace("index.html", "index.dom.html"), of_page)[AS_IT_IS]
        if other is not whole:
            yield url, CHANGED, damage_of_look(whole, other)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("archives", nargs="+", metavar="ARCHIVE")
    parser.add_argument("--sample", type=int, metavar="N", help="the first N pages of each")
    options = parser.parse_args()
    for uri in options.archives:
        rows = pd.DataFrame(
            pairs(dict(looks(uri, options.sample))), columns=["url", "done", "damage"]
        )
        real = rows[rows["done"] == CHANGED]
        kept = real["damage"].isna().mean()
        print(f"{uri}: {rows['url'].nunique()} pages, {len(real)} real changes, kept {kept:.3f}")
        for kind in KINDS:
            lost = rows[rows["done"] == kind]
            found, named = (lost["damage"].notna().mean(), (lost["damage"] == LACKING[kind]).mean())
            print(
                f"  without {kind}: {len(lost)}, found {found:.3f}, named so {named:.3f}, ", end=""
            )
            print(f"balanced {(found + kept) / 2:.3f}")
        for row in rows[(rows["done"] == CHANGED) == rows["damage"].notna()].itertuples():
            print("  wrong:", row.url, row.done, row.damage)


if __name__ == "__main__":
    main()
