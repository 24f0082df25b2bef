"""Which rule of the decisions over structures is worth what?

    python -m scripts.experiments.rules [--set NAME]... [--without RULE]... [--method NAME] [--held-out FILE]

Each set is decided on with all rules, then without one after another: how many texts change, the structures that come
out whole, and F1, as `structures` counts them. Without variants, pages are also compared anew. Sets that the model
learned from are decided on by FILE, as by `structures`, but for what is of the comparison.
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from dbce.boilerplate.cross import NONE
from dbce.boilerplate.decide import NEITHER
from dbce.evaluate.results import table
from dbce.model import Config
from scripts.experiments.sets import (
    SETS,
    add_held_out,
    add_sets,
    call,
    choose_sets,
    compare_pages,
    is_trained_on,
    present,
    read_gains,
)
from scripts.experiments.structures import HEADER, row, scored_pages
from scripts.experiments.systems import texts_of_gains, texts_of_method

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scripts.experiments.sets import Archive, Gains, Texts

DECIDE = "dbce.boilerplate.decide"

RULES: dict[str, tuple[str, Callable[..., Any]]] = {
    "asides": (f"{DECIDE}.words.aside_lines", lambda _, lines: [NEITHER] * len(lines.gains)),
    "beside": (f"{DECIDE}.structures.neighbours_verdict", lambda *_: (None, 0.0)),
    "siblings": (f"{DECIDE}.structures.sibling_gains", lambda _, lines, __: lines.gains),
    "labels": (f"{DECIDE}.structures.label_tables", lambda *_: set()),
    "columns": (f"{DECIDE}.structures.button_columns", lambda *_: set()),
    "header rows": (f"{DECIDE}.structures.keep_header_rows", lambda *_: None),
    "notes": (f"{DECIDE}.structures.keep_notes_with_marks", lambda *_: None),
    "headings": (f"{DECIDE}.structures.decide_headings", lambda *_: None),
    "headings alike": (
        f"{DECIDE}.structures.mean_gain_by_style",
        lambda _, lines, __, some: {line: lines.gains[line] for line in some},
    ),
    "opening": (f"{DECIDE}.structures.opening_lines", lambda *_: ()),
    "standfirst": (f"{DECIDE}.structures.standfirst", lambda *_: ()),
    "variants": ("dbce.boilerplate.compare.variants", lambda *_: NONE),
}
"""The function of each rule, and one in its place that does nothing."""

COMPARED = ("variants",)
"""Rules of the comparison, not of the decision."""


def main(arguments: Sequence[str] = ()) -> None:
    """Prints the table: for each set a row with all rules, and one without each."""
    parser = ArgumentParser(prog="python -m scripts.experiments.rules", description="Rules.")
    add_sets(parser, SETS)
    parser.add_argument("--without", metavar="RULE", action="append", choices=RULES)
    parser.add_argument("--method", metavar="NAME", default=Config().method)
    add_held_out(parser)
    options = parser.parse_args(arguments)
    gains = read_gains(options.held_out)
    rows: list[list[object]] = []
    for name, *files in present(choose_sets(SETS, options.set)):
        archive = compare_pages(name, *files)
        pages = scored_pages(archive)
        of_set = {page.page: gains[page.page] for page in pages if page.page in gains}
        every = _texts(archive, options.method, of_set)
        shown = f"{name}*" if is_trained_on(name) and not of_set else name
        rows.append([shown, "all rules", 0, *row(pages, every)])
        for rule in options.without or RULES:
            with patch(*RULES[rule]):
                judged = compare_pages(name, *files) if rule in COMPARED else archive
                texts = _texts(judged, options.method, of_set)
            changed = sum(texts.get(page.page) != every.get(page.page) for page in pages)
            rows.append([shown, f"without {rule}", changed, *row(pages, texts)])
    if rows:
        print(table((HEADER[0], "decided", "texts that change", *HEADER[2:]), rows))
        print("\n* learned from")


def _texts(archive: Archive, method: str, gains: Mapping[str, Gains]) -> Texts:
    """The main texts by what lines gain where that is known, else by a method."""
    return texts_of_gains(archive, gains) if gains else texts_of_method(archive, method, Config())


if __name__ == "__main__":
    call(main)
