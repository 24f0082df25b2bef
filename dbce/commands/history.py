"""`dbce history`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from dbce import archive, history
from dbce.commands.settings import open_chosen
from dbce.history import captures_of
from dbce.output import no_such_url

if TYPE_CHECKING:
    from argparse import Namespace

WRITERS = {
    "text": "as_text",
    "markdown": "as_markdown",
    "html": "as_html",
    "json": "as_json",
}
"""Functions of `dbce.history` by the format that they write."""


def history_command(options: Namespace) -> None:
    """`dbce history`: the main text of a URL through its captures, in words."""
    folder, _ = open_chosen(options.directory, options)
    captures = captures_of(folder, archive.surt(options.url))
    if not captures:
        raise no_such_url(folder, options.url)
    text = getattr(history, WRITERS[options.format])(history.text_history_of(folder, captures))
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
