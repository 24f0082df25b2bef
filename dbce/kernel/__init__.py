"""The one part of dbce that is compiled: arrays, texts and bytes in and out, no library, no decision.

Whoever asks has the same in Python, for installations without it; tests hold both to the same values
(docs/adr/0017-one-compiled-part.md).
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

SWITCH = "DBCE_COMPILED"
"""Environment variable; `no` has dbce do without its compiled part."""


def kernel() -> ModuleType | None:
    """The compiled part; None where it was not compiled, or is not wanted."""
    return None if os.environ.get(SWITCH) == "no" else _import_compiled()


@cache
def _import_compiled() -> ModuleType | None:
    try:
        from dbce.kernel import compiled
    except ImportError:
        return None
    return compiled


__all__ = ["SWITCH", "kernel"]
