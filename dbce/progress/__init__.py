"""Progress of a command, told while it works, and its end by Ctrl-C or SIGTERM."""

from dbce.progress.interrupt import (
    Termination,
    interrupt_once,
    interrupts_deferred,
    interrupts_kept,
    raise_pending,
)
from dbce.progress.log import (
    LOG,
    PAUSE,
    Progress,
    count_of,
    doing,
    end_line,
    files,
    log_to_stderr,
    print_above_status,
    without_control,
)
