"""Arrow without pandas, for processes that hold no table of it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec


class _Refusing:
    """A finder of modules that finds no pandas."""

    @staticmethod
    def find_spec(name: str, _path: Any = None, _target: Any = None) -> ModuleSpec | None:
        if name == "pandas":
            raise ImportError("nothing here is of pandas")
        return None


def spare_pandas() -> None:
    """Keep Arrow from importing pandas to see whether values that it is given are of pandas.

    That takes half a second and 70 MB. Arrow looks for it once, at its first array, and imports it
    still where a table is to become one of pandas. Nothing happens where pandas is imported already.
    """
    if "pandas" in sys.modules:
        return
    sys.meta_path.insert(0, _Refusing)
    try:
        pa.array([0])
    finally:
        sys.meta_path.remove(_Refusing)
