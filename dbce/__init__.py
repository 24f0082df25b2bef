"""Diff Based Content Extraction: content or boilerplate, for every text of every archived page."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from dbce.metadata import Metadata
    from dbce.pipeline import Extracted, extract, extract_all

__version__ = "0.1.0"

__all__ = ["Extracted", "Metadata", "extract", "extract_all"]


def lazily(package: str, homes: Mapping[str, Iterable[str]]) -> Callable[[str], Any]:
    """The `__getattr__` of a package that imports what it exports when it is first asked for (PEP 562).

    `homes` has the names that it exports by the module in it where they are.
    """
    home_of = {name: home for home, names in homes.items() for name in names}

    def get(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{home_of[name]}"), name)

    return get


# So `import dbce` costs nothing.
__getattr__ = lazily(
    __name__, {"pipeline": ("Extracted", "extract", "extract_all"), "metadata": ("Metadata",)}
)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
