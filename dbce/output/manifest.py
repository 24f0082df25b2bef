"""`run.json`: what was done, with counts that add up, taken from what is stored."""

from __future__ import annotations

import dataclasses
import json
import platform
from collections import Counter
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, cast

import pyarrow.compute as pc
import pyarrow.dataset as ds

from dbce.model import Label, Status
from dbce.output.begun import BEGUN
from dbce.output.metrics import NAME as METRICS
from dbce.output.metrics import as_prometheus
from dbce.output.schemas import JUDGED, PAGES
from dbce.output.unit import WORK

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from dbce.config import Config
    from dbce.output.folder import Folder

PACKAGES = (
    *("dbce", "lxml", "warcio", "datasketch", "numpy", "pandas", "pyarrow", "rapidfuzz"),
    *("scikit-learn", "scipy"),
)
"""What can change a result, and is therefore named with its version."""


@dataclass(frozen=True, slots=True)
class Done:
    """What the stages of a run say of themselves: captures read, seconds by stage."""

    captures: int
    seconds: dict[str, float]


Manifest = dict[str, Any]
"""The content of run.json; docs/formats.md describes it."""


def finish(folder: Folder, inputs: Sequence[str], config: Config, done: Done) -> Manifest:
    """Writes `warc/index.cdxj` and, last of all, `run.json`; removes what only the run needed.

    Raises:
        AssertionError: the stored tables do not account for every capture; a bug.
    """
    units = [json.loads(folder.read(name)) for name in folder.names(f"{WORK}/units/*.json")]
    lines = [
        line
        for name in folder.names(f"{WORK}/index/*.cdxj")
        for line in folder.read(name).splitlines(keepends=True)
    ]
    folder.write("warc/index.cdxj", b"".join(sorted(lines)))
    manifest = {
        "inputs": list(inputs),
        "config": dataclasses.asdict(config),
        "config_digest": config.digest(),
        "versions": {"python": platform.python_version()} | {p: version(p) for p in PACKAGES},
        **_counts(folder, units, done.captures),
        "seconds": {stage: round(s, 2) for stage, s in done.seconds.items()},
    }
    folder.write(METRICS, as_prometheus(manifest).encode())
    folder.write("run.json", json.dumps(manifest, indent=1).encode())
    folder.remove(BEGUN)  # before the rest: half of it must not be taken for a run to go on with
    folder.remove(WORK)
    folder.remove_drafts()
    return manifest


def _counts(folder: Folder, units: Sequence[Mapping[str, Any]], captures: int) -> Manifest:
    account: Counter[tuple[str, str]] = Counter()
    for unit in units:
        for row in unit["account"]:
            account[row["status"], row["reason"]] += row["captures"]
    status = {s.value: sum(n for (t, _), n in account.items() if t == s) for s in Status}
    judged = _judged(folder)
    if account.total() != captures or len(judged) != sum(status[s] for s in JUDGED):
        raise AssertionError(f"{captures} captures in, {account.total()} accounted for: {account}")
    return {
        "captures": {
            "total": captures,
            **status,
            "reasons": {f"{t}/{r}": n for (t, r), n in sorted(account.items()) if r},
        },
        "runs": {label.value: int(judged[f"runs_{label}"].sum()) for label in Label},
        "partner_recall": _partner_recall(judged),
    }


def _judged(folder: Folder) -> pd.DataFrame:
    """The rows of `pages` with verdicts, without their texts."""
    files = [folder.at(name) for name in folder.names("pages/*.parquet")]
    columns = ["site", "up", "down", *(f"runs_{label}" for label in Label)]
    pages = ds.dataset(files, schema=PAGES, filesystem=folder.fs)
    judged = pc.field("status").isin(list(JUDGED))
    return cast("pd.DataFrame", pages.to_table(columns, filter=judged).to_pandas())


def _partner_recall(judged: pd.DataFrame) -> Manifest:
    """Share of judged captures with *up* and with *down*, in all and by site."""
    found = judged[["up", "down"]].notna()
    by_site = found.groupby(judged["site"]).mean().round(4)
    everywhere = found.mean().fillna(0).round(4)
    return {"all": everywhere.to_dict(), "sites": by_site.to_dict(orient="index")}
