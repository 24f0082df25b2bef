"""The figures of a run as Prometheus reads them from a file (text exposition format)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dbce.model import Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


NAME = "metrics.prom"
"""The file in the folder of a run; for the text file collector of the node exporter."""


def as_prometheus(manifest: Mapping[str, Any]) -> str:
    """The figures of a manifest, one a line, each kind with its help and type."""
    return "".join(f"{line}\n" for line in _lines(manifest))


def _lines(manifest: Mapping[str, Any]) -> Iterator[str]:
    captures = manifest["captures"]
    yield from _kind(
        "dbce_captures", "HTML captures and others of the last run, by what became of them"
    )
    for status in Status:
        yield f'dbce_captures{{status="{status}"}} {captures[status]}'
    yield from _kind("dbce_dropped", "captures of the last run without verdicts, by reason")
    for reason, count in captures["reasons"].items():
        yield f'dbce_dropped{{reason="{reason}"}} {count}'
    yield from _kind(
        "dbce_revisits", "revisits of the last run, by how what they repeat was found, or why not"
    )
    for resolution, count in manifest["revisits"].items():
        yield f'dbce_revisits{{resolution="{resolution}"}} {count}'
    yield from _kind("dbce_bytes_skipped", "bytes of the last run's inputs that hold no record")
    yield f"dbce_bytes_skipped {manifest['bytes_skipped']}"
    yield from _kind("dbce_words", "words of the pages of the last run, by label")
    for label, count in manifest["words"].items():
        yield f'dbce_words{{label="{label}"}} {count}'
    yield from _kind("dbce_partner_recall", "share of judged captures that have a neighbour")
    for role, share in manifest["partner_recall"]["all"].items():
        yield f'dbce_partner_recall{{role="{role}"}} {share}'
    yield from _kind("dbce_stage_seconds", "how long the stages of the last run took")
    for stage, seconds in manifest["seconds"].items():
        yield f'dbce_stage_seconds{{stage="{stage}"}} {seconds}'


def _kind(name: str, purpose: str) -> tuple[str, str]:
    return f"# HELP {name} {purpose}", f"# TYPE {name} gauge"
