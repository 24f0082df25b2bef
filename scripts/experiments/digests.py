"""Digests of all that dbce writes, so that two states of the code can be held against each other.

    python scripts/experiments/digests.py --wing first > before.txt
    python scripts/experiments/digests.py --dbce "OTHER/.venv/bin/python -m dbce" --wing first --against before.txt

Question: does a change of the code leave every table, archive, page and print-out as it was, byte for byte?
Data: the first wing the generated sample and the shared sets of `DBCE_DATA`; the second wing, which needs
Chromium, kreuzer, gosh, of gosh the pages of mig5, and three pages of flink with their snapshots.
Minutes: the second wing 38, and the sample with chinese and warc-zoo 10, on two cores under a load of 10 to 24;
all of the first wing has not been timed.

A line has the call (set and name), the kind of output, the number of files, and a SHA-256 of what counts in
them: tables and texts as they are, archives and packages as what is packed in them, accounts without clock
and place, their settings (`:config`) by themselves. Calls go through the command line alone, so that any
checkout can be asked; a `data` in its words is `DBCE_DATA`. An exit code is a line if it is not 0.

A page that moves may be laid out otherwise each time: `--rendered FOLDER` takes the rendering of each set from
FOLDER, and keeps there those that it lacks. Exit code 1: something differs from `--against`, and standard
error names the lines.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from difflib import unified_diff
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from dbce.storage import FIXITY, Fixity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FIRST = (
    *("sample", "chinese", "cleaneval", "cleanportaleval", "dates", "dragnet", "dragnet-sites"),
    *(
        "flink",
        "fundus",
        "misinfo",
        "recipes",
        "sites",
        "timelines",
        "trafeval",
        "warc-zoo",
        "wcxb",
    ),
)
SECOND = ("kreuzer", "gosh", "mig5", "snapshots")

RUNS = {"plain": "", "keep": "--comments keep --wet --wacz"}
LARGE = ("timelines", "wcxb")
"""Sets that are run once, with all outputs: they take as long as the others together."""

METHODS = {name: f"--method {name}" for name in ("T001", "T002")}
OPTIONS = {
    "layers": "--signature layers",
    "lxml": "--diff-engine lxml",
    "domain": "--site-by domain --across-sites",
    "response": "--record-type response --wacz --verify",
    "selected": "--host *.uferbote.example --from 2013 --to 2013 --keep-pages no",
    "pieces": "--split-bytes 100000",
}
FORMATS = ("jsonl", "markdown", "html", "tei", "wet")
LISTED = "data/warc-zoo/pywb/cdxj/example.cdxj data/warc-zoo/pywb/cdx/iana.cdx"
SEGMENTERS = ("dbce", "bom-published", "bom-paper", "vips", "blockfusion")
HEADINGS = {
    "dbce": "",
    "heps-paper": "",
    "heps-published": "",
    "hn-dt": "",
    "dbce.sheets": "--styles sheets",
}
SNAPSHOTS = ("project.html", "community.html", "downloads.html")
"""Pages of flink with about eleven snapshots each."""

KINDS = re.compile(r"\b(?:(blocks)/blocks|(headings)/headings|(migrated)/pages)(?=/)")
"""Folders of the main tables, which stood one above until 23 November 2026."""

CLOCK = ("seconds", "version")
"""Fields that change with the clock; `version` is that of an input file, which has its time in it."""

SECONDS = re.compile(
    r"dbce_stage_seconds\{.*\n|<caption>Seconds by stage</caption>(?s:.*?)</table>"
)


@dataclass(frozen=True, slots=True)
class Checkout:
    """The dbce that is asked, and the folder that it works in, where `data` leads to the sets."""

    command: tuple[str, ...]
    folder: Path
    data: Path
    rendered: Path | None

    def output_digests(self, call: str, words: str, *outputs: str) -> Iterator[str]:
        """Runs a command, and digests its outputs: that of the call's name, or globs in the folder."""
        yield from self._ran(call, words)[1]
        yield from self.folder_digests(call, *(outputs or (call,)))

    def printed_digests(self, call: str, words: str) -> Iterator[str]:
        """Runs a command, and digests what it prints."""
        printed, failure = self._ran(call, words)
        yield from failure
        yield f"{call} stdout 1 {sha256(self.anywhere(printed))}"

    def folder_digests(self, call: str, *outputs: str) -> Iterator[str]:
        """Digests of outputs by kind: the folder below SET/NAME, and the ending."""
        kinds: dict[str, list[str]] = {}
        for path in sorted({path for glob in outputs for path in files(self.folder, glob)}):
            name = self.anywhere("/".join(path.relative_to(self.folder).parts[2:]))
            name = KINDS.sub(lambda kind: kind[kind.lastindex or 0], name)
            folder, _, last = name.rpartition("/")
            kind = f"{folder}/*{path.suffix}" if folder else last
            for part, value in contents(path, self.anywhere):
                kinds.setdefault(kind + part, []).append(f"{name} {value}")
        for kind, values in sorted(kinds.items()):
            digest = sha256("\n".join(values))
            yield f"{call} {kind} {len(values)} {digest}"

    def anywhere(self, text: str) -> str:
        """The text without the places of folder and data, and with nights by their order, not their day."""
        for place in (self.folder, self.data):
            text = text.replace(str(place), "")
        nights = sorted(path.name for path in self.folder.glob("sample/nights/nights/n*"))
        for number, night in enumerate(nights, 1):
            text = text.replace(night, f"night-{number}")
        return text

    def _ran(self, call: str, words: str) -> tuple[str, list[str]]:
        """Return the output of a command, and its exit code if that is not 0."""
        command = [*self.command, *words.split()]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, check=False)
        printed = done.stdout.decode("utf-8", "surrogateescape")
        if not done.returncode:
            return printed, []
        if done.returncode < 0:  # killed from outside, which says nothing of the code
            raise ChildProcessError(f"signal {-done.returncode}: {words}")
        message = done.stderr.decode("utf-8", "replace")[-2000:]
        print(f"exit code {done.returncode}: {words}\n{message}", file=sys.stderr)
        return printed, [f"{call} exit 0 {done.returncode}"]


def files(folder: Path, glob: str) -> Iterator[Path]:
    """Files that a glob fits, and those below folders that it fits."""
    for fitting in folder.glob(glob):
        yield from (path for path in (fitting, *fitting.rglob("*")) if path.is_file())


def contents(path: Path, anywhere: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    """Digests of what counts in a file, by part; most have one part, without a name."""
    if path.name == FIXITY:
        listed = Fixity.from_bytes(path.read_bytes())
        yield "", sha256("\n".join(listed.files) if listed else "damaged")
    elif path.suffix == ".parquet":
        yield "", table(path)
    elif path.suffix == ".gz":
        yield "", unpacked_digest(path)
    elif path.suffix == ".wacz":
        with zipfile.ZipFile(path) as pack:
            members = [f"{name} {sha256(pack.read(name))}" for name in pack.namelist()]
        yield "", sha256("\n".join(members))
    elif path.suffix == ".json":
        account = timeless(json.loads(path.read_text(encoding="utf-8")))
        if isinstance(account, dict) and "config" in account:
            yield ":config", sha256(json.dumps(account.pop("config")))
        yield "", sha256(anywhere(json.dumps(account)))
    else:
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        yield "", sha256(SECONDS.sub("", anywhere(text)))


def unpacked_digest(path: Path) -> str:
    """Digest of what is in a gzip file, or of its bytes: the sample has one that is damaged on purpose."""
    try:
        with gzip.open(path) as records:
            return hashlib.file_digest(records, "sha256").hexdigest()
    except (zlib.error, EOFError):
        return sha256(path.read_bytes())


def table(path: Path) -> str:
    """Digest of a Parquet file; one with a column `seconds` is written again without it."""
    if "seconds" not in pq.read_schema(path).names:
        return sha256(path.read_bytes())
    again = pa.BufferOutputStream()
    pq.write_table(pq.ParquetFile(path).read().drop_columns(["seconds"]), again)
    return sha256(again.getvalue().to_pybytes())


def timeless(value: Any) -> Any:
    """JSON without the fields that change with the clock."""
    if isinstance(value, dict):
        return {name: timeless(item) for name, item in value.items() if name not in CLOCK}
    return [timeless(item) for item in value] if isinstance(value, list) else value


def sha256(content: str | bytes) -> str:
    """SHA-256 in hexadecimal digits, of a text in UTF-8."""
    stored = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    return hashlib.sha256(stored).hexdigest()


def sample(at: Checkout, name: str) -> Iterator[str]:
    """The generated sample: methods and options, two nights, a report, and Spark."""
    yield from at.output_digests(f"{name}/archive", f"sample {name}/archive")
    run = f"run {name}/archive --out {name}"
    for way, options in (RUNS | METHODS | OPTIONS).items():
        yield from at.output_digests(f"{name}/{way}", f"{run}/{way} --master none {options}")
    yield from at.output_digests(f"{name}/spark", f"{run}/spark --master local[2] --wet --wacz")
    yield from nights(at, f"{name}/archive", f"{name}/nights")
    yield from texts(at, name)
    yield from at.printed_digests(f"{name}/text-archive", f"text {name}/archive --headings dbce")
    page = "http://www.uferbote.example/lokales/2012/pegel-am-alten-steg.html"
    for command in ("show", "strip"):
        yield from at.printed_digests(f"{name}/{command}", f"{command} {name}/plain {page}")
    gold = f"{name}/archive/sample.gold.jsonl"
    yield from at.printed_digests(
        f"{name}/evaluate", f"evaluate {name}/plain {name}/T001 --gold {gold}"
    )
    report = f"report {name}/plain --csv {name}/figures"
    yield from at.output_digests(
        f"{name}/report", report, f"{name}/plain/report*", f"{name}/figures"
    )
    yield from changes(at, name, "plain")
    yield from changes(at, name, "plain", "--master local[2]")


def nights(at: Checkout, archive: str, out: str) -> Iterator[str]:
    """Two nights, the second with another file that changes verdicts of the first, and the compact index."""
    night = f"nightly --archive {out} --master none"
    yield from at.output_digests(f"{out}-first", f"{night} {archive}/sample-2013.warc.gz", out)
    yield from at.output_digests(
        f"{out}-second", f"{night} {archive} --revise apply --changes", out
    )
    yield from at.output_digests(f"{out}-compact", f"compact {out}", f"{out}/index")


def set_digests(at: Checkout, name: str) -> Iterator[str]:
    """A shared set: runs, and of some sets what is made of these."""
    inputs = f"data/{name}" if name == "warc-zoo" else f"data/{name}/{name}.warc.gz"
    ways = {way: options for way, options in RUNS.items() if way == "keep" or name not in LARGE}
    for way, options in (ways | METHODS if name == "flink" else ways).items():
        run = f"run {inputs} --out {name}/{way} --master none {options}"
        yield from at.output_digests(f"{name}/{way}", run)
    if name in ("flink", "timelines"):
        yield from changes(at, name, "keep")
    if name in ("chinese", "flink"):
        yield from texts(at, name)
    if name == "chinese":
        yield from at.printed_digests(
            f"{name}/text-archive", f"text {inputs} --format markdown --images"
        )
    if name == "warc-zoo":
        yield from at.printed_digests(f"{name}/check", f"check {inputs} --json")
        listed = f"run {LISTED} --warc-base {inputs}/pywb/warcs --out {name}/listed --master none"
        yield from at.output_digests(f"{name}/listed", listed)


def texts(at: Checkout, name: str) -> Iterator[str]:
    """The texts of a run in several formats."""
    for form in FORMATS:
        yield from at.printed_digests(f"{name}/text-{form}", f"text {name}/plain --format {form}")


def changes(at: Checkout, name: str, run: str, options: str = "") -> Iterator[str]:
    """The changes of a run."""
    call = "-".join([f"{name}/changes", *options.split()[1:]])
    shutil.rmtree(at.folder / name / run / "changes", ignore_errors=True)
    yield from at.output_digests(call, f"changes {name}/{run} {options}", f"{name}/{run}/changes")


def laid_out(at: Checkout, name: str) -> Iterator[str]:
    """A set as readers saw it: blocks, headings, changes of pictures and pages of HTML5."""
    archive, part = selection(at, name)
    inputs, run = f"data/{archive}/{archive}.warc.gz", f"{name}/run"
    yield from at.output_digests(run, f"run {inputs} {part} --out {run} --master none")
    yield from rendering(at, name, f"render {inputs} {part} --out {run} --pictures --jobs 2")
    for algorithm in SEGMENTERS:
        yield from blocks(at, name, algorithm)
    for method, options in HEADINGS.items():
        tables = [f"{run}/headings/{glob}{method}.parquet" for glob in ("", "*/")]
        words = f"headings {run} --method {method.removesuffix('.sheets')} {options}"
        yield from at.output_digests(f"{name}/headings-{method}", words, *tables)
    if name == "kreuzer":
        yield from blocks(at, name, "dbce", "--master local[2]")
    if name in ("kreuzer", "gosh"):
        gold = f"--gold data/{name}/{name}.blocks.jsonl"
        words = f"evaluate-blocks {run} {gold} --rendered {run}"
        yield from at.printed_digests(f"{name}/evaluate-blocks", words)
    if name == "mig5":
        migrate = f"migrate {run} --archive {inputs} --out {name}/new"
        yield from at.output_digests(f"{name}/migrate", migrate, f"{name}/new")
    if name == "snapshots":
        yield from changes(at, name, "run", "--mode image")
        yield from changes(at, name, "run", "--mode hybrid")


def selection(at: Checkout, name: str) -> tuple[str, str]:
    """The archive of a set, and the options that select its pages there."""
    if name == "mig5":
        rows = (at.data / "mig5/mig5.labels.jsonl").read_text(encoding="utf-8").splitlines()
        pages = [json.loads(row)["capture"]["url"] for row in rows]
        return "gosh", " ".join(f"--url-prefix {page}" for page in pages)
    if name == "snapshots":
        pages = [f"https://flink.apache.org/{page}" for page in SNAPSHOTS]
        return "flink", " ".join(f"--url-prefix {page}" for page in pages)
    return name, ""


def rendering(at: Checkout, name: str, words: str) -> Iterator[str]:
    """The rendering of a set, the one that is kept if there is one."""
    call, made = f"{name}/render", at.folder / name / "run/rendered"
    kept = at.rendered and at.rendered / name
    if kept and kept.is_dir():
        shutil.copytree(kept, made)
        yield from at.folder_digests(call, f"{name}/run/rendered")
        return
    yield from at.output_digests(call, words, f"{name}/run/rendered")
    if kept and made.is_dir():
        shutil.copytree(made, kept)


def blocks(at: Checkout, name: str, algorithm: str, options: str = "") -> Iterator[str]:
    """The blocks of a set by one algorithm."""
    call = "-".join([f"{name}/segment", algorithm, *options.split()[1:]])
    words = f"segment {name}/run --algorithm {algorithm} {options}"
    tables = [f"{name}/run/blocks/{glob}{algorithm}.parquet" for glob in ("", "*/")]
    for path in (path for table in tables for path in files(at.folder, table)):
        path.unlink()  # what is there is not replaced unasked
    yield from at.output_digests(call, words, *tables)


def digests(at: Checkout, name: str) -> list[str]:
    """All lines of a set."""
    (at.folder / name).mkdir()
    made = sample if name == "sample" else laid_out if name in SECOND else set_digests
    return list(made(at, name))


def arguments() -> argparse.Namespace:
    """The options, as they are given."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--dbce", default=f"{sys.executable} -m dbce", metavar="COMMAND")
    parser.add_argument("--wing", choices=("first", "second", "both"), default="both")
    parser.add_argument("--sets", metavar="A,B", help="these sets alone")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="sets at a time")
    parser.add_argument("--rendered", type=Path, metavar="FOLDER", help="renderings to use")
    parser.add_argument("--against", type=Path, metavar="FILE", help="an earlier print-out")
    parser.add_argument("--folder", type=Path, help="new, to work in and to keep (default: none)")
    return parser.parse_args()


def main() -> int:
    """Prints the lines; 1 if they differ from earlier ones."""
    options = arguments()
    wing = {"first": FIRST, "second": SECOND, "both": FIRST + SECOND}[options.wing]
    names = options.sets.split(",") if options.sets else wing
    data = Path(os.environ.get("DBCE_DATA", "../shared/data")).resolve()
    printed: list[str] = []
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(options.jobs) as pool:
        folder = (options.folder or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "data").symlink_to(data)
        at = Checkout(tuple(shlex.split(options.dbce)), folder, data, options.rendered)
        for lines in pool.map(partial(digests, at), names):
            printed += lines
            print(*lines, sep="\n", flush=True)
    if not options.against:
        return 0
    earlier = options.against.read_text(encoding="utf-8").splitlines()
    before = [line for line in earlier if line.partition("/")[0] in names]
    compared = list(unified_diff(before, printed, n=0, lineterm=""))[2:]
    apart = [line for line in compared if not line.startswith("@@")]
    print(*apart, f"{len(apart)} lines differ", sep="\n", file=sys.stderr)
    return 1 if apart else 0


if __name__ == "__main__":
    sys.exit(main())
