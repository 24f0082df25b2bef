"""A table of figures, as it stands in the report and in a CSV file."""

from dataclasses import dataclass

import pandas as pd

from dbce.archive import clock_of, iso

FORMULA = r"^(?=[=+\-@\t\r])"  # how a text begins that a spreadsheet would take for a formula


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Figures under a name, which is also that of the CSV file, and a caption."""

    name: str
    caption: str
    frame: pd.DataFrame

    @property
    def headings(self) -> list[str]:
        return [str(name).replace("_", " ") for name in self.frame]

    @property
    def numeric(self) -> list[bool]:
        return [pd.api.types.is_numeric_dtype(column) for _, column in self.frame.items()]

    def rows(self, limit: int) -> list[list[str]]:
        """Its first rows as a page shows them: plain, so that a spreadsheet reads what is copied."""
        first = self.frame.head(limit)
        columns = [_cells(column, self.frame[name]) for name, column in first.items()]
        return [list(row) for row in zip(*columns, strict=True)]

    def csv(self) -> bytes:
        """Return the table as CSV: a line of headings, plain numbers, times in ISO 8601, six digits of a share."""
        times = self.frame.select_dtypes(["datetime", "datetimetz"])
        texts = {str(name): times[name].map(_iso, na_action="ignore") for name in times}
        text: str = self.frame.assign(**texts).to_csv(index=False, float_format="%.6g")
        return text.encode()


def table(name: str, caption: str, frame: pd.DataFrame) -> Table:
    """A table whose texts no spreadsheet takes for formulas: those that begin like one get an apostrophe in front."""
    texts = {str(n): c.replace(FORMULA, "'", regex=True) for n, c in frame.items() if _is_text(c)}
    return Table(name, caption, frame.assign(**texts))


def _is_text(column: pd.Series) -> bool:
    # Texts are objects up to pandas 2, and of a type of their own since.
    return pd.api.types.is_object_dtype(column) or pd.api.types.is_string_dtype(column)


def _iso(time: pd.Timestamp) -> str:
    return iso(time, "seconds")


def _cells(values: pd.Series, column: pd.Series) -> list[str]:
    """Cells of a column: whole numbers, or three digits in the whole of it; "" where there is none."""
    if pd.api.types.is_datetime64_any_dtype(column):
        texts = values.map(clock_of, na_action="ignore")
    elif pd.api.types.is_float_dtype(column):
        whole = (column.dropna() % 1 == 0).all()
        texts = values.map(("{:.0f}" if whole and (column > 1).any() else "{:.3f}").format)
    else:
        texts = values.astype(str)
    return [str(text) for text in texts.where(values.notna(), "")]
