"""Progress of a command, told while it works, and its end by Ctrl-C or SIGTERM."""

from dbce.progress.interrupt import Terminated, go_on, heard, held_back, only_once
from dbce.progress.log import (
    LOG,
    PAUSE,
    Progress,
    count_of,
    doing,
    end_line,
    files,
    log_to_stderr,
    say_above,
)
from dbce.progress.terminal import without_control

__all__ = [
    "LOG",
    "PAUSE",
    "Progress",
    "Terminated",
    "count_of",
    "doing",
    "end_line",
    "files",
    "go_on",
    "heard",
    "held_back",
    "log_to_stderr",
    "only_once",
    "say_above",
    "without_control",
]
