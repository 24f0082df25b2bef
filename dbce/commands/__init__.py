"""What the commands do; their options are in dbce.cli."""

from dbce.commands.checking import check_command
from dbce.commands.look import show_command, strip_command
from dbce.commands.measure import evaluate_command, report_command, sample_command, train_command
from dbce.commands.nightly import compact_command, nightly_command
from dbce.commands.run import run_command
from dbce.commands.serve import label_command, view_command
from dbce.commands.settings import TOO_MANY_REJECTS
from dbce.commands.text import text_command

__all__ = [
    "TOO_MANY_REJECTS",
    "check_command",
    "compact_command",
    "evaluate_command",
    "label_command",
    "nightly_command",
    "report_command",
    "run_command",
    "sample_command",
    "show_command",
    "strip_command",
    "text_command",
    "train_command",
    "view_command",
]
