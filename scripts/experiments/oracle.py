"""The fast way beside the thesis to the letter, word by word: where labels differ, and why.

    python -m scripts.experiments.oracle ARCHIVE... [--share N]

The fast way is `--signature layers --diff-engine lxml` with T001 and T002, that of the thesis `--method thesis --merge
strongest`. Causes are tried in this order: another cross, the same cross and other bits, and the same bits. Counted are
the pages that both compare.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from dbce import thesis
from dbce.boilerplate import as_annotated
from dbce.evaluate.results import table
from dbce.model import LABELS, ROLES, Capture, Config, Reject
from dbce.pipeline import compare_all, judge_all, sketch_all
from dbce.thesis.annotation import annotate
from dbce.thesis.classification import classify
from dbce.thesis.merging import crosses_by_entry, merge
from dbce.train.fit import part
from scripts.experiments.sets import captures_of, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.boilerplate import Annotated
    from dbce.model import Cross

CLASSIFIERS = ("T001", "T002")

LITERAL = Config(method="thesis", merge="strongest")
FAST = Config(signature="layers", diff_engine="lxml")


class Word(NamedTuple):
    """A word in the annotation of a page: its label and its bits."""

    label: str
    bits: int


class Literal(NamedTuple):
    """What the thesis compares of an archive: bodies by record id, and crosses, the strongest first."""

    bodies: dict[str, str]
    crosses: dict[str, list[Cross]]


class Differences(NamedTuple):
    """Words by cause, and words of another label by cause and classifier."""

    words: Counter[str]
    others: dict[str, Counter[str]]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table of each archive."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("archive", nargs="+", metavar="ARCHIVE")
    parser.add_argument("--share", type=int, default=1, help="captures of every Nth URL (1: all)")
    options = parser.parse_args(arguments)
    for archive in options.archive:
        captures = [
            capture
            for capture in captures_of(archive, Config())
            if isinstance(capture, Capture) and part(capture.surt, options.share) == 0
        ]
        print(f"\n{archive}: {len(captures)} captures, 1 of {options.share} URLs\n")
        found = compare(captures)
        every = sum(found.words.values())
        rows = [
            [cause, size, *(found.others[cause][name] for name in CLASSIFIERS)]
            for cause, size in found.words.most_common()
        ]
        print(table(["cause", f"of {every} words", *CLASSIFIERS], rows), flush=True)


def compare(captures: Sequence[Capture]) -> Differences:
    """Words of the pages that both ways compare, and those of another label."""
    literal = literal_crosses(captures, LITERAL)
    sketched = sketch_all(captures, FAST)
    fast = compare_all(captures, sketched, FAST)
    found = Differences(Counter(), defaultdict(Counter))
    say("annotating ...")
    pairs = {
        record_id: (mine[0], theirs.crosses[0])
        for record_id, mine in literal.crosses.items()
        if (theirs := fast.annotations.get(record_id)) and theirs.crosses[0].up
    }
    annotated = {
        record_id: annotate(literal.bodies, mine) for record_id, (mine, _) in pairs.items()
    }
    for name in CLASSIFIERS:
        say(f"{name} ...")
        config = replace(FAST, method=name)
        judged = judge_all(captures, fast, config, as_annotated)
        for one in judged:
            if isinstance(one, Reject) or not (crosses := pairs.get(one.capture.record_id)):
                continue
            body = annotated[one.capture.record_id]
            for cause, is_other in _causes(one, body, crosses, name):
                found.words[cause] += name == CLASSIFIERS[0]
                found.others[cause][name] += is_other
    return found


def _causes(
    one: Annotated, body: str, crosses: tuple[Cross, Cross], name: str
) -> Iterator[tuple[str, bool]]:
    """The cause of every word of a page by which it may have another label, and whether it has."""
    labelled = classify(body, crosses[0].bits, name, LITERAL.seed)
    merged = merge([labelled], LITERAL.seed, "strongest")
    of_cross = _cause(*crosses)
    for mine, other in zip(literal_words(one, merged), fast_words(one), strict=True):
        cause = of_cross or ("same bits" if mine.bits == other.bits else "other bits")
        yield cause, mine.label != other.label


def literal_crosses(captures: Sequence[Capture], config: Config) -> Literal:
    """Bodies and crosses of the captures that the thesis can take."""
    read = (thesis.read_entry(capture, config) for capture in captures)
    pairs = [one for one in read if not isinstance(one, Reject)]
    bodies = {entry.record_id: body for entry, body in pairs}
    return Literal(bodies, crosses_by_entry([entry for entry, _ in pairs], config))


def literal_words(one: Annotated, body: str) -> Iterator[Word]:
    """The words of a page as a merged body has them."""
    words = [word for node in one.page.nodes for word in node.text.split()]
    for verdict in thesis.word_verdicts(words, body):
        yield Word(str(LABELS[verdict.label]), verdict.bits)


def fast_words(one: Annotated) -> Iterator[Word]:
    """The words of a page by its runs."""
    for run in one.runs:
        text = one.page.nodes[run.node].text[run.start : run.end]
        for _ in text.split():
            yield Word(str(run.verdict.label), int(run.verdict.bits, 2))


def _cause(literal: Cross, fast: Cross) -> str:
    """The first member in which two crosses differ; "" of equal ones."""
    for role in ROLES[1:]:
        mine, other = getattr(literal, role), getattr(fast, role)
        if mine != other and role == "up":
            apart = round(literal.similarity_up - fast.similarity_up, 6)
            return (
                f"up: {'a less' if apart > 0 else 'a more' if apart else 'an equally'} similar one"
            )
        if mine != other:
            kind = "one less" if other is None else "another"
            return f"{role}: {'one more' if mine is None else kind} in the fast way"
    return ""


if __name__ == "__main__":
    main()
