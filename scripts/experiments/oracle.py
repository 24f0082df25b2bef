"""The fast way beside the thesis to the letter, word by word: where labels differ, and why.

    dbce run ARCHIVE --out LITERAL --method thesis --classifier T001 --merge strongest
    dbce run ARCHIVE --out FAST --method T001 --signature layers --diff-engine lxml
    python -m scripts.experiments.oracle LITERAL FAST

The causes are tried in this order: another cross, the same cross and other bits, the same bits.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from dbce.evaluate.results import table
from dbce.model import ROLES
from dbce.output import open_run, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dbce.output import Row
    from dbce.storage import Folder

MEMBERS = ROLES[1:]
COLUMNS = ("record_id", "node", "text", "bits", "label")


class Word(NamedTuple):
    """What a run says of a word."""

    bits: str
    label: str


Words = dict[tuple[str, int], list[Word]]
"""Words by record id and text node."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("literal", metavar="LITERAL", help="the run of the method thesis")
    parser.add_argument("fast", metavar="FAST", help="a run of T001 to T006")
    options = parser.parse_args(arguments)
    literal, fast = (open_run(uri)[0] for uri in (options.literal, options.fast))
    rows = [[cause, *counts] for cause, counts in compare(literal, fast).items()]
    print(table(["cause", "words", "of another label", "share"], rows))


def compare(literal: Folder, fast: Folder) -> dict[str, list[object]]:
    """Words, words of another label and their share of all words, by cause."""
    crosses = [dict(_crosses(folder)) for folder in (literal, fast)]
    words = [_words(folder) for folder in (literal, fast)]
    total: Counter[str] = Counter()
    other: Counter[str] = Counter()
    for place, own in words[0].items():
        theirs = words[1].get(place, [])
        cause = _cause(*(cross.get(place[0]) for cross in crosses))
        for one, two in zip(own, theirs, strict=False):
            of_word = cause or ("same cross, other bits" if one.bits != two.bits else "same bits")
            total[of_word] += 1
            other[of_word] += one.label != two.label
    every = sum(total.values())
    return {cause: [total[cause], other[cause], other[cause] / every] for cause in sorted(total)}


def _cause(literal: Row | None, fast: Row | None) -> str:
    """The first member in which two crosses differ; "" of equal ones."""
    if literal is None or fast is None:
        return ""
    for role in MEMBERS:
        if literal[role] != fast[role]:
            kind = "none" if fast[role] is None else "another"
            kind = "one more" if literal[role] is None else kind
            return f"{role}: {kind} in the fast way"
    return ""


def _crosses(folder: Folder) -> Iterator[tuple[str, Row]]:
    for name in folder.names("pages/*.parquet"):
        for row in rows_of(folder, name, ["record_id", "status", *MEMBERS]):
            if row["status"] in ("annotated", "single"):
                yield row["record_id"], row


def _words(folder: Folder) -> Words:
    found: Words = defaultdict(list)
    for name in folder.names("nodes/*.parquet"):
        for row in rows_of(folder, name, list(COLUMNS)):
            word = Word(row["bits"], row["label"])
            found[row["record_id"], row["node"]] += [word] * len(row["text"].split())
    return found


if __name__ == "__main__":
    main()
