"""Is the kind of a page told right, and is its probability, on domains that were not learned from?

python -m scripts.experiments.page_kinds [--write]

Learns from the kinds that `wcxb` gives its pages, and from sets whose pages are all of one kind, in five parts by registered
domain, each judged by what the others taught; says of `wcxb` precision and recall of each kind, and how often a probability keeps what it
promises, and of the other sets the recall. `--write` learns from all and writes `dbce/quality/kinds.npz`.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

import dbce.quality
from dbce import html
from dbce.archive import site
from dbce.model import Capture, Config
from dbce.quality import KindModel, KindSigns, PageKind, kind_signs
from dbce.quality.kinds import FILE, LIKELY, SPREAD, rows_by_sign
from dbce.storage import json_objects
from scripts.experiments.sets import DATA, captures_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

SET = "wcxb"
KINDS = {
    "article": PageKind.ARTICLE,
    "documentation": PageKind.DOCUMENTATION,
    "forum": PageKind.FORUM,
    "product": PageKind.PRODUCT,
    "service": PageKind.SERVICE,
    "collection": PageKind.LIST,
    "listing": PageKind.HUB,
}
"""Our kinds by those of the set."""

OF_ONE_KIND = {
    "forums": PageKind.FORUM,
    **dict.fromkeys(
        ("chinese", "dragnet", "dragnet-sites", "fundus", "magic", "readers", "waddle"),
        PageKind.ARTICLE,
    ),
}
"""Sets whose pages are all of one kind."""

ARTICLE_WEIGHT = 0.3
"""Weight of a page of those that hold articles alone, beside the other kinds of `wcxb`: with 1 fewer of its pages are right."""

ORDER = sorted(set(KINDS.values()))

PARTS = 5
DOMAINS = 20
"""Domains of a name at least; what fewer have is theirs."""

STRENGTH = 0.1
"""Inverse of the regularisation; of .02 to .2 the best log loss."""

BINS = 10


class Pages(NamedTuple):
    """Pages with their kinds: record ids, signs, numbers of kinds, registered domains and sets, page by page."""

    ids: list[str]
    signs: list[KindSigns]
    kinds: NDArray[np.int64]
    domains: list[str]
    sets: NDArray[np.str_]


def known_pages() -> Pages:
    """Pages of the sets with their kinds: that of the set, or the one that people gave the page."""
    config = Config()
    ids, signs, kinds, domains, sets = [], [], [], [], []
    for name in (SET, *OF_ONE_KIND):
        kind_by_id = {
            str(row["record_id"]).strip("<>"): OF_ONE_KIND.get(name) or KINDS[str(row["kind"])]
            for _, row in json_objects(str(DATA / name / f"{name}.gold.jsonl"))
        }
        for capture in captures_of(str(DATA / name / f"{name}.warc.gz"), config):
            if isinstance(capture, Capture) and (kind := kind_by_id.get(capture.record_id)):
                document = html.load(capture.payload, capture.content_type, config.limits)
                ids.append(capture.record_id)
                signs.append(kind_signs(capture.url, document.page, document.declared_metadata))
                kinds.append(ORDER.index(kind))
                domains.append(site(capture.url, "domain"))
                sets.append(name)
    return Pages(ids, signs, np.array(kinds), domains, np.array(sets))


def fit(pages: Pages, chosen: Sequence[int]) -> KindModel:
    """The model of some of the pages."""
    counts = np.array([pages.signs[n].counts for n in chosen])
    means, deviations = counts.mean(0), counts.std(0) + 1e-6
    names = known_names(pages, chosen)
    place = {name: number for number, name in enumerate(names)}
    found = [
        (row, place[name])
        for row, n in enumerate(chosen)
        for name in sorted(place.keys() & names_of(pages.signs[n]))
    ]
    of_names = csr_matrix(
        (np.ones(len(found)), tuple(np.array(found).T)), shape=(len(chosen), len(names))
    )
    spread = np.clip((counts - means) / deviations, -SPREAD, SPREAD)
    fitted = LogisticRegression(C=STRENGTH, max_iter=500).fit(
        hstack([csr_matrix(spread), of_names]).tocsr(),
        pages.kinds[list(chosen)],
        sample_weight=np.where(
            [OF_ONE_KIND.get(name) == PageKind.ARTICLE for name in pages.sets[list(chosen)]],
            ARTICLE_WEIGHT,
            1,
        ),
    )
    weights = fitted.coef_.T
    return KindModel(
        kinds=tuple(ORDER[number] for number in fitted.classes_),
        means=means,
        deviations=deviations,
        weights=weights[: len(means)],
        intercepts=fitted.intercept_,
        of_names=weights[len(means) :],
        row=rows_by_sign(names),
    )


def names_of(signs: KindSigns) -> set[str]:
    return {sign + name for sign, names in signs.names.items() for name in names}


def known_names(pages: Pages, chosen: Sequence[int]) -> list[str]:
    """Names that pages of enough domains have."""
    domains: dict[str, set[str]] = defaultdict(set)
    for n in chosen:
        for name in names_of(pages.signs[n]):
            domains[name].add(pages.domains[n])
    return sorted(name for name, of_name in domains.items() if len(of_name) >= DOMAINS)


def judged_by_others(pages: Pages) -> NDArray[np.float64]:
    """Probability of each kind of ORDER for each page, by a model that never saw its domain."""
    part = np.array([crc32(f"kind {domain}".encode()) % PARTS for domain in pages.domains])
    chances = np.zeros((len(part), len(ORDER)))
    for number in range(PARTS):
        model = fit(pages, np.flatnonzero(part != number).tolist())
        columns = [ORDER.index(kind) for kind in model.kinds]
        for n in np.flatnonzero(part == number).tolist():
            chances[n, columns] = model.probabilities(pages.signs[n])
    return chances


def forum_pages() -> set[str]:
    """Record ids of the pages that are judged as those of forums, told by models that never saw their domains."""
    pages = known_pages()
    chances = judged_by_others(pages)[:, ORDER.index(PageKind.FORUM)]
    return {pages.ids[n] for n in np.flatnonzero(chances >= LIKELY).tolist()}


def say_scores(pages: Pages, chances: NDArray[np.float64]) -> None:
    """Precision and recall of each kind, how often probabilities keep what they promise, and the recall of sets of one kind."""
    right = chances.argmax(1) == pages.kinds
    print(f"{len(right)} pages, {len(set(pages.domains))} domains: {right.mean():.3f} right\n")
    print("| set | pages | right |\n|---|--:|--:|")
    for name in (SET, *OF_ONE_KIND):
        inside = pages.sets == name
        print(f"| {name} | {inside.sum()} | {right[inside].mean():.3f} |")
    of_set = pages.sets == SET
    likeliest, chance, kinds = (
        chances.argmax(1)[of_set],
        chances.max(1)[of_set],
        pages.kinds[of_set],
    )
    right = right[of_set]
    print(f"\nOf {SET}:\n")
    print("| kind | pages | precision | recall |\n|---|--:|--:|--:|")
    for number, kind in enumerate(ORDER):
        guess, true = likeliest == number, kinds == number
        both = (guess & true).sum()
        print(f"| `{kind}` | {true.sum()} | {both / guess.sum():.3f} | {both / true.sum():.3f} |")
    print("\n| probability | pages | mean | right |\n|---|--:|--:|--:|")
    bins = np.minimum((chance * BINS).astype(int), BINS - 1)
    error = 0.0
    for number in sorted(set(bins.tolist())):
        inside = bins == number
        mean, share = chance[inside].mean(), right[inside].mean()
        error += abs(mean - share) * inside.mean()
        bounds = f"{number / BINS:.1f} to {(number + 1) / BINS:.1f}"
        print(f"| {bounds} | {inside.sum()} | {mean:.3f} | {share:.3f} |")
    print(f"\nexpected calibration error {error:.3f}")


def write(model: KindModel, path: Path) -> None:
    """Write a model as `dbce.quality.kinds` reads it."""
    np.savez_compressed(
        path,
        kinds=np.array(model.kinds),
        means=model.means,
        deviations=model.deviations,
        weights=model.weights,
        intercepts=model.intercepts,
        names=np.array([sign + name for sign, names in model.row.items() for name in names]),
        of_names=model.of_names.astype(np.float16),
    )


def main() -> None:
    """Measure, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write dbce/quality/{FILE}")
    options = parser.parse_args()
    pages = known_pages()
    say_scores(pages, judged_by_others(pages))
    if options.write:
        whole = fit(pages, range(len(pages.signs)))
        write(whole, Path(dbce.quality.__path__[0]) / FILE)


if __name__ == "__main__":
    main()
