"""Commands that print a finished run, one capture or all, and `dbce export`, which hands its texts on."""

import json
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain, islice
from pathlib import Path

from dbce import archive, html, output
from dbce.adapters import TARGETS
from dbce.commands.faults import clear_sentences
from dbce.commands.settings import chunking_of, open_selected
from dbce.commands.table import Exit
from dbce.model import LOG, ROLES, UsageError, count_of, without_control
from dbce.storage import Folder, spare_pandas


def show_command(options: Namespace) -> None:
    from dbce.report.show import show, show_node

    folder, manifest = output.open_whole(options.directory)
    page = snapshot_of(open_selected(options.directory, options)[0], options)
    record_ids = [page[name] for name in (*ROLES[1:], "variant_of") if page[name]]
    members = output.find_pages(folder, record_ids)
    nodes = output.node_rows(folder, page["record_id"])
    lines = show(page, members, nodes)
    if options.node is not None:
        runs = [node for node in nodes if node["node"] == options.node]
        if not runs:
            last = max((node["node"] for node in nodes), default=None)
            has = "the page has no verdicts" if last is None else f"the page has 0 to {last}"
            raise UsageError(f"there is no text node {options.node}; {has}")
        lines = show_node(page, members, runs)
        lines = chain(lines, _explanation(folder, manifest, page, options.node))
    for line in chain.from_iterable(text.split("\n") for text in lines):
        print(without_control(line))


def _explanation(
    folder: Folder, manifest: output.Manifest, page: output.Row, node: int
) -> Iterator[str]:
    from dbce.report.show import show_pushes
    from dbce.run import explain

    try:
        explanation = explain(folder, manifest, page, node)
    except UsageError as e:
        yield f"\n  what pushed it cannot be told: {e}"
    else:
        yield from show_pushes(explanation)


def snapshot_of(folder: Folder, options: Namespace) -> output.Row:
    """The capture of a URL that is nearest to a time, the latest without one."""
    snapshots = output.snapshots_of(folder, options.url)
    if options.at is None:
        return snapshots[-1]
    wanted = archive.typed_time("--at", options.at)
    return min(snapshots, key=lambda row: abs(row["fetch_time"] - wanted))


def strip_command(options: Namespace) -> None:
    sys.stdout.buffer.write(html.strip(_read_annotated(options)))


def _read_annotated(options: Namespace) -> bytes:
    if options.page == "-":
        return sys.stdin.buffer.read()
    if options.url is None:
        try:
            return Path(options.page).read_bytes()
        except IsADirectoryError as e:
            raise UsageError(f"{options.page} is a folder; name the URL of a page, too") from e
        except OSError as e:
            raise UsageError(f"cannot read {options.page}: {e.strerror}") from e
    folder, _ = output.open_whole(options.page)
    page = snapshot_of(folder, options)
    if page["status"] not in output.JUDGED:
        raise UsageError(f"{options.url} is {page['status']} ({page['reason']}): not annotated")
    return output.annotated_page(folder, page)


def history_command(options: Namespace) -> None:
    from dbce import history

    folder, _ = open_selected(options.directory, options)
    captures = history.captures_of(folder, archive.surt(options.url))
    if not captures:
        raise output.no_such_url(folder, options.url)
    through_time = history.text_history_of(folder, captures)
    if options.page:
        from dbce.commands.extras import write_comparison  # which needs the extra "view"

        judged = {row["record_id"] for row in captures if row["status"] in output.JUDGED}
        sound = [step for step in through_time.steps if step.is_sound and step.record_id in judged]
        write_comparison(options, sound)
        return
    text = getattr(history, f"as_{options.format}")(through_time)
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))


LEFT = {"status", "reason", "kind", "url", "title", "site", "record_id"}
"""Columns of texts; all others are numbers and times, which stand at the right."""

LISTS = {"captures": output.list_captures, "urls": output.list_urls, "sites": output.list_sites}

ONLY_JSON = {"reason", "record_id", "text_first_seen", "kind_probability", "expected_f1"}
"""Columns that a table leaves out; of a reason its status tells."""

ON_TERMINAL = 60  # characters of a title in a table; JSON has all


def list_command(options: Namespace) -> None:
    if options.url and options.of not in (None, "captures"):
        raise UsageError(f"--of {options.of} lists the whole run; leave {options.url} out")
    folder, _ = open_selected(options.directory, options)
    whole, _ = output.open_whole(options.directory)
    if options.url:
        rows = list(output.list_captures(folder, whole, archive.surt(options.url)))
        if not rows:
            raise output.no_such_url(folder, options.url)
    else:
        rows = list(LISTS[options.of or "urls"](folder, whole))
    if not rows:
        LOG.warning("no capture of a page in %s", options.directory)
    _print(map(_object, rows) if options.json else _columns(rows))


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        sys.stdout.buffer.write(f"{line}\n".encode("utf-8", "replace"))


def _object(row: output.Row) -> str:
    plain = {
        name: archive.timestamp14(value) if isinstance(value, datetime) else value
        for name, value in row.items()
    }
    return json.dumps(plain, ensure_ascii=False)


def _columns(rows: list[output.Row]) -> Iterator[str]:
    if not rows:
        return
    cells_of_rows = [
        {name: _cell(name, value) for name, value in row.items() if name not in ONLY_JSON}
        for row in rows
    ]
    for cells, row in zip(cells_of_rows, rows, strict=True):
        if row.get("reason"):
            cells["status"] += f": {row['reason']}"
    yield from _table_lines(cells_of_rows, LEFT)


def _table_lines(rows: Sequence[Mapping[str, str]], left: Collection[str]) -> Iterator[str]:
    whole = [{name: name for name in rows[0]}, *rows]
    widths = {name: max(len(row[name]) for row in whole) for name in rows[0]}
    for row in whole:
        cells = (f"{row[n]:{'<' if n in left else '>'}{width}}" for n, width in widths.items())
        yield "  ".join(cells).rstrip()


def _cell(name: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return archive.timestamp14(value)
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, dict):
        return ", ".join(f"{name} {number}" for name, number in Counter(value).most_common())
    text = without_control(str(value))
    return f"{text[: ON_TERMINAL - 1]}…" if name == "title" and len(text) > ON_TERMINAL else text


def quality_command(options: Namespace) -> int:
    allowed = options.max_damaged
    if allowed is not None and not 0 <= allowed <= 1:
        raise UsageError(f"--max-damaged is {allowed}; give a share of the captures, 0 to 1")
    folder, _ = open_selected(options.directory, options, options.urls)
    captures = output.capture_qualities(folder, output.open_whole(options.directory)[0])
    if options.of == "captures":
        rows = [_damage_row(captured) for captured in captures if captured.damage]
    else:
        months = output.month_qualities(captures)
        rows = [m._asdict() | {"content_share": round(m.content_share, 3)} for m in months]
    _print(map(_object, rows) if options.json else _quality_lines(rows))
    damaged = sum(captured.damage is not None for captured in captures)
    if allowed is None or damaged <= allowed * len(captures):
        return 0
    LOG.warning(
        "warning: damaged captures: %d of %d, more than --max-damaged %s allows",
        *(damaged, len(captures), allowed),
    )
    return Exit.TOO_MANY_REJECTS


def _damage_row(captured: output.CaptureQuality) -> output.Row:
    damage = captured.damage
    return {
        "timestamp": archive.timestamp14(captured.time) if captured.time else "",
        "damage": str(damage and damage.kind),
        "reason": damage and damage.evidence,
        "url": captured.url,
        "record_id": captured.record_id,
    }


def _quality_lines(rows: Sequence[output.Row]) -> Iterator[str]:
    if not rows:
        yield "no damaged captures"
        return
    names = [name for name in rows[0] if name != "record_id"]
    cells = [{name: _cell(name, row[name]) for name in names} for row in rows]
    yield from _table_lines(cells, {*names} - {"captures", "damaged", "content_share"})
    if "damaged" in names:
        damaged, captures = (sum(row[name] for row in rows) for name in ("damaged", "captures"))
        yield f"damaged captures: {damaged:,} of {captures:,}"


def same_command(options: Namespace) -> None:
    if options.near is not None and not 0.5 <= options.near < 1:
        raise UsageError(f"--near is {options.near}; give a similarity from 0.5 to less than 1")
    folder, _ = open_selected(options.directory, options, options.urls)
    written = _pair_object if options.json else _pair_line
    pairs = output.same_texts(folder, options.near)
    lines = (written(pair) for pair in pairs if pair.is_across or not options.across)
    if_none = [] if options.json else ["no duplicate texts"]
    _print(chain([*islice(lines, 1)] or if_none, lines))


def _pair_object(pair: output.SameText) -> str:
    here, there = pair.capture, pair.same_text_as
    row = {
        "record_id": here.record_id,
        "url": here.url,
        "timestamp": here.fetched,
        "same_text_as": there.record_id,
        "same_text_as_url": there.url,
        "same_text_as_timestamp": there.fetched,
        "similarity": pair.similarity,
        "across_sites": pair.is_across,
    }
    return _object(row)


def _pair_line(pair: output.SameText) -> str:
    similarity = "same" if pair.similarity == 1 else f"{pair.similarity:.2f}"
    return f"{similarity}  {without_control(pair.capture.url)}  {without_control(pair.same_text_as.url)}"


def export_command(options: Namespace) -> None:
    from dbce.adapters import Wish, export

    spare_pandas()
    options.verify_files |= options.to == "bag"  # no damage is handed on
    folder, manifest = open_selected(options.directory, options, options.urls)
    wish = Wish(options.to, options.license or "", tuple(options.archive), chunking_of(options))
    with clear_sentences(options.out):
        count = export(folder, manifest, Folder(options.out), wish)
    things = count_of(count, "link" if options.to == "links" else "text")
    print(f"{options.out}: {things}, {TARGETS[options.to]}")
