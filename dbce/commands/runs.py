"""Commands that look at a finished run: `dbce list`, `history`, `show`, `view`, `strip`, `report`."""

from dbce.adapters import TARGETS
from dbce.commands import options
from dbce.commands.table import Argument, Command, Exit, Group, Need, Option

SHOW = Command(
    name="show",
    purpose="show one capture: its neighbours, text runs and reasons",
    does="printing:show_command",
    see="#reading-dbce-show",
    parts=(
        options.RUN,
        Argument("url", "URL"),
        options.AT,
        Option("--node N", "explain the verdict of text node N, by its number in the list"),
        options.run_selection(urls=False),
    ),
    examples=(
        "dbce show clean http://www.uferbote.example/ --at 201605",
        "dbce show clean http://www.uferbote.example/ --node 20",
    ),
)

VIEW = Command(
    name="view",
    purpose="browse a run: search, compare, see why",
    does="extras:view_command",
    about="""\
Serves a web page on a finished run, until Ctrl-C: every capture as it was archived, with content and
boilerplate marked, and the reason for every passage. With --export, writes its overview, lists and pages
of captures as files instead, which open without a server; FOLDER/index.html is the one to open.
""",
    see="view.md",
    parts=(
        options.RUN,
        options.SERVING,
        Group(
            (
                Option(
                    "--export FOLDER", "write the pages as files to this folder, and serve nothing"
                ),
                Option("--captures N", "maximum number of captures with a page", default=2000),
            ),
            title="export",
            help="pages as files",
        ),
    ),
    examples=(
        "dbce view clean",
        "dbce view clean --archive crawl --port 0",
        "dbce view clean --archive crawl --export pages",
    ),
    needs=(options.SERVER,),
    ends={Exit.DONE: "done; Ctrl-C ends it"},
)

STRIP = Command(
    name="strip",
    purpose="print an annotated page with the annotations removed",
    does="printing:strip_command",
    parts=(
        Argument("page", "PAGE", "an annotated HTML file, `-` or a run's folder"),
        Argument("url", "URL", "with a run's folder: which page", optional=True),
        options.AT,
    ),
    examples=("dbce strip page.html", "dbce strip clean http://www.uferbote.example/ --at 2015"),
)

REPORT = Command(
    name="report",
    purpose="write a self-contained HTML report",
    does="extras:report_command",
    about="""\
Writes DIR/report.html, a self-contained HTML file: what was processed and what was damaged, content share by
site and year, confidence, neighbours, templates through time, and the pages to look at first; with
--gold also scores, calibration and the worst pages.
""",
    see="#writing-a-report",
    parts=(
        options.RUN,
        Option(
            "--gold FILE",
            "[text or node gold labels](formats.md#gold-labels), JSONL: adds scores, calibration, and the worst pages with the words "
            "that are missing and wrongly added",
        ),
        Option("--group FIELD", "field of the gold labels to group scores by", default="site"),
        Option("--out FILE", "write the report to this file, and nothing into DIR"),
        Option(
            "--csv FOLDER",
            "also write its figures, [a CSV file for each table](formats.md#figures-of-a-report)",
        ),
        options.run_selection(urls=True),
    ),
    examples=("dbce report clean", "dbce report clean --gold gold.jsonl --csv figures"),
    needs=(options.PICTURES,),
)

HISTORY = Command(
    name="history",
    purpose="show how the main text of a URL changed through its captures",
    does="printing:history_command",
    about="""\
Prints the main text of a URL through its captures, in words: sentences, items, rows of tables and lines of
code that were added, removed, reworded or corrected, by date. Unchanged text is folded.
Damaged, missing or unrelated captures are labelled as such; text missing from them does not count as deleted.
""",
    see="#text-histories",
    parts=(
        options.RUN,
        Argument("url", "URL"),
        Option(
            "--format",
            "output format; `html` is one self-contained file, [`json`](formats.md#dbce-history) is for programs",
            choices=("text", "markdown", "html", "json"),
            kind=options.format_name,
            default="text",
            needs=Need(("jinja2",), free=("text", "markdown", "json")),
        ),
        Option(
            "--page FILE",
            "write instead, to one HTML file, the archived page with what changed from the first capture to the last marked on it",
            needs=options.SERVER,
        ),
        options.ARCHIVE,
        options.run_selection(urls=False),
    ),
    examples=(
        "dbce history clean http://www.uferbote.example/",
        "dbce history clean http://www.uferbote.example/ --format html > history.html",
        "dbce history clean http://www.uferbote.example/ --from 2014 --page changes.html --archive crawl",
    ),
)

LIST = Command(
    name="list",
    purpose="list the captures, URLs or sites of a run",
    does="printing:list_command",
    about="""\
Lists the contents of a run, or of all nights of an archive, as a table: its URLs; with URL the captures of
that URL; with --of the captures or sites. Captures that are not HTML are only counted in a run, not listed.
""",
    see="#listing-a-run",
    parts=(
        options.RUN,
        Argument("url", "URL", "list the captures of this URL", optional=True),
        Option(
            "--of",
            "kind of rows",
            choices=("urls", "captures", "sites"),
            default_words="urls, or the captures of URL",
        ),
        Option("--json", "one JSON object a line instead of a table"),
        options.run_selection(urls=False),
    ),
    examples=(
        "dbce list clean",
        "dbce list clean http://www.uferbote.example/ --json",
        "dbce list clean --of captures --status rejected --from 2013 --to 2015",
    ),
)

QUALITY = Command(
    name="quality",
    purpose="list damaged captures, by site and month",
    does="printing:quality_command",
    about="""\
Prints how many captures of a run, or of all nights of an archive, are damaged, by site and month, and in
which way: an error at status 200, a wall, a parked domain, an empty shell, a page cut short or garbled, one
that lost its content, or one whose style sheets or pictures were not archived; --of captures lists each.
""",
    see="#damaged-captures",
    parts=(
        options.RUN,
        Option("--of", "kind of rows", choices=("months", "captures"), default="months"),
        Option("--json", "one JSON object a line instead of a table"),
        Option(
            "--max-damaged SHARE",
            "exit with code 3 if more than this share of the captures is damaged, 0 to 1",
        ),
        options.run_selection(urls=True),
    ),
    examples=(
        "dbce quality clean",
        "dbce quality clean --of captures --json",
        "dbce quality archive/n20260524-01 --max-damaged 0.05",
    ),
    ends={Exit.TOO_MANY_REJECTS: "more captures are damaged than `--max-damaged` allows"},
)

SAME = Command(
    name="same",
    purpose="list duplicate texts across URLs",
    does="printing:same_command",
    about="""\
Prints pairs of captures with the same main text at different URLs, whatever their bytes: a capture, and
the first one with that text on its site and in the run; with --near also pairs of similar texts.
""",
    see="#duplicate-texts",
    parts=(
        options.RUN,
        Option(
            "--near SHARE",
            "also pairs of texts of at least this similarity: the Jaccard similarity of their sequences of "
            "three words, 0.5 to 1, measured on both texts",
        ),
        Option("--across", "only pairs of different sites"),
        Option("--json", "one JSON object a line instead of a table"),
        options.run_selection(urls=True),
    ),
    examples=("dbce same clean", "dbce same clean --near 0.8 --across --json"),
)

EXPORT = Command(
    name="export",
    purpose="write the texts of a run in the format of another tool",
    does="printing:export_command",
    about="""\
Writes the main texts of a run, or of all nights of an archive, into an empty folder, for other tools.
Each text names its record: id, archive file, offset and digest, and the version and model of dbce.
""",
    see="export.md",
    parts=(
        options.RUN,
        Option(
            "--to",
            "output format: `huggingface` (Parquet and a data set card), `datatrove`, `chunks` or `solr` (JSON lines), `wet` "
            "(with CDXJ), `wacz`, `links` ([the link graph](export.md#links)), or `bag` ([BagIt](export.md#a-bag): the whole run)",
            choices=tuple(TARGETS),
            is_required=True,
            needs=Need(("bagit",), free=tuple(name for name in TARGETS if name != "bag")),
        ),
        Option("--out DIR", "the folder to write, new or empty", is_required=True),
        Option(
            "--license NAME",
            "with `huggingface`: the licence that the card names, such as `cc-by-4.0`",
            default_words="unknown",
        ),
        Option(
            "--archive FILE ...",
            "with `wacz`: the packages that were read, to write again with the texts in their lists of pages, "
            "instead of packages of annotated pages",
        ),
        *options.CHUNKING,
        options.run_selection(urls=True, times=("--since", "--until")),
    ),
    examples=(
        "dbce export clean --to huggingface --out corpus --license cc-by-4.0",
        "dbce export clean --to wet --out wet --since 2015 --until 2016",
        "dbce export clean --to wacz --archive crawl.wacz --out with-text",
    ),
)

COMMANDS = (LIST, HISTORY, QUALITY, SAME, SHOW, VIEW, STRIP, REPORT, EXPORT)
