"""Pages of HTML4 as HTML5, measured before they take their place (docs/html5.md).

`migrate` is the way in for one page, `migrate_locally` for a run.
"""

from typing import TYPE_CHECKING

from dbce.model import lazily
from dbce.visual.migrate.page import Looks, Migrated, migrate
from dbce.visual.migrate.roles import Given, How, Labelled
from dbce.visual.migrate.schema import MIGRATED, Refusal

if TYPE_CHECKING:
    from dbce.visual.migrate.cluster import migrate_on_spark
    from dbce.visual.migrate.local import DONE, Task, finish, migrate_locally, summary

__all__ = [
    "DONE",
    "MIGRATED",
    "Given",
    "How",
    "Labelled",
    "Looks",
    "Migrated",
    "Refusal",
    "Task",
    "finish",
    "migrate",
    "migrate_locally",
    "migrate_on_spark",
    "summary",
]

# What reads and writes folders knows archives, and what is on Spark that, for which a page must not wait.
__getattr__ = lazily(
    __name__,
    {
        "local": ("DONE", "Task", "finish", "migrate_locally", "summary"),
        "cluster": ("migrate_on_spark",),
    },
)
