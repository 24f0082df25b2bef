"""Pairs of snapshots of which gold says whether their content is the same."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pandas as pd

from dbce.model import UsageError
from dbce.output import JUDGED, open_run
from dbce.storage import read_json_objects
from dbce.visual.changes.compare import compare
from dbce.visual.changes.look import read_looks, screenshots, visible_changes
from dbce.visual.changes.pagelyzer import features, read_contents
from dbce.visual.changes.read import frame, names_of, plain_rows, read_snapshots
from dbce.visual.render import MANIFEST, RENDERED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.output import Row
    from dbce.storage import Folder
    from dbce.visual.changes.snapshot import Snapshot

NEEDED = ("record_id", "url", "timestamp", "gold_text")
"""What an object of the gold must have; `site` and `era` may be there."""

_WORD = re.compile(r"\w+")


def pairs(run: str, gold: str, *, pictures: bool, pagelyzer: bool = False) -> pd.DataFrame:
    """The pairs of a run: each snapshot with gold and the one before it, of the same URL.

    Columns: `site`, `url`, `old`, `new` (record ids), `content` (whether the gold texts differ, by their
    words in order), `share` (of their words that changed), `redesign` (whether the template's era is
    another, by the gold), `equal`, and the features by name, those of pictures null where one of both
    was not rendered, or they are not asked for; with `pagelyzer` those of Pagelyzer stand in their place, null of
    equal pairs. The gold is no feature.

    Raises:
        UsageError: there is no finished run, the gold is none, or is that of other pages.
    """
    folder, _ = open_run(run)
    of_url: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for one in gold_objects(gold):
        of_url[one["url"]].append(one)
    wanted = [pair for ones in of_url.values() for pair in _consecutive(ones)]
    ids = {one["record_id"] for pair in wanted for one in pair}
    snapshots = _snapshots(folder, ids, pictures=pictures)
    rows = [
        _labelled(*pair)
        | _measured(folder, *(snapshots[one["record_id"]] for one in pair), pagelyzer=pagelyzer)
        for pair in wanted
        if all(one["record_id"] in snapshots for one in pair)
    ]
    if not rows:
        raise UsageError(
            f"{gold} has no two snapshots of a URL that {run} has: it is of other pages"
        )
    return pd.DataFrame(rows)


def gold_objects(path: str) -> Iterator[dict[str, Any]]:
    """The objects of a file of text gold that name a capture, its URL and time.

    Raises:
        UsageError: it cannot be read, or is something else.
    """

    def checked(fields: dict[str, Any]) -> dict[str, Any]:
        if any(name not in fields for name in NEEDED):
            raise ValueError(f"no text gold: it needs {', '.join(NEEDED)}")
        return fields | {"record_id": fields["record_id"].strip("<>")}

    return read_json_objects(path, checked)


def _consecutive(ones: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    return pairwise(sorted(ones, key=lambda one: (one["timestamp"], one["record_id"])))


def _labelled(old: dict[str, Any], new: dict[str, Any]) -> Row:
    words = [_WORD.findall(one["gold_text"].lower()) for one in (old, new)]
    counts = [Counter(of_one) for of_one in words]
    differing = ((counts[0] - counts[1]) + (counts[1] - counts[0])).total()
    return {
        "site": old.get("site", ""),
        "url": old["url"],
        "old": old["record_id"],
        "new": new["record_id"],
        "content": words[0] != words[1],
        "share": differing / max(1, sum(map(len, words))),
        "redesign": old.get("era") != new.get("era"),
    }


def _measured(folder: Folder, old: Snapshot, new: Snapshot, *, pagelyzer: bool) -> Row:
    found = compare(old, new)
    row = {"equal": found.is_equal, "template": found.template} | found.features()
    if old.look is None or new.look is None:
        return row | {"rendered": False}
    row["rendered"] = True
    if not pagelyzer:
        return row | visible_changes(folder.uri, old.look, new.look).features()
    if found.is_equal:
        return row
    contents = read_contents(old.look.contents), read_contents(new.look.contents)
    return row | features(*contents, screenshots(folder.uri, old.look, new.look))


def _snapshots(folder: Folder, ids: set[str], *, pictures: bool) -> dict[str, Snapshot]:
    found = {}
    rendered = pictures and folder.exists(f"{RENDERED}/{MANIFEST}")
    for base in names_of(folder):
        pages = plain_rows(frame(folder, base))
        rows = {r["record_id"]: r for r in pages if r["record_id"] in ids and r["status"] in JUDGED}
        looks = {}
        if rendered:
            looks = dict(read_looks(folder.uri, base, rows, for_pagelyzer=True))
        for one in read_snapshots(folder, base, rows):
            found[one.record_id] = one._replace(look=looks.get(one.record_id))
    return found
