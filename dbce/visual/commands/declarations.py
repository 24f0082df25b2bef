"""The commands of the wing, as the table of commands has them, and the kind that each is of."""

from dbce.commands import options
from dbce.commands.table import Argument, Command, Exit, Group, Need, Option
from dbce.model import EXPERT, MAIN, Rendering

RENDERED = Argument("directory", "DIR", "the folder that `dbce render` left")

CHROMIUM = Option("--chromium FILE", "the browser", default_words="CHROMIUM, or this machine's")

RESUMES = "the same command with `--resume` continues"

BROWSER = Need((), program="Chromium", is_local=True)


def _paper(purpose: str, *methods: Option) -> Group:
    return Group(methods, title="paper", help=purpose)


HALF = Option(
    "--half",
    "only the pages of [one half](segmentation-measures.md#halves), by a hash of their domain",
    choices=("development", "held-out"),
)

RENDER = Command(
    name="render",
    purpose="render pages in Chromium as readers saw them",
    does="dbce.visual.commands.pages:render_command",
    about="""\
Lays out every HTML page of web archives as a reader saw it, in headless Chromium, and writes the position
and style of each element and text to DIR/rendered, with --pictures also a picture of the whole page. Every
request is answered from the archive at the capture's time; nothing leaves this machine.

INPUT is as for dbce run. DIR may be the folder of a run on the same captures: texts carry its numbers.
""",
    see="#rendering-pages",
    parts=(
        options.INPUTS,
        options.OUT,
        options.AGAIN,
        options.PAGE_URL,
        options.WARC_BASE,
        Option(
            "--resources INPUT ...",
            "more archives to answer requests from; their pages are not rendered",
        ),
        CHROMIUM,
        options.SELECTION,
        options.engine(
            jobs=Option("--jobs N", "browsers, or on Spark one a task", default_words="one a core")
        ),
        Group(
            options.options_of(Rendering, MAIN),
            title="rendering",
            help="how pages are laid out, and what one may cost",
        ),
        Group(options.options_of(Rendering, EXPERT), title="expert", help="rarely changed"),
    ),
    examples=("dbce render crawl/*.warc.gz --out clean",),
    needs=(BROWSER,),
    ends={Exit.TOO_MANY_REJECTS: "done, but more than half of the captures were rejected"},
    goes_on=RESUMES,
)

SEGMENT = Command(
    name="segment",
    purpose="cut rendered pages into blocks",
    does="dbce.visual.commands.pages:segment_command",
    about="""\
Cuts the pages that dbce render left in DIR into visual blocks with a role: header, nav, article, aside,
footer or section. DIR/blocks/ gets a table for each algorithm and setting, with a row for each block.
""",
    see="#segmenting-pages",
    parts=(
        RENDERED,
        options.AGAIN,
        Option(
            "--granularity N",
            "how finely pages are cut, by the [dial of the algorithm](segmentation.md#the-dial)",
            kind=float,
        ),
        Option(
            "--set NAME=VALUE",
            "an [option of the algorithm](segmentation.md#the-algorithms), such as `level=2`; repeatable",
            is_repeatable=True,
        ),
        Option(
            "--overlays FOLDER",
            "also draw the blocks of each page on its screenshot, an SVG file a page",
        ),
        Option(
            "--xml FOLDER",
            "also write each page with its blocks as [ViXML](segmentation.md#pages-as-xml), a file a page",
        ),
        options.engine(),
        _paper(
            "the algorithms of Block-o-Matic, VIPS and BlockFusion, and trivial baselines",
            Option(
                "--algorithm NAME",
                "our own, `dbce`, or one of [the papers and the trivial ones](segmentation.md#the-algorithms): "
                "`bom-paper`, `bom-published`, `vips`, `blockfusion`, `first-branching`, `body-children`, `page` "
                "or `html5`",
                default="dbce",
            ),
        ),
    ),
    examples=(
        "dbce segment clean",
        "dbce segment clean --granularity 5",
        "dbce segment clean --set level=2",
        "dbce segment clean --algorithm bom-paper --set granularity=2 --overlays drawn",
    ),
    ends={Exit.TOO_MANY_REJECTS: "done, but more pages were rejected than cut"},
    goes_on=RESUMES,
)

HEADINGS = Command(
    name="headings",
    purpose="find headings and the blocks they introduce",
    does="dbce.visual.commands.pages:headings_command",
    about="""\
Finds the headings of pages, and the blocks they introduce: DIR/headings/ gets a table for each method and
setting, with a row for each block. Pages are those that dbce render left in DIR, or those of a run with
their own style sheets. Headings are searched in the content body, by default by the verdicts of a run.
""",
    see="#finding-headings",
    parts=(
        Argument("directory", "DIR", "the folder of rendered pages, or of a run"),
        options.AGAIN,
        options.engine(),
        Option(
            "--set NAME=VALUE",
            "an [option of the method](headings.md#methods), such as `theta_3=0.9`; repeatable",
            is_repeatable=True,
        ),
        Group(
            (
                Option(
                    "--body WHERE",
                    "[the content body](headings.md#the-content-body): `verdicts`, by those of a run in the same "
                    "folder, `body`, or an XPath such as `/html/body/div[2]`",
                    default="verdicts",
                ),
                Option(
                    "--bodies FILE",
                    "JSON lines of `record_id` and `body`, an XPath, such as [heading gold](headings.md#heading-gold)",
                    "Pages that are not in it are left out.",
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
        _paper(
            "HEPS as printed and as its code has it, and the tags h1 to h6 and dt",
            Option(
                "--method NAME",
                "our own, `dbce`, or one [to compare it with](headings.md#methods): `heps-paper`, "
                "`heps-published` or `hn-dt`",
                default="dbce",
            ),
        ),
    ),
    examples=(
        "dbce headings clean",
        "dbce headings clean --styles sheets",
        "dbce headings clean --method heps-paper --set theta_3=0.9 --body body",
    ),
    ends={Exit.TOO_MANY_REJECTS: "done, but more pages were rejected than searched"},
    goes_on=RESUMES,
)

MIGRATE = Command(
    name="migrate",
    purpose="write rendered pages as HTML5",
    does="dbce.visual.commands.pages:migrate_command",
    about="""\
Writes the pages that dbce render left in RUN as HTML5: blocks with roles become header, nav, article, aside,
footer, section and one main; obsolete elements and attributes are replaced, quirks compensated. Each page is
laid out again and measured; one that lost anything, or looks different, keeps its old form. DIR/migrated gets
conversion records with their index, and a table with a row for each page.
""",
    see="#migrating-to-html5",
    parts=(
        Argument("directory", "RUN", "the folder that `dbce render` left"),
        Option(
            "--archive INPUT ...",
            "the archives that RUN was rendered from, and those with their style sheets and pictures",
            is_required=True,
        ),
        options.OUT,
        options.AGAIN,
        CHROMIUM,
        Option(
            "--nu JAR",
            "the Nu Html Checker (vnu.jar): also count and limit its errors",
            "`scripts/setup/tools.sh nu` fetches it: its errors before and after are in the table, and a page with more of "
            "them than before, or with obsolete features left, keeps its old form. Needs Java.",
        ),
        options.engine(),
    ),
    examples=(
        "dbce render crawl --out clean && dbce segment clean",
        "dbce migrate clean --archive crawl --out new",
    ),
    needs=(Need(("resiliparse",)), BROWSER, Need(("PIL",), is_local=True)),
    goes_on=RESUMES,
)

CHANGES = Command(
    name="changes",
    purpose="report what changed between snapshots",
    does="dbce.visual.commands.changes:changes_command",
    about="""\
Compares each snapshot of a URL in a run with the one before it: words by verdict, links, images, blocks,
template and, where both were rendered, their pictures. Reports whether the content changed, or only
the boilerplate, or the design, or the page is gone. DIR/changes/ gets a table with a row for each snapshot.
""",
    see="#changes-between-snapshots",
    parts=(
        options.RUN,
        Option(
            "--pair URL TIME TIME",
            "print what changed [between two snapshots](changes.md#any-two-snapshots) of URL, those nearest to two times, 4 to "
            "14 digits each, and write nothing",
        ),
        options.AGAIN,
        options.run_selection(urls=True),
        options.engine(),
        _paper(
            "our three methods, and those of Pagelyzer",
            Option(
                "--mode",
                "how changes are found: by [verdicts, pictures or both](changes.md#modes), or as Pagelyzer does",
                "`structure` needs no browser, the others what `dbce render --pictures` left in DIR.",
                choices=(
                    *("structure", "image", "hybrid", "pagelyzer-image", "pagelyzer-structure"),
                    *("pagelyzer-content", "pagelyzer-hybrid"),
                ),
                default="structure",
                needs=Need(("skimage", "PIL"), free=("structure",)),
            ),
        ),
    ),
    examples=(
        "dbce changes clean",
        "dbce render crawls --out clean --pictures && dbce changes clean --mode hybrid",
        "dbce changes clean --pair http://harbour.example/ 2014 20160301",
    ),
    goes_on=RESUMES,
)

AGREE = Command(
    name="agree",
    purpose="measure inter-annotator agreement on blocks",
    does="dbce.visual.commands.pages:agree_command",
    about="""\
Prints how far each two people agree who drew on the same pages: B-cubed over the characters of the pages,
blocks that correspond, and Cohen's kappa of their roles. Everybody's blocks are in the journal beside a gold
file; those of a file without one are of the person that it names.
""",
    see="blocks.md#several-annotators",
    parts=(
        RENDERED,
        Option("--blocks FILE ...", "block gold, with the journals beside it", is_required=True),
        Option("--csv FILE", "write the agreement on every page, as CSV"),
    ),
    examples=(
        "dbce agree clean --blocks blocks.jsonl",
        "dbce agree clean --blocks anna.jsonl ben.jsonl --csv agreement.csv",
    ),
)

EVALUATE_BLOCKS = Command(
    name="evaluate-blocks",
    purpose="score segmentations against blocks drawn by people",
    does="dbce.visual.commands.pages:evaluate_blocks_command",
    about="""\
Scores segmentations against blocks that people drew, by the evaluation model of Sanoja's thesis, B-cubed
and the measures of others, and prints its tables.

INPUT is a folder or table that dbce segment left, block gold, or a file of GOSH, whose stored
segmentations are scored. Gold is block gold, or a file of Kreuzer's set or of GOSH.
""",
    see="#evaluating-segmentations",
    parts=(
        Argument("input", "INPUT", "segmentations; see above", many=True),
        Option(
            "--gold FILE",
            "block gold, JSONL, or a file of Kreuzer's set or of GOSH",
            is_required=True,
        ),
        Option(
            "--rendered DIR ...",
            "rendered pages; if several folders are given, the ones matching the gold are used",
            "XPaths are found there, elements and words are counted anew on both sides, and there is B-cubed over "
            "characters, texts and elements.",
        ),
        Option(
            "--edges",
            "B-cubed over the edges in the screenshots of --rendered too, fine and coarse ones",
            "About half a CPU second a page.",
            needs=Need(("skimage", "PIL")),
        ),
        Option(
            "--level",
            "of Kreuzer's gold: outer or inner blocks",
            kind=int,
            choices=(1, 2),
            default=1,
        ),
        HALF,
        Option(
            "--group FIELD",
            "field of the gold by which Cq and text coverage are given; of GOSH `category`",
            default="",
        ),
        Option(
            "--csv FILE",
            "a [row for each page and algorithm](segmentation-measures.md#columns), as CSV",
        ),
        Option(
            "--summary FILE", "a row for each algorithm, as CSV: the means of its correspondence"
        ),
        Option(
            "--html FILE",
            "a self-contained HTML page with the tables and the worst pages drawn",
            "The 5 worst of each algorithm, with gold and segmentation over the screenshot if pages are rendered.",
            needs=options.PICTURES,
        ),
        _paper(
            "the evaluation model of Sanoja's thesis; other tolerances than the convention's",
            Option(
                "--convention",
                "[how blocks correspond](segmentation-measures.md#correspondence): in our convention or in that "
                "of the thesis",
                choices=("dbce", "thesis"),
                default="dbce",
            ),
            Option("--t-r X", "minimum relative weight of an edge"),
            Option("--t-t X", "geometric tolerance, in hundredths of the page"),
            Option("--t-i X", "minimum importance for a block to count as important"),
        ),
    ),
    examples=(
        "dbce evaluate-blocks gosh.blocks.jsonl --gold gosh.blocks.jsonl --convention thesis",
        "dbce evaluate-blocks clean --gold kreuzer.blocks.jsonl --rendered clean --level 2 --html blocks.html",
    ),
)

EVALUATE_HEADINGS = Command(
    name="evaluate-headings",
    purpose="score headings against those marked by people",
    does="dbce.visual.commands.pages:evaluate_headings_command",
    about="""\
Scores the tables that dbce headings left in DIR against headings that people marked, by the measures of
HEPS: precision, recall and F of headings and of blocks, and of what they are related to.
""",
    see="#evaluating-headings",
    parts=(
        Argument("directory", "DIR", "a folder with tables of headings", many=True),
        Option("--gold FILE", "heading gold, JSONL", is_required=True),
        Option("--by NAME", "the annotator; else the first one of each page", default=""),
        HALF,
        Option(
            "--group FIELD",
            "field of the gold by which scores are given, such as `kind`",
            default="",
        ),
        Option("--csv FILE", "a [row for each page and method](headings.md#columns), as CSV"),
        Option("--summary FILE", "a row for each method, as CSV: the means"),
        Option(
            "--html FILE",
            "a self-contained HTML page with the tables and the worst pages",
            "The 10 worst of each method, with the marked and the found outline side by side.",
            needs=options.PICTURES,
        ),
    ),
    examples=(
        "dbce headings clean --bodies headings.jsonl",
        "dbce evaluate-headings clean --gold headings.jsonl --half held-out --html headings.html",
    ),
)

COMMANDS = {
    "finished runs": (CHANGES,),
    "rendered pages": (RENDER, SEGMENT, HEADINGS, MIGRATE),
    "gold labels, scores and models": (AGREE, EVALUATE_BLOCKS, EVALUATE_HEADINGS),
}
"""All commands of the wing, by what they are about."""
