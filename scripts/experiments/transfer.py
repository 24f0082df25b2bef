"""`make transfer`: how good a model is on a data set that it learned nothing like.

    python -m scripts.experiments.transfer --data ARCHIVE GOLD [WEIGHT]... [--leave-out NAME]... [--folds N]

Folds hold out sites, but sites of one set are alike: gold made by the same rules, pages of the same
kind and time. Here whole sets are left out, one after another, and with them all pages of other
sets that are of their sites or domains. Each page of theirs is judged twice by that model: as it was compared with others,
and as if it were alone.
"""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from dbce.boilerplate.classify import without_evidence
from dbce.boilerplate.classify.model import chances
from dbce.evaluate.gold import by_kind, read_gold
from dbce.evaluate.results import table
from dbce.evaluate.scores import summarise, words
from dbce.model import Config, UsageError
from dbce.train.examples import read_examples, source_of
from dbce.train.fit import TREES, fit
from dbce.train.run import (
    LabelledArchive,
    add_second,
    calibrate_across_folds,
    calibration_error,
    fit_scales,
    held_out_votes,
    main_text,
)
from scripts.experiments import comparing, peers, wcxb
from scripts.experiments.sets import add_title, call, captures_of, read_about, say
from scripts.experiments.systems import difference, page_scores, site_mean, texts_of_peer

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping, Sequence
    from typing import Any

    from dbce.boilerplate.classify import Features
    from dbce.evaluate.gold import GoldText
    from dbce.train.examples import Example
    from scripts.experiments.sets import Texts

LEFT_OUT = ("wcxb", "timelines", "sites", "dragnet-sites")
"""Sets that are left out if nothing else is asked for: kinds of page, time, kinds of site, news."""

PEER = "trafilatura"

OURS = f"{Config().method}, set left out"

HEADER = (
    *("set left out", "pages learned from", "pages", "bag F1", "± SE", "by site"),
    *(f"{PEER}, bag F1", "its by site", "better by", "± SE of that", "calibration error"),
)


@dataclass(frozen=True, slots=True, eq=False)
class TransferResult:
    """A set by a model that learned nothing of it.

    `learned` is the number of pages that the model learned from, `error` the expected calibration
    error on the lines of the set; `alone` are the texts of pages that were judged without others.
    """

    learned: int
    texts: Texts
    alone: Texts
    error: float


def split_off(examples: Sequence[Example], name: str) -> tuple[list[Example], list[Example]]:
    """Return the examples to learn from when a set is left out, and the pages of the set.

    Pages of other sets that are of a registered domain of the set are in neither, nor are pages without
    words in the gold among the first.
    """
    tested = [e for e in examples if e.source == name]
    domains = {e.site for e in tested}
    learned = [e for e in examples if e.source != name and e.site not in domains and words(e.gold)]
    return learned, tested


def leave_out(
    examples: Sequence[Example], name: str, folds: int, trees: dict[str, Any] = TREES
) -> TransferResult:
    """Return the results for a set by a model from the others, calibrated on folds of theirs.

    Raises:
        UsageError: no page is of the set, or what is left cannot be learned from.
    """
    learned, tested = split_off(examples, name)
    if not tested or not learned:
        without = "of no page" if tested else f"of no page of {name}"
        raise UsageError(f"cannot leave out {name}: there is gold {without}")
    seed = Config().seed
    say(f"leaving out {name}: learning from {len(learned)} pages")
    found = held_out_votes(learned, folds, seed, say, trees)
    first = fit_scales(fit(learned, seed, trees), learned, found)
    held = calibrate_across_folds(first, learned, found, folds)
    model, _ = add_second(first, learned, held, folds=folds, seed=seed, progress=say)
    judged = [(e, chances(model, e.features)) for e in tested]
    texts = {e.record_id: main_text(e, of_lines) for e, of_lines in judged}
    by_itself = {e.record_id: main_text(e, chances(model, alone(e))) for e in tested}
    with_gold = [pair for pair in judged if words(pair[0].gold)]
    error = calibration_error([e for e, _ in with_gold], [of_lines for _, of_lines in with_gold])
    say(f"{name}: expected calibration error {error:.3f}")
    return TransferResult(len(learned), texts, by_itself, error)


def alone(example: Example) -> Features:
    """The features of a page that nothing was compared with."""
    of = example.features
    return replace(of, matrix=without_evidence(of.matrix, of.names))


def transfer_row(gold: Sequence[GoldText], found: TransferResult, theirs: Texts) -> list[object]:
    """The row of a set behind its name; without texts of the peer nothing is said of it."""
    ours = page_scores(gold, found.texts)
    summary = summarise(ours)
    row = [found.learned, len(ours), *summary[["bag_f1_mean", "bag_f1_se"]], site_mean(ours)]
    if not theirs:
        return [*row, *[None] * 4, found.error]
    peer = page_scores(gold, theirs)
    means = float(peer["bag_f1"].mean()), site_mean(peer)
    return [*row, *means, *difference(ours, peer), found.error]


def main(arguments: Sequence[str]) -> None:
    """Prints the tables.

    Raises:
        UsageError: as `leave_out`; a set that was asked for is none of the training sets.
    """
    options = _options(arguments)
    data = _by_name([LabelledArchive.from_arguments(one) for one in options.data])
    names = _sets_to_leave_out(options.leave_out, data)
    golds = {name: _texts_of_gold(data[name].gold) for name in names}
    examples = [e for one in data.values() for e in _read(one)]
    if PEER not in peers.installed_peers():
        say(f"{PEER} left out: not installed (pip install 'dbce[peers]')")
    rows: list[list[object]] = []
    kinds: list[list[object]] = []
    both: list[list[object]] = []
    for name in names:
        found = leave_out(examples, name, options.folds)
        theirs = _texts_of_peer(data[name])
        rows.append([name, *transfer_row(golds[name], found, theirs)])
        abouts = read_about(data[name].gold)
        language_of = {page: about.language for page, about in abouts.items()}
        gains = comparing.gain_rows(golds[name], found.texts, found.alone, language_of)
        both += [[name, *row] for row in gains]
        if name == wcxb.SET:
            systems = {OURS: found.texts} | ({PEER: theirs} if theirs else {})
            kinds = wcxb.kind_rows(golds[name], abouts, systems)
    print(table(HEADER, rows))
    print(add_title("Compared with other pages, and judged alone:", table(comparing.HEADER, both)))
    if kinds:
        print(
            add_title("WCXB by its own measure (Foley 2026, CC BY 4.0):", table(wcxb.HEADER, kinds))
        )


def _options(arguments: Sequence[str]) -> Namespace:
    parser = ArgumentParser(prog="python -m scripts.experiments.transfer", description=__doc__)
    add = partial(parser.add_argument, action="append")
    about = "a training set, as dbce train takes it, perhaps with a weight"
    add("--data", required=True, nargs="+", metavar=("ARCHIVE", "GOLD"), help=about)
    about = f"this set, by the name of its archive; {', '.join(LEFT_OUT)} unless given"
    add("--leave-out", metavar="NAME", help=about)
    parser.add_argument("--folds", type=int, default=5, choices=range(2, 21), metavar="N")
    return parser.parse_args(arguments)


def _by_name(data: Sequence[LabelledArchive]) -> dict[str, LabelledArchive]:
    found = {source_of(one.archive): one for one in data}
    if len(found) < len(data):
        raise UsageError("two of --data have the same name; a set is known by that of its archive")
    return found


def _sets_to_leave_out(
    chosen: Sequence[str] | None, data: Mapping[str, LabelledArchive]
) -> list[str]:
    """The sets to leave out."""
    absent = [name for name in chosen or LEFT_OUT if name not in data]
    if chosen and absent:
        raise UsageError(f"--leave-out {absent[0]}: not among --data, which has {', '.join(data)}")
    for name in absent:
        say(f"{name} is not left out: not among --data")
    return [name for name in chosen or LEFT_OUT if name in data]


def _texts_of_gold(path: str) -> tuple[GoldText, ...]:
    texts, runs = by_kind(read_gold(path))
    if runs:
        raise UsageError(f"{path} is gold of text runs; what is left out needs gold of texts")
    return texts


def _read(one: LabelledArchive) -> list[Example]:
    say(f"reading {one.archive}")
    return read_examples(one.archive, one.gold, Config(), one.weight, say, wordless=True)


def _texts_of_peer(one: LabelledArchive) -> Texts:
    """The peer's texts of the pages with gold, none where it is not installed."""
    peer = peers.installed_peers().get(PEER)
    if peer is None:
        return {}
    say(f"{PEER} on {one.archive}")
    return texts_of_peer(captures_of(one.archive, Config()), read_about(one.gold), peer)


if __name__ == "__main__":
    call(main)
