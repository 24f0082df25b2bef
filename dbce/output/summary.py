"""Summary of a run on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.model import ALSO, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dbce.output.nights import Manifest

SITES = 10
"""Sites whose partner recall is listed; run.json has all."""


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
    if revisits := manifest["revisits"]:
        told = ", ".join(f"{number} {resolution}" for resolution, number in revisits.items())
        yield f"  revisits      {sum(revisits.values()):,}  ({told})"
    if cut := manifest["truncated"]:
        kinds = ", ".join(f"{number} {kind}" for kind, number in cut.items())
        yield f"  cut short     {sum(cut.values()):,}  ({kinds})"
    if manifest["bytes_skipped"]:
        yield f"bytes skipped   {manifest['bytes_skipped']:,}"
    words = sum(manifest["words"].values())
    yield f"words           {words:,}"
    for label, number in manifest["words"].items():
        yield f"  {label:13} {number:,}  ({number / max(words, 1):.0%})"
    yield "compared with                      up    down   (share of judged pages that found such a page)"
    recall = manifest["partner_recall"]
    sites = recall["sites"]
    for site, found in [("all", recall["all"]), *list(sites.items())[:SITES]]:
        yield f"  {site:32} {found['up']:.2f}  {found['down']:.2f}"
    if len(sites) > SITES:
        yield f"  ... {len(sites) - SITES} more sites in run.json"
    yield "seconds         " + ", ".join(f"{s} {n:.1f}" for s, n in manifest["seconds"].items())
    also = "".join(f"{name}/ " for name in ALSO if manifest["config"].get(name))
    yield f"outputs         {out}: warc/ {also}pages/ nodes/ rejects/ run.json"
