"""The one part of dbce that is compiled: arrays, texts and bytes in and out, no library, no decision.

tests/reference.py has the same in Python, which tests hold it to (docs/adr/0017-one-compiled-part.md).
"""

try:
    from dbce.kernel import compiled
except ImportError as e:
    raise ImportError(
        "the compiled part of dbce is not built for this Python; `pip install -e .` in the checkout builds it, and so "
        "does `make demo`"
    ) from e

__all__ = ["compiled"]
