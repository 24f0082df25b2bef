"""Command `dbce evaluate`."""

from collections.abc import Sequence

from dbce.evaluate.runs import evaluate_all
from dbce.storage import write_file


def main_report(
    folders: Sequence[str],
    gold_path: str,
    *,
    group: str = "site",
    csv: str | None = None,
    parquet: str | None = None,
    html: str | None = None,
) -> str:
    """Scores runs against gold, writes the files that are asked for; the text to print.

    `csv` and `parquet` are where to write `Comparison.table`, `html` the report.

    Raises:
        UsageError: as `evaluate_all`; a file cannot be written; a library is missing for `html`.
    """
    comparison = evaluate_all(folders, gold_path, group)
    if csv:
        write_file(csv, comparison.table().to_csv(index=False))
    if parquet:
        write_file(parquet, comparison.table().to_parquet(index=False))
    if html:
        from dbce.evaluate import page  # which needs the extra "evaluate", too

        write_file(html, page.render(comparison, group))
    return comparison.text()
