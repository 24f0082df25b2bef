"""The forms that a run is given out in, by name."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from dbce.adapters.bag import write_bag
from dbce.adapters.corpus import write_corpus
from dbce.adapters.lines import write_datatrove, write_solr
from dbce.adapters.packages import put_texts, write_packages, write_wet_files
from dbce.model import UsageError
from dbce.storage import BEGUN, locked, read_note, tidy, write_note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dbce.output import Manifest
    from dbce.storage import Folder

TARGETS = {
    "huggingface": "Parquet shards and a data set card",
    "datatrove": "JSON lines that its JsonlReader reads",
    "solr": "JSON lines with the fields of webarchive-discovery",
    "wet": "WET files with their CDXJ",
    "bag": "BagIt, with all of the run as it was written",
    "wacz": "WACZ with main texts in their lists of pages",
}
"""What is written, by the name of its form."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A form, and what else is said of it: the licence on a card, packages that get texts."""

    to: str
    license: str = ""
    packages: Sequence[str] = ()


def export(folder: Folder, manifest: Manifest, out: Folder, wish: Wish) -> int:
    """Write a finished run in a form into an empty folder; the number of texts.

    One that was stopped while it wrote the same is written over.

    Raises:
        UsageError: the folder has something in it, there is no text, or the form has no licence or no packages.
    """
    if wish.license and wish.to != "huggingface":
        raise UsageError(
            f"--license is for the card of huggingface; leave it out with --to {wish.to}"
        )
    if wish.packages and wish.to != "wacz":
        raise UsageError(f"--archive is for packages; leave it out with --to {wish.to}")
    note = asdict(wish) | {"run": manifest["config_digest"], "selected": manifest.get("selected")}
    note["packages"] = list(wish.packages)
    if not out.is_empty() and read_note(out, BEGUN, dict) != note:
        raise UsageError(f"{out.uri} is not empty; name another folder")
    with locked(out):
        write_note(out, BEGUN, note)
        try:
            count = _written(folder, manifest, out, wish)
        except UsageError:
            tidy(out)
            raise
        tidy(out)
        return count


def _written(folder: Folder, manifest: Manifest, out: Folder, wish: Wish) -> int:
    if wish.packages:
        return put_texts(folder, manifest, out, wish.packages)
    if wish.to == "huggingface":
        return write_corpus(folder, manifest, out, wish.license)
    writers = {
        "datatrove": write_datatrove,
        "solr": write_solr,
        "wet": write_wet_files,
        "wacz": write_packages,
        "bag": write_bag,
    }
    return writers[wish.to](folder, manifest, out)
