"""The run that the viewer's own tests look at."""

from tests.view.conftest import address, harbour

__all__ = ["address", "harbour"]
