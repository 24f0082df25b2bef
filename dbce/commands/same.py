"""`dbce same`."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from dbce import archive
from dbce.commands.settings import open_chosen
from dbce.model import UsageError
from dbce.output import same_texts
from dbce.progress import without_control

if TYPE_CHECKING:
    from argparse import Namespace

    from dbce.output import SameText


def same_command(options: Namespace) -> None:
    """`dbce same`: captures that have the text of another URL, as pairs."""
    if options.near is not None and not 0.5 <= options.near < 1:
        raise UsageError(f"--near is {options.near}; give a similarity from 0.5 to less than 1")
    folder, _ = open_chosen(options.directory, options, options.urls or ())
    for pair in same_texts(folder, options.near):
        if pair.is_across or not options.across:
            line = _json(pair) if options.json else _line(pair)
            sys.stdout.buffer.write(f"{line}\n".encode("utf-8", "replace"))


def _json(pair: SameText) -> str:
    here, there = pair.capture, pair.same_text_as
    row = {
        "record_id": here.record_id,
        "url": here.url,
        "timestamp": here.fetched and archive.timestamp14(here.fetched),
        "same_text_as": there.record_id,
        "same_text_as_url": there.url,
        "same_text_as_timestamp": there.fetched and archive.timestamp14(there.fetched),
        "similarity": pair.similarity,
        "across_sites": pair.is_across,
    }
    return json.dumps(row, ensure_ascii=False)


def _line(pair: SameText) -> str:
    is_equal = pair.similarity == 1
    told = "same" if is_equal else f"{pair.similarity:.2f}"
    return f"{told}  {without_control(pair.capture.url)}  {without_control(pair.same_text_as.url)}"
