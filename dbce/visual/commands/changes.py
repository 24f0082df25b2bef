"""Command `dbce changes`."""

from argparse import Namespace
from collections.abc import Iterator
from functools import partial

from dbce.archive import clock_of, typed_time
from dbce.commands.faults import clear_sentences
from dbce.commands.settings import engine_of, existing_outputs, row_selection
from dbce.engine import drive
from dbce.history import passage_lines, steps_in_words, text_between
from dbce.model import count_of, end_line
from dbce.output import Row, open_whole
from dbce.quality import meaning
from dbce.visual import changes

COUNTED = (
    ("words of content", "content"),
    ("words of boilerplate", "boilerplate"),
    ("links", "links"),
    ("images", "images"),
    ("blocks as rendered", "boxes"),
)
"""Counts of a pair in the output, by the prefixes of their columns."""


def changes_command(options: Namespace) -> None:
    with clear_sentences(options.directory):
        folder = open_whole(options.directory)[0].uri  # for a night, its own
        selection = row_selection(folder, options, options.urls)
        if options.pair:
            url, *typed = options.pair
            times = [typed_time("--pair", text) for text in typed]
            row = changes.compare_pair(folder, url, times, options.mode, selection)
            print("\n".join([*pair_lines(row), *_in_words(folder, row)]))
            return
        changes.check(folder, options.mode)
        job = changes.ChangesJob(folder, options.mode, selection=selection)
        account = drive(job, partial(engine_of, options), existing_outputs(options))
    end_line()
    if account is not None:
        print(told_account(account, folder))


def told_account(account: changes.ChangesAccount, folder: str) -> str:
    total = account.classes.total()
    if not total:
        return f"nothing to compare in {folder}: {count_of(account.singles, 'URL')}, none with two snapshots"
    kinds = ", ".join(
        f"{account.classes[kind]} {kind}" for kind in changes.ChangeKind if account.classes[kind]
    )
    lines = [
        f"{count_of(total, 'snapshot')} with an earlier one: {kinds or 'no change known'}; important changes: {account.important}"
    ]
    if account.classes[""]:
        lines.append(f"{account.classes['']} could not be compared; column reason says why")
    if account.singles:
        lines.append(f"URLs with only one snapshot: {account.singles}")
    lines.append(f"table: {folder}/changes")
    return "\n".join(lines)


def pair_lines(row: Row) -> Iterator[str]:
    """Yield lines on the changes between two snapshots; `row` is one of CHANGES.

    Missing values are left out, such as those of pictures of pages that were not rendered.
    """
    yield row["url"]
    if row.get("before_time") is None:
        yield f"{clock_of(row['fetch_time'])} could not be compared: {meaning(row['reason'])}"
        return
    yield f"from {clock_of(row['before_time'])} to {clock_of(row['fetch_time'])}"
    yield from _verdict(row)
    if row.get("content_kept") is not None:
        yield from _counts(row)
        is_redesign = row["class"] == changes.ChangeKind.REDESIGN
        kind = "another template: a redesign" if is_redesign else "no redesign"
        yield f"template similarity {row['template_similarity']:.2f}: {kind}"
        units = ((row[f"units_{kind}"], kind) for kind in changes.UNIT_KINDS)
        counts = ", ".join(f"{number:,} {kind.word}" for number, kind in units if number)
        yield f"sentences, items, rows and lines of the content: {counts or 'none'}"
        if row.get("kinds"):
            yield f"in the content: {', '.join(row['kinds'])}"
        yield f"damage: {meaning(row['damage'] or 'none found')}"
    if row.get("ssim") is not None:
        yield (
            f"pictures: SSIM {row['ssim']:.2f}, {row['pixels']:.1%} of pixels changed, "
            f"height {row['height_before']} to {row['height']} px"
        )


def _in_words(directory: str, row: Row) -> Iterator[str]:
    """Yield the passages of the main text that changed between the snapshots of a row of CHANGES."""
    if row.get("before") is None:
        return
    folder, _ = open_whole(directory)
    step = text_between(folder, row["url"], row["before"], row["record_id"])
    if step is not None:
        yield from ("", f"main text: {steps_in_words([step])}", *passage_lines(step))


def _verdict(row: Row) -> Iterator[str]:
    if row.get("class") is None:
        yield f"could not be compared: {meaning(row['reason'])}"
        return
    reason = f" ({meaning(row['reason'])})" if row.get("reason") else ""
    important = "; important" if row.get("important") else ""
    yield f"{row['class']}{reason}{important}"
    if row.get("probability") is not None:
        score = f"score {row['score']:.2f}, content changed with probability"
        yield f"{score} {row['probability']:.2f}, by mode {row['mode']}"


def _counts(row: Row) -> Iterator[str]:
    """Yield a small table of numbers added, removed, changed and kept."""
    yield f"{'':21}" + "".join(f"{part:>9}" for part in changes.PARTS)
    for name, column in COUNTED:
        counts = [row.get(f"{column}_{part}") for part in changes.PARTS]
        if counts[-1] is not None:
            yield f"{name:21}" + "".join(f"{'' if n is None else n:>9}" for n in counts)
