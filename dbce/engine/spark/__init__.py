"""Work on Spark: the only room with pyspark."""

from typing import TYPE_CHECKING

from dbce.model import lazily

if TYPE_CHECKING:
    from dbce.engine.spark.session import check_names, main, running
    from dbce.engine.spark.tables import annotate
    from dbce.engine.spark.tasks import OnSpark

__getattr__ = lazily(__name__)
