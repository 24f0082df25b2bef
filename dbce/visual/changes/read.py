"""Snapshots of a run for comparison: the captures to be read, from their tables and annotated pages.

All texts of many pages go through Arrow and numpy at a time: a page costs a millisecond, most of it
to parse its HTML for links and images.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, pairwise
from typing import NamedTuple, cast

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dbce import history, output
from dbce.html import INLINE, NAME, parse
from dbce.model import Label, Reason, TextSource, UsageError, hash_strings
from dbce.output import NODES, Row, annotated_pages
from dbce.quality import replacement_kind
from dbce.storage import Folder, open_parquet
from dbce.visual.block_verdicts import CONTENT
from dbce.visual.changes.snapshot import BlockColumns, References, Snapshot, without_player

ROWS = 20_000  # rows of `nodes` processed at a time, plus those of one page

COLUMNS = ["record_id", "xpath", "start", "end", "text", "label"]

_TEXT = rf"(?:/(?:{'|'.join(sorted(INLINE))})(?:\[\d+\])?)*/text\(\)(?:\[\d+\])?$"
"""End of a text node's path, from its block element on."""

_NUMBER = r"\[\d+\]"

_IN_CODE = r"/(?:pre|listing|xmp|plaintext)(?:\[\d+\])?/"
"""Part of the paths of texts that are lines of code; inline code is read as prose."""

LINKS = ("a", "area")

NO_BOXES = np.empty((0, 4), np.float32)
"""Boxes of a page that is read as text: unknown without a rendering."""


class _Texts(NamedTuple):
    """Text runs of some pages.

    `pages` and `blocks` are numbers of the page and the block of each run; `places` are the paths of blocks
    without indices, by the numbers of blocks. `texts` are numbers in `distinct`: most texts are in other
    snapshots, too; `code` holds those of `distinct` that are also code, whose numbers follow.
    """

    record_ids: list[str]
    pages: NDArray[np.int64]
    blocks: NDArray[np.int64]
    places: list[str]
    distinct: list[str]
    code: list[str]
    texts: NDArray[np.int64]
    content: NDArray[np.bool_]
    characters: NDArray[np.float64]

    def wording(self, start: int, last: int) -> tuple[int, ...]:
        """Return the numbers of the texts of consecutive runs."""
        return tuple(self.texts[start : last + 1].tolist())

    def text(self, wording: Iterable[int]) -> str:
        """Return the text of runs whose texts have these numbers."""
        offset = len(self.distinct)
        return " ".join(self.distinct[n] if n < offset else self.code[n - offset] for n in wording)


def read_snapshots(folder: Folder, name: str, rows: Mapping[str, Row]) -> Iterator[Snapshot]:
    """Yield the snapshots of an input file for `rows` of `pages`, by record id, of judged captures.

    `name` is that of the file's tables. Snapshots come in the order of the file.
    Raises UsageError: the run's files do not belong together.
    """
    if not rows:
        return
    base = name.removesuffix(".parquet")
    documents = (page for page in annotated_pages(folder, base) if page.record_id in rows)
    for record_id, blocks, units in _texts_of(folder, f"nodes/{name}", rows):
        document = next(documents, None)
        if document is None or document.record_id != record_id:
            raise UsageError(f"the files of {base} do not belong together; run dbce again")
        page_row = rows[record_id]
        links = labelled_links(document.html.decode())
        yield Snapshot(
            record_id,
            page_row["fetch_time"],
            page_row["content_digest"] or "",
            page_row["gone"],
            page_row["truncated"] is not None,
            blocks,
            _hash_links([link for link in links if link.tag in LINKS]),
            _hash_links([link for link in links if link.tag == "img"]),
            _hash_links([link for link in links if link.tag not in (*LINKS, "img")]),
            None,
            units,
        )


# Links and images of an annotated page, each with the verdict of the adjacent text.

_ADDRESSES = {
    **dict.fromkeys(("a", "area"), "href"),
    **dict.fromkeys(("img", "audio", "embed", "iframe", "source", "video"), "src"),
    "object": "data",
}
_NOT_SEEN = ("noscript", "template", "noembed", "textarea", "title", "xmp")


class LabelledLink(NamedTuple):
    """A link, an image, a medium or a frame: its element, its address as written, and a label, "" if unknown."""

    tag: str
    address: str
    label: str


def labelled_links(annotated: str) -> list[LabelledLink]:
    """Return the links, images and media of a page by `dbce.html.annotated_html`, in document order.

    Each has the label of the first text in it or behind it, or else of the last one. Invisible elements
    (scripts, comments, templates) are skipped.
    """
    labels, links = [""], []
    for element in parse(annotated).iter("*"):
        name = _ADDRESSES.get(element.tag)
        address = str(element.get(name, "")).strip() if name else ""
        if address and next(element.iterancestors(*_NOT_SEEN), None) is None:
            links.append((element.tag, address, len(labels)))
        if label := element.get(NAME):
            labels.append(str(label))
    last = len(labels) - 1
    return [LabelledLink(tag, address, labels[min(n, last)]) for tag, address, n in links]


def _hash_links(links: Sequence[LabelledLink]) -> References:
    addresses = [without_player(link.address) for link in links]
    labels = [link.label == Label.CONTENT for link in links]
    return References(hash_strings(addresses), np.array(labels, np.bool_))


def _texts_of(
    folder: Folder, name: str, wanted: Mapping[str, Row]
) -> Iterator[tuple[str, BlockColumns, tuple[history.TextUnit, ...]]]:
    """Yield (record id, blocks, units of content) of each page in `wanted`."""
    ids = pa.array(sorted(wanted), pa.string())
    pending = NODES.empty_table().select(COLUMNS)
    with open_parquet(folder, name) as table:
        for batch in table.iter_batches(ROWS, columns=COLUMNS):
            page_rows = batch.filter(pc.is_in(batch["record_id"], value_set=ids))
            pending = pa.concat_tables([pending, pa.Table.from_batches([page_rows])])
            if len(pending) > ROWS:
                last = pc.index(pending["record_id"], pending["record_id"][-1]).as_py()
                yield from _pages(pending.slice(0, last))
                pending = pending.slice(last)
    yield from _pages(pending)


def _pages(table: pa.Table) -> Iterator[tuple[str, BlockColumns, tuple[history.TextUnit, ...]]]:
    """Yield the pages in rows of `nodes`, which are complete and consecutive."""
    if not len(table):
        return
    rows = _columns(table)
    words = _words_of_texts(history.text_words(rows.distinct, rows.code), rows)
    hashes, ends = words.hashes, words.ends
    is_new_page = np.diff(rows.pages, prepend=-1) != 0
    starts = np.flatnonzero(is_new_page | (np.diff(rows.blocks, prepend=-1) != 0))
    places = hash_strings(rows.places)[rows.blocks[starts]]
    characters = np.add.reduceat(rows.characters, starts)
    content = np.add.reduceat(rows.characters * rows.content, starts)
    share = (content / np.maximum(characters, 1)).astype(np.float32)
    last = np.append(starts[1:], len(rows.texts)) - 1
    share[_stamps(rows, starts, last, words)] = 0
    new_page = is_new_page[starts]
    units = _units(rows, starts, last, share >= CONTENT)
    bounds = [*np.flatnonzero(new_page).tolist(), len(starts)]
    for start, end in pairwise(bounds):
        first = int(starts[start])
        begin = int(ends[first - 1]) if first else 0
        page_ends = (ends[last[start:end]] - begin).astype(np.uint32)
        span = slice(begin, begin + int(page_ends[-1]))
        page_words = hashes[span]
        importance = np.diff(page_ends.astype(np.float32), prepend=0) / max(1, len(page_words))
        blocks = BlockColumns(
            *(page_words, words.traits[span], page_ends, share[start:end], places[start:end]),
            *(importance.astype(np.float32), NO_BOXES),
        )
        page_units = (units[block] for block in range(start, end) if block in units)
        yield rows.record_ids[first], blocks, tuple(chain.from_iterable(page_units))


def _units(
    rows: _Texts, starts: NDArray[np.int64], last: NDArray[np.int64], is_content: NDArray[np.bool_]
) -> dict[int, tuple[history.TextUnit, ...]]:
    """Return the units of each block of content; each wording is split once."""

    @cache
    def units(place: str, wording: tuple[int, ...]) -> tuple[history.TextUnit, ...]:
        return tuple(history.units_of_line(place.split("/"), rows.text(wording)))

    return {
        n: units(rows.places[rows.blocks[starts[n]]], rows.wording(starts[n], last[n]))
        for n in np.flatnonzero(is_content).tolist()
    }


def _stamps(
    rows: _Texts, starts: NDArray[np.int64], last: NDArray[np.int64], words: history.TextWords
) -> list[int]:
    """Return the blocks that are stamps or line numbers; each wording is checked once."""
    before = np.concatenate(([0], words.ends))
    sizes = before[last + 1] - before[starts]
    is_number = (words.traits & (history.WordTrait.NUMBER | history.WordTrait.DATE)) != 0
    numbers = np.concatenate(([0], np.cumsum(is_number)))
    counts = numbers[before[last + 1]] - numbers[before[starts]]
    may_be_stamp = (counts == sizes) | (sizes <= history.LONGEST)

    @cache
    def says_nothing_else(wording: tuple[int, ...]) -> bool:
        text = rows.text(wording)
        return history.is_stamp(text) or history.is_gutter(text)

    blocks = np.flatnonzero(may_be_stamp & (counts > 0)).tolist()
    return [n for n in blocks if says_nothing_else(rows.wording(starts[n], last[n]))]


def _words_of_texts(distinct: history.TextWords, rows: _Texts) -> history.TextWords:
    """Return the words of all texts, concatenated, from those of the distinct ones."""
    sizes = np.diff(distinct.ends, prepend=0)
    lengths = sizes[rows.texts]
    stops = np.cumsum(lengths)
    shifts = (distinct.ends - sizes)[rows.texts] - (stops - lengths)
    places = np.arange(stops[-1]) + np.repeat(shifts, lengths)
    return history.TextWords(distinct.hashes[places], distinct.traits[places], stops)


def _columns(table: pa.Table) -> _Texts:
    """Return the text runs of a table; many paths are alike, so each is processed once."""
    ids = _encode(table["record_id"])
    xpaths = _encode(table["xpath"])
    blocks = pc.replace_substring_regex(xpaths.dictionary, _TEXT, "").dictionary_encode()
    texts = _encode(table["text"])
    distinct, numbers = texts.dictionary.to_pylist(), texts.indices.to_numpy().astype(np.int64)
    is_code_path = pc.match_substring_regex(xpaths.dictionary, _IN_CODE)
    in_code = is_code_path.to_numpy(zero_copy_only=False)[xpaths.indices.to_numpy()]
    code, places = np.unique(numbers[in_code], return_inverse=True)
    numbers[in_code] = len(distinct) + places
    characters = pc.subtract(table["end"], table["start"])
    return _Texts(
        table["record_id"].to_pylist(),
        ids.indices.to_numpy().astype(np.int64),
        blocks.indices.to_numpy().astype(np.int64)[xpaths.indices.to_numpy()],
        pc.replace_substring_regex(blocks.dictionary, _NUMBER, "").to_pylist(),
        distinct,
        [distinct[number] for number in code.tolist()],
        numbers,
        pc.equal(table["label"], Label.CONTENT.value).to_numpy(),
        characters.to_numpy().astype(np.float64),
    )


def _encode(column: pa.ChunkedArray) -> pa.DictionaryArray:
    return column.combine_chunks().dictionary_encode()


# Captures whose snapshots are compared, and those of them that have to be read.

Keys = NDArray[np.uint64]

OF_A_PART = 5_000
"""Approximate captures per part of the table: they are in memory together."""

_ITS_PLACE = ("damage", "words", "words_content")
"""Columns that show whether a capture is the page itself."""

CAPTURE_COLUMNS = [
    *("record_id", "url", "url_surtkey", "site", "fetch_time", "content_digest", "status"),
    *("reason", "original", "truncated", *_ITS_PLACE, "text_source"),
]

_FROM_INDEX = {"surt": "url_surtkey", "timestamp": "fetch_time", "digest": "content_digest"}


class Plan(NamedTuple):
    """URLs whose captures are to be compared: their keys (64-bit hashes), sorted, eight bytes each.

    `several` have more than one capture, `differing` more than one digest: only their texts are read.
    `singles` is the number of URLs with one capture, `parts` that of the parts of the table. `mode` is one
    of `dbce.visual.changes.history.MODES`.
    """

    several: Keys
    differing: Keys
    singles: int
    parts: int
    mode: str


def plan_of(captures_of_files: Iterable[pd.DataFrame], mode: str) -> Plan:
    """Return the plan of captures, from data frames of `frame`."""
    urls, digests = [np.empty(0, np.uint64)], [np.empty(0, np.uint64)]
    for captures in captures_of_files:
        urls.append(keys(captures, "url_surtkey"))
        digests.append(keys(captures, "url_surtkey", "content_digest"))
    all_urls = np.concatenate(urls)
    distinct, counts = np.unique(all_urls, return_counts=True)
    several = distinct[counts > 1]
    _, first = np.unique(np.concatenate(digests), return_index=True)
    of_digests, different = np.unique(all_urls[first], return_counts=True)
    compared = int(counts[counts > 1].sum())
    return Plan(
        several,
        of_digests[different > 1],
        int((counts == 1).sum()),
        max(1, -(-compared // OF_A_PART)),
        mode,
    )


def names_of(folder: Folder) -> list[str]:
    """Return the names of the tables of each input file of a run; a compact index of nights has several in one."""
    names = (*folder.names("pages/*.parquet"), *folder.names(f"{output.INDEX}/*.parquet"))
    return sorted({name.partition("/")[2] for name in names})


def rows_of(captures: pd.DataFrame, plan: Plan) -> Iterator[Row]:
    """Yield the rows of captures that have others of their URL, from a data frame of `frame`."""
    url_keys = keys(captures, "url_surtkey")
    captures["part"] = (url_keys % np.uint64(plan.parts)).astype(np.int32)
    judged = captures["status"].isin([str(status) for status in output.JUDGED])
    captures["to_read"] = np.isin(url_keys, plan.differing) & judged
    # Only one of several captures with the same bytes is read.
    repeated = captures[captures["to_read"]].duplicated(["url_surtkey", "content_digest"])
    captures.loc[repeated[repeated].index, "to_read"] = False
    yield from plain_rows(captures[np.isin(url_keys, plan.several)])


def plain_rows(captures: pd.DataFrame) -> list[Row]:
    """Return captures as rows of plain values, None where a column has none."""
    plain = captures.astype(object).where(captures.notna(), None)
    return cast("list[Row]", plain.to_dict("records"))


def keys(rows: pd.DataFrame, *columns: str) -> Keys:
    """Return a 64-bit hash of some columns of each row."""
    texts = rows[columns[0]].fillna("")
    for column in columns[1:]:
        texts = texts + " " + rows[column].fillna("")
    return pd.util.hash_array(texts.to_numpy(object), categorize=False)


def frame(folder: Folder, name: str) -> pd.DataFrame:
    """Return CAPTURE_COLUMNS of the dated captures of an input file; repeated records once.

    `name` is that of its tables. Column `gone` is the kind of page that replaced the capture's own, "" if
    none did.
    """
    table = _table(folder, name)
    columns = (table[column].to_pylist() for column in (*_ITS_PLACE, "text_source"))
    captures: pd.DataFrame = table.to_pandas()
    captures["gone"] = [
        # An empty shell whose text the crawler stored has its page after all.
        "" if source == TextSource.CRAWLER else replacement_kind(*signs)
        for *signs, source in zip(*columns, strict=True)
    ]
    once = captures["reason"] != Reason.DUPLICATE_RECORD
    return captures[captures["fetch_time"].notna() & once].reset_index(drop=True)


def _table(folder: Folder, name: str) -> pa.Table:
    """Return the HTML captures of an input file and, if the run has an index, its other captures."""
    pages = output.PAGES.empty_table().select(CAPTURE_COLUMNS)
    if folder.exists(f"pages/{name}"):
        with open_parquet(folder, f"pages/{name}") as table:
            pages = output.shown_rows(folder, f"pages/{name}", table.read(columns=CAPTURE_COLUMNS))
    if not folder.exists(f"{output.INDEX}/{name}"):
        return pages
    columns = [*_FROM_INDEX, "record_id", "url", "site", "status", "reason", "is_html"]
    with open_parquet(folder, f"{output.INDEX}/{name}") as table:
        indexed = output.shown_rows(folder, f"{output.INDEX}/{name}", table.read(columns=columns))
    indexed = indexed.filter(pc.and_(pc.invert(indexed["is_html"]), pc.is_valid(indexed["surt"])))
    indexed = indexed.rename_columns([_FROM_INDEX.get(n, n) for n in indexed.column_names])
    tables = [pages, indexed.drop_columns(["is_html"])]
    return pa.concat_tables(tables, promote_options="default").select(CAPTURE_COLUMNS)
