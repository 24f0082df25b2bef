"""The commands: a table that says what each is called and takes, and a module of what each does.

`table` has what a command is declared by; `archives`, `runs` and `labels` declare them, and the wing declares its own, with what several
share from `options`; `parser` makes the command line of it, `needs` checks that libraries are there. A command's
module, and the libraries that it needs, are imported when it is called: `dbce --help` and the completion
of a shell must not wait for them.
"""

from dbce.commands.table import Exit

__all__ = ["TOO_MANY_REJECTS"]

TOO_MANY_REJECTS = Exit.TOO_MANY_REJECTS
"""Exit code of a run that rejected a larger share of captures than was allowed."""
