"""Commands that write and check runs: `dbce run`, `nightly`, `compact`, `check`, `repair`; and one stage of a run by itself."""

import os
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial

from dbce import archive, model, output, run, wing
from dbce.archive import RUN, Source
from dbce.boilerplate.classify import load_model
from dbce.commands.faults import clear_sentences
from dbce.commands.options import AUTO
from dbce.commands.settings import (
    check_positive,
    engine_of,
    existing_outputs,
    exit_code,
    jobs_of,
    selection_of,
    settings_of,
    sources_of,
)
from dbce.commands.table import Exit
from dbce.engine import Local, drive, noted_sources, place_of
from dbce.output.index import has_unit
from dbce.storage import AGAIN, Folder, archive_root, folder_lock, has_begun, spare_pandas


def _begin(options: Namespace) -> model.Config:
    """Return the settings; a model that cannot be used shows before anything starts."""
    spare_pandas()
    settings = settings_of(options)
    if settings.wacz and settings.record_type == "conversion":
        model.LOG.warning(
            "warning: players of WACZ ignore conversion records; with --record-type response the packages can be played"
        )
    if settings.method == "joint" or settings.model:
        load_model(settings.model)
    return settings


def run_command(options: Namespace) -> int:
    settings = _begin(options)
    if settings.is_literal:
        model.LOG.warning("the method thesis takes %s", model.LITERAL_COST)
    if options.partitions is not None:
        check_positive("--partitions", options.partitions)
    _check_standard_input(options)
    sources = sources_of(options, url=options.url)
    with clear_sentences(options.out):
        pieces = archive.split(sources, settings.split_bytes)
        job = run.RunJob(options.out, settings, pieces, options.stage or model.Stage.JUDGE)
        job.check_place()
        if not options.overwrite:
            job.check_account()
        if options.stage is not None:
            prepare(job, options)
        ended = drive(job, partial(engine_of, options, sources), existing_outputs(options))
    model.end_line()
    if isinstance(ended, output.RunTotals):
        print(NEXT_JOB[options.stage].format(ended.captures, options.out))
        return 0
    manifest = ended or output.open_run(options.out)[1]
    print(output.summary(manifest, options.out))
    return exit_code(manifest, settings, options.out)


def _check_standard_input(options: Namespace) -> None:
    """Check that standard input can be read twice: it is kept on this machine, as long as this process lasts."""
    if archive.STANDARD_INPUT not in options.input:
        return
    if options.resume:
        raise model.UsageError(
            "a run on standard input cannot be resumed, because its input is gone; save it to a file, and "
            "give that with --overwrite"
        )
    if not (options.master or "").startswith(("none", "local", AUTO)):
        raise model.UsageError(
            "other machines cannot read standard input; add --master none, or save it to a file that they see"
        )


NEXT_JOB = {
    model.Stage.READ: "the sketches of {} captures are in {}; next, with the same arguments: jobs/compare.py",
    model.Stage.COMPARE: "{} captures are compared in {}; next, with the same arguments: jobs/judge.py",
}
"""Message after a stage that another one follows."""


def prepare(job: run.RunJob, options: Namespace) -> None:
    """Make a later stage go on with its run; UsageError if the stage before it is not done, or Spark is not to be used."""
    if options.master == "none":
        raise model.UsageError(
            "a stage by itself needs Spark; leave out --master none, or use dbce run"
        )
    if options.stage is model.Stage.READ:
        return
    if options.overwrite:
        raise model.UsageError(
            "--overwrite is for jobs/sketch.py, which begins a run; leave it out here"
        )
    options.resume = True
    folder = place_of(job)
    if not has_begun(folder):
        if job.is_finished():
            return  # nothing is left to do
        raise model.UsageError(f"{options.out} holds no run to continue; begin with jobs/sketch.py")
    index = folder.subfolder(output.INDEX)
    if missing := [s.name for s in noted_sources(folder) if not has_unit(index, s.unit)]:
        raise model.UsageError(
            f"{options.out} has no sketches of {missing[0]}; continue with jobs/sketch.py --resume first"
        )
    if options.stage is model.Stage.JUDGE and not folder.exists(output.COMPARED):
        raise model.UsageError(f"{options.out} holds no comparison; run jobs/compare.py first")


def nightly_command(options: Namespace) -> int:
    settings = _begin(options)
    if settings.is_literal:
        raise model.UsageError("the method thesis compares the pages of one run; use dbce run")
    if archive.STANDARD_INPUT in options.input:
        raise model.UsageError(
            "a night takes files that stay, and standard input does not: save it into the incoming folder"
        )
    root = Folder(options.archive)
    nights = 0
    with clear_sentences(options.archive):
        if not root.is_possible():
            raise model.UsageError(
                f"{options.archive} is not a folder and cannot be made one; name another"
            )
        _check_no_run(root)
    with clear_sentences(options.archive), folder_lock(root):
        sources = sources_of(options, may_be_empty=True, draw=False)
        code = _warn_of_missing_nights(root)
        if options.changes:
            # Those of complete nights that earlier calls have not found to the end.
            complete = [f"{output.NIGHTS}/{name}" for name in output.complete_nights(root)]
            for night in wing.require("nights_without_changes", "--changes")(root, complete):
                print(_changes(root, night.rpartition("/")[2]))
        for name, taken in run.nights_to_run(root, sources, settings):
            engine = partial(_stages_of_night, options, progress=model.Progress(name))
            new = archive.draw_sample(taken)
            done = run.run_night(root, name, new, settings, engine, revising=options.revise)
            out = f"{options.archive}/{output.NIGHTS}/{name}"
            code = max(code, exit_code(done.manifest, settings, out))
            model.end_line()
            print(run.summary_line(done))
            if options.changes:
                print(_changes(root, name))
            nights += 1
    model.end_line()
    if not nights:
        print(f"nothing new among {model.files(len(sources))}")
    return code


def _warn_of_missing_nights(root: Folder) -> int:
    """Warn of nights that are missing or recorded as lost; return the exit code."""
    complete = output.complete_nights(root)
    listed = output.listed_nights(root)
    gone = [night for night in listed if night not in complete]
    for night in gone:
        model.LOG.warning(
            "warning: the night %s is missing or incomplete: dbce repair %s", night, root.uri
        )
    for night in sorted({*output.listed_nights(root, with_lost=True)} - {*listed}):
        model.LOG.warning("warning: the night %s is lost", night)
    return Exit.TOO_MANY_REJECTS if gone else 0


def _changes(root: Folder, name: str) -> str:
    before = [night for night in output.complete_nights(root) if night < name]
    *earlier, tonight = (f"{output.NIGHTS}/{night}" for night in (*before, name))
    changes = wing.part("find_changes_of_night")(root, tonight, earlier)
    account = wing.part("told_account")(changes, root.full_path(tonight))
    return f"{name}: {account}"


def _check_no_run(root: Folder) -> None:
    """Check that the folder is not that of a run, whose index nights would take for their own."""
    if root.exists(RUN) or has_begun(root):
        kind = "a finished run" if root.exists(RUN) else "an unfinished run"
        raise model.UsageError(
            f"{root.uri} is {kind}, not a nightly archive; name another folder, which dbce nightly makes"
        )


def _stages_of_night(
    options: Namespace,
    sources: Sequence[Source],
    stores: run.Stores,
    settings: model.Config,
    when_read: Callable[[], None],
    *,
    progress: model.Progress,
) -> output.RunTotals:
    """Run the stages; Spark stops behind them, so that no attempt that it has given up writes on."""
    if options.changes:
        wing.part("ask_for_changes")(stores.out)
    with engine_of(options, sources) as workers:
        return run.run_stages(sources, stores, settings, workers, progress, when_read=when_read)


def compact_command(options: Namespace) -> None:
    root = Folder(options.archive)
    _check_no_run(root)
    if not root.exists(output.NIGHTS):
        raise model.UsageError(
            f"{options.archive} is not a nightly archive; dbce nightly makes one"
        )
    with clear_sentences(options.archive), folder_lock(root):
        done = run.compact_nights(root)
    if done is None:
        print("nothing to compact: no night has been added since")
    else:
        print(
            f"{model.count_of(done.captures, 'capture')} of {model.count_of(done.nights, 'night')} ({done.added} of them new): "
            f"{model.files(done.before)} became {done.after}"
        )


def check_command(options: Namespace) -> int:
    jobs = jobs_of(options, os.cpu_count() or 1)
    outputs = [uri for uri in options.input if run.is_output_folder(uri)]
    damaged = False
    for uri in outputs:
        outcome = run.check_outputs(uri)
        print((run.outputs_as_json if options.json else run.outputs_as_text)(outcome), flush=True)
        damaged |= bool(outcome.damages)
    options.input = [uri for uri in options.input if uri not in outputs]
    if outputs and not options.input:
        return Exit.TOO_MANY_REJECTS if damaged else 0
    settings = settings_of(options)
    sources = archive.split(sources_of(options, texts=True, url=options.url), settings.split_bytes)
    write_account = run.account_as_json if options.json else run.account_as_text
    total = run.ArchiveAccount()
    alone = len({source.name for source in sources}) == 1
    surveys = run.survey_archives(sources, settings.limits, jobs)
    for name, account in _require_selected(surveys, selection_of(options)):
        model.raise_pending()
        if alone:
            account = run.with_resolutions(account, sources)  # noqa: PLW2901 - the same, told in full
        print(write_account(name, account), flush=True)
        total += account
    if not alone:
        total = run.with_resolutions(total, sources)
    if options.json or total.files > 1:
        print(write_account(None, total))
    return Exit.TOO_MANY_REJECTS if damaged or (options.strict and total.damaged) else 0


def repair_command(options: Namespace) -> int:
    root = Folder(archive_root(options.directory))
    if not run.is_output_folder(root.uri):
        raise model.UsageError(output.no_run(root))
    jobs = jobs_of(options, os.cpu_count() or 1)
    repair = run.repair_archive if root.exists(output.NIGHTS) else run.repair_run
    with clear_sentences(root.uri), folder_lock(root):
        done = repair(root, lambda: nullcontext(Local(jobs)))
    model.end_line()
    left = run.damages_of_others(root.uri)
    lines = [f"rebuilt: {path}" for path in done.rebuilt] + [f"lost: {path}" for path in done.lost]
    lines += [f"{damage}: {AGAIN}" for damage in left]
    print("\n".join(lines) or f"{root.uri}: nothing to repair")
    return Exit.TOO_MANY_REJECTS if done.lost or left else 0


def _require_selected(
    accounts: Iterator[tuple[str, run.ArchiveAccount]], selection: archive.Selection
) -> Iterator[tuple[str, run.ArchiveAccount]]:
    """The accounts of files; those with nothing selected wait for one that has something, else model.UsageError."""
    waiting: list[tuple[str, run.ArchiveAccount]] = []
    for of_file in accounts:
        waiting.append(of_file)
        records = of_file[1].records
        if selection.takes_all or records.total() > records["warcinfo"]:  # which is of no page
            yield from waiting
            waiting.clear()
            selection = archive.select()
    archive.check_taken(selection, 0, sum(account.damaged for _, account in waiting))
