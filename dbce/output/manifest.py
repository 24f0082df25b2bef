"""`run.json`: what was done, with counts that add up, taken from what is stored; and told in few lines."""

import json
import platform
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import dbce
from dbce import storage
from dbce.archive import RUN, STANDARD_INPUT, Selection, is_spooled
from dbce.model import OPTIONAL_OUTPUTS, UNREAD, Config, Label, Resolution, Status
from dbce.output.nights import METRICS, Manifest, NightsFolder, SelectedRun
from dbce.output.rows import JUDGED, PAGES
from dbce.output.unit_writer import OUTPUTS, sketch_notes
from dbce.output.whole_tables import run_table, shown_rows
from dbce.storage import BEGUN, FIXITY, Folder

# The figures of a run as Prometheus reads them from a file (text exposition format).

_CAPTURES = "HTML captures and others of the last run, by what became of them"
_DROPPED = "captures of the last run without verdicts, by reason"
_REVISITS = "revisits of the last run, by how what they repeat was found, or why not"


def as_prometheus(manifest: Mapping[str, Any]) -> str:
    """The figures of a manifest, one a line, each kind with its help and type."""
    return "".join(f"{line}\n" for line in _metric_lines(manifest))


def _metric_lines(manifest: Mapping[str, Any]) -> Iterator[str]:
    captures = manifest["captures"]
    skipped = {"": manifest["bytes_skipped"]}
    recall = manifest["partner_recall"]["all"]
    for name, label, values, purpose in (
        ("captures", "status", {s: captures[s] for s in Status}, _CAPTURES),
        ("dropped", "reason", captures["reasons"], _DROPPED),
        ("revisits", "resolution", manifest["revisits"], _REVISITS),
        ("bytes_skipped", "", skipped, "bytes of the last run's inputs that hold no record"),
        ("words", "label", manifest["words"], "words of the pages of the last run, by label"),
        ("partner_recall", "role", recall, "share of judged captures that have a neighbour"),
        ("stage_seconds", "stage", manifest["seconds"], "how long the stages of the last run took"),
    ):
        yield f"# HELP dbce_{name} {purpose}"
        yield f"# TYPE dbce_{name} gauge"
        for key, value in values.items():
            yield f'dbce_{name}{{{label}="{key}"}} {value}' if label else f"dbce_{name} {value}"


# Summary of a run on the terminal.

SITES = 10  # sites whose partner recall is listed; run.json has all


def summary(manifest: Manifest, out: str) -> str:
    """Captures by status, words by label, partner recall, seconds by stage, where things are."""
    return "\n".join(_lines(manifest, out))


def _lines(manifest: Manifest, out: str) -> Iterator[str]:
    captures = manifest["captures"]
    yield f"captures        {captures['total']:,}"
    for status in Status:
        prefix = f"{status}/"
        reasons = ", ".join(
            f"{number} {reason.removeprefix(prefix)}"
            for reason, number in captures["reasons"].items()
            if reason.startswith(prefix)
        )
        yield f"  {status:13} {captures[status]:,}{f'  ({reasons})' if reasons else ''}"
    for name, counts in (("revisits", manifest["revisits"]), ("cut short", manifest["truncated"])):
        if counts:
            by_kind = ", ".join(f"{number} {kind}" for kind, number in counts.items())
            yield f"  {name:13} {sum(counts.values()):,}  ({by_kind})"
    if manifest["bytes_skipped"]:
        yield f"bytes skipped   {manifest['bytes_skipped']:,}"
    words = sum(manifest["words"].values())
    yield f"words           {words:,}"
    for label, number in manifest["words"].items():
        yield f"  {label:13} {number:,}  ({number / max(words, 1):.0%})"
    yield "compared with                      up    down   (share of judged pages that found such a page)"
    recall = manifest["partner_recall"]
    sites = recall["sites"]
    for site, shares in [("all", recall["all"]), *list(sites.items())[:SITES]]:
        yield f"  {site:32} {shares['up']:.2f}  {shares['down']:.2f}"
    if len(sites) > SITES:
        yield f"  ... {len(sites) - SITES} more sites in run.json"
    yield "seconds         " + ", ".join(f"{s} {n:.1f}" for s, n in manifest["seconds"].items())
    also = "".join(f"{name}/ " for name in OPTIONAL_OUTPUTS if manifest["config"].get(name))
    yield f"outputs         {out}: warc/ {also}pages/ nodes/ rejects/ run.json"


PACKAGES = (
    *("lxml", "warcio", "datasketch", "numpy", "pandas", "pyarrow", "rapidfuzz"),
    *("scikit-learn", "scipy"),
)
"""What can change a result, and is therefore named with its version."""


def _versions() -> dict[str, str]:
    """The version of Python and of each package that is installed: one that is not can have changed nothing."""
    versions = {"python": platform.python_version(), "dbce": dbce.__version__}
    for package in PACKAGES:
        with suppress(PackageNotFoundError):
            versions[package] = version(package)
    return versions


@dataclass(frozen=True, slots=True)
class RunTotals:
    """Captures that the stages of a run have read, and the seconds that each stage took."""

    captures: int
    seconds: dict[str, float]


def finish(
    folder: Folder,
    inputs: Sequence[str],
    config: Config,
    done: RunTotals,
    extra: Sequence[str] = (),
) -> Manifest:
    """Write `warc/index.cdxj`, the list of all files and, last of all, `run.json`; remove what only the run needed.

    `extra` are files and parts of the folder besides the outputs; the list keeps copies of those that are JSON.
    Raises AssertionError: the stored tables or the index do not account for every capture; a bug.
    """
    units = storage.accounts(folder)
    lines = storage.index_lines(units)
    note = storage.read_note(folder, BEGUN, dict)
    files = note["files"] if note else []
    places = {file["name"]: file["uri"] for file in files}  # readers of resources later use it
    folder.write("warc/index.cdxj", "".join(lines).encode())
    manifest = {
        "inputs": list(dict.fromkeys(inputs)),  # pieces of a file are one input
        "places": {n: STANDARD_INPUT if is_spooled(uri) else uri for n, uri in places.items()},
        "selection": Selection.from_plain(files[0]["selection"]).options() if files else {},
        "config": asdict(config),
        "config_digest": config.digest(),
        "versions": _versions(),
        **_counts(folder, units, done.captures),
        "seconds": {stage: round(s, 2) for stage, s in done.seconds.items()},
        "fixity": FIXITY,
    }
    judged = sum(manifest["captures"][status] for status in JUDGED)
    if len(lines) != judged:
        raise AssertionError(f"{judged} pages were judged, {len(lines)} are in the index")
    folder.write(METRICS, as_prometheus(manifest).encode())
    storage.seal(
        folder,
        [*OUTPUTS, METRICS, *extra],
        storage.files_of([*units, *sketch_notes(folder)]) | folder.take_digests(),
        last=RUN,
        data=json.dumps(manifest, indent=1).encode(),
        copies={
            RUN: json.dumps(manifest),
            BEGUN: json.dumps(note),
            **{name: folder.read(name).decode() for name in extra if name.endswith(".json")},
        },
    )
    storage.tidy(folder)
    return manifest


def _counts(folder: Folder, units: Sequence[Mapping[str, Any]], captures: int) -> Manifest:
    account = storage.outcomes_of(units)
    outcomes = count_outcomes(account)
    judged = _judged_rows(folder)
    if account.total() != captures or len(judged) != sum(outcomes[s] for s in JUDGED):
        raise AssertionError(f"{captures} captures in, {account.total()} accounted for: {account}")
    of_judged = _judged_counts(judged)
    unread = pc.field("reason").isin(list(UNREAD))
    skipped = 0
    for name in folder.names("rejects/*.parquet"):
        lengths = storage.read_table(folder, name, ["reason", "length"]).filter(unread)["length"]
        skipped += pc.sum(lengths).as_py() or 0
    revisits = sum((Counter(unit["revisits"]) for unit in units), Counter[str]())
    return {
        "captures": outcomes,
        "revisits": _resolutions(revisits),
        "truncated": of_judged.pop("truncated"),
        "walked": sum(unit.get("walked", 0) for unit in units),
        "bytes_skipped": skipped,
        **of_judged,
    }


def count_outcomes(
    account: Counter[tuple[str, str]], statuses: Iterable[str] = tuple(Status)
) -> dict[str, Any]:
    """Captures by status, and of those with a reason by both; `account` has them by status and reason."""
    status = {str(s): sum(n for (t, _), n in account.items() if t == s) for s in statuses}
    reasons = {f"{t}/{r}": n for (t, r), n in sorted(account.items()) if r}
    return {"total": account.total(), **status, "reasons": reasons}


def _resolutions(counts: Mapping[str, int]) -> dict[str, int]:
    """Revisits by how what they repeat was found, in the order of the rules, and by why it was not."""
    return {resolution.value: counts[resolution] for resolution in Resolution if counts[resolution]}


def recount(folder: Folder, manifest: Manifest) -> Manifest:
    """The manifest of `open_whole` with what the tables say: of captures with verdicts, and of those selected."""
    if not isinstance(folder, (NightsFolder, SelectedRun)):
        return manifest
    if folder.selection is not None:
        return manifest | _selected_counts(folder) | {"selected": folder.selection.options()}
    judged = _judged_rows(folder)
    captures = manifest["captures"] | {
        status.value: pc.sum(pc.equal(judged["status"], status.value)).as_py() or 0
        for status in JUDGED
    }
    return manifest | {"captures": captures, **_judged_counts(judged)}


def _selected_counts(folder: Folder) -> Manifest:
    rows = run_table(folder, "pages").to_table(["status", "reason", "resolution", "warc_filename"])
    reasons = (reason or "" for reason in rows["reason"].to_pylist())
    account = Counter(zip(rows["status"].to_pylist(), reasons, strict=True))
    resolved = Counter(filter(None, rows["resolution"].to_pylist()))
    return {
        "captures": count_outcomes(account),
        "inputs": sorted(set(rows["warc_filename"].to_pylist())),
        "revisits": _resolutions(resolved),
        "bytes_skipped": 0,
        **_judged_counts(_judged_rows(folder)),
    }


def _judged_counts(judged: pa.Table) -> Manifest:
    truncated = Counter(judged["truncated"].drop_null().to_pylist())
    words, content = (pc.sum(judged[n]).as_py() or 0 for n in ("words", "words_content"))
    return {
        "truncated": dict(truncated.most_common()),
        "words": {"content": content, "boilerplate": words - content},
        "runs": {label.value: pc.sum(judged[f"runs_{label}"]).as_py() or 0 for label in Label},
        "partner_recall": _partner_recall(judged),
    }


def _judged_rows(folder: Folder) -> pa.Table:
    """The rows of `pages` with verdicts, and of each what is counted; `up` and `down`: there is such a neighbour."""
    counted = ["words", "words_content", *(f"runs_{label}" for label in Label)]
    columns = ["status", "site", "truncated", *counted]
    parts = [PAGES.empty_table().select([*columns, "up", "down"])]
    for name in folder.names("pages/*.parquet"):
        with storage.open_parquet(folder, name) as table:
            rows = shown_rows(folder, name, table.read(["record_id", *parts[0].column_names]))
        parts.append(
            rows.filter(pc.field("status").isin(list(JUDGED))).select(parts[0].column_names)
        )
    return pa.concat_tables([_counted_columns(part) for part in parts], promote_options="default")


def _counted_columns(pages: pa.Table) -> pa.Table:
    """The rows with little memory: some sites are on many of them, and ids are not counted."""
    for name in ("up", "down"):
        at = pages.schema.get_field_index(name)
        pages = pages.set_column(at, name, pages[name].is_valid())
    at = pages.schema.get_field_index("site")
    return pages.set_column(at, "site", pages["site"].dictionary_encode())


def _partner_recall(judged: pa.Table) -> Manifest:
    """Share of judged captures with *up* and with *down*, in all and by site."""
    named = judged.filter(pc.field("site").is_valid()).unify_dictionaries()
    of_sites = named.group_by("site").aggregate([("up", "mean"), ("down", "mean")]).to_pylist()
    by_site = {row["site"]: _recall(row["up_mean"], row["down_mean"]) for row in of_sites}
    everywhere = _recall(*(pc.mean(judged[name]).as_py() or 0.0 for name in ("up", "down")))
    return {"all": everywhere, "sites": dict(sorted(by_site.items()))}


def _recall(up: float, down: float) -> dict[str, float]:
    return {"up": float(np.round(up, 4)), "down": float(np.round(down, 4))}
