"""The sample, reports, scores and models: `dbce sample`, `report`, `evaluate`, `train`."""

import json
from argparse import Namespace

from dbce import sample
from dbce.commands.settings import config_at, row_selection
from dbce.model import LOG, end_line, log_to_stderr


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
    from dbce.evaluate import main_report  # which needs pandas, as the sample does not

    print(
        main_report(
            options.directory,
            options.gold,
            group=options.group,
            csv=options.csv,
            parquet=options.parquet,
            html=options.html,
        )
    )


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
