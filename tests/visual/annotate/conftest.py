"""The run that people label in the tests of the core."""

from tests.annotate.conftest import harbour_run, run

__all__ = ["harbour_run", "run"]
