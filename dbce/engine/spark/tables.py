"""Pages that are rows of a table: verdicts and main text for each, compared as in a run.

Stage 1 makes a row of the index of each page, stage 2 is that of a run on Spark, and stage 3 gets each page with
what was found of it. A page is told by a digest of what its row says of it, so that no stage needs an order
of the rows; two rows that say the same are one capture that is there twice.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import cast

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody writes it
from pyspark.sql import types as T  # noqa: N812
from pyspark.sql.pandas.types import to_arrow_schema

from dbce import boilerplate, model
from dbce.archive import capture, iso, plain_id
from dbce.engine.spark.compare import compare
from dbce.engine.spark.places import check
from dbce.engine.spark.rows import ANNOTATION, groups, map_partitions, result_of_row
from dbce.engine.spark.session import is_local
from dbce.output import NODES, PAGES, Row, node_rows_of, page_row
from dbce.output.index import CAPTURE, IDENTITY, capture_row, dropped_of, dropped_row

TYPES: dict[str, tuple[str, *tuple[type[T.DataType], ...]]] = {
    "url": ("a string", T.StringType),
    "timestamp": ("a string or a timestamp", T.StringType, T.TimestampType, T.TimestampNTZType),
    "html": ("a string or binary", T.StringType, T.BinaryType),
}
"""The columns that a table of pages must have, and their types, in words first."""

OPTIONAL = ("record_id", "content_type")  # columns that are read where the table has them

PLACE = tuple(name for name in PAGES.names if name.startswith("warc_"))
"""The columns that say from which record a page is; null where the table does not have them."""

ANSWER = ("fetch_status", "content_mime_type")
"""The columns that say what the server answered beside the page, likewise."""

PROVENANCE = (*PLACE, *ANSWER, "content_digest")
"""The columns of `pages` that are those of the table where it has them, with its types."""

VERDICTS = pa.schema(
    [
        *PAGES,
        ("detail", pa.string()),
        ("nodes", pa.list_(pa.struct([field for field in NODES if field.name != "record_id"]))),
    ]
)
"""The columns of a page with its verdicts: those of `pages`, why there are none, and its rows of `nodes`."""

ROW = "dbce_row"

MEMORY = "memory"  # the file that all pages count as being of


def annotate(
    pages: DataFrame, config: model.Config | None = None, partitions: int | None = None
) -> DataFrame:
    """Return a table with a row for every row of a table of pages: its verdicts and its main text.

    `pages` has the columns `url`, `timestamp` (14 digits, an ISO date in UTC, or a timestamp) and `html` (text, or
    the bytes that the server sent), and may have `record_id` and `content_type`, the header of the answer. Pages
    of one template and snapshots of one URL are compared with each other, as `dbce run` does. The columns are
    those of `pages` in a run, `detail`, `nodes` (an array of its texts with label, probability and the rule that
    decided), then all other columns of `pages` as they are; docs/spark.md has them. `pages` is read twice.
    `partitions` is the number of tasks, by default two for each core.

    Raises:
        ValueError: a column is missing, or the method is `thesis`.
        TypeError: a column is of another type.
        UsageError: an executor has no dbce, or another one than the driver.
    """
    settings = model.Config.or_default(config)
    _check_columns(pages)
    if settings.is_literal:
        raise ValueError("the method thesis compares archives; take another, or use dbce run")
    spark = pages.sparkSession
    if not is_local(spark):
        check(spark)
    tasks = partitions or 2 * spark.sparkContext.defaultParallelism
    keyed = _with_row_keys(pages)
    sketches = map_partitions(keyed, partial(_sketches, settings), CAPTURE)
    index = sketches.repartition(tasks, "name").dropDuplicates(["name"]).persist()
    annotations = compare(index, None, settings, tasks).select(
        F.col("name").alias(ROW), F.struct(*ANNOTATION.names).alias("found")
    )
    dropped = index.where("status IS NOT NULL").select(
        F.col("name").alias(ROW), F.struct(*IDENTITY).alias("dropped")
    )
    page = keyed.select(
        ROW, F.struct(*(name for name in keyed.columns if name != ROW)).alias("page")
    )
    results = annotations.unionByName(dropped, allowMissingColumns=True)
    by_row = page.unionByName(results, allowMissingColumns=True).repartition(tasks, ROW)
    # What is found of a page comes before the page, and of rows that are the same the first record counts.
    places = [f"page.{name}" for name in PLACE if name in pages.columns]
    in_order = by_row.sortWithinPartitions(ROW, F.col("page").isNotNull(), *places)
    replaced = {*TYPES, *OPTIONAL, *VERDICTS.names}
    carried = [field for field in pages.schema if field.name not in replaced]
    names = [name for name in PROVENANCE if name in pages.columns]
    of_pages = to_arrow_schema(pages.select(names).schema)
    verdicts = [of_pages.field(field.name) if field.name in names else field for field in VERDICTS]
    schema = pa.schema([*verdicts, *to_arrow_schema(T.StructType(carried))])
    names += [field.name for field in carried]
    return map_partitions(in_order, partial(_verdicts, settings, names), schema)


def _check_columns(pages: DataFrame) -> None:
    types = {field.name: field.dataType for field in pages.schema}
    for name, (in_words, *kinds) in TYPES.items():
        if name not in types:
            raise ValueError(
                f"the table of pages has no column {name!r}, only {', '.join(types)}; rename yours: "
                f"pages.withColumnRenamed('mine', {name!r})"
            )
        if not isinstance(types[name], tuple(kinds)):
            has = types[name].simpleString()
            raise TypeError(f"the column {name!r} of the pages is {has}; give {in_words}")


def _with_row_keys(pages: DataFrame) -> DataFrame:
    """The pages with a record id each, and a digest by which a row is known."""
    texts = [F.coalesce(F.col(name).cast("string"), F.lit("")) for name in ("url", "timestamp")]
    body = F.sha2(F.coalesce(F.col("html").cast("binary"), F.lit(b"")), 256)
    declared = F.col("record_id") if "record_id" in pages.columns else F.lit(None).cast("string")
    content = F.sha2(F.concat_ws("\n", *texts, body), 256)
    record_id = F.coalesce(
        F.when(declared != "", declared), F.concat(F.lit("urn:sha256:"), content)
    )
    named = pages.withColumn("record_id", record_id)
    return named.withColumn(ROW, F.sha2(F.concat_ws("\n", "record_id", content), 256))


def _capture(row: Row) -> model.Capture | model.Reject:
    """The capture that a row describes, or why it describes none."""
    html, at = row["html"], row["timestamp"]
    if isinstance(at, datetime):
        at = iso(at.astimezone(UTC)) if at.tzinfo else at.isoformat()
    media = (row.get("content_type") or "") if isinstance(html, bytes) else ""
    if html is None:
        return _no_page(row, "html is null")
    time, record_id = at or model.NO_TIME.isoformat(), row["record_id"]
    try:
        return capture(row["url"] or "", html, time, record_id=record_id, content_type=media)
    except ValueError as e:
        return _no_page(row, str(e))


def _no_page(row: Row, detail: str) -> model.Reject:
    return model.Reject(
        status=model.Status.REJECTED,
        reason=model.Reason.BAD_RECORD,
        stage=model.Stage.READ,
        detail=detail,
        origin=model.Origin(MEMORY, 0, 0),
        record_id=plain_id(row["record_id"]),
        url=row["url"] or "",
        is_html=True,
    )


def _sketches(config: model.Config, rows: Iterator[Row]) -> Iterator[Row]:
    """Stage 1: rows of pages become rows of the index."""
    for row in rows:
        page = _capture(row)
        result = page if isinstance(page, model.Reject) else boilerplate.sketch(page, config)
        if isinstance(page, model.Capture) and not isinstance(result, model.Reject):
            entry = capture_row(page, result)
        else:
            entry = dropped_row(cast("model.Reject", result), config.site_by)
        yield entry | {"name": row[ROW], "number": 0}


def _verdicts(config: model.Config, carried: Sequence[str], rows: Iterator[Row]) -> Iterator[Row]:
    """Stage 3: what is found of each page, and the page after it, become its verdicts."""
    waiting: deque[Row] = deque()
    for result in boilerplate.judge_in_batches(
        _known_pages(rows, waiting), config, boilerplate.as_annotated
    ):
        page = waiting.popleft()
        yield _row(result, config) | {name: page[name] for name in carried}


def _known_pages(
    rows: Iterable[Row], waiting: deque[Row]
) -> Iterator[boilerplate.JudgeInput | model.Reject]:
    """Every page with what is known of it; its row joins those that wait for a result."""
    for of_page in groups(rows, ROW):
        known: model.Annotation | model.Repeat | model.Reject | None = None
        for row in of_page:
            if row["found"]:
                known = result_of_row(row["found"])
                continue
            if row["dropped"]:
                known = dropped_of(row["dropped"], MEMORY)
                continue
            waiting.append(row["page"])
            page = _capture(row["page"])
            if isinstance(page, model.Reject):
                yield page
            elif isinstance(known, model.Reject):
                yield known
            elif isinstance(known, model.Repeat):
                yield model.drop(page, known.reason, known.detail, model.Stage.COMPARE)
            else:
                yield boilerplate.JudgeInput(page, known)
            known = boilerplate.DUPLICATE  # of what comes after it and is the same


def _row(result: boilerplate.Annotated | model.Reject, config: model.Config) -> Row:
    """The row of a page, by the columns of `VERDICTS`."""
    if isinstance(result, boilerplate.Annotated):
        try:
            row = page_row(result, config.site_by) | {"nodes": node_rows_of(result).to_pylist()}
            pa.array([row], pa.struct(PAGES))  # what fails here would fail for all rows together
        except Exception as e:  # noqa: BLE001 - whatever it is, it is of this page
            result = model.reject_fault(result.capture, e, model.Stage.JUDGE)
    if isinstance(result, model.Reject):
        row = page_row(result, config.site_by) | {"detail": result.detail}
    if row["fetch_time"] == model.NO_TIME:
        row["fetch_time"] = row["fetch_time_source"] = None
    return row | dict.fromkeys((*PLACE, *ANSWER))
