"""Is in a text what must be in it, and is not what must not be?

    python -m scripts.experiments.segments [--held-out FILE] [--set NAME]...

Some gold has no full text, but segments of the main text and segments of the rest of the page. A segment is in a text
when its words stand there one after another; a character of a script without spaces is a word. For each page:

    recall    share of the wanted segments that the text has
    absent    share of the unwanted ones that it does not have
    accuracy  share of all segments that are where they belong

Means over pages that have such segments, and the mean number of words of a text: one that keeps the whole page has
all that is wanted.

Of sets that the model learned from, pages are decided on by what models that never saw their sites made of their lines:
FILE, as `make train` writes it. Without it they are marked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dbce.evaluate.results import table
from dbce.evaluate.scores import words
from dbce.model import Config
from dbce.train.examples import space_out
from scripts.experiments import peers
from scripts.experiments.sets import (
    call,
    compared_sets,
    is_trained_on,
    read_gains,
    say,
    select_pages,
    set_parser,
)
from scripts.experiments.systems import texts_of_gains, texts_of_method, texts_of_peer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.evaluate.gold import Segments
    from scripts.experiments.sets import Archive, Texts

SETS = ("trafeval", "recipes")
HEADER = ("set", "system", "pages", "recall", "absent", "accuracy", "words")


class Score(NamedTuple):
    """Shares of a page, NaN where it has no such segments, and the words of its text."""

    recall: float
    absent: float
    accuracy: float
    words: int


def score(segments: Segments, text: str) -> Score:
    """The score of the text of a page."""
    there = _words(text)
    wanted = [_words(segment) in there for segment in segments.wanted]
    unwanted = [_words(segment) not in there for segment in segments.unwanted]
    return Score(
        recall=_share(wanted),
        absent=_share(unwanted),
        accuracy=_share(wanted + unwanted),
        words=len(there.split()),
    )


def _share(answers: Sequence[bool]) -> float:
    return sum(answers) / len(answers) if answers else np.nan


def _words(text: str) -> str:
    return f" {' '.join(words(space_out(text)))} "


def row(archive: Archive, texts: Texts) -> list[float]:
    """(pages, means of their scores ...) of texts."""
    scores = [
        score(page.segments, texts.get(page.page, "")) for page in archive.gold if page.segments
    ]
    return [len(scores), *np.nanmean(np.array(scores, dtype=np.float64), axis=0).tolist()]


def main(arguments: Sequence[str] = ()) -> None:
    """Prints the table."""
    parser = set_parser("segments", "Segments.", SETS, held_out=True)
    options = parser.parse_args(arguments)
    gains = read_gains(options.held_out)
    rows: list[list[object]] = []
    for name, archive in compared_sets(SETS, options.set):
        pages = {page.page for page in archive.gold}
        its_gains = {page: of for page, of in gains.items() if page in pages}
        ours = f"dbce{'' if its_gains or not is_trained_on(name) else '*'}"
        texts = {ours: texts_of_gains(archive, its_gains)}
        others = select_pages(archive, pages - its_gains.keys())  # nothing was learned from them
        texts[ours] |= texts_of_method(others, Config().method, Config())
        for peer, extract in peers.installed_peers().items():
            say(f"  {peer} ...")
            texts[peer] = texts_of_peer(archive.captures, archive.about, extract)
        rows += [[name, system, *row(archive, of)] for system, of in texts.items()]
    if rows:
        print(table(HEADER, rows))
        print("\n* learned from")


if __name__ == "__main__":
    call(main)
