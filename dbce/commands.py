"""What the commands do; their options are in dbce.cli."""

from __future__ import annotations

import errno
import json
import os
import re
import sys
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dbce import archive, check, config, evaluate, html, local, report, sample
from dbce.classify import load_model
from dbce.config import ALSO
from dbce.errors import DbceError, StoreError, UsageError
from dbce.explain import explain
from dbce.index import outcomes
from dbce.model import ROLES, Status
from dbce.night import DAMAGED, NIGHTS, compact_nights, nights_to_run, run_night, summary_line
from dbce.output.begun import BEGUN, begin, has_begun, is_free, locked, resumed
from dbce.output.folder import Folder
from dbce.output.manifest import finish
from dbce.output.metrics import NAME as METRICS
from dbce.output.read import (
    STAMP,
    annotated_page,
    find_pages,
    find_snapshots,
    node_rows,
    open_run,
    page_rows,
)
from dbce.output.schemas import JUDGED
from dbce.output.summary import summary
from dbce.output.unit import INDEX, OUTPUTS, WORK
from dbce.progress import LOG, Progress, log_to_stderr
from dbce.report.show import show, show_node, show_pushes
from dbce.stores import Stores

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator, Sequence

    from dbce.config import Config
    from dbce.output.manifest import Done, Manifest
    from dbce.output.rows import Row
    from dbce.view.server import Server

TOO_MANY_REJECTS = 3
"""Exit code of a run that rejected a larger share of captures than was allowed."""


REPLACED = ("run.json", BEGUN, METRICS, "report", "report.html", INDEX, WORK, *OUTPUTS)
"""What a run removes of an earlier one in the same folder, in this order: first what says that there
is a run, so that none is believed to be there that is half removed."""

VIEW_NEEDS = frozenset({"duckdb", "flask", "waitress"})
"""The libraries of the extra `view`."""

FULL = tuple(map(os.strerror, (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)))
"""What a file system says that takes no more."""

STORE_ERROR = re.compile(rf"^{StoreError.__module__}\.{StoreError.__name__}: (.+)", re.MULTILINE)
"""How Spark's account of a failed task tells of one."""

CLIENT_ERROR = re.compile(r"^(?:aiobotocore|aiohttp|botocore|s3fs)\.[\w.]+: (.+)", re.MULTILINE)
"""How an error begins of what speaks with a store, also in Spark's account."""


def run_command(options: Namespace) -> int:
    """`dbce run`: archives in, annotated archives and tables out."""
    log_to_stderr(options.log_format)
    settings = _settings(options)
    _warn_of_players(settings)
    if settings.method == "joint" or settings.model:
        load_model(settings.model)  # a model that cannot be used shows before anything starts
    if options.partitions is not None and options.partitions < 1:
        raise UsageError(f"partitions is {options.partitions}; it must be at least 1")
    sources = archive.expand(options.input, options.warc_base, _selection(options))
    folder = Folder(options.out)
    with clear_sentences(options.out):
        _check_output(folder, options, sources)
        if options.resume and folder.exists("run.json") and not has_begun(folder):
            manifest = _finished(options, settings, sources)
        else:
            with locked(folder):
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


def _finished(options: Namespace, settings: Config, sources: Sequence[archive.Source]) -> Manifest:
    """The account of a run that there is nothing left to do for."""
    _, manifest = open_run(options.out)
    also = tuple(name for name in ALSO if manifest["config"].get(name))
    if (manifest["config_digest"], also) != (settings.digest(), settings.also()):
        raise UsageError(
            f"{options.out} holds a finished run with another configuration; name another folder, or "
            "replace it with --overwrite"
        )
    if manifest["selection"] != sources[0].selection.options():
        raise UsageError(
            f"{options.out} holds a finished run with another selection; name another folder, or "
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
            sources = archive.split(sources, settings.split_bytes)
            begin(folder, sources, settings)
        stores = Stores(folder.within(INDEX), folder)
        taken = partial(_check_taken, folder, sources[0].selection)
        done = engine(sources, stores, settings, Progress(settings.digest()), when_read=taken)
    # After Spark has stopped: no attempt that it has given up writes any more.
    return finish(folder, [source.name for source in sources], settings, done)


def _check_taken(folder: Folder, selection: archive.Selection) -> None:
    """Whether a selection has left anything; if not, the run is as if it had never begun."""
    if selection.takes_all:
        return
    found = outcomes(folder.within(INDEX))
    damaged = found.pop(DAMAGED, 0)
    if found:
        return
    for name in REPLACED:
        folder.remove(name)
    but = f" but {damaged} damaged places, whose URLs are not known" if damaged else ""
    raise UsageError(f"the selection leaves nothing of the inputs{but}")


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
        if told := STORE_ERROR.search(str(e)):
            raise StoreError(told[1].strip()) from e
        if (told := CLIENT_ERROR.search(f"{type(e).__module__}.{type(e).__name__}: {e}")) or (
            isinstance(e, OSError)
        ):
            said = " ".join((told[1] if told else str(e) or type(e).__name__).split())
            raise StoreError(
                f"{out} cannot be reached: {said}; what is done stays done: see to that, and go on "
                "with --resume"
            ) from e
        raise


def _settings(options: Namespace) -> Config:
    """Defaults, then the configuration file, then what the command line says."""
    base = config.load(Path(options.config)) if options.config else config.Config()
    return config.override(base, vars(options))


def _warn_of_players(settings: Config) -> None:
    if settings.wacz and settings.record_type == "conversion":
        LOG.warning(
            "warning: players of WACZ pass over conversion records; with --record-type response the "
            "packages can be played"
        )


def _selection(options: Namespace) -> archive.Selection:
    return archive.select(
        hosts=options.host,
        url_prefixes=options.url_prefix,
        since=options.since,
        until=options.until,
        mimes=options.mime,
        sample=options.sample,
    )


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
    unknown = captures["reasons"].get(DAMAGED, 0) if manifest["selection"] else 0
    allowed = settings.max_reject_ratio * (captures["total"] - unknown)
    return TOO_MANY_REJECTS if rejected - unknown > allowed else 0


def nightly_command(options: Namespace) -> int:
    """`dbce nightly`: the new files of a folder, compared with all that came before."""
    log_to_stderr(options.log_format)
    settings = _settings(options)
    _warn_of_players(settings)
    if settings.method == "joint" or settings.model:
        load_model(settings.model)
    root = Folder(options.archive)
    code = nights = 0
    with clear_sentences(options.archive):
        if not root.is_possible():
            raise UsageError(f"{options.archive} is no folder and cannot become one; name another")
    with clear_sentences(options.archive), locked(root):
        sources = archive.expand(
            *(options.input, options.warc_base, _selection(options)), may_be_empty=True, draw=False
        )
        for name, files in nights_to_run(root, sources, settings):
            engine = partial(_stages, options, progress=Progress(name))
            new = archive.drawn(files)
            done = run_night(root, name, new, settings, engine, revising=options.revise)
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


def check_command(options: Namespace) -> int:
    """`dbce check`: what is in archives, and what is damaged where."""
    jobs = (os.cpu_count() or 1) if options.jobs is None else options.jobs
    if jobs < 1:
        raise UsageError(f"jobs is {options.jobs}; it must be at least 1")
    settings = _settings(options)
    sources = archive.expand(options.input, options.warc_base, _selection(options))
    sources = archive.split(sources, settings.split_bytes)
    told = check.as_json if options.json else check.as_text
    total = check.Account()
    alone = len({source.name for source in sources}) == 1
    for name, account in check.surveys(sources, settings.limits, jobs):
        if alone:
            account = check.with_resolutions(account, sources)  # noqa: PLW2901 - the same, told in full
        print(told(name, account), flush=True)
        total += account
    if not alone:
        total = check.with_resolutions(total, sources)
    if options.json or total.files > 1:
        print(told(None, total))
    return TOO_MANY_REJECTS if options.strict and total.damaged else 0


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
    folder, manifest = open_run(options.directory)
    columns = ["record_id", "url", "url_surtkey", "fetch_time", "status", "text"]
    judged = (row for row in page_rows(folder, columns) if row["status"] in JUDGED)
    if options.format == "wet":
        origin = manifest["config_digest"], manifest["versions"]["dbce"]
        archive.write_wet(sys.stdout.buffer, map(_wet, judged), *origin)
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
    names = ("record_id", "url", "url_surtkey", "fetch_time", "text")
    return archive.PlainText(*(row[name] for name in names))


def show_command(options: Namespace) -> None:
    """`dbce show`: one capture, its cross, its nodes, why."""
    folder, manifest = open_run(options.directory)
    page = _snapshot(folder, options)
    members = find_pages(folder, [page[role] for role in ROLES[1:] if page[role]])
    nodes = node_rows(folder, page["record_id"])
    lines = show(page, members, nodes)
    if options.node is not None:
        lines = show_node(page, members, _of_node(nodes, options.node))
    for line in lines:
        print(line)
    if options.node is not None:
        for line in _explained(folder, manifest, page, options.node):
            print(line)


def _of_node(nodes: Sequence[Row], number: int) -> list[Row]:
    """The text runs of a text node."""
    found = [node for node in nodes if node["node"] == number]
    if not found:
        last = max((node["node"] for node in nodes), default=None)
        raise UsageError(
            f"there is no text node {number}; "
            + ("the page has no verdicts" if last is None else f"the page has 0 to {last}")
        )
    return found


def _explained(folder: Folder, manifest: Manifest, page: Row, node: int) -> Iterator[str]:
    """What pushed the verdict, or why that cannot be told."""
    try:
        found = explain(folder, manifest, page, node)
    except UsageError as e:
        yield f"\n  what pushed it cannot be told: {e}"
    else:
        yield from show_pushes(found)


def view_command(options: Namespace) -> int:
    """`dbce view`: a web page on a run, until somebody stops it."""
    with _view_installed("dbce view"):
        from dbce.view.server import start
    _check_port(options)
    server = start(options.directory, _moved(options), options.host, options.port)
    _serve(server)
    return 0


def label_command(options: Namespace) -> int:
    """`dbce label`: a web page on which people say what is content, until somebody stops it."""
    with _view_installed("dbce label"):
        from dbce.view.label.server import labelling
    _check_port(options)
    if options.captures < 1:
        raise UsageError(f"--captures is {options.captures}; it must be at least 1")
    with labelling(
        options.directory,
        options.gold,
        _moved(options),
        order=options.order,
        captures=options.captures,
        host=options.host,
        port=options.port,
    ) as server:
        _serve(server)
    return 0


@contextmanager
def _view_installed(command: str) -> Iterator[None]:
    """Says what to install where the libraries of the extra `view` are missing."""
    try:
        yield
    except ModuleNotFoundError as e:
        if (e.name or "").partition(".")[0] not in VIEW_NEEDS:
            raise
        raise UsageError(f"{command} needs more: pip install 'dbce[view]'") from e


def _check_port(options: Namespace) -> None:
    if not 0 <= options.port <= 65535:
        raise UsageError(f"--port {options.port} is none; give a number from 0 to 65535")


def _moved(options: Namespace) -> dict[str, str]:
    """Where input files of a run are now, by name."""
    sources = archive.expand(options.archive) if options.archive else ()
    return {source.name: source.uri for source in sources}


def _serve(server: Server) -> None:
    with suppress(KeyboardInterrupt):
        print(f"Open {server.address} in a browser; Ctrl-C ends it.", flush=True)
        server.run()


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
    return annotated_page(folder, page)


def sample_command(options: Namespace) -> None:
    """`dbce sample`: the sample archive with its gold."""
    print(sample.write(Path(options.directory)))


def report_command(options: Namespace) -> None:
    """`dbce report`: the report of a run in one file, and pages of its captures to look at."""
    print(
        report.write_report(
            options.directory,
            gold=options.gold,
            group=options.group,
            out=options.out,
            csv=options.csv,
        )
    )


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
