"""`dbce export`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.adapters import TARGETS, Wish, export
from dbce.commands.settings import open_chosen
from dbce.commands.stores import clear_sentences
from dbce.storage import Folder, spare_pandas

if TYPE_CHECKING:
    from argparse import Namespace


def export_command(options: Namespace) -> None:
    """`dbce export`: writes the main texts of a run in the form of somebody's tool."""
    spare_pandas()
    options.verify_files |= options.to == "bag"  # no damage is handed on
    folder, manifest = open_chosen(options.directory, options, options.urls)
    wish = Wish(options.to, options.license or "", tuple(options.archive))
    with clear_sentences(options.out):
        count = export(folder, manifest, Folder(options.out), wish)
    texts = "1 text" if count == 1 else f"{count:,} texts"
    print(f"{options.out}: {texts}, {TARGETS[options.to]}")
