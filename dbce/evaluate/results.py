"""Results as Markdown tables."""

from collections.abc import Sequence


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a Markdown table with aligned columns: numbers right, floats with three decimals, none as n/a."""
    cells = [[cell(value).replace("|", "\\|") for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *cells, strict=True)]
    right = [not any(isinstance(v, str) and v for v in c) for c in zip(*rows, strict=True)]
    right = right or [False] * len(header)
    rule = ["-" * (w - 1) + ":" if r else "-" * w for w, r in zip(widths, right, strict=True)]
    lines = [
        [t.rjust(w) if r else t.ljust(w) for t, w, r in zip(row, widths, right, strict=True)]
        for row in (header, rule, *cells)
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cell(value: object) -> str:
    """Return a value of a table as people read it."""
    if value is None or value != value:  # noqa: PLR0124 - NaN is what differs from itself
        return "n/a"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
