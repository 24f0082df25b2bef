"""Diff Based Content Extraction: content or boilerplate, for every text of every archived page."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dbce.extraction import Extracted, extract, extract_all
    from dbce.metadata import Metadata

__version__ = "0.1.0"

__all__ = ["Extracted", "Metadata", "extract", "extract_all"]

_HOMES = {
    "Extracted": "dbce.extraction",
    "Metadata": "dbce.metadata",
    "extract": "dbce.extraction",
    "extract_all": "dbce.extraction",
}


def __getattr__(name: str) -> Any:
    """What the package exports, imported when it is first asked for: `import dbce` costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
