"""What the commands do; their options are in dbce.cli."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from dbce import archive, config, evaluate, html, local, report, sample
from dbce.classify import load_model
from dbce.errors import UsageError
from dbce.model import ROLES, Status
from dbce.output.folder import Folder
from dbce.output.manifest import finish
from dbce.output.read import STAMP, find_pages, find_snapshots, node_rows, open_run, page_rows
from dbce.output.schemas import JUDGED
from dbce.output.summary import summary
from dbce.output.unit import OUTPUTS, WORK, stem
from dbce.report.show import show

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator, Sequence

    from dbce.config import Config
    from dbce.output.manifest import Done, Manifest
    from dbce.output.rows import Row

TOO_MANY_REJECTS = 3
"""Exit code of a run that rejected a larger share of captures than was allowed."""


REPLACED = ("run.json", "report", WORK, *OUTPUTS)
"""What a run removes of an earlier one in the same folder."""


def run_command(options: Namespace) -> int:
    """`dbce run`: archives in, annotated archives and tables out."""
    settings = _settings(options)
    if settings.method == "joint" or settings.model:
        load_model(settings.model)  # a model that cannot be used shows before anything starts
    if options.partitions is not None and options.partitions < 1:
        raise UsageError(f"partitions is {options.partitions}; it must be at least 1")
    sources = archive.expand(options.input, options.warc_base)
    folder = Folder(options.out)
    _check_output(folder, options, sources)
    with _engine(options) as engine:
        for name in REPLACED:
            folder.remove(name)
        done = engine(sources, folder, settings, _progress)
    manifest = finish(folder, [source.name for source in sources], settings, done)
    print(summary(manifest, options.out))
    return _exit_code(manifest, settings, options.out)


def _check_output(folder: Folder, options: Namespace, sources: Sequence[archive.Source]) -> None:
    if not folder.is_possible():
        raise UsageError(f"{options.out} is no folder and cannot become one; name another")
    if not (folder.is_empty() or options.overwrite):
        raise UsageError(f"{options.out} is not empty; name another folder or add --overwrite")
    removed = tuple(f"{folder.at(name)}/" for name in REPLACED)
    for source in sources:
        if Folder(source.uri).path.startswith(removed):
            raise UsageError(f"the input {source.uri} would be removed; name another --out")


def _settings(options: Namespace) -> Config:
    """Defaults, then the configuration file, then what the command line says."""
    base = config.load(Path(options.config)) if options.config else config.Config()
    return config.override(base, vars(options))


@contextmanager
def _engine(options: Namespace) -> Iterator[Callable[..., Done]]:
    """What runs the stages; a missing Spark or Java shows here, before anything is done."""
    if options.master == "none":
        yield local.run
        return
    from dbce.spark.session import session

    spark = session(options.master)
    from dbce.spark.run import run

    try:
        yield partial(run, spark, partitions=options.partitions)
    finally:
        spark.stop()


def _progress(words: str) -> None:
    print(f"dbce: {words}", file=sys.stderr, flush=True)


def _exit_code(manifest: Manifest, settings: Config, out: str) -> int:
    captures = manifest["captures"]
    rejected = captures[Status.REJECTED]
    if not rejected:
        return 0
    print(
        f"dbce: warning: {rejected} of {captures['total']} captures were rejected; "
        f"{out}/rejects names file, offset, record and reason of each",
        file=sys.stderr,
    )
    return TOO_MANY_REJECTS if rejected > settings.max_reject_ratio * captures["total"] else 0


def text_command(options: Namespace) -> None:
    """`dbce text`: the main content of every page."""
    folder, _ = open_run(options.directory)
    columns = ["record_id", "url", "fetch_time", "status", "text"]
    judged = (row for row in page_rows(folder, columns) if row["status"] in JUDGED)
    if options.format == "wet":
        archive.write_wet(sys.stdout.buffer, map(_wet, judged))
    for row in judged:
        print(_as_jsonl(row) if options.format == "jsonl" else _as_txt(row))


def _as_jsonl(row: Row) -> str:
    fields = {
        "record_id": row["record_id"],
        "url": row["url"],
        "timestamp": f"{row['fetch_time']:{STAMP}}",
        "text": row["text"],
    }
    return json.dumps(fields, ensure_ascii=False)


def _as_txt(row: Row) -> str:
    return f"# {row['url']} {row['fetch_time']:{STAMP}}\n\n{row['text']}\n"


def _wet(row: Row) -> archive.PlainText:
    return archive.PlainText(row["record_id"], row["url"], row["fetch_time"], row["text"])


def show_command(options: Namespace) -> None:
    """`dbce show`: one capture, its cross, its nodes, why."""
    folder, _ = open_run(options.directory)
    page = _snapshot(folder, options)
    members = find_pages(folder, [page[role] for role in ROLES[1:] if page[role]])
    for line in show(page, members, node_rows(folder, page["record_id"])):
        print(line)


def _snapshot(folder: Folder, options: Namespace) -> Row:
    """The capture of a URL that is nearest to a time, the latest without one."""
    snapshots = find_snapshots(folder, archive.surt(options.url))
    if not snapshots:
        raise UsageError(f"{folder.uri} holds no page {options.url}; dbce text lists its pages")
    if options.at is None:
        return snapshots[-1]
    wanted = archive.parse_date(options.at)
    if wanted is None:
        raise UsageError(f"--at {options.at} is no time; give up to 14 digits: YYYYMMDDhhmmss")
    return min(snapshots, key=lambda row: abs(row["fetch_time"] - wanted))


def strip_command(options: Namespace) -> None:
    """`dbce strip`: an annotated page as it was before, from a file or from a run."""
    sys.stdout.buffer.write(html.strip(_annotated(options)))


def _annotated(options: Namespace) -> bytes:
    if options.page == "-":
        return sys.stdin.buffer.read()
    if options.url is None:
        try:
            return Path(options.page).read_bytes()
        except OSError as e:
            raise UsageError(f"cannot read {options.page}: {e.strerror}") from e
    folder, _ = open_run(options.page)
    page = _snapshot(folder, options)
    if page["status"] not in JUDGED:
        raise UsageError(f"{options.url} is {page['status']} ({page['reason']}): not annotated")
    name = f"warc/{stem(page['warc_filename'])}.dbce.warc.gz"
    annotated = archive.read_annotated(f"{folder.uri.rstrip('/')}/{name}")
    return next(one.html for one in annotated if one.record_id == page["record_id"])


def sample_command(options: Namespace) -> None:
    """`dbce sample`: the sample archive with its gold."""
    print(sample.write(Path(options.directory)))


def report_command(options: Namespace) -> None:
    """`dbce report`: pages to look at."""
    open_run(options.directory)
    print(report.write(options.directory))


def train_command(options: Namespace) -> None:
    """`dbce train`: a model from labelled archives."""
    from dbce.train.run import Labelled, train

    settings = config.load(Path(options.config)) if options.config else config.Config()
    card = train(
        [Labelled.of(words) for words in options.data],
        Path(options.out),
        settings,
        folds=options.folds,
        texts=Path(options.held_out) if options.held_out else None,
        progress=_progress,
    )
    print(json.dumps(card, indent=1))


def evaluate_command(options: Namespace) -> None:
    """`dbce evaluate`: scores against gold."""
    print(
        evaluate.main_report(
            options.directory,
            options.gold,
            group=options.group,
            csv=options.csv,
            parquet=options.parquet,
            html=options.html,
        )
    )
