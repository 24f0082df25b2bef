"""What histories and other tools report as changed between two snapshots, and what of that is content.

    python -m scripts.experiments.diff_tools --run RUN --gold GOLD [--urls N] [--web-monitoring PYTHON]

Of N URLs, site by site in turn, the first two snapshots are taken whose gold texts have other words. Words of the newer gold
text that the older one lacks were truly added, others truly removed. A change that a tool reports is words one after another;
it is beside the content if none of its words was. PYTHON is one that has web-monitoring-diff, which shows changes in the
Wayback Machine.
"""

from __future__ import annotations

import json
import re
import subprocess
from argparse import ArgumentParser
from collections import Counter, defaultdict
from difflib import SequenceMatcher
from itertools import chain, islice, pairwise, zip_longest
from typing import TYPE_CHECKING, NamedTuple

import lxml.html
import pandas as pd
from lxml import etree
from lxml.html.diff import htmldiff

from dbce.archive import surt
from dbce.history import PassageKind, captures_of, text_between
from dbce.html import strip
from dbce.output import annotated_page, open_run
from scripts.experiments.change_pairs import gold_objects
from scripts.experiments.sets import call

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dbce.storage import Folder

WEB_MONITORING = """
import json, sys
from web_monitoring_diff import html_diff_render
for line in sys.stdin:
    try: print(json.dumps(html_diff_render(*json.loads(line), include="combined")["combined"]), flush=True)
    except Exception as e: print(json.dumps(""), flush=True)
"""
"""Program that answers pairs of pages, as JSON lines, with the newer one in which changes are marked."""

IGNORED = frozenset({PassageKind.KEPT, PassageKind.MOVED, PassageKind.STAMP})


class Change(NamedTuple):
    """Words one after another that were added, or removed."""

    added: Sequence[str]
    removed: Sequence[str]


class Pair(NamedTuple):
    """Two snapshots of a URL: their record ids, gold texts and pages."""

    url: str
    ids: tuple[str, str]
    gold: tuple[Counter[str], Counter[str]]
    pages: tuple[str, str]


def words(text: str) -> list[str]:
    """The words of a text."""
    return re.findall(r"\w+", text.lower())


def pairs(folder: Folder, gold: str, most: int) -> Iterator[Pair]:
    """The first two snapshots of URLs whose words differ by the gold, a URL of each site in turn."""
    of_url = defaultdict(list)
    for one in sorted(gold_objects(gold), key=lambda one: (one["url"], one["timestamp"])):
        of_url[one["url"]].append((one["record_id"], Counter(words(one["gold_text"])), one["site"]))
    of_site = defaultdict(list)
    for url, ones in of_url.items():
        changed = next(((a, b) for a, b in pairwise(ones) if a[1] != b[1]), None)
        if changed:
            of_site[changed[0][2]].append((url, changed))
    in_turn = filter(None, chain.from_iterable(zip_longest(*of_site.values())))
    for url, (old, new) in islice(in_turn, most):
        rows = {row["record_id"]: row for row in captures_of(folder, surt(url))}
        pages = (strip(annotated_page(folder, rows[one[0]])).decode() for one in (old, new))
        yield Pair(url, (old[0], new[0]), (old[1], new[1]), (next(pages), next(pages)))


def by_history(folder: Folder, pair: Pair) -> Iterator[Change]:
    """What `dbce history` tells of a pair."""
    step = text_between(folder, pair.url, *pair.ids)
    for passage in step.passages if step else ():
        if passage.wording:
            for part in passage.wording:
                if not part.stayed:
                    yield Change(words(part.after), words(part.before))
        elif passage.kind not in IGNORED:
            yield Change(words(passage.after), words(passage.before))


def by_difflib(pair: Pair) -> Iterator[Change]:
    """What `difflib` tells of the words of two pages."""
    old, new = (words(_visible_text(page)) for page in pair.pages)
    for tag, start, end, new_start, new_end in SequenceMatcher(None, old, new).get_opcodes():
        if tag != "equal":
            yield Change(new[new_start:new_end], old[start:end])


def _visible_text(page: str) -> str:
    root = lxml.html.document_fromstring(page)
    etree.strip_elements(root, "script", "style", "head", with_tail=False)
    return " ".join(map(str, root.itertext()))


def marked(page: str) -> Iterator[Change]:
    """The changes of a page in which `ins` and `del` mark them."""
    if page.strip():
        for element in lxml.html.document_fromstring(page).iter("ins", "del"):
            of_it = words("".join(map(str, element.itertext())))
            if of_it:
                yield Change(of_it, ()) if element.tag == "ins" else Change((), of_it)


def score(pair: Pair, changes: Iterable[Change]) -> Counter[str]:
    """Numbers of changes and words, of those beside the content, and of words that were truly changed and found."""
    old, new = pair.gold
    texts = {"added": new, "removed": old}
    true = {"added": new - old, "removed": old - new}
    left = {side: Counter(of_side) for side, of_side in true.items()}
    counts = Counter(true=sum(of_side.total() for of_side in true.values()), pairs=1)
    for change in changes:
        sides = {"added": change.added, "removed": change.removed}
        size = sum(map(len, sides.values()))
        if not size:
            continue
        hits = others = 0
        for side, of_side in sides.items():
            others += (Counter(of_side) - texts[side]).total()
            hit = Counter(of_side) & left[side]
            left[side] -= hit
            hits += hit.total()
        is_real = any(word in true[side] for side, of_side in sides.items() for word in of_side)
        counts.update(changes=1, unreal=not is_real, words=size, others=others, hits=hits)
    return counts


def web_monitoring(python: str, of_all: Sequence[Pair]) -> list[str]:
    """The pages that web-monitoring-diff marks."""
    requests = "".join(json.dumps(pair.pages) + "\n" for pair in of_all)
    done = subprocess.run(
        [python, "-c", WEB_MONITORING], input=requests, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def main(arguments: Sequence[str]) -> None:
    """Print a row for each tool."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--run", required=True)
    parser.add_argument("--gold", required=True)
    parser.add_argument("--urls", type=int, default=45)
    parser.add_argument("--web-monitoring", metavar="PYTHON")
    options = parser.parse_args(arguments)
    folder, _ = open_run(options.run)
    chosen = list(pairs(folder, options.gold, options.urls))
    reported = {
        "dbce history": [by_history(folder, pair) for pair in chosen],
        "difflib": [by_difflib(pair) for pair in chosen],
        "lxml.html.diff": [marked(htmldiff(*pair.pages)) for pair in chosen],
    }
    if options.web_monitoring:
        reported["web-monitoring-diff"] = list(
            map(marked, web_monitoring(options.web_monitoring, chosen))
        )
    rows = []
    for tool, of_all in reported.items():
        total: Counter[str] = Counter()
        for pair, changes in zip(chosen, of_all, strict=True):
            total.update(score(pair, changes))
        rows.append(
            {
                "tool": tool,
                "pairs": total["pairs"],
                "changes": total["changes"],
                "beside the content": total["unreal"] / max(1, total["changes"]),
                "words": total["words"],
                "in no main text": total["others"] / max(1, total["words"]),
                "words missed": 1 - total["hits"] / max(1, total["true"]),
            }
        )
    print(pd.DataFrame(rows).to_string(index=False, float_format="{:.3f}".format))


if __name__ == "__main__":
    call(main)
