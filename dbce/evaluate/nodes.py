"""Node scores: the verdict on every text run against the truth (thesis, section 4.3, appendix D).

Counted are the text runs of the verdicts, the thesis' `<dbce>` elements. Positive is content.

The thesis does not count invalid elements: the counts of its T001 sum to 5,862 of 6,855. Here they
count. A run that is content or boilerplate and is called neither is missed by both: it lowers the
accuracy and the recall of its class, and no precision, since nothing was claimed. The summary also
has a row `decided`, which leaves invalid runs out as the thesis does.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import pandas as pd

from dbce.evaluate.gold import LabelledRun
from dbce.model import Label

CELLS = {
    "tp": (Label.CONTENT, Label.CONTENT),
    "fn": (Label.CONTENT, Label.BOILERPLATE),
    "fp": (Label.BOILERPLATE, Label.CONTENT),
    "tn": (Label.BOILERPLATE, Label.BOILERPLATE),
    "invalid_con": (Label.CONTENT, Label.INVALID),
    "invalid_bp": (Label.BOILERPLATE, Label.INVALID),
}
"""Column: (label in gold, label of the verdict)."""

UNSCORED = ("unlabelled", "unseen")
COUNTS = (*CELLS, *UNSCORED)


def compare(verdicts: Iterable[LabelledRun], gold: Iterable[LabelledRun]) -> pd.DataFrame:
    """Return a row per capture that has both: its counts and measures, with `record_id` as index.

    Counts: tp, fn, fp, tn, invalid_con and invalid_bp (invalid runs that are content or boilerplate
    in gold), unlabelled (runs of the verdict without gold, in no measure), unseen (runs of the gold
    in text nodes without verdict). Measures: acc, p_bp, p_con, r_bp, r_con, f1_bp, f1_con; NaN where nothing is
    there to be measured. The runs of each text node are in order, and those of the verdicts tile it.
    """
    truth = by_node(gold)
    counts: dict[str, Counter[str]] = {}
    column = {cell: name for name, cell in CELLS.items()}
    for run, label in match_gold(verdicts, truth):
        capture = counts.setdefault(run.record_id, Counter())
        capture["unlabelled" if label is None else column[label, run.label]] += 1
    for record_id, capture in counts.items():
        capture["unseen"] = sum(map(len, truth[record_id].values()))
    index = pd.Index(list(counts), name="record_id", dtype=object)
    return with_measures(
        pd.DataFrame([[c[n] for n in COUNTS] for c in counts.values()], index, COUNTS)
    )


Truth = dict[str, dict[str, list["LabelledRun"]]]
"""Gold by record id and the XPath of the text node."""


def by_node(gold: Iterable[LabelledRun]) -> Truth:
    truth: Truth = {}
    for run in gold:
        truth.setdefault(run.record_id, {}).setdefault(run.xpath, []).append(run)
    return truth


def match_gold(
    verdicts: Iterable[LabelledRun], truth: Truth
) -> Iterator[tuple[LabelledRun, Label | None]]:
    """Yield every verdict on a capture that has gold, with its gold label, and take the text nodes with verdicts out of `truth`."""
    for (record_id, xpath), node in groupby(verdicts, key=lambda run: (run.record_id, run.xpath)):
        if record_id in truth:
            runs = list(node)
            of_node = truth[record_id].pop(xpath, [])
            yield from zip(runs, gold_labels(runs, of_node), strict=True)


def gold_labels(
    verdicts: Sequence[LabelledRun], gold: Sequence[LabelledRun]
) -> Iterator[Label | None]:
    """Yield for each verdict on a text node the gold label of most of its characters, None without gold.

    White space is no character here. Where content and boilerplate cover the same, it is content.
    """
    spans = list(_spans(verdicts, gold))
    end = 0
    for run in verdicts:
        start, end = end, end + len(characters(run.text))
        covered: Counter[Label] = Counter()
        for first, last, label in spans:
            covered[label] += max(0, min(end, last) - max(start, first))
        content, boilerplate = covered[Label.CONTENT], covered[Label.BOILERPLATE]
        if not content + boilerplate:
            yield None
        else:
            yield Label.CONTENT if content >= boilerplate else Label.BOILERPLATE


def _spans(
    verdicts: Sequence[LabelledRun], gold: Sequence[LabelledRun]
) -> Iterator[tuple[int, int, Label]]:
    """Yield (start, end, label) of gold runs, in characters of the node without white space.

    The places of white space are not stored. So a gold run is found by its text: behind the
    gold run before it, and behind all verdicts that end before it starts.
    """
    pieces = [characters(run.text) for run in verdicts]
    node = "".join(pieces)
    end = 0
    for run in gold:
        before = sum(len(p) for p, v in zip(pieces, verdicts, strict=True) if v.end <= run.start)
        text = characters(run.text)
        start = node.find(text, max(end, before))
        if start >= 0:
            end = start + len(text)
            yield start, end, run.label


def characters(text: str) -> str:
    """Return a text without white space, which does not count as characters of labels."""
    return "".join(text.split())


def with_measures(counts: pd.DataFrame) -> pd.DataFrame:
    tp, fn, fp, tn, invalid_con, invalid_bp = (counts[name].astype(float) for name in CELLS)
    content, boilerplate = tp + fn + invalid_con, tn + fp + invalid_bp
    return counts.assign(
        acc=(tp + tn) / (content + boilerplate),
        p_bp=tn / (tn + fn),
        p_con=tp / (tp + fp),
        r_bp=tn / boilerplate,
        r_con=tp / content,
        f1_bp=2 * tn / (tn + fn + boilerplate),
        f1_con=2 * tp / (tp + fp + content),
    )


def summarise(table: pd.DataFrame) -> pd.DataFrame:
    """Return the measures of all captures together: of every text run (`all`), and without invalid ones (`decided`)."""
    totals = table[list(COUNTS)].sum()
    decided = totals.copy()
    decided[["invalid_con", "invalid_bp"]] = 0
    return with_measures(pd.DataFrame({"all": totals, "decided": decided}).T)


def by_group(table: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each value of the column `group`: the measures of its captures together."""
    return with_measures(table.groupby("group")[list(COUNTS)].sum())
