"""Older captures that new ones change: which they are, and their verdicts anew.

A capture is stale when the crosses that it is compared in are others with tonight's captures than
without them: it has a later snapshot now, or a page more like it. In one process, whatever runs the
rest of a night.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from time import perf_counter

from dbce.archive import Source, exists, read, timestamp14
from dbce.boilerplate import (
    Annotated,
    JudgeInput,
    Neighbourhood,
    Place,
    all_blocks,
    as_annotated,
    as_stored,
    as_values,
    chosen_crosses,
    compare_neighbourhood,
    judge_in_batches,
    members,
    neighbourhood,
    sites_of,
)
from dbce.model import (
    LOG,
    Annotation,
    Capture,
    Config,
    Cross,
    Reject,
    Repeat,
    Sketch,
    Status,
    StoredText,
    TextSource,
    speakable,
)
from dbce.output import NIGHTS, REVISED, RunTotals, finish, rows_of, write_unit
from dbce.output.index import (
    IDENTITY,
    Row,
    dropped_of,
    originals,
    place_in,
    repeated_of,
    rows_of_sites,
)
from dbce.quality import is_shell
from dbce.run.one_file import CHANGED, Stores, Waiting, known_captures, new_captures, sketch_on
from dbce.storage import Folder, Shelf, stem

Pages = Mapping[str, Waiting]
SketchOf = Callable[[Waiting], Sketch]

LIST = "stale.jsonl"
"""In a night's folder: the older captures that it changes."""


def revise(
    sources: Sequence[Source],
    stores: Stores,
    taken: Sequence[tuple[str, Source]],
    config: Config,
    *,
    apply: bool,
    archive: Folder,
) -> int:
    """Lists the older captures that a night changes, and with `apply` judges them again; how many.

    Args:
        sources: the files of the night, which are in its index.
        stores: where its index, its outputs and the older indexes are.
        taken: the files of all earlier nights, each with the name of its night.
        config: what says who is a neighbour.
        apply: read their files again, as far as they are there, and write `revised/`.
        archive: the archive, whose nights have the texts that crawlers stored.
    """
    files = {source.unit: (night, source) for night, source in taken}
    with Shelf[Sketch]() as shelf:
        sites, before, now = _neighbourhoods(sources, stores, config, shelf)
        sketch_of = sketch_on(shelf)
        stale = _stale(members(now), members(before), config, sketch_of)
        rows = [row for row in _rows(stores, sites, stale, config) if row["name"] in files]
        lines = [json.dumps(_line(row, *files[row["name"]]), ensure_ascii=False) for row in rows]
        stores.out.write(LIST, "".join(f"{line}\n" for line in lines).encode())
        stores.out.remove(REVISED)  # of a call that died
        if apply and rows:
            start = perf_counter()
            asked = {row["record_id"]: place_in(row) for row in rows}
            again = replace(now, asked=asked)
            results = dict(compare_neighbourhood(again, config, sketch_of=sketch_of))
            seconds = perf_counter() - start
            _judge(rows, results, files, archive, stores.out, config=config, seconds=seconds)
    return len(rows)


def _neighbourhoods(
    sources: Sequence[Source], stores: Stores, config: Config, shelf: Shelf[Sketch]
) -> tuple[set[str], Neighbourhood[Waiting], Neighbourhood[Waiting]]:
    """Return the sites of the night, and their neighbourhoods without and with its captures.

    What a revisit repeats may be another, or nothing, before the night.
    """
    units = [source.unit for source in sources]
    new = list(new_captures(units, stores.index, config, shelf))
    sites = sites_of(one for _, one in new)
    known = list(known_captures(sites, stores.known, config, shelf))
    older = originals(stores.known, sites, stores.index, (), config)
    every = originals(stores.known, sites, stores.index, units, config)
    return sites, neighbourhood((), older, known), neighbourhood(new, every, known)


def _line(row: Row, night: str, source: Source) -> dict[str, str]:
    return {
        "record_id": row["record_id"],
        "url": row["url"],
        "timestamp": timestamp14(row["timestamp"]),
        "night": night,
        "file": source.name,
    }


def _stale(both: Pages, known: Pages, config: Config, sketch_of: SketchOf) -> set[str]:
    """The known captures whose crosses are others without the new ones of their block.

    Revisits are among them; they have no verdicts, and `_rows` leaves them out.
    """
    stale: set[str] = set()
    for block in all_blocks(both.values(), config):
        older = [known[one.record_id] for one in block if one.record_id in known]
        if len(older) < len(block):
            before = _crosses(map(sketch_of, older), config)
            now = _crosses(map(sketch_of, block), config)
            stale |= {r for one in older if before[r := one.record_id] != now[r]}
    return stale


def _crosses(block: Iterable[Sketch], config: Config) -> defaultdict[str, list[Cross]]:
    """The crosses that every capture of a block is compared in, by record id."""
    found: defaultdict[str, list[Cross]] = defaultdict(list)
    if by_id := {one.record_id: one for one in block}:
        for cross in as_values(*chosen_crosses(by_id, config)):
            found[cross.cur].append(cross)
    return found


def _rows(stores: Stores, sites: set[str], stale: set[str], config: Config) -> list[Row]:
    """Return the rows of some captures in the older indexes, each once, by file and place in it."""
    found = [
        row
        for index in stores.known
        for row in rows_of_sites(index, sites, config, IDENTITY)
        if row["record_id"] in stale
    ]
    first: dict[str, Row] = {}
    for row in sorted(found, key=itemgetter("name", "number")):
        first.setdefault(row["record_id"], row)
    return list(first.values())


def _judge(
    rows: Sequence[Row],
    results: Mapping[Place, Annotation | Repeat],
    files: Mapping[str, tuple[str, Source]],
    archive: Folder,
    night: Folder,
    *,
    config: Config,
    seconds: float,
) -> None:
    """Writes the outputs of the stale captures, file by file; those not found again are rejected.

    `seconds` is how long it took to find the results.
    """
    start = perf_counter()
    out = night.subfolder(REVISED)
    names = []
    for name, of_file in groupby(rows, key=itemgetter("name")):
        before, source = files[name]
        again = _read_again(source, list(of_file), results, config)
        judged = judge_in_batches(again, config, as_annotated)
        texts = _stored_texts(archive.subfolder(f"{NIGHTS}/{before}"), name)
        write_unit(out, name, (_with_text(one, texts) for one in judged), config)
        names.append(source.name)
    done = RunTotals(len(rows), {"compare": seconds, "judge": perf_counter() - start})
    lost = finish(out, names, config, done)["captures"][Status.REJECTED]
    if lost:
        LOG.warning(
            "warning: cannot judge %d of %d older captures again; %s/rejects names them",
            *(lost, len(rows), out.uri),
        )


def _stored_texts(night: Folder, unit: str) -> dict[str, StoredText]:
    """The texts that crawlers stored, as a night took them for the captures of a file, by record id."""
    columns = ("record_id", "text_source", "text_record", "text")
    return {
        row["record_id"]: StoredText(row["text_record"], row["text"])
        for row in rows_of(night, f"pages/{stem(unit)}.parquet", columns)
        if row.get("text_source") == TextSource.CRAWLER
    }


def _with_text(result: Annotated | Reject, texts: Mapping[str, StoredText]) -> Annotated | Reject:
    if isinstance(result, Reject) or not is_shell(result.signs):
        return result
    stored = texts.get(result.capture.record_id)
    return as_stored(result, stored) if stored else result


def _read_again(
    source: Source,
    rows: Sequence[Row],
    results: Mapping[Place, Annotation | Repeat],
    config: Config,
) -> Iterator[JudgeInput | Reject]:
    """The captures of some rows of one file, then those that are not there any more."""
    waiting = {row["record_id"]: row for row in rows}
    lost = CHANGED
    if exists(source.uri):
        offsets = tuple(sorted({row["offset"] for row in rows}))
        for capture in read(replace(source, offsets=offsets, piece=None), config.limits):
            if isinstance(capture, Capture) and (row := waiting.pop(capture.record_id, None)):
                result = results.get(place_in(row))
                if isinstance(result, Repeat):
                    yield repeated_of(row, source.name, result)
                else:
                    yield JudgeInput(capture, result)
    else:
        lost = CHANGED | {"detail": f"not there any more: {speakable(source.uri)}"}
    for row in waiting.values():
        yield dropped_of(row | lost, source.name)
