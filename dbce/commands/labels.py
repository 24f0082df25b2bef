"""Commands that make, measure by and learn from gold labels: `dbce label`, `evaluate`, `train`."""

from dbce.commands.options import CONFIG, RUN, RUN_OR_NIGHTS, SERVER, SERVING
from dbce.commands.table import Argument, Command, Group, Need, Option

LABEL = Command(
    name="label",
    purpose="create gold labels for content, headings or blocks",
    does="extras:label_command",
    about="""\
Serves a web page on which people say what is content: run by run, or by painting regions of the page.
FILE holds node gold labels for dbce evaluate and dbce train, saved at every click; FILE.journal beside it
has everybody's labels, for the review, where disagreements are settled.

With --headings people mark headings and their levels instead, on pages that dbce render has left in DIR;
with --blocks they draw the blocks of such pages on their screenshots (dbce render --pictures), and merge,
split and label them.
""",
    see="label.md",
    parts=(
        RUN,
        Group(
            (
                Option("--gold FILE", "node gold labels, JSONL; an existing file is continued"),
                Option(
                    "--headings FILE",
                    "[heading gold labels](formats.md#heading-gold), JSONL, of pages that `dbce render` left in DIR; "
                    "continued likewise",
                ),
                Option(
                    "--blocks FILE",
                    "[block gold labels](blocks.md), JSONL, of such pages; continued likewise",
                ),
            ),
            is_exclusive=True,
            is_required=True,
        ),
        Option(
            "--take FILE ...",
            "with `--blocks`: block gold labels of others, with or without their journal, to merge into it",
        ),
        Option(
            "--order",
            "order of labelling: `random`, one capture of every site in turn (`site`), or the least confident first "
            "(`least-sure`)",
            "Always the same for one run.",
            choices=("random", "site", "least-sure"),
            default="random",
        ),
        Option("--captures N", "number of captures to label", default=50),
        SERVING,
    ),
    examples=(
        "dbce label clean --gold gold.jsonl --order site --captures 20",
        "dbce label clean --headings headings.jsonl",
        "dbce label clean --blocks blocks.jsonl",
    ),
    needs=(SERVER,),
)

EVALUATE = Command(
    name="evaluate",
    purpose="score runs against gold labels",
    does="extras:evaluate_command",
    see="#evaluating-runs",
    parts=(
        Argument("directory", "DIR", RUN_OR_NIGHTS, many=True),
        Option(
            "--gold FILE",
            "[text or node gold labels](formats.md#gold-labels), JSONL",
            is_required=True,
        ),
        Option("--group FIELD", "field of the gold labels to group scores by", default="site"),
        Option("--csv FILE", "a [row for each page and run](formats.md#scores), as CSV"),
        Option("--parquet FILE", "the same, as Parquet"),
        Option(
            "--html FILE",
            "a self-contained HTML page with charts",
            "It has the scores, reliability diagrams, and the 20 worst pages of each run with the words that are "
            "missing and wrongly added.",
            needs=Need(("jinja2",)),
        ),
    ),
    examples=(
        "dbce evaluate clean --gold gold.jsonl",
        "dbce evaluate by-T001 by-T002 --gold gold.jsonl --html scores.html",
    ),
)

TRAIN = Command(
    name="train",
    purpose="train a model for the joint method",
    does="extras:train_command",
    see="#training-a-model",
    parts=(
        Option(
            "--data ARCHIVE GOLD [WEIGHT] ...",
            "labelled pages: an archive as for `dbce run`, its [gold labels](formats.md#gold-labels), and the weight of its "
            "pages; repeatable",
            "Gold labels are of whole pages or of text runs; pages without any are only neighbours. WEIGHT is 1 by default: give "
            "less for labels that follow other rules than the rest, such as counting comments of users as content.",
            is_repeatable=True,
            is_required=True,
        ),
        Option("--out FILE", "the [model file](formats.md#model-files) to write", is_required=True),
        Option(
            "--folds N",
            "number of parts into which the sites are split",
            "Each is judged once by a model that learned from the others, to calibrate the probabilities and for "
            "the scores of the card.",
            default=5,
        ),
        Option(
            "--held-out FILE",
            "write the main texts of the held-out pages, JSON lines with `record_id`, `url` and `text`",
        ),
        CONFIG,
    ),
    examples=("dbce train --data archive archive/sample.gold.jsonl --out my.npz",),
)

COMMANDS = (LABEL, EVALUATE, TRAIN)
