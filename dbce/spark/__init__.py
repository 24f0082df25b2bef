"""Pages that are rows of a Spark table already: verdicts and main text for each of them.

import dbce.spark

verdicts = dbce.spark.annotate(spark.table("pages"))  # columns url, timestamp, html
verdicts.select("url", "text").show()
"""

from dbce.engine.spark import annotate

__all__ = ["annotate"]
