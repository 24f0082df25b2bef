"""The sample, reports, scores and models: `dbce sample`, `report`, `evaluate`, `train`."""

import json
from argparse import Namespace

from dbce import sample
from dbce.commands.settings import config_at, row_selection
from dbce.model import LOG, end_line, log_to_stderr
from dbce.storage import write_file


def sample_command(options: Namespace) -> None:
    print(sample.write(options.directory))


def report_command(options: Namespace) -> None:
    from dbce.report.one_file import write_report  # which needs the extra "report"

    print(
        write_report(
            options.directory,
            gold=options.gold,
            group=options.group,
            out=options.out,
            csv=options.csv,
            selection=row_selection(options.directory, options, options.urls or ()),
        )
    )


def evaluate_command(options: Namespace) -> None:
    from dbce.evaluate import evaluate_all  # which needs pandas, as the sample does not

    comparison = evaluate_all(options.directory, options.gold, options.group)
    if options.csv:
        write_file(options.csv, comparison.table().to_csv(index=False))
    if options.parquet:
        write_file(options.parquet, comparison.table().to_parquet(index=False))
    if options.html:
        from dbce.evaluate import page  # which needs the extra "evaluate", too

        write_file(options.html, page.render(comparison, options.group))
    print(comparison.text())


def train_command(options: Namespace) -> None:
    from dbce.train.run import LabelledArchive, train

    log_to_stderr("text", quiet=options.quiet)
    settings = config_at(options.config)
    card = train(
        [LabelledArchive.from_arguments(words) for words in options.data],
        options.out,
        settings,
        folds=options.folds,
        texts=options.held_out,
        progress=LOG.info,
    )
    end_line()
    print(json.dumps(card, indent=1))
