"""Options that several commands share."""

from dataclasses import replace

from dbce.commands.table import Argument, Group, Need, Option
from dbce.model import EXPERT, MAIN, PAPER, Config, Setting, number, range_in_words, settings_in

AUTO = "auto"
"""The master that is no master yet: what runs the stages is chosen when the inputs are known."""

INPUTS = Argument(
    "input", "INPUT", "archives, or folders, globs, indexes or lists of them; see above", many=True
)

RUN_OR_NIGHTS = "the folder of a finished run, a nightly archive, or a night of it (ARCHIVE/NIGHT)"

RUN = Argument("directory", "DIR", RUN_OR_NIGHTS)

OUT = Option("--out DIR", "folder for the outputs", is_required=True)

PAGE_URL = Option("--url URL", "URL to assume for a single [HTML file](#inputs)")

WARC_BASE = Option(
    "--warc-base DIR",
    "folder or URI of the files named by an index",
    "Searched first, before the index's own folder.",
)

CONFIG = Option(
    "--config FILE",
    "a TOML file with settings, by path or URI, as `conf/dbce.toml` lists them",
    "The command line wins.",
)

AT = Option(
    "--at TIME", "the snapshot nearest to YYYYMMDDhhmmss, 4 to 14 digits", "Default: the latest."
)

DEBUG = Option("--debug", "show where an error was raised")
QUIET = Option("--quiet", "print only warnings and errors on stderr")

CHUNKING = (
    Option("--size N", "of `chunks`: words or tokens of each, at most", default_words="300"),
    Option(
        "--tokenizer NAME",
        "of `chunks`: count `words`, or the tokens of `tiktoken:NAME` or `transformers:NAME`",
        "NAME is an encoding, a model or its folder; install the package beside dbce.",
        default_words="words",
    ),
)


def format_name(word: str) -> str:
    """Return the name of a format, which may be given as files end."""
    return {"md": "markdown"}.get(word, word)


_WHICH = (
    Option(
        "--host NAME",
        "only captures of this host, with or without www.; `*.NAME` also of all hosts below it; repeatable",
        "`'*.example.com'` takes example.com and all hosts below it.",
        is_repeatable=True,
    ),
    Option(
        "--url-prefix URL",
        "only captures whose URL begins with this; http or https, www. and case make no difference; repeatable",
        "`.../news/` takes the folder, `.../news` takes `.../newsletter` too.",
        is_repeatable=True,
    ),
    Option(
        "--from TIME",
        "only captures from this time on: 4 to 14 digits (YYYYMMDDhhmmss) or an ISO date, in UTC",
        name="since",
    ),
    Option("--to TIME", "only captures up to this time; `2013` is the whole year", name="until"),
)

_MIME = Option(
    "--mime TYPE",
    "only captures declared with this media type, by the HTTP header or the index, such as text/html or `text/*`; repeatable",
    "`unk` selects captures that declare none.",
    is_repeatable=True,
)

_SAMPLE = Option(
    "--sample N",
    "only a random sample of N of the captures that the other options select, always the same",
)

SELECTION = Group(
    (*_WHICH, _MIME, _SAMPLE),
    title="selection",
    help="captures of the inputs to read; the others are ignored",
    see="#selecting-captures",
)

STATUS = Option(
    "--status NAME",
    "only captures of a finished run with this status (`annotated`, `single`, `skipped` or `rejected`), this "
    "[reason](formats.md#statuses-and-reasons) or this HTTP status, such as 404; repeatable",
    is_repeatable=True,
)

KIND = Option(
    "--kind NAME",
    "only captures of a finished run with pages of this [kind](quality.md#kinds-of-pages), such as `article` or `forum`; repeatable",
    is_repeatable=True,
)

_URL = Option("--url URL", "only captures of this URL; repeatable", is_repeatable=True, name="urls")

VERIFY = Option(
    "--verify",
    "first verify [the digests](formats.md#fixity) of all files of the run; sizes and checksums are always verified",
    name="verify_files",
)


def run_selection(*, urls: bool, times: tuple[str, str] = ("--from", "--to")) -> Group:
    """Options that select captures of a finished run; with `urls` also by their URLs; `times` are the flags of first and last."""
    host, prefix, *whole = _WHICH
    which = (
        replace(option, form=f"{flag} TIME", also="--from" if flag == "--since" else "")
        for option, flag in zip(whole, times, strict=True)
    )
    return Group(
        (*((_URL,) if urls else ()), host, prefix, *which, _MIME, STATUS, KIND, _SAMPLE, VERIFY),
        title="selection",
        help="captures of the run to use; the others are ignored",
        see="#selecting-captures-of-a-run",
    )


JOBS = Option("--jobs N", "processes at a time", default_words="one a core")

LOG_FORMAT = Option(
    "--log-format",
    "log format on stderr",
    "`json`: one object a line, with run, stage, file and counts.",
    choices=("text", "json"),
    default="text",
)


FILES_AT_ONCE = Option(
    "--jobs N", "without Spark: number of files processed in parallel", default_words="1"
)


def engine(default: str = "none", jobs: Option = FILES_AT_ONCE) -> Group:
    """Options of commands that work file by file: the master, which is `AUTO` where inputs tell it, and processes."""
    chosen = (
        "; `auto` uses Spark (`local[*]`) only if it is installed and the input is 200 MB or more"
        if default == AUTO
        else ""
    )
    master = Option(
        "--master MASTER",
        f"a Spark master, such as `local[*]`, or `none` to run without Spark{chosen}",
        "`local[2]` uses two cores. `spark-submit` with a file of `jobs/` sets its own.",
        default=default,
        needs=Need(
            ("pyspark",),
            ", or run with --master none",
            free=("none", AUTO) if default == AUTO else ("none",),
        ),
    )
    return Group((master, jobs, LOG_FORMAT), title="engine", help="execution", see="#engine")


AGAIN = Group(
    (
        Option(
            "--overwrite", "overwrite the command's earlier output in DIR; other files are kept"
        ),
        Option(
            "--resume", "continue an interrupted command in DIR; give the same inputs and options"
        ),
    ),
    is_exclusive=True,
)
"""What becomes of what is there already."""
ARCHIVE = Option(
    "--archive INPUT ...",
    "the run's inputs: style sheets and pictures are read there, and below DIR",
)

SERVING = Group(
    (
        Option("--port N", "port of the web page; 0 chooses a free one", default=8321),
        Option(
            "--host ADDRESS",
            "address to listen on; 0.0.0.0 or :: are all addresses of this machine",
            default="127.0.0.1",
        ),
        ARCHIVE,
    ),
    title="serving",
    help="address of the web page, and files that it may read",
)

SERVER = Need(("duckdb", "flask", "waitress"))  # what serves web pages
PICTURES = Need(("jinja2",))  # what an HTML page needs that is written without charts


def as_option(setting: Setting) -> Option:
    """A setting on the command line; where it is not given the configuration file counts."""
    is_switch = isinstance(setting.default, bool)
    default = setting.default if isinstance(setting.default, str) else number(setting.default)
    takes_value = not is_switch and not (setting.choices and setting.unit == "N")
    flag = "--" + setting.name.replace("_", "-")
    return Option(
        f"{flag} {setting.unit}" if takes_value else flag,
        setting.help + range_in_words(setting),
        setting.more,
        kind=type(setting.default),
        choices=setting.choices,
        default_words=("no", "yes")[bool(setting.default)] if is_switch else default,
        is_negatable=is_switch,
        also=setting.also,
    )


def options_of(kind: type, group: str) -> tuple[Option, ...]:
    return tuple(as_option(s) for s in settings_in(kind).values() if s.group == group)


PARTITIONS = Option(
    "--partitions N",
    "tasks of the comparing stage on Spark",
    "More for a large run with little memory.",
    default_words="two for each core",
)

SETTINGS = (
    Group(options_of(Config, MAIN), title="settings", help="method and outputs", see="#settings"),
    Group(
        (*options_of(Config, EXPERT), PARTITIONS),
        title="expert",
        help="advanced settings, rarely changed",
        see="#expert-settings",
    ),
    Group(
        options_of(Config, PAPER),
        title="paper",
        help="published methods, for replication and comparison",
        see="#methods-of-the-papers",
    ),
)
"""What says how a run works, and what it gives."""
