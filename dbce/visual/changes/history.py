"""Changes between the snapshots of a URL, one after another: a row of the table of changes for each but the first.

The probability that the content changed is that of logistic regressions, whose coefficients come with dbce.
`scripts/experiments/change_scores.py` learns them and writes the file; scikit-learn is not needed to apply them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, tanh
from typing import TYPE_CHECKING, NamedTuple

from dbce.history import REDESIGNED, jaccard
from dbce.model import Reason, fault_detail, stored_text
from dbce.output import JUDGED, Row
from dbce.quality import DamageKind
from dbce.visual.changes.compare import (
    ChangeKind,
    DiffCounts,
    SnapshotDiff,
    compare,
    is_back,
    is_collapsed,
    is_cut,
    kind,
)
from dbce.visual.changes.snapshot import IDENTITY, UNIT_KINDS, Look, Snapshot, snapshot_of

if TYPE_CHECKING:
    from dbce.visual.changes.look import VisibleChanges  # which loads what reads pictures

STRUCTURE_FEATURE = "structure"  # the feature of mode hybrid that comes from mode structure
MOST = 6.0  # its largest log-odds: beyond that more words add no confidence

PARTS = ("added", "removed", "changed", "kept")

FOUND = {"resources": "requests", "style_sheets_found": "style_sheets", "images_found": "images"}
"""Columns of CHANGES with shares of resources found, and the columns of their counts."""


class Visit(NamedTuple):
    """A capture of the URL: its row of SNAPSHOTS and its snapshot, None if it has none."""

    row: Row
    snapshot: Snapshot | None

    @property
    def is_page(self) -> bool:
        """True if other captures can be compared with this one; those of equal digests may have no snapshot."""
        if self.snapshot is None:
            is_judged = self.row["status"] in JUDGED or self.row["reason"] == Reason.UNCHANGED
            return is_judged and not self.row["gone"]
        return not self.snapshot.gone

    def mark_if_collapsed(self, previous: Visit | None, later: Snapshot | None) -> Visit:
        """Return the capture, marked as gone if its text collapsed since the previous page."""
        old, new = previous and previous.snapshot, self.snapshot
        if old is None or new is None or new.gone or not is_collapsed(old, new, later):
            return self
        return self._replace(snapshot=new._replace(gone=DamageKind.COLLAPSED.value))


def history(rows: Sequence[Row], folder: str, mode: str) -> Iterator[Row]:
    """Yield the changes of a URL, by the rows of its captures: rows of CHANGES.

    A capture is compared with the last earlier one with a text. A capture without a text, or on which dbce
    fails, has a row with the reason. `folder` is that of the run, for pictures.
    """
    visits = _visits(sorted(rows, key=lambda row: (row["fetch_time"], row["record_id"])))
    previous: Visit | None = None
    for place, visit in enumerate(visits):
        # Only pages can show whether a text is back.
        snapshots = (after.snapshot for after in visits[place + 1 :])
        later = next((s for s in snapshots if s is not None and not s.gone), None)
        current = visit.mark_if_collapsed(previous, later)
        if place and visit.row["is_new"]:
            yield _row(previous, current, later, folder, mode)
        if current.is_page:
            previous = current


def _visits(rows: Sequence[Row]) -> list[Visit]:
    """Return the captures, each with its snapshot; revisits and duplicates have that of their original."""
    snapshots = {row["record_id"]: snapshot_of(row) for row in rows if row["blocks"] is not None}
    digests = {snapshot.digest: snapshot for snapshot in snapshots.values() if snapshot.digest}
    visits = []
    for row in rows:
        snapshot = snapshots.get(row["record_id"]) or snapshots.get(row["original"])
        if snapshot is None and (row["status"] in JUDGED or row["reason"] == Reason.UNCHANGED):
            snapshot = digests.get(row["content_digest"])
        visits.append(Visit(row, snapshot))
    return visits


def _row(older: Visit | None, visit: Visit, later: Snapshot | None, folder: str, mode: str) -> Row:
    """Return the row of a capture, compared with the `older` one."""
    row = {name: visit.row[name] for name, _ in IDENTITY}
    if older:
        row |= {"before": older.row["record_id"], "before_time": older.row["fetch_time"]}
    digest = visit.row["content_digest"]
    if older and visit.is_page and digest and digest == older.row["content_digest"]:
        equal = {"mode": "structure", "class": ChangeKind.EQUAL, "score": 1.0, "probability": 0.0}
        return row | equal | {"important": False, "kinds": []}
    if visit.snapshot is None:
        is_error = visit.row["reason"] == Reason.HTTP_STATUS
        gone_as = Reason.HTTP_STATUS if is_error else visit.row["gone"]
        verdict = {"class": ChangeKind.GONE, "score": -1.0} if gone_as else {}
        return row | verdict | {"reason": gone_as or visit.row["reason"] or visit.row["status"]}
    if older is None or older.snapshot is None:
        gone = {"class": ChangeKind.GONE} if visit.snapshot.gone else {}
        return row | gone | {"reason": visit.snapshot.gone or "nothing before it has a text"}
    try:
        return row | change_columns(older.snapshot, visit.snapshot, later, folder, mode)
    except Exception as e:  # noqa: BLE001 - of whatever kind, it is of this pair alone
        return row | {"reason": fault_detail(e, visit.row["record_id"])}


def change_columns(
    old: Snapshot, new: Snapshot, later: Snapshot | None, folder: str, requested: str
) -> Row:
    """Return the changes between two snapshots as columns of CHANGES, without pictures unless both are rendered."""
    diff = compare(old, new)
    mode, features, row = STRUCTURE, diff.features(), _count_columns(diff)
    visible = None
    if requested != STRUCTURE and old.look is not None and new.look is not None:
        from dbce.visual.changes.look import visible_changes

        visible = visible_changes(folder, old.look, new.look)
        mode, row = requested, row | _look_columns(visible)
        if mode in PAGELYZER:
            features, counts = _as_pagelyzer(folder, old.look, new.look)
            row |= counts
        else:
            log_odds = chances(STRUCTURE).log_odds(features)
            features = visible.features() | {STRUCTURE_FEATURE: max(-MOST, min(MOST, log_odds))}
    numbers = chances(mode)
    is_equal = diff.is_equal and (visible is None or visible.pictures.pixels == 0)
    score = 1.0 if is_equal else -1.0 if new.gone else numbers.score(features)
    kept = is_kept(diff, old, new, later)
    return row | {
        "mode": mode,
        "class": ChangeKind.EQUAL if is_equal else kind(new, diff, score, kept),
        "reason": new.gone or None,
        "back": is_back(old, later) if new.gone else None,
        "kinds": [] if new.gone or is_equal else diff.kinds(),
        "score": score,
        "probability": 0.0 if is_equal else numbers.probability(features),
        "important": diff.is_important and not new.gone,
        "redesign_kept": kept,
        "damage": _damage(old, new, visible),
    }


def _as_pagelyzer(folder: str, old: Look, new: Look) -> tuple[dict[str, float], Row]:
    """Return the features of Pagelyzer, and the counts of its Delta as columns of CHANGES."""
    from dbce.visual.changes.look import screenshots
    from dbce.visual.changes.pagelyzer import delta, features, read_contents

    sides = read_contents(old.contents), read_contents(new.contents)
    changed = delta(*sides)
    counts = {f"boxes_{key}": len(getattr(changed, key)) for key in PARTS}
    return features(*sides, screenshots(folder, old, new)), counts


def _damage(old: Snapshot, new: Snapshot, visible: VisibleChanges | None) -> DamageKind | None:
    """Return damage by the crawl rather than a change of the page, None without any."""
    if is_cut(old, new):
        return DamageKind.CUT_SHORT
    if visible is None:
        return None
    from dbce.visual.changes.look import damage_of_look

    return damage_of_look(visible.old, visible.new)


def _look_columns(visible: VisibleChanges) -> Row:
    sizes = {"height_before": visible.old.height, "height": visible.new.height}
    shares: Row = {}
    for column, counted in FOUND.items():
        shares[f"{column}_before"] = visible.old.share_found(counted)
        shares[column] = visible.new.share_found(counted)
    boxes = {f"boxes_{key}": len(getattr(visible.blocks, key)) for key in PARTS}
    return sizes | shares | boxes | visible.pictures._asdict() | {"weight": visible.blocks.weight}


def _count_columns(diff: SnapshotDiff) -> Row:
    words, units = diff.words, diff.units
    row = {"weight": units.weight, "template_similarity": diff.template}
    for name in ("content", "boilerplate"):
        row |= {f"{name}_{key}": n for key, n in getattr(words, name)._asdict().items()}
    row |= {"content_new": words.new, "content_lost": words.lost}
    row |= {f"{what}_touched": count for what, count in diff.touched._asdict().items()}
    for name, parts in (("links", diff.links), ("images", diff.images)):
        sums = DiffCounts(*(a + b for a, b in zip(parts.content, parts.boilerplate, strict=True)))
        row |= {f"{name}_{key}": count for key, count in sums._asdict().items()}
        row[f"{name}_in_content"] = parts.new + parts.lost
    return row | {f"units_{kind}": units.counts[kind] for kind in UNIT_KINDS}


def is_kept(
    diff: SnapshotDiff, old: Snapshot, new: Snapshot, later: Snapshot | None
) -> bool | None:
    """Return whether the next snapshot has the new template rather than the old one.

    None where the template is the same, or there is no next one: a redesign that is not kept is a mishap.
    """
    if diff.template >= REDESIGNED or later is None:
        return None
    to_new, to_old = (jaccard(later.blocks.places, side.blocks.places) for side in (new, old))
    return to_new >= to_old


FILE = "chances.json"
STRUCTURE = "structure"

PAGELYZER = tuple(f"pagelyzer-{name}" for name in ("image", "structure", "content", "hybrid"))
"""Comparison types of Pagelyzer (Sanoja 2015, 5.1): `structure` is that of its prototype, the others of its last release."""

MODES = (STRUCTURE, "image", "hybrid", *PAGELYZER)
"""Sources of a comparison: verdicts and tables, the pictures of the rendered pages, or both; and Pagelyzer's."""


@dataclass(frozen=True, slots=True)
class ChangeModel:
    """A logistic regression on standardised features, or (`is_margin`) a linear SVM on plain ones.

    `rule` names a feature that overrides all others: where it is not 0, the content changed.
    `slope` and `shift` calibrate the log-odds, which take both classes for equally frequent, to a
    probability (Platt, 1999) for pairs as in snapshots of years, more than half of which have equal
    content.
    """

    names: tuple[str, ...]
    means: tuple[float, ...]
    scales: tuple[float, ...]
    coefficients: tuple[float, ...]
    intercept: float
    slope: float
    shift: float
    is_margin: bool = False
    rule: str = ""

    def log_odds(self, features: Mapping[str, float]) -> float:
        """Return the log-odds, or the margin, that the content changed, both being equally frequent; 0 is undecided."""
        if self.rule and features[self.rule]:
            return 1.0
        terms = zip(self.names, self.means, self.scales, self.coefficients, strict=True)
        return self.intercept + sum(
            weight * (features[name] - mean) / scale for name, mean, scale, weight in terms
        )

    def score(self, features: Mapping[str, float]) -> float:
        """Return a score from -1, other content, to 1, the same."""
        odds = self.log_odds(features)
        return max(-1.0, min(1.0, -odds)) if self.is_margin else -tanh(odds / 2)

    def probability(self, features: Mapping[str, float]) -> float:
        return 1 / (1 + exp(-(self.slope * self.log_odds(features) + self.shift)))


@cache
def chances(mode: str) -> ChangeModel:
    stored = json.loads(stored_text("dbce.visual.changes", FILE))
    values = {k: tuple(v) if isinstance(v, list) else v for k, v in stored[mode].items()}
    return ChangeModel(**values)  # type: ignore[arg-type]  # JSON has no types
