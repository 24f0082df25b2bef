"""What does the model of forums gain, on pages of domains that neither it nor the model of kinds has seen?

    python -m scripts.experiments.forum_model HELD_OUT_FORUMS [--held-out FILE] [--set NAME]...

Each page is judged by `default.npz`, or as FILE has it, and those that are of forums as HELD_OUT_FORUMS has them. Both
files are of `make train`: texts by models that never saw the domain, decided over structures.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

from dbce.evaluate.results import table
from dbce.model import Config
from scripts.experiments.page_kinds import forum_pages
from scripts.experiments.sets import (
    call,
    compared_sets,
    read_gains,
    select_pages,
    set_parser,
)
from scripts.experiments.systems import difference, page_scores, texts_of_gains, texts_of_method

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from scripts.experiments.sets import Archive, Gains

SETS = ("forums", "wcxb")
"""Sets that the model of forums learned from."""

HEADER = ("set", "pages", "of forums", "by default.npz", "with forums.npz", "better by", "± SE")


def main(arguments: Sequence[str]) -> None:
    """Print a row for each set."""
    parser = set_parser("forum_model", __doc__.partition("\n")[0], SETS, held_out=True)
    parser.add_argument("held_out_forums", help="what dbce train held out of the model of forums")
    options = parser.parse_args(arguments)
    of_forums, others = read_gains(options.held_out_forums), read_gains(options.held_out)
    chosen = forum_pages()
    rows = [
        [name, *gain(archive, others, of_forums, chosen)]
        for name, archive in compared_sets(SETS, options.set)
    ]
    print(table(HEADER, rows))


def gain(
    archive: Archive,
    others: Mapping[str, Gains],
    of_forums: Mapping[str, Gains],
    chosen: Collection[str],
) -> list[Any]:
    """Return what a row says of a set: pages with gold, those judged as of forums, F1 without and with their model, and the difference."""
    pages = {one.page for one in archive.gold}
    known = {page: others[page] for page in pages & others.keys()}
    alone = Config(model=str(files("dbce.boilerplate").joinpath("models", "default.npz")))
    unknown = select_pages(archive, pages - known.keys())
    texts = texts_of_method(unknown, alone.method, alone) | texts_of_gains(archive, known)
    taught = {page: of_forums[page] for page in pages & of_forums.keys() & set(chosen)}
    before = page_scores(archive.gold, texts)
    after = page_scores(archive.gold, texts | texts_of_gains(archive, taught))
    gained, error = difference(after, before)
    f1 = before["bag_f1"].mean(), after["bag_f1"].mean()
    return [len(after), len(taught), *f1, gained, error]


if __name__ == "__main__":
    call(main)
