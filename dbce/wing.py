"""The hook of the wing: all that the core takes from `dbce.visual`, asked for by name.

Pages as people see them are a house of their own, whose front has the table of what the core may take (`PARTS`) and
where that is; it is imported when it is asked for. The core works without that folder: it leaves out what the wing
adds, or says so.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from dbce.model import UsageError

WING = "dbce.visual"


def is_there() -> bool:
    """Tell whether this installation has the wing."""
    return find_spec(WING) is not None


def part(name: str) -> Any:
    """Return what the wing has under a name of its table; None without the wing."""
    if not is_there():
        return None
    home = import_module(WING).PARTS[name]
    return getattr(import_module(home), name)


def require(name: str, by: str) -> Any:
    """Return what the wing has under a name, for a command or an option that cannot do without.

    Raises:
        UsageError: there is no wing.
    """
    if not is_there():
        raise UsageError(f"{by} needs {WING}, which this installation of dbce lacks")
    return part(name)
