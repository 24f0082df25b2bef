"""Diff Based Content Extraction: content or boilerplate, for every text of every archived page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.model import lazily

if TYPE_CHECKING:
    from dbce.history import text_history
    from dbce.metadata import Metadata
    from dbce.pipeline import Extracted, extract, extract_all

__version__ = "0.1.0"

__all__ = ["Extracted", "Metadata", "extract", "extract_all", "text_history"]

# So `import dbce` costs nothing.
__getattr__ = lazily(__name__)


def __dir__() -> list[str]:
    return sorted(["__version__", *__all__])
