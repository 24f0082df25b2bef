"""What labels of our own say and teach: pages of shops, lists, services and start pages, labelled line by line.

    python -m scripts.experiments.own_labels agreement
    python -m scripts.experiments.own_labels lessons [--folds N]

The rule is in `labels/rule.md`, the labels are in `labels/wcxb.jsonl`: of each page its id, the number of its lines, a digest
of their texts, and ranges of the lines that are main text, of some pages by a second pass too. No text is in them.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import defaultdict
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.metrics import cohen_kappa_score

from dbce.boilerplate.classify import score_lines, votes
from dbce.evaluate.gold import by_kind, read_gold
from dbce.evaluate.results import table
from dbce.evaluate.scores import words
from dbce.model import Config, UsageError
from dbce.train.examples import MOST_WORDS, read_examples
from dbce.train.fit import fit, part
from dbce.train.run import calibrate_across_folds, fit_scales, main_text, text_f1
from scripts.experiments.sets import DATA, call, say

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from dbce.train.examples import Example

FILE = Path(__file__).parent / "labels" / "wcxb.jsonl"

DIGITS = 16
"""Hexadecimal digits of a digest of lines."""

Ranges = list[list[int]]


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """Lines of a page that are main text, as ranges with both ends, by the first pass and perhaps by a second."""

    record_id: str
    kind: str
    lines: int
    digest: str
    main: Ranges
    again: Ranges | None = None


def labelled_pages(path: Path = FILE) -> list[LabelledPage]:
    """Return the pages of a file of labels."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [LabelledPage(**row) for row in rows]


def is_main(ranges: Ranges, lines: int) -> NDArray[np.bool_]:
    """Return, for each line, whether it is in one of the ranges."""
    found = np.zeros(lines, np.bool_)
    for first, last in ranges:
        found[first : last + 1] = True
    return found


def digest_of(texts: Sequence[str]) -> str:
    """Return the digest of the lines of a page."""
    return sha256("\n".join(texts).encode()).hexdigest()[:DIGITS]


def agreement(pages: Sequence[LabelledPage]) -> Iterator[tuple[str, int, int, float]]:
    """Yield kind, pages, lines and Cohen's kappa of both passes over lines; at last those of all kinds."""
    by_kind = defaultdict(list)
    for page in pages:
        if page.again is not None:
            both = is_main(page.main, page.lines), is_main(page.again, page.lines)
            by_kind[page.kind].append(both)
            by_kind["all"].append(both)
    for kind in sorted(by_kind, key=lambda name: (name == "all", name)):
        first, second = map(np.concatenate, zip(*by_kind[kind], strict=True))
        yield kind, len(by_kind[kind]), len(first), float(cohen_kappa_score(first, second))


def with_labels(example: Example, page: LabelledPage) -> Example:
    """Return an example with our labels in place of its gold.

    Raises:
        UsageError: the page has other lines than when it was labelled.
    """
    texts = example.features.lines.texts
    if digest_of(texts) != page.digest:
        raise UsageError(f"{example.record_id} has other lines than when it was labelled")
    kept = is_main(page.main, page.lines)
    gold = "\n".join(text for text, one in zip(texts, kept, strict=True) if one)
    sizes = np.array([len(words(text)) for text in texts])
    weight = example.trust * np.sqrt(np.minimum(sizes, MOST_WORDS))
    return replace(example, gold=gold, share=kept.astype(np.float64), weight=weight)


def held_out_texts(examples: Sequence[Example], folds: int) -> dict[str, str]:
    """Return the main texts of pages, of each part of the domains by a first stage that learned from the others."""
    texts: dict[str, str] = {}
    for fold in range(folds):
        held = [e for e in examples if part(e.site, folds) == fold]
        model = fit([e for e in examples if part(e.site, folds) != fold], Config().seed)
        of_trees = [votes(model, score_lines(e.features, model.weights)) for e in held]
        found = calibrate_across_folds(fit_scales(model, held, of_trees), held, of_trees, 2)
        texts |= {e.record_id: main_text(e, of) for e, of in zip(held, found, strict=True)}
    return texts


def lessons(pages: Sequence[LabelledPage], folds: int) -> list[list[Any]]:
    """Return a row for each kind and for groups of pages: F1 by both golds, learned from public gold and with our labels in its place."""
    set_of = DATA / "wcxb" / "wcxb"
    archive, gold = f"{set_of}.warc.gz", f"{set_of}.gold.jsonl"
    public = read_examples(archive, gold, Config(), 1.0, say)
    of_page = {page.record_id: page for page in pages}
    ours = [with_labels(e, of_page[e.record_id]) if e.record_id in of_page else e for e in public]
    texts = [held_out_texts(examples, folds) for examples in (public, ours)]
    golds = [{e.record_id: e.gold for e in examples} for examples in (public, ours)]
    of_kind = {kind: set[str]() for kind in sorted({page.kind for page in pages})}
    for one in by_kind(read_gold(gold, "kind"))[0]:
        of_kind.get(one.group, set()).add(one.page)
    alike = set[str]().union(*of_kind.values())
    groups = of_kind | {"labelled": set(of_page), "others of these kinds": alike - of_page.keys()}
    groups["other kinds"] = golds[0].keys() - alike
    rows = []
    for name, ids in groups.items():
        chosen = ids & texts[0].keys()
        rows.append([name, len(chosen), _mean_f1(golds[0], golds[1], chosen)])
        rows[-1] += [_mean_f1(by, found, chosen) for by in golds for found in texts]
    return rows


def _mean_f1(gold: Mapping[str, str], texts: Mapping[str, str], chosen: Collection[str]) -> float:
    return float(np.mean([text_f1(gold[one], texts[one]) for one in chosen]))


def main(arguments: Sequence[str]) -> None:
    """Print the table that is asked for."""
    parser = ArgumentParser(
        description=__doc__.partition("\n")[0], formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("agreement", "lessons"))
    parser.add_argument(
        "--folds",
        type=int,
        default=3,
        help="parts of the domains, each held out once (default: 3)",
    )
    args = parser.parse_args(arguments)
    pages = labelled_pages()
    if args.what == "agreement":
        print(table(("kind", "pages", "lines", "kappa"), list(agreement(pages))))
        return
    golds = [f"by {by}, learned {of}" for by in ("public", "ours") for of in ("public", "ours")]
    print(table(("kind", "pages", "ours by public", *golds), lessons(pages, args.folds)))


if __name__ == "__main__":
    call(main)
