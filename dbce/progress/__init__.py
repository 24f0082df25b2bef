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
    without_control,
)
