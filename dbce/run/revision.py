"""Older captures that a night changes: listed, and judged again if that is asked for.

A capture is stale when the crosses that it is compared in are others with tonight's captures than without them: it has a
later snapshot now, or a page more like it. In one process, whatever runs the rest of a night.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from time import perf_counter
from typing import TypeAlias

from dbce import boilerplate, model, output, storage
from dbce.archive import Source, exists, read, timestamp14
from dbce.output import NIGHTS, REVISED, Row, finish, index, write_unit
from dbce.quality import is_shell
from dbce.run.one_file import (
    CHANGED,
    Stores,
    Waiting,
    capture_identity,
    known_captures,
    new_captures,
    row_identity,
    sketch_on,
)
from dbce.storage import Folder

Pages: TypeAlias = Mapping[str, Waiting]
Near: TypeAlias = boilerplate.Neighbourhood[Waiting]
SketchOf: TypeAlias = Callable[[Waiting], model.Sketch]

STALE = "stale.jsonl"  # in a night's folder: the older captures that it changes


def revise(
    sources: Sequence[Source],
    stores: Stores,
    taken: Sequence[tuple[str, Source]],
    config: model.Config,
    *,
    apply: bool,
    archive: Folder,
) -> int:
    """List the older captures that a night changes, and with `apply` judge them again; return their number.

    `sources` are the files of the night, which are in its index, `taken` those of all earlier ones, each with the name of
    its night. What is judged again is written to `revised/`, as far as its files are there.
    """
    files = {source.unit: (night, source) for night, source in taken}
    with storage.Shelf[model.Sketch]() as shelf:
        sites, before, now = _neighbourhoods(sources, stores, config, shelf)
        sketch_of = sketch_on(shelf)
        stale = _stale(boilerplate.members(now), boilerplate.members(before), config, sketch_of)
        rows = [row for row in _rows(stores, sites, stale, config) if row["name"] in files]
        lines = (_stale_line(row, *files[row["name"]]) for row in rows)
        stores.out.write(STALE, "".join(lines).encode())
        stores.out.remove(REVISED)  # of a call that died
        if apply and rows:
            start = perf_counter()
            places = {row["record_id"]: index.place_in(row) for row in rows}
            again = replace(now, to_compare=places)
            results = dict(boilerplate.compare_neighbourhood(again, config, sketch_of=sketch_of))
            seconds = perf_counter() - start
            _judge_again(rows, results, files, archive, stores.out, config=config, seconds=seconds)
    return len(rows)


def _neighbourhoods(
    sources: Sequence[Source],
    stores: Stores,
    config: model.Config,
    shelf: storage.Shelf[model.Sketch],
) -> tuple[set[str], Near, Near]:
    """The sites of the night, and their neighbourhoods without and with its captures: what a revisit repeats may differ."""
    units = [source.unit for source in sources]
    new = list(new_captures(units, stores.index, shelf))
    sites = boilerplate.sites_of(capture for _, capture in new)
    known = list(known_captures(sites, stores.known, config, shelf))
    older = index.originals(stores.known, sites, stores.index, (), config)
    every = index.originals(stores.known, sites, stores.index, units, config)
    return (
        sites,
        boilerplate.neighbourhood((), older, known),
        boilerplate.neighbourhood(new, every, known),
    )


def _stale_line(row: Row, night: str, source: Source) -> str:
    values = {name: row[name] for name in ("record_id", "url")}
    values["timestamp"] = timestamp14(row["timestamp"])
    values |= {"night": night, "file": source.name}
    return json.dumps(values, ensure_ascii=False) + "\n"


def _stale(both: Pages, known: Pages, config: model.Config, sketch_of: SketchOf) -> set[str]:
    """The known captures, also revisits, whose crosses are others without the new ones of their block."""
    stale: set[str] = set()
    for block in boilerplate.all_blocks(both.values(), config):
        older = [known[capture.record_id] for capture in block if capture.record_id in known]
        if len(older) < len(block):
            before = _crosses(map(sketch_of, older), config)
            now = _crosses(map(sketch_of, block), config)
            stale |= {r for capture in older if before[r := capture.record_id] != now[r]}
    return stale


def _crosses(
    block: Iterable[model.Sketch], config: model.Config
) -> defaultdict[str, list[model.Cross]]:
    by_record: defaultdict[str, list[model.Cross]] = defaultdict(list)
    if by_id := {sketch.record_id: sketch for sketch in block}:
        for cross in boilerplate.as_values(*boilerplate.chosen_crosses(by_id, config)):
            by_record[cross.cur].append(cross)
    return by_record


def _rows(stores: Stores, sites: set[str], stale: set[str], config: model.Config) -> list[Row]:
    """Return the rows of some captures in the older indexes, each once, by file and place in it."""
    rows = [
        row
        for known in stores.known
        for row in index.rows_of_sites(known, sites, config, index.IDENTITY)
        if row["record_id"] in stale
    ]
    first: dict[str, Row] = {}
    for row in sorted(rows, key=itemgetter("name", "number")):
        first.setdefault(row["record_id"], row)
    return list(first.values())


def _judge_again(
    rows: Sequence[Row],
    results: Mapping[boilerplate.Place, model.Annotation | model.Repeat],
    files: Mapping[str, tuple[str, Source]],
    archive: Folder,
    night: Folder,
    *,
    config: model.Config,
    seconds: float,
) -> None:
    """Write the outputs of the stale captures, whose results took some `seconds`; those not found again are rejected."""
    start = perf_counter()
    out = night.subfolder(REVISED)
    names = []
    for name, of_file in groupby(rows, key=itemgetter("name")):
        before, source = files[name]
        again = _read_again(source, list(of_file), results, config)
        judged = boilerplate.judge_in_batches(again, config, boilerplate.as_annotated)
        texts = _stored_texts(archive.subfolder(f"{NIGHTS}/{before}"), name)
        write_unit(out, name, (_with_text(result, texts) for result in judged), config)
        names.append(source.name)
    done = output.RunTotals(len(rows), {"compare": seconds, "judge": perf_counter() - start})
    lost = finish(out, names, config, done)["captures"][model.Status.REJECTED]
    if lost:
        model.LOG.warning(
            "warning: cannot judge %d of %d older captures again; %s/rejects names them",
            *(lost, len(rows), out.uri),
        )


def _stored_texts(night: Folder, unit: str) -> dict[str, model.StoredText]:
    """The texts that crawlers stored, as a night took them for the captures of a file, by record id."""
    columns = ("record_id", "text_source", "text_record", "text")
    return {
        row["record_id"]: model.StoredText(row["text_record"], row["text"])
        for row in output.rows_of(night, f"pages/{storage.stem(unit)}.parquet", columns)
        if row.get("text_source") in model.NOT_JUDGED
    }


def _with_text(
    result: boilerplate.Annotated | model.Reject, texts: Mapping[str, model.StoredText]
) -> boilerplate.Annotated | model.Reject:
    if isinstance(result, model.Reject) or not is_shell(result.signs):
        return result
    stored = texts.get(result.capture.record_id)
    return boilerplate.as_stored(result, stored) if stored else result


def _read_again(
    source: Source,
    rows: Sequence[Row],
    results: Mapping[boilerplate.Place, model.Annotation | model.Repeat],
    config: model.Config,
) -> Iterator[boilerplate.JudgeInput | model.Reject]:
    """The captures of some rows of one file, then those that are not there any more."""
    waiting = {row_identity(row)[:-1]: row for row in rows}
    lost = CHANGED
    if exists(source.uri):
        offsets = tuple(sorted({row["offset"] for row in rows}))
        for capture in read(replace(source, offsets=offsets, piece=None), config.limits):
            if not isinstance(capture, model.Capture):
                continue
            if row := waiting.pop(capture_identity(capture)[:-1], None):
                result = results.get(index.place_in(row))
                if isinstance(result, model.Repeat):
                    yield index.repeated_of(row, source.name, result)
                else:
                    named = replace(capture, record_id=row["record_id"])
                    yield boilerplate.JudgeInput(named, result)
    else:
        lost = CHANGED | {"detail": f"not there any more: {model.speakable(source.uri)}"}
    for row in waiting.values():
        yield index.dropped_of(row | lost, source.name)
