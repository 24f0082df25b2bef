"""A driver that runs the examples of docs/spark.md and docs/cluster.ipynb, and writes what they give as JSON.

spark-submit examples.py DOCS ARCHIVE OUT
"""

import ast
import json
import os
import re
import sys
from pathlib import Path

import pandas as pd
from pyspark.sql import SparkSession

from dbce.archive import expand, read
from dbce.model import Capture, Limits

COLUMNS = (
    "warc_record_id string, target_uri string, warc_date string, payload binary, mime_type string, "
    "http_status int, warc_filename string, warc_record_offset long"
)


def table_of(spark: SparkSession, archive: Path) -> None:
    """Makes `warc_rows`, the table that the first example reads."""
    rows = [
        (
            *(one.record_id, one.url, one.timestamp.isoformat()[:19] + "Z"),
            *(
                bytearray(one.payload),
                one.content_type if "html" in one.content_type else "text/html",
                200,
            ),
            *(one.origin.filename, one.origin.offset),
        )
        for source in expand([str(archive)])
        for one in read(source, Limits())
        if isinstance(one, Capture)
    ]
    spark.createDataFrame(rows, COLUMNS).createOrReplaceTempView("warc_rows")


def shown_by(notebook: Path) -> list[str]:
    names: dict = {}
    shown = []
    pd.options.display.max_columns = 20  # as in a notebook
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            *statements, last = ast.parse("".join(cell["source"])).body
            exec(compile(ast.Module(statements, []), str(notebook), "exec"), names)
            if isinstance(last, ast.Expr):
                shown.append(
                    eval(compile(ast.Expression(last.value), str(notebook), "eval"), names)
                )
            else:
                exec(compile(ast.Module([last], []), str(notebook), "exec"), names)
    return [repr(one) for one in shown if one is not None]


def main(docs: Path, archive: Path, out: Path) -> None:
    spark = SparkSession.builder.getOrCreate()
    os.environ["MASTER"] = spark.sparkContext.master
    table_of(spark, archive)
    text = (docs / "spark.md").read_text(encoding="utf-8")
    code = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[1]
    names: dict = {"spark": spark}
    exec(compile(code, "spark.md", "exec"), names)
    texts = names["verdicts"].where("text IS NOT NULL").select("record_id", "text").collect()
    told = {
        "texts": dict(map(tuple, texts)),
        "content": names["content"].count(),
        "all": names["texts"].count(),
        "shown": shown_by(docs / "cluster.ipynb"),
    }
    out.write_text(json.dumps(told))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
