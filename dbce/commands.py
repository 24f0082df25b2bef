"""What the commands do; their options are in dbce.cli."""

from __future__ import annotations

import errno
import json
import os
import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dbce import archive, config, evaluate, html, local, report, sample
from dbce.classify import load_model
from dbce.errors import DbceError, StoreError, UsageError
from dbce.model import ROLES, Status
from dbce.night import NIGHTS, compact_nights, nights_to_run, run_night, summary_line
from dbce.output.begun import BEGUN, begin, has_begun, is_free, locked, resumed
from dbce.output.folder import Folder
from dbce.output.manifest import finish
from dbce.output.metrics import NAME as METRICS
from dbce.output.read import STAMP, find_pages, find_snapshots, node_rows, open_run, page_rows
from dbce.output.schemas import JUDGED
from dbce.output.summary import summary
from dbce.output.unit import INDEX, OUTPUTS, WORK, stem
from dbce.progress import LOG, Progress, log_to_stderr
from dbce.report.show import show
from dbce.stores import Stores

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator, Sequence

    from dbce.config import Config
    from dbce.output.manifest import Done, Manifest
    from dbce.output.rows import Row

TOO_MANY_REJECTS = 3
"""Exit code of a run that rejected a larger share of captures than was allowed."""


REPLACED = ("run.json", BEGUN, METRICS, "report", INDEX, WORK, *OUTPUTS)
"""What a run removes of an earlier one in the same folder, in this order: first what says that there
is a run, so that none is believed to be there that is half removed."""

FULL = tuple(map(os.strerror, (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)))
"""What a file system says that takes no more."""


def run_command(options: Namespace) -> int:
    """`dbce run`: archives in, annotated archives and tables out."""
    log_to_stderr(options.log_format)
    settings = _settings(options)
    if settings.method == "joint" or settings.model:
        load_model(settings.model)  # a model that cannot be used shows before anything starts
    if options.partitions is not None and options.partitions < 1:
        raise UsageError(f"partitions is {options.partitions}; it must be at least 1")
    sources = archive.expand(options.input, options.warc_base)
    folder = Folder(options.out)
    _check_output(folder, options, sources)
    if options.resume and folder.exists("run.json") and not has_begun(folder):
        manifest = _finished(options, settings)
    else:
        with clear_sentences(options.out), locked(folder):
            manifest = _run(folder, options, settings, sources)
    print(summary(manifest, options.out))
    return _exit_code(manifest, settings, options.out)


def _check_output(folder: Folder, options: Namespace, sources: Sequence[archive.Source]) -> None:
    try:
        possible = folder.is_possible()
    except OSError as e:
        raise UsageError(f"{options.out} cannot be reached: {e}") from e
    if not possible:
        raise UsageError(f"{options.out} is no folder and cannot become one; name another")
    removed = tuple(f"{folder.at(name)}/" for name in REPLACED)
    for source in sources:
        if Folder(source.uri).path.startswith(removed):
            raise UsageError(f"the input {source.uri} would be removed; name another --out")


def _finished(options: Namespace, settings: Config) -> Manifest:
    """The account of a run that there is nothing left to do for."""
    _, manifest = open_run(options.out)
    if manifest["config_digest"] != settings.digest():
        raise UsageError(
            f"{options.out} holds a finished run with another configuration; name another folder, or "
            "replace it with --overwrite"
        )
    LOG.info("%s holds a finished run; nothing is left to do", options.out)
    return manifest


def _run(
    folder: Folder, options: Namespace, settings: Config, sources: tuple[archive.Source, ...]
) -> Manifest:
    """Begins a run, or goes on with one, and ends it; the folder is locked."""
    _check_content(folder, options)
    with _engine(options) as engine:
        if options.resume and has_begun(folder):
            sources = resumed(folder, sources, settings)
        else:
            for name in REPLACED:
                folder.remove(name)
            begin(folder, sources, settings)
        stores = Stores(folder.within(INDEX), folder)
        done = engine(sources, stores, settings, Progress(settings.digest()))
    # After Spark has stopped: no attempt that it has given up writes any more.
    return finish(folder, [source.name for source in sources], settings, done)


def _check_content(folder: Folder, options: Namespace) -> None:
    """Whether what is in the folder may be gone on with, or replaced."""
    if options.overwrite or is_free(folder):
        return
    if not has_begun(folder):
        kind = "holds no run to go on with and is not empty" if options.resume else "is not empty"
        raise UsageError(f"{options.out} {kind}; name another folder or add --overwrite")
    if not options.resume:
        raise UsageError(
            f"{options.out} holds a run that did not end; --resume goes on with it, "
            "--overwrite starts anew"
        )


@contextmanager
def clear_sentences(out: str) -> Iterator[None]:
    """Says in one sentence what to do where a store gave up, be it on another machine.

    Raises:
        StoreError: instead of what the file system, or Spark, made of it.
    """
    try:
        yield
    except DbceError:
        raise
    except Exception as e:
        if any(words in str(e) for words in FULL):
            raise StoreError(
                f"no space is left to write to {out}; what is done stays done: make room, and go on "
                "with --resume"
            ) from e
        raise


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


def _exit_code(manifest: Manifest, settings: Config, out: str) -> int:
    captures = manifest["captures"]
    rejected = captures[Status.REJECTED]
    if not rejected:
        return 0
    LOG.warning(
        "warning: %d of %d captures were rejected; %s/rejects names file, offset, record and reason "
        "of each",
        *(rejected, captures["total"], out),
    )
    return TOO_MANY_REJECTS if rejected > settings.max_reject_ratio * captures["total"] else 0


def nightly_command(options: Namespace) -> int:
    """`dbce nightly`: the new files of a folder, compared with all that came before."""
    log_to_stderr(options.log_format)
    settings = _settings(options)
    if settings.method == "joint" or settings.model:
        load_model(settings.model)
    root = Folder(options.archive)
    if not root.is_possible():
        raise UsageError(f"{options.archive} is no folder and cannot become one; name another")
    code = nights = 0
    with clear_sentences(options.archive), locked(root):
        sources = archive.expand(options.input, options.warc_base, may_be_empty=True)
        for name, files in nights_to_run(root, sources, settings):
            engine = partial(_stages, options, progress=Progress(name))
            done = run_night(root, name, files, settings, engine, revising=options.revise)
            out = f"{options.archive}/{NIGHTS}/{name}"
            code = max(code, _exit_code(done.manifest, settings, out))
            print(summary_line(done))
            nights += 1
    if not nights:
        print(f"nothing new among {len(sources)} files")
    return code


def _stages(options: Namespace, *what: Any, **more: Any) -> Done:
    """Runs the stages; Spark stops behind them, so that no attempt that it has given up writes on."""
    with _engine(options) as run:
        return run(*what, **more)


def compact_command(options: Namespace) -> None:
    """`dbce compact`: the index of a nightly archive in few large files."""
    root = Folder(options.archive)
    if not root.exists(NIGHTS):
        raise UsageError(f"{options.archive} is no nightly archive; dbce nightly makes one")
    with clear_sentences(options.archive), locked(root):
        done = compact_nights(root)
    if done is None:
        print("nothing to compact: no night has been added since")
    else:
        print(
            f"{done.captures} captures of {done.nights} nights ({done.added} of them new): "
            f"{done.before} files became {done.after}"
        )


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

    log_to_stderr("text")
    settings = config.load(Path(options.config)) if options.config else config.Config()
    card = train(
        [Labelled.of(words) for words in options.data],
        Path(options.out),
        settings,
        folds=options.folds,
        texts=Path(options.held_out) if options.held_out else None,
        progress=LOG.info,
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
