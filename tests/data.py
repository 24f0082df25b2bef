"""Where the shared data sets are, for tests that need them."""

import os
from pathlib import Path

import pytest

FOLDER = Path(
    os.environ.get("DBCE_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data"
)


def shared(name: str) -> Path:
    """The path of a shared file; skips the calling test where it is absent."""
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"shared data set {name} is not in {FOLDER} (set DBCE_DATA)")
    return path
