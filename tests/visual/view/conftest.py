"""The run that the viewer's own tests look at."""

from __future__ import annotations

from tests.view.conftest import address, harbour

__all__ = ["address", "harbour"]
