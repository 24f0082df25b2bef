"""Pages of HTML4 as HTML5, measured before they take their place (docs/html5.md).

`migrate` is the way in for one page, `migrate_locally` for a run.
"""

from typing import TYPE_CHECKING

import dbce
from dbce.visual.html5.labels import LabelScores, compare_labels
from dbce.visual.html5.migrate import Looks, Migrated, migrate
from dbce.visual.html5.roles import Given, How, Labelled
from dbce.visual.html5.stored import MIGRATED, Refusal

if TYPE_CHECKING:
    from dbce.visual.html5.cluster import migrate_on_spark
    from dbce.visual.html5.local import DONE, Task, finish, migrate_locally, summary

__all__ = [
    "DONE",
    "MIGRATED",
    "Given",
    "How",
    "LabelScores",
    "Labelled",
    "Looks",
    "Migrated",
    "Refusal",
    "Task",
    "compare_labels",
    "finish",
    "migrate",
    "migrate_locally",
    "migrate_on_spark",
    "summary",
]

# What reads and writes folders knows archives, and what is on Spark that, for which a page must not wait.
__getattr__ = dbce.lazily(
    __name__,
    {
        "local": ("DONE", "Task", "finish", "migrate_locally", "summary"),
        "cluster": ("migrate_on_spark",),
    },
)
