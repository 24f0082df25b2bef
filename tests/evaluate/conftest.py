"""The stored tables of a run, made of rows in memory."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.evaluate.rows import store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def stored(tmp_path: Path) -> Callable[..., tuple[str, str]]:
    """Writes the tables of a run and its gold below the place of a test; returns both places."""
    return partial(store, tmp_path)
