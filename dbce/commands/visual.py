"""Commands for pages as people see them: `dbce render`, `segment`, `headings`, `migrate`."""

from __future__ import annotations

from dbce.commands.options import (
    AGAIN,
    BROWSER,
    CHROMIUM,
    INPUTS,
    OUT,
    PAGE_URL,
    RENDERED,
    RENDERING,
    SELECTION,
    WARC_BASE,
    engine,
)
from dbce.commands.table import Argument, Command, Exit, Group, Need, Option

BROWSERS = Option(
    "--jobs", "browsers, or on Spark one a task", metavar="N", kind=int, told="one a core"
)

RENDER = Command(
    name="render",
    purpose="render pages in Chromium as readers saw them",
    does="render:render_command",
    about="""\
Lays out every HTML page of web archives as a reader saw it, in headless Chromium, and writes the position
and style of each element and text to DIR/rendered, with --pictures also a picture of the whole page. Every
request is answered from the archive at the capture's time; nothing leaves this machine.

INPUT is as for dbce run. DIR may be the folder of a run on the same captures: texts carry its numbers.
""",
    see="#pages-as-readers-saw-them",
    parts=(
        INPUTS,
        OUT,
        AGAIN,
        PAGE_URL,
        WARC_BASE,
        Option(
            "--resources",
            "more archives to answer requests from; their pages are not rendered",
            metavar="INPUT",
            many=True,
        ),
        CHROMIUM,
        SELECTION,
        engine(jobs=BROWSERS),
        *RENDERING,
    ),
    examples=("dbce render crawl/*.warc.gz --out clean",),
    needs=(BROWSER,),
    ends=((Exit.TOO_MANY_REJECTS, "done, but more than half of the captures were rejected"),),
    goes_on="the same command with `--resume` continues",
)

SEGMENT = Command(
    name="segment",
    purpose="cut rendered pages into blocks",
    does="segment:segment_command",
    about="""\
Cuts the pages that dbce render left in DIR into visual blocks with a role: header, nav, article, aside,
footer or section. DIR/blocks/ gets a table for each algorithm and setting, with a row for each block.
""",
    see="#pages-cut-into-blocks",
    parts=(
        RENDERED,
        AGAIN,
        Option(
            "--granularity",
            "how finely pages are cut, by the [dial of the algorithm](segmentation.md#the-dial)",
            metavar="N",
            kind=float,
        ),
        Option(
            "--set",
            "an [option of the algorithm](segmentation.md#the-algorithms), such as `level=2`; repeatable",
            metavar="NAME=VALUE",
            is_repeatable=True,
        ),
        Option(
            "--overlays",
            "also draw the blocks of each page on its screenshot, an SVG file a page",
            metavar="FOLDER",
        ),
        engine(),
        Group(
            (
                Option(
                    "--algorithm",
                    "our own, `dbce`, or one of [the papers and the trivial ones](segmentation.md#the-algorithms): "
                    "`bom-paper`, `bom-published`, `vips`, `blockfusion`, `first-branching`, `body-children`, `page` "
                    "or `html5`",
                    metavar="NAME",
                    default="dbce",
                ),
            ),
            title="paper",
            help="the algorithms of Block-o-Matic, VIPS and BlockFusion, and trivial baselines",
        ),
    ),
    examples=(
        "dbce segment clean",
        "dbce segment clean --granularity 5",
        "dbce segment clean --set level=2",
        "dbce segment clean --algorithm bom-paper --set granularity=2 --overlays drawn",
    ),
    ends=((Exit.TOO_MANY_REJECTS, "done, but more pages were rejected than cut"),),
    goes_on="the same command with `--resume` continues",
)

HEADINGS = Command(
    name="headings",
    purpose="find headings and the blocks they introduce",
    does="headings:headings_command",
    about="""\
Finds the headings of pages, and the blocks that they name: DIR/headings/ gets a table for each method and
setting, with a row for each block. Pages are those that dbce render left in DIR, or those of a run with
their own style sheets. Headings are searched in the content body, by default by the verdicts of a run.
""",
    see="#headings",
    parts=(
        Argument("directory", "DIR", "the folder of rendered pages, or of a run"),
        AGAIN,
        engine(),
        Option(
            "--set",
            "an [option of the method](headings.md#the-methods), such as `theta_3=0.9`; repeatable",
            metavar="NAME=VALUE",
            is_repeatable=True,
        ),
        Group(
            (
                Option(
                    "--body",
                    "[the content body](headings.md#the-content-body): `verdicts`, by those of a run in the same "
                    "folder, `body`, or an XPath such as `/html/body/div[2]`",
                    metavar="WHERE",
                    default="verdicts",
                ),
                Option(
                    "--bodies",
                    "JSON lines of `record_id` and `body`, an XPath, such as [heading gold](headings.md#heading-gold)",
                    "Pages that are not in it are left out.",
                    metavar="FILE",
                ),
            ),
            is_exclusive=True,
        ),
        Option(
            "--styles",
            "how pages look: as they were rendered, or as [their own style "
            "sheets](headings.md#styles-without-a-browser) say",
            choices=("rendered", "sheets"),
            default="rendered",
        ),
        Group(
            (
                Option(
                    "--method",
                    "our own, `dbce`, or one [to compare it with](headings.md#the-methods): `heps-paper`, "
                    "`heps-published` or `hn-dt`",
                    metavar="NAME",
                    default="dbce",
                ),
            ),
            title="paper",
            help="HEPS as printed and as its code has it, and the tags h1 to h6 and dt",
        ),
    ),
    examples=(
        "dbce headings clean",
        "dbce headings clean --styles sheets",
        "dbce headings clean --method heps-paper --set theta_3=0.9 --body body",
    ),
    ends=((Exit.TOO_MANY_REJECTS, "done, but more pages were rejected than searched"),),
    goes_on="the same command with `--resume` continues",
)

MIGRATE = Command(
    name="migrate",
    purpose="write rendered pages as HTML5",
    does="migrate:migrate_command",
    about="""\
Writes the pages that dbce render left in RUN as HTML5: blocks with roles become header, nav, article, aside,
footer, section and one main; obsolete elements and attributes are replaced, quirks compensated. Each page is
laid out again and measured; one that lost anything, or looks different, keeps its old form. DIR/migrated gets
conversion records with their index, and a table with a row for each page.
""",
    see="#pages-as-html5",
    parts=(
        Argument("directory", "RUN", "the folder that `dbce render` left"),
        Option(
            "--archive",
            "the archives that RUN was rendered from, and those with their style sheets and pictures",
            metavar="INPUT",
            many=True,
            is_required=True,
        ),
        OUT,
        AGAIN,
        CHROMIUM,
        Option(
            "--nu",
            "the Nu Html Checker (vnu.jar): also count and limit its errors",
            "`scripts/setup/tools.sh nu` fetches it: its errors before and after are in the table, and a page with more of "
            "them than before, or with obsolete features left, keeps its old form. Needs Java.",
            metavar="JAR",
        ),
        engine(),
    ),
    examples=(
        "dbce render crawl --out clean && dbce segment clean",
        "dbce migrate clean --archive crawl --out new",
    ),
    needs=(Need(("resiliparse",)), BROWSER, Need(("PIL",), is_local=True)),
    goes_on="the same command with `--resume` continues",
)

COMMANDS = (RENDER, SEGMENT, HEADINGS, MIGRATE)
