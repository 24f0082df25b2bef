"""Commands that show a run in the terminal: `dbce show`, `strip` and `history`."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from dbce import archive, html
from dbce.commands.settings import open_selected
from dbce.model import ROLES, UsageError, without_control
from dbce.output import (
    JUDGED,
    annotated_page,
    find_pages,
    no_such_url,
    node_rows,
    open_whole,
    snapshots_of,
)

if TYPE_CHECKING:
    from dbce.output import Manifest, Row
    from dbce.storage import Folder


def show_command(options: Namespace) -> None:
    """`dbce show`: one capture, its cross, its nodes, why."""
    from dbce.report.show import show, show_node

    folder, manifest = open_whole(options.directory)
    page = snapshot_of(open_selected(options.directory, options)[0], options)
    members = find_pages(folder, [page[name] for name in (*ROLES[1:], "variant_of") if page[name]])
    nodes = node_rows(folder, page["record_id"])
    lines = show(page, members, nodes)
    if options.node is not None:
        lines = show_node(page, members, _node_runs(nodes, options.node))
        lines = chain(lines, _explanation(folder, manifest, page, options.node))
    for line in chain.from_iterable(text.split("\n") for text in lines):
        print(without_control(line))


def _node_runs(nodes: Sequence[Row], number: int) -> list[Row]:
    """The text runs of a text node."""
    found = [node for node in nodes if node["node"] == number]
    if not found:
        last = max((node["node"] for node in nodes), default=None)
        raise UsageError(
            f"there is no text node {number}; "
            + ("the page has no verdicts" if last is None else f"the page has 0 to {last}")
        )
    return found


def _explanation(folder: Folder, manifest: Manifest, page: Row, node: int) -> Iterator[str]:
    """Yield lines on the features that pushed the verdict, or on why there are none to tell."""
    from dbce.report.show import show_pushes
    from dbce.run import explain

    try:
        found = explain(folder, manifest, page, node)
    except UsageError as e:
        yield f"\n  what pushed it cannot be told: {e}"
    else:
        yield from show_pushes(found)


def snapshot_of(folder: Folder, options: Namespace) -> Row:
    """The capture of a URL that is nearest to a time, the latest without one."""
    snapshots = snapshots_of(folder, options.url)
    if options.at is None:
        return snapshots[-1]
    wanted = archive.parse_date(options.at)
    if wanted is None:
        raise UsageError(f"--at {options.at} is not a time; give up to 14 digits: YYYYMMDDhhmmss")
    return min(snapshots, key=lambda row: abs(row["fetch_time"] - wanted))


def strip_command(options: Namespace) -> None:
    """`dbce strip`: an annotated page as it was before, from a file or from a run."""
    sys.stdout.buffer.write(html.strip(_read_annotated(options)))


def _read_annotated(options: Namespace) -> bytes:
    if options.page == "-":
        return sys.stdin.buffer.read()
    if options.url is None:
        try:
            return Path(options.page).read_bytes()
        except OSError as e:
            raise UsageError(f"cannot read {options.page}: {e.strerror}") from e
    folder, _ = open_whole(options.page)
    page = snapshot_of(folder, options)
    if page["status"] not in JUDGED:
        raise UsageError(f"{options.url} is {page['status']} ({page['reason']}): not annotated")
    return annotated_page(folder, page)


def history_command(options: Namespace) -> None:
    """`dbce history`: the main text of a URL through its captures, in words."""
    from dbce import history

    folder, _ = open_selected(options.directory, options)
    captures = history.captures_of(folder, archive.surt(options.url))
    if not captures:
        raise no_such_url(folder, options.url)
    text = getattr(history, f"as_{options.format}")(history.text_history_of(folder, captures))
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
