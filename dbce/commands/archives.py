"""Commands that read archives: `dbce run`, `text`, `nightly`, `compact`, `check`, `sample`."""

from typing import get_args

from dbce.commands import options
from dbce.commands.table import Argument, Command, Exit, Option
from dbce.model import FormatName

STAGES = options.engine(options.AUTO)

RUN = Command(
    name="run",
    purpose="annotate web archives",
    does="run:run_command",
    about="""\
Reads web archives, compares every HTML page with other pages of its template and with its own
snapshots, and writes annotated archives and tables.

INPUT is a .warc, .warc.gz, .warc.zst, .arc, .arc.gz or .wacz file, a folder, a glob, a .cdx, .cdxj or
.parquet index (then only the captures it lists are read), @list.txt with one input a line, one .html
file, or - for standard input; a path or a URI.
""",
    see="#options",
    parts=(
        options.INPUTS,
        options.OUT,
        options.AGAIN,
        options.PAGE_URL,
        options.WARC_BASE,
        options.CONFIG,
        options.SELECTION,
        STAGES,
        *options.SETTINGS,
    ),
    examples=(
        "dbce run crawl/*.warc.gz --out clean",
        "dbce run crawl --out some --host example.org --from 2013 --to 2015-06",
        "dbce run crawl --out by-T002 --method T002",
    ),
    ends={
        Exit.DONE: "success; rejected captures are reported in a warning",
        Exit.TOO_MANY_REJECTS: "done, all outputs are there, but more captures were rejected than `--max-reject-ratio` allows",
    },
    goes_on="the same command with `--resume` continues",
)

TEXT = Command(
    name="text",
    purpose="print the main content of every page",
    does="text:text_command",
    about="""\
Prints the main content and metadata of every page: of finished runs, or directly of archives, without
Spark and without an output folder. Pages that are given together are compared with each other. Captures
that cannot be read are counted on stderr; the first five are named, with file, offset and record.

INPUT is the folder of a finished run; or a nightly archive, or a night of it (ARCHIVE/NIGHT); or as for
dbce run; or an HTML file; or the URL of a page, which is fetched once; or - for an archive or an HTML page
on standard input.
""",
    see="#extracting-text",
    parts=(
        options.INPUTS,
        Option(
            "--format",
            "[output format](#extracting-text)",
            choices=(*get_args(FormatName), "wet"),
            kind=options.format_name,
            default="jsonl",
        ),
        Option(
            "--with NAME,...",
            "[parts](method.md#main-text) to keep where they stand in the content: captions, comments, tables, "
            "notes, byline, images (by their alternative text; `markdown`, `html`, `tei`, `blocks`); repeatable",
            name="including",
            is_repeatable=True,
        ),
        Option(
            "--without NAME,...",
            "parts to leave out, by the same names",
            "Verdicts stay as they are.",
            name="left_out",
            is_repeatable=True,
        ),
        Option(
            "--min-probability SHARE",
            "minimum probability for a passage to count as content, instead of a cut per page",
        ),
        Option(
            "--prefer",
            "favour `precision` (less noise) or `recall` (less content lost)",
            choices=("balance", "precision", "recall"),
        ),
        *options.CHUNKING,
        Option("--images", "the same as `--with images`"),
        Option(
            "--links",
            "`keep` links as they are, keep only their `text`, or put their addresses at the `end` as references "
            "(`markdown` alone)",
            choices=("keep", "text", "end"),
            default="keep",
        ),
        Option(
            "--front-matter",
            "begin each page of `markdown` with its metadata as YAML, instead of a comment",
            "One page on a terminal always begins so.",
        ),
        Option(
            "--guard-formulas",
            "put `'` before each value of `csv` that a spreadsheet would compute: that begins with =, +, -, @, a tab or a line end",
            "See [CSV and spreadsheets](formats.md#csv-and-spreadsheets).",
        ),
        Option(
            "--headings",
            "source of headings: `tags` (h1 to h6, the default) or `dbce`, [text that looks like a "
            "heading](headings.md#mode-dbce) (`markdown`, `html`, `tei`)",
            "With this option `jsonl` has a last value `headings`, a list of `level` and `text`.",
            choices=("tags", "dbce"),
        ),
        Option(
            "--url URL",
            "URL to assume for a single HTML page, which makes its links absolute; or URL of the page of a finished run to print",
            "By default a page has the URL that it names itself (saved from, canonical), else its path.",
        ),
        Option(
            "--at TIME",
            "capture time of that page: 4 to 14 digits",
            "Default: the time of the file.",
        ),
        Option("--private", "fetch pages from hosts in private networks, too"),
        Option(
            "--jobs N",
            "processes that read and judge the pages of archives",
            "The texts are the same, in the same order.",
            default_words="1",
        ),
        options.WARC_BASE,
        options.CONFIG,
        options.SELECTION,
        options.STATUS,
        options.KIND,
        options.VERIFY,
    ),
    examples=(
        "dbce text crawl.warc.gz > pages.jsonl",
        "dbce text clean --format markdown > pages.md",
        "dbce text https://example.org/ --format markdown",
    ),
    ends={
        Exit.TOO_MANY_REJECTS: "done, but more captures were rejected than `max_reject_ratio` of the configuration allows"
    },
)

NIGHTLY = Command(
    name="nightly",
    purpose="add a night's new files to a growing archive",
    does="run:nightly_command",
    about="""\
Takes the new files of INPUT, compares their pages with each other and with all pages of earlier
nights, and writes the night's outputs to DIR/nights. Archive files of earlier nights are not read.
An interrupted night is completed first.

INPUT is the incoming folder, or as for dbce run, but not standard input.
""",
    see="#nightly-archives",
    parts=(
        options.INPUTS,
        Option(
            "--archive DIR",
            "the [nightly archive](formats.md#the-folder-of-a-nightly-archive), a folder with the index and the outputs of "
            "all nights",
            is_required=True,
        ),
        Option(
            "--revise",
            "`list` the older captures whose verdicts tonight's captures may change, or `apply`: also judge them again",
            choices=("list", "apply"),
        ),
        Option(
            "--changes",
            "also compare tonight's captures with the last known ones of their URLs, "
            "[as `dbce changes` does](changes.md#nights)",
        ),
        options.WARC_BASE,
        options.CONFIG,
        options.SELECTION,
        STAGES,
        *options.SETTINGS,
    ),
    examples=("dbce nightly incoming --archive archive", "dbce compact archive"),
    ends={
        Exit.DONE: "done, or nothing was new",
        Exit.TOO_MANY_REJECTS: "more captures were rejected than `--max-reject-ratio` allows; nothing was compared",
    },
    goes_on="the same command continues, no `--resume` needed",
)

COMPACT = Command(
    name="compact",
    purpose="merge the index of a nightly archive into a few large files",
    does="run:compact_command",
    see="#nightly-archives",
    parts=(Argument("archive", "DIR", "the archive of `dbce nightly`"),),
    examples=("dbce compact archive",),
)

CHECK = Command(
    name="check",
    purpose="list the contents of archives and report damage, also in a finished run",
    does="run:check_command",
    about="""\
Reads web archives once, without judging pages, and lists what is in every file and what is wrong and
where: records by type, HTML captures, damage, lengths, digests, revisits, charsets. If there are
revisits, headers are read again to count how many are resolved.

INPUT is as for dbce run; .wet.gz files, too. For the folder of a finished run or a nightly archive, every
file is verified against its digest; files that are missing, truncated or changed are listed, with what
depends on them.
""",
    see="#checking-archives",
    parts=(
        options.INPUTS,
        options.PAGE_URL,
        Option(
            "--json", "one JSON object a file and line, then [their sum](formats.md#dbce-check)"
        ),
        Option("--strict", "exit with code 3 if anything is damaged"),
        options.JOBS,
        options.WARC_BASE,
        options.CONFIG,
        options.SELECTION,
    ),
    examples=(
        "dbce check crawl",
        "dbce check crawl --json --strict > damage.jsonl",
        "dbce check clean",
    ),
    ends={
        Exit.TOO_MANY_REJECTS: "if a run or a nightly archive is damaged; with `--strict`, if anything is"
    },
)

REPAIR = Command(
    name="repair",
    purpose="rebuild damaged files of a run or a nightly archive",
    does="run:repair_command",
    about="""\
Rebuilds the files that dbce check reports, from the original inputs. A rebuilt file is accepted only if
its SHA-256 matches. Files that cannot be rebuilt are recorded as lost, and their remains are moved to
DIR/lost: commands then read what is left, and dbce check keeps reporting the loss.
""",
    see="#fixity",
    parts=(options.RUN, options.JOBS, options.LOG_FORMAT),
    examples=("dbce repair clean", "dbce repair archive"),
    ends={Exit.DONE: "every file is intact", Exit.TOO_MANY_REJECTS: "some files are lost"},
    goes_on="the same command begins again",
)

SAMPLE = Command(
    name="sample",
    purpose="write the sample archive and its gold labels",
    does="extras:sample_command",
    parts=(Argument("directory", "DIR", "the folder to write it to"),),
    examples=("dbce sample archive",),
)

COMMANDS = (RUN, TEXT, NIGHTLY, COMPACT, CHECK, REPAIR, SAMPLE)
