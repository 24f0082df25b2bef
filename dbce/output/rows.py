"""The tables of a run (docs/formats.md), and results as rows of them and back.

Column names follow the Common Crawl index.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Any
from urllib.parse import urljoin

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dbce import model
from dbce.archive import host, media_type, site
from dbce.boilerplate import Annotated, text_digest, text_signature
from dbce.formats import WHOLE_ADDRESS
from dbce.html import xpath_column
from dbce.kernel import compiled
from dbce.metadata import COLUMNS, Metadata, with_language_of
from dbce.quality import Damage, PageSigns, damage_of, damage_of_reject, kind_of_page

TIME = pa.timestamp("us", tz="UTC")


def columns(kind: pa.DataType, *names: str) -> list[tuple[str, pa.DataType]]:
    """Columns of a type that stand beside each other."""
    return [(name, kind) for name in names]


strings = partial(columns, pa.string())

NEIGHBOURS = (
    *strings("up", "down", "prev", "next"),
    *columns(pa.float64(), "similarity_up", "similarity_down"),
)
"""With whom a capture was compared: record ids, and how similar the templates are."""

PAGES = pa.schema(
    [
        *strings("record_id", "url", "url_surtkey", "url_host_name", "site"),
        ("fetch_time", TIME),
        ("fetch_time_source", pa.string()),
        ("fetch_status", pa.int16()),
        *strings("content_digest", "content_mime_type", "content_charset", "charset_source"),
        ("charset_replacements", pa.int32()),
        *strings("truncated", "warc_filename"),
        *columns(pa.int64(), "warc_record_offset", "warc_record_length"),
        *strings("status", "reason", "original"),
        ("original_time", TIME),
        *strings("resolution", "cross_id", "cross_bits"),
        *NEIGHBOURS,
        ("variant_of", pa.string()),
        *columns(pa.int32(), *(f"runs_{label}" for label in model.Label)),
        *columns(pa.float64(), "confidence", "expected_f1"),
        ("kind", pa.string()),
        ("kind_probability", pa.float64()),
        *strings(*COLUMNS, "damage", "damage_reason"),
        *columns(pa.int32(), "words", "words_content", "words_expected"),
        *columns(pa.list_(pa.string()), "style_sheets", "pictures"),
        ("text_digest", pa.string()),
        ("text_signature", pa.binary()),
        *strings("text_source", "text_record", "text"),
    ]
)

NODES = pa.schema(
    [
        ("record_id", pa.string()),
        ("node", pa.int32()),
        ("xpath", pa.string()),
        *columns(pa.int32(), "start", "end"),
        *strings("text", "bits", "label"),
        ("probability", pa.float64()),
        ("decided_by", pa.string()),
        ("comparisons", pa.int32()),
        ("structure", pa.string()),
        ("structure_number", pa.int32()),
        ("structure_label", pa.string()),
        ("structure_probability", pa.float64()),
    ]
)

REJECTS = pa.schema(
    [
        ("file", pa.string()),
        *columns(pa.int64(), "offset", "length"),
        *strings("record_id", "url", "stage", "reason", "detail"),
    ]
)

JUDGED = (model.Status.ANNOTATED, model.Status.SINGLE)
"""The statuses of captures that have verdicts."""


def is_first_record() -> pc.Expression:
    """The condition on rows that do not repeat another one's record id; to write it down, Arrow imports pandas."""
    reason = pc.field("reason")
    return reason.is_null() | (reason != model.Reason.DUPLICATE_RECORD)


OF_VERDICT = ("bits", "label", "probability", "decided_by", "comparisons")
"""Columns of `nodes` that are fields of `Verdict`."""

_OF_STRUCTURE = {"structure": "kind"} | {
    f"structure_{name}": name for name in ("number", "label", "probability")
}
_AT = {
    **{name: (model.TextRun._fields.index(name), -1) for name in ("node", "start", "end")},
    **{name: (3, model.Verdict._fields.index(name)) for name in OF_VERDICT},
    **{name: (4, model.Structure._fields.index(field)) for name, field in _OF_STRUCTURE.items()},
}
_OF_RUN = {name: (str(NODES.field(name).type), *at) for name, at in _AT.items()}
"""Columns of `nodes` that are fields of a run, or of its verdict or structure: their types and places."""

Row = dict[str, Any]  # column name to value; pyarrow's own form of a row


def page_row(result: Annotated | model.Reject, site_by: str) -> Row:
    """The row of an HTML capture in `pages`; columns that do not apply are left out."""
    if isinstance(result, model.Reject):
        outcome = {"status": result.status, "reason": result.reason}
        damaged = _damage(damage_of_reject(result.reason, result.detail))
        row = _identity(result, site_by) | outcome | damaged | _repeats(result.repeats)
        if stored := result.stored:
            row |= with_language_of(Metadata(), stored.text).row() | _text(stored.text, stored)
        return row
    labels = [run.verdict.label for run in result.runs]
    signs, charset = result.signs, result.charset
    damage = damage_of(signs)
    return (
        _identity(result.capture, site_by)
        | {
            "content_charset": charset.name,
            "charset_source": charset.source,
            "charset_replacements": charset.replacements,
            "truncated": result.capture.truncated or None,
            "status": result.status,
        }
        | (_cross(result.cross) if result.cross else {})
        | {f"runs_{label}": labels.count(label) for label in model.Label}
        | _kind(result, damage)
        | result.metadata.row()
        | _damage(damage)
        | {
            "words": signs.words,
            "words_content": signs.content_words,
            "words_expected": signs.expected_words,
            "style_sheets": _absolute(signs, signs.source.style_sheets),
            "pictures": _absolute(signs, signs.source.pictures),
        }
        | _text(result.text, result.stored)
    )


def _text(text: str, stored: model.StoredText | None) -> Row:
    return {
        "text_digest": text_digest(text),
        "text_signature": text_signature(text),
        "text_source": model.TextSource.of_record(stored.record if stored else None),
        "text_record": stored.record if stored else None,
        "text": text,
    }


def _identity(capture: model.Capture | model.Reject, site_by: str) -> Row:
    return {
        "record_id": capture.record_id,
        "url": capture.url,
        "url_surtkey": capture.surt,
        "url_host_name": host(capture.url),
        "site": site(capture.url, site_by),
        "fetch_time": capture.timestamp,
        "fetch_time_source": capture.dated_by,
        "fetch_status": capture.http_status,
        "content_digest": capture.digest,
        "content_mime_type": media_type(capture.content_type) or None,
        "warc_filename": capture.origin.filename,
        "warc_record_offset": capture.origin.offset,
        "warc_record_length": capture.origin.length,
    }


def _repeats(repeat: model.Repeat | None) -> Row:
    if repeat is None:
        return {}
    return {
        "original": repeat.original or None,
        "original_time": repeat.original_time,
        "resolution": repeat.resolution,
    }


def _kind(result: Annotated, damage: Damage | None) -> Row:
    expected = result.expected_f1
    kind, probability = kind_of_page(result.kind_signs, damage, result.signs.content_words)
    return {
        "confidence": round(result.confidence, 4),
        "expected_f1": None if expected is None else round(expected, 4),
        "kind": kind,
        "kind_probability": probability,
    }


def _damage(damage: Damage | None) -> Row:
    return {} if damage is None else {"damage": damage.kind, "damage_reason": damage.evidence}


def _absolute(signs: PageSigns, addresses: Iterable[str]) -> list[str]:
    """Return addresses as a browser asks for them; one that is none is left out."""
    absolute: dict[str, None] = {}
    # Brackets may hold no IPv6 address, in the page's base or in one of them.
    with suppress(ValueError):
        base = urljoin(signs.url, signs.source.base)
        for address in addresses:
            is_whole = WHOLE_ADDRESS.fullmatch(address)
            with suppress(ValueError):
                absolute[address if is_whole else urljoin(base, address)] = None
    return list(absolute)


def _cross(cross: model.Cross) -> Row:
    if not cross.has_members:
        return {"variant_of": cross.variant_of}
    return {
        "cross_id": model.stable_id("cross", *(member or "" for member in cross.members)),
        "cross_bits": cross.bits,
        **{name: getattr(cross, name) for name in ("up", "down", "prev", "next", "variant_of")},
        "similarity_up": round(cross.similarity_up, 4),
        "similarity_down": round(cross.similarity_down, 4),
    }


def node_rows_of(*results: Annotated) -> pa.RecordBatch:
    """The rows of captures in `nodes`, one a text run, in document order."""
    runs = tuple(chain.from_iterable(result.runs for result in results))
    # By column, because that is how Parquet stores it: a dict for each row costs ten times this.
    buffers = {name: compiled.write_column(runs, *of) for name, of in _OF_RUN.items()}
    of_pages = {name: [pa.array([], pa.string())] for name in ("record_id", "xpath", "text")}
    numbers, end = np.frombuffer(buffers["node"][1], np.int32), 0
    for result in results:
        start, end = end, end + len(result.runs)
        paths, path_bounds = xpath_column(result.page, numbers[start:end])
        bounds = np.empty_like(path_bounds)
        texts = compiled.write_texts(result.runs, result.page.nodes, bounds)
        of_pages["record_id"].append(pa.repeat(result.capture.record_id, end - start))
        of_pages["xpath"].append(_column(pa.string(), end - start, None, path_bounds, paths))
        of_pages["text"].append(_column(pa.string(), end - start, None, bounds, texts))
    columns = [
        pa.concat_arrays(of_pages[name]) if name in of_pages else _column(kind, end, *buffers[name])
        for name, kind in zip(NODES.names, NODES.types, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=NODES)


def _column(kind: pa.DataType, size: int, *buffers: Any) -> pa.Array:
    of_arrow = [None if buffer is None else pa.py_buffer(buffer) for buffer in buffers]
    return pa.Array.from_buffers(kind, size, of_arrow)


def reject_row(dropped: model.Reject) -> Row:
    columns = {name: getattr(dropped, name) for name in REJECTS.names[3:]}
    at = dropped.origin
    return {"file": at.filename, "offset": at.offset, "length": at.length} | columns


def text_runs(rows: Sequence[Row]) -> tuple[model.TextRun, ...]:
    """The text runs of a page, without their structures, from the rows of `nodes` that they were written to."""
    return tuple(
        model.TextRun(
            *(row["node"], row["start"], row["end"]),
            model.Verdict(
                **{name: row[name] for name in OF_VERDICT} | {"label": model.Label(row["label"])}
            ),
        )
        for row in rows
    )


def fits(page: model.Page, rows: Sequence[Row]) -> bool:
    """Return whether the text runs of a capture are those of a page."""
    nodes = page.nodes
    return len({row["node"] for row in rows}) == len(nodes) and all(
        " ".join(nodes[row["node"]].text[row["start"] : row["end"]].split()) == row["text"]
        for row in rows
    )
