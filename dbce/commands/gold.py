"""Commands for gold: it is made, measured by and learned from: `dbce label`, `evaluate`, `train` and others."""

from __future__ import annotations

from dbce.commands.options import (
    CONFIG,
    PICTURES,
    RENDERED,
    RUN,
    RUN_OR_NIGHTS,
    SCREENSHOTS,
    SERVING,
)
from dbce.commands.runs import SERVER
from dbce.commands.table import Argument, Command, Group, Need, Option

HALF = Option(
    "--half",
    "only the pages of [one half](segmentation-measures.md#halves), by a hash of their domain",
    choices=("development", "held-out"),
)

LABEL = Command(
    name="label",
    purpose="create gold labels for content, headings or blocks",
    does="serve:label_command",
    about="""\
Serves a web page on which people say what is content: run by run, or by painting regions of the page.
FILE is node gold for dbce evaluate and dbce train, saved at every click; FILE.journal beside it has
everybody's labels, for the review, where disagreements are settled.

With --headings people mark headings and their levels instead, on pages that dbce render has left in DIR;
with --blocks they draw the blocks of such pages on their screenshots (dbce render --pictures), and merge,
split and label them.
""",
    see="label.md",
    parts=(
        RUN,
        Group(
            (
                Option("--gold", "node gold, JSONL; an existing file is continued", metavar="FILE"),
                Option(
                    "--headings",
                    "[heading gold](formats.md#heading-gold), JSONL, of pages that `dbce render` left in DIR; "
                    "continued likewise",
                    metavar="FILE",
                ),
                Option(
                    "--blocks",
                    "[block gold](blocks.md), JSONL, of such pages; continued likewise",
                    metavar="FILE",
                ),
            ),
            is_exclusive=True,
            is_required=True,
        ),
        Option(
            "--take",
            "with `--blocks`: block gold of others, with or without its journal, to merge into it",
            metavar="FILE",
            many=True,
        ),
        Option(
            "--order",
            "which captures to label first: random ones, one of every site in turn, or those with the least "
            "confidence",
            "Always the same for one run.",
            choices=("random", "site", "least-sure"),
            default="random",
        ),
        Option("--captures", "how many to ask for", metavar="N", kind=int, default=50),
        SERVING,
    ),
    examples=(
        "dbce label clean --gold gold.jsonl --order site --captures 20",
        "dbce label clean --headings headings.jsonl",
        "dbce label clean --blocks blocks.jsonl",
    ),
    needs=(SERVER,),
)

AGREE = Command(
    name="agree",
    purpose="measure inter-annotator agreement on blocks",
    does="blocks:agree_command",
    about="""\
Prints how far each two people agree who drew on the same pages: B-cubed over the characters of the pages,
blocks that correspond, and Cohen's kappa of their roles. Everybody's blocks are in the journal beside a gold
file; those of a file without one are of the person that it names.
""",
    see="blocks.md#several-people",
    parts=(
        RENDERED,
        Option(
            "--blocks",
            "block gold, with the journals beside it",
            metavar="FILE",
            many=True,
            is_required=True,
        ),
        Option("--csv", "write the agreement on every page, as CSV", metavar="FILE"),
    ),
    examples=(
        "dbce agree clean --blocks blocks.jsonl",
        "dbce agree clean --blocks anna.jsonl ben.jsonl --csv agreement.csv",
    ),
)

EVALUATE = Command(
    name="evaluate",
    purpose="score runs against gold",
    does="measure:evaluate_command",
    see="#runs-against-gold",
    parts=(
        Argument("directory", "DIR", RUN_OR_NIGHTS, many=True),
        Option(
            "--gold",
            "[text or node gold](formats.md#gold), JSONL",
            metavar="FILE",
            is_required=True,
        ),
        Option(
            "--group",
            "field of the gold by which scores are given",
            metavar="FIELD",
            default="site",
        ),
        Option(
            "--csv",
            "a [row for each page and run](formats.md#scores), as CSV",
            metavar="FILE",
        ),
        Option("--parquet", "the same, as Parquet", metavar="FILE"),
        Option(
            "--html",
            "a self-contained HTML page with charts",
            "It has the scores, reliability diagrams, and the 20 worst pages of each run with the words that are "
            "missing and wrongly added.",
            metavar="FILE",
            needs=Need(("matplotlib", "jinja2")),
        ),
    ),
    examples=(
        "dbce evaluate clean --gold gold.jsonl",
        "dbce evaluate by-T001 by-T002 --gold gold.jsonl --html scores.html",
    ),
)

EVALUATE_BLOCKS = Command(
    name="evaluate-blocks",
    purpose="score segmentations against blocks drawn by people",
    does="blocks:evaluate_blocks_command",
    about="""\
Scores segmentations against blocks that people drew, by the evaluation model of Sanoja's thesis, B-cubed
and the measures of others, and prints its tables.

INPUT is a folder or table that dbce segment left, block gold, or a file of GOSH, whose stored
segmentations are scored. Gold is block gold, or a file of Kreuzer's set or of GOSH.
""",
    see="#segmentations-against-gold",
    parts=(
        Argument("input", "INPUT", "segmentations; see above", many=True),
        Option(
            "--gold",
            "block gold, JSONL, or a file of Kreuzer's set or of GOSH",
            metavar="FILE",
            is_required=True,
        ),
        Option(
            "--rendered",
            "rendered pages; if several folders are given, the ones matching the gold are used",
            "XPaths are found there, elements and words are counted anew on both sides, and there is B-cubed over "
            "characters, texts and elements.",
            metavar="DIR",
            many=True,
        ),
        Option(
            "--edges",
            "B-cubed over the edges in the screenshots of --rendered too, fine and coarse ones",
            "About half a CPU second a page.",
            needs=SCREENSHOTS,
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
            "--group",
            "field of the gold by which Cq and text coverage are given; of GOSH `category`",
            metavar="FIELD",
            default="",
        ),
        Option(
            "--csv",
            "a [row for each page and algorithm](segmentation-measures.md#columns), as CSV",
            metavar="FILE",
        ),
        Option(
            "--summary",
            "a row for each algorithm, as CSV: the means of its correspondence",
            metavar="FILE",
        ),
        Option(
            "--html",
            "a self-contained HTML page with the tables and the worst pages drawn",
            "The 5 worst of each algorithm, with gold and segmentation over the screenshot if pages are rendered.",
            metavar="FILE",
            needs=PICTURES,
        ),
        Group(
            (
                Option(
                    "--convention",
                    "[how blocks correspond](segmentation-measures.md#correspondence): in our convention or in that "
                    "of the thesis",
                    choices=("dbce", "thesis"),
                    default="dbce",
                ),
                Option("--t-r", "minimum relative weight of an edge", metavar="X", kind=float),
                Option(
                    "--t-t",
                    "geometric tolerance, in hundredths of the page",
                    metavar="X",
                    kind=float,
                ),
                Option(
                    "--t-i",
                    "minimum importance for a block to count as important",
                    metavar="X",
                    kind=float,
                ),
            ),
            title="paper",
            help="the evaluation model of Sanoja's thesis; other tolerances than the convention's",
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
    does="headings:evaluate_headings_command",
    about="""\
Scores the tables that dbce headings left in DIR against headings that people marked, by the measures of
HEPS: precision, recall and F of headings and of blocks, and of what they are related to.
""",
    see="#headings-against-gold",
    parts=(
        Argument("directory", "DIR", "a folder with tables of headings", many=True),
        Option("--gold", "heading gold, JSONL", metavar="FILE", is_required=True),
        Option(
            "--by", "the annotator; else the first one of each page", metavar="NAME", default=""
        ),
        HALF,
        Option(
            "--group",
            "field of the gold by which scores are given, such as `kind`",
            metavar="FIELD",
            default="",
        ),
        Option(
            "--csv",
            "a [row for each page and method](headings.md#columns), as CSV",
            metavar="FILE",
        ),
        Option("--summary", "a row for each method, as CSV: the means", metavar="FILE"),
        Option(
            "--html",
            "a self-contained HTML page with the tables and the worst pages",
            "The 10 worst of each method, with the marked and the found outline side by side.",
            metavar="FILE",
            needs=PICTURES,
        ),
    ),
    examples=(
        "dbce headings clean --bodies headings.jsonl",
        "dbce evaluate-headings clean --gold headings.jsonl --half held-out --html headings.html",
    ),
)

TRAIN = Command(
    name="train",
    purpose="train a model for the joint method",
    does="measure:train_command",
    see="#a-model-of-your-own",
    parts=(
        Option(
            "--data",
            "labelled pages: an archive as for `dbce run`, its [gold](formats.md#gold), and the weight of its "
            "pages; repeatable",
            "The gold is of whole pages or of text runs; pages without gold are only neighbours. WEIGHT is 1 by default: give less "
            "for gold that follows other rules than the rest, such as one that counts comments of users as content.",
            metavar="ARCHIVE GOLD [WEIGHT]",
            many=True,
            is_repeatable=True,
            is_required=True,
        ),
        Option(
            "--out",
            "the [model file](formats.md#model-files) to write",
            metavar="FILE",
            is_required=True,
        ),
        Option(
            "--folds",
            "parts of the sites that are held out",
            "Each is judged once by a model that learned from the others, to calibrate the probabilities and for "
            "the scores of the card.",
            metavar="N",
            kind=int,
            default=5,
        ),
        Option(
            "--held-out",
            "write the main texts of the held-out pages, JSON lines with `record_id`, `url` and `text`",
            metavar="FILE",
        ),
        CONFIG,
    ),
    examples=("dbce train --data archive archive/sample.gold.jsonl --out my.npz",),
)

COMMANDS = (LABEL, AGREE, EVALUATE, EVALUATE_BLOCKS, EVALUATE_HEADINGS, TRAIN)
