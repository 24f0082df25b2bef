"""What the commands do; their options are in dbce.cli and dbce.commands.visual.

A command's module, and the libraries that it needs, are imported when it is called: `dbce --help` and
the completion of a shell must not wait for them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    Command = Callable[[Namespace], int | None]

TOO_MANY_REJECTS = 3
"""Exit code of a run that rejected a larger share of captures than was allowed."""


def _of(module: str, name: str) -> Command:
    def command(options: Namespace) -> int | None:
        return cast("Command", getattr(import_module(f"dbce.commands.{module}"), name))(options)

    return command


agree_command = _of("blocks", "agree_command")
changes_command = _of("changes", "changes_command")
check_command = _of("checking", "check_command")
compact_command = _of("nightly", "compact_command")
evaluate_command = _of("measure", "evaluate_command")
evaluate_blocks_command = _of("blocks", "evaluate_blocks_command")
evaluate_headings_command = _of("headings", "evaluate_headings_command")
headings_command = _of("headings", "headings_command")
label_command = _of("serve", "label_command")
migrate_command = _of("migrate", "migrate_command")
nightly_command = _of("nightly", "nightly_command")
render_command = _of("render", "render_command")
report_command = _of("measure", "report_command")
run_command = _of("run", "run_command")
sample_command = _of("measure", "sample_command")
segment_command = _of("segment", "segment_command")
show_command = _of("look", "show_command")
strip_command = _of("look", "strip_command")
text_command = _of("text", "text_command")
train_command = _of("measure", "train_command")
view_command = _of("serve", "view_command")
