"""Pages of HTML4 as HTML5, measured before they take their place (docs/html5.md).

`migrate` converts one page, `MigrationJob` a run.
"""

from typing import TYPE_CHECKING

from dbce.model import lazily
from dbce.visual.migrate.page import MigratedPage, PageLooks, migrate
from dbce.visual.migrate.roles import LabelledBlock, RoleOutcome

if TYPE_CHECKING:
    from dbce.visual.migrate.account import MIGRATED, Refusal
    from dbce.visual.migrate.job import MigrationJob, summary

# What reads and writes folders knows archives, for which a page must not wait.
__getattr__ = lazily(__name__)
