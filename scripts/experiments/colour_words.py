"""Vocabularies of colours for Pagelyzer's comparison of pictures, learned from the screenshots of rendered runs.

    python -m scripts.experiments.colour_words RUN... --out dbce/visual/changes/colours.npz

A word is the histogram of a patch, in pixels; docs/changes.md has what they are worth.
"""

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import MiniBatchKMeans

from dbce.visual.changes.pagelyzer import SIDE, patches
from dbce.visual.render import open_pictures, page_rows, rendered_names, screenshot_at
from scripts.experiments.sets import call

SIZES = (100, 200)
"""Words of the vocabularies (release of June 2014)."""

OF_A_PAGE = 200
"""Patches that are drawn of each screenshot."""

EVERY = 5
"""Of so many screenshots one is looked at: those of a site are alike."""


def drawn_patches(run: str) -> Iterator[NDArray[np.float32]]:
    """Some patches of each screenshot of a run, the same each time."""
    random = np.random.default_rng(0)
    folder = open_pictures(run)
    for name in rendered_names(run):
        rows = [row for row in page_rows(folder, name) if row["screenshot_offset"]]
        for row in rows[::EVERY]:
            found = patches(screenshot_at(folder, name, row["screenshot_offset"]))
            yield random.permutation(found)[:OF_A_PAGE]


def main(arguments: Sequence[str]) -> None:
    """Learns and writes the vocabularies."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("run", nargs="+")
    parser.add_argument("--out", required=True)
    options = parser.parse_args(arguments)
    every = np.concatenate([patches for run in options.run for patches in drawn_patches(run)])
    words = {}
    for size in SIZES:
        centres = MiniBatchKMeans(size, random_state=0, n_init=3).fit(every).cluster_centers_
        words[f"{size} words"] = np.rint(centres).astype(np.uint8)
    np.savez_compressed(options.out, **words)
    print(f"{len(every):,} patches of {SIDE} x {SIDE} pixels: {options.out}")


if __name__ == "__main__":
    call(main)
