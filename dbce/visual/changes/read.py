"""Snapshots of a run that are compared: which captures have to be read, and what their tables and annotated pages say.

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

ROWS = 20_000  # rows of `nodes` that are worked on at a time, and those of a page more

COLUMNS = ["record_id", "xpath", "start", "end", "text", "label"]

_TEXT = rf"(?:/(?:{'|'.join(sorted(INLINE))})(?:\[\d+\])?)*/text\(\)(?:\[\d+\])?$"
"""The end of a text node's path, from the block that sets its line."""

_NUMBER = r"\[\d+\]"

_IN_CODE = r"/(?:pre|listing|xmp|plaintext)(?:\[\d+\])?/"
"""Part of the paths of texts that are lines of code; what is code within a line is read as prose is."""

LINKS = ("a", "area")

NO_BOXES = np.empty((0, 4), np.float32)
"""Boxes of a page that is read as text: without a rendering nobody knows them."""


class _Texts(NamedTuple):
    """Text runs of some pages.

    `pages` and `blocks` are numbers that are equal within a page, and where runs have one block; `places`
    are those of the blocks without numbers, by the numbers of blocks. `texts` are numbers in `distinct`: most
    texts are those of other snapshots, too; `code` holds those of `distinct` that are code as well, whose numbers follow.
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
        """Return the numbers of the texts of some runs, one behind another."""
        return tuple(self.texts[start : last + 1].tolist())

    def text(self, wording: Iterable[int]) -> str:
        """Return the text of runs whose texts have these numbers."""
        behind = len(self.distinct)
        return " ".join(self.distinct[n] if n < behind else self.code[n - behind] for n in wording)


def read_snapshots(folder: Folder, name: str, wanted: Mapping[str, Row]) -> Iterator[Snapshot]:
    """Yield the snapshots of an input file that are wanted: rows of `pages` by record id, judged ones.

    `name` is that of the file's tables. They come in the order of the file.
    Raises UsageError: the run's files do not belong together.
    """
    if not wanted:
        return
    base = name.removesuffix(".parquet")
    documents = (page for page in annotated_pages(folder, base) if page.record_id in wanted)
    for record_id, blocks, units in _texts_of(folder, f"nodes/{name}", wanted):
        document = next(documents, None)
        if document is None or document.record_id != record_id:
            raise UsageError(f"the files of {base} do not belong together; run dbce again")
        row = wanted[record_id]
        links = labelled_links(document.html.decode())
        yield Snapshot(
            record_id,
            row["fetch_time"],
            row["content_digest"] or "",
            row["gone"],
            row["truncated"] is not None,
            blocks,
            _hash_links([link for link in links if link.tag in LINKS]),
            _hash_links([link for link in links if link.tag == "img"]),
            _hash_links([link for link in links if link.tag not in (*LINKS, "img")]),
            None,
            units,
        )


# Links and images of an annotated page, each with the verdict of the text that it stands at.

_ADDRESSES = {
    **dict.fromkeys(("a", "area"), "href"),
    **dict.fromkeys(("img", "audio", "embed", "iframe", "source", "video"), "src"),
    "object": "data",
}
_NOT_SEEN = ("noscript", "template", "noembed", "textarea", "title", "xmp")


class LabelledLink(NamedTuple):
    """A link, an image, or something that plays or is a frame: its element, the address as the page writes it, and a label, "" if none is known."""

    tag: str
    address: str
    label: str


def labelled_links(annotated: str) -> list[LabelledLink]:
    """The links, images and media of a page that `dbce.html.annotated_html` has written, in document order.

    Each has the label of the first text in it or behind it, or else of the last one. What no reader sees
    (scripts, comments, templates) is passed over.
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
    """Yield (record id, blocks, units of content) of each page that is wanted."""
    known = pa.array(sorted(wanted), pa.string())
    held = NODES.empty_table().select(COLUMNS)
    with open_parquet(folder, name) as table:
        for batch in table.iter_batches(ROWS, columns=COLUMNS):
            rows = batch.filter(pc.is_in(batch["record_id"], value_set=known))
            held = pa.concat_tables([held, pa.Table.from_batches([rows])])
            if len(held) > ROWS:
                last = pc.index(held["record_id"], held["record_id"][-1]).as_py()
                yield from _pages(held.slice(0, last))
                held = held.slice(last)
    yield from _pages(held)


def _pages(table: pa.Table) -> Iterator[tuple[str, BlockColumns, tuple[history.TextUnit, ...]]]:
    """Yield the pages of rows of `nodes`, whole pages one after another."""
    if not len(table):
        return
    rows = _columns(table)
    every = _words_of_texts(history.text_words(rows.distinct, rows.code), rows)
    hashes, ends = every.hashes, every.ends
    other_page = np.diff(rows.pages, prepend=-1) != 0
    starts = np.flatnonzero(other_page | (np.diff(rows.blocks, prepend=-1) != 0))
    places = hash_strings(rows.places)[rows.blocks[starts]]
    characters = np.add.reduceat(rows.characters, starts)
    content = np.add.reduceat(rows.characters * rows.content, starts)
    share = (content / np.maximum(characters, 1)).astype(np.float32)
    last = np.append(starts[1:], len(rows.texts)) - 1
    share[_stamps(rows, starts, last, every)] = 0
    new_page = other_page[starts]
    units = _units(rows, starts, last, share >= CONTENT)
    bounds = [*np.flatnonzero(new_page).tolist(), len(starts)]
    for start, end in pairwise(bounds):
        first = int(starts[start])
        begin = int(ends[first - 1]) if first else 0
        of_page = (ends[last[start:end]] - begin).astype(np.uint32)
        whole = slice(begin, begin + int(of_page[-1]))
        page_words = hashes[whole]
        importance = np.diff(of_page.astype(np.float32), prepend=0) / max(1, len(page_words))
        blocks = BlockColumns(
            *(page_words, every.traits[whole], of_page, share[start:end], places[start:end]),
            *(importance.astype(np.float32), NO_BOXES),
        )
        of_blocks = (units[block] for block in range(start, end) if block in units)
        yield rows.record_ids[first], blocks, tuple(chain.from_iterable(of_blocks))


def _units(
    rows: _Texts, starts: NDArray[np.int64], last: NDArray[np.int64], is_content: NDArray[np.bool_]
) -> dict[int, tuple[history.TextUnit, ...]]:
    """Return the units of each block of content; of each wording they are cut once."""

    @cache
    def units(place: str, wording: tuple[int, ...]) -> tuple[history.TextUnit, ...]:
        return tuple(history.units_of_line(place.split("/"), rows.text(wording)))

    return {
        n: units(rows.places[rows.blocks[starts[n]]], rows.wording(starts[n], last[n]))
        for n in np.flatnonzero(is_content).tolist()
    }


def _stamps(
    rows: _Texts, starts: NDArray[np.int64], last: NDArray[np.int64], every: history.TextWords
) -> list[int]:
    """Return the blocks that say when, how often or which line, and nothing else; of each wording it is asked once."""
    before = np.concatenate(([0], every.ends))
    sizes = before[last + 1] - before[starts]
    is_number = (every.traits & (history.WordTrait.NUMBER | history.WordTrait.DATE)) != 0
    numbers = np.concatenate(([0], np.cumsum(is_number)))
    counts = numbers[before[last + 1]] - numbers[before[starts]]
    some = (counts == sizes) | (sizes <= history.LONGEST)

    @cache
    def says_nothing_else(wording: tuple[int, ...]) -> bool:
        text = rows.text(wording)
        return history.is_stamp(text) or history.is_gutter(text)

    blocks = np.flatnonzero(some & (counts > 0)).tolist()
    return [n for n in blocks if says_nothing_else(rows.wording(starts[n], last[n]))]


def _words_of_texts(distinct: history.TextWords, rows: _Texts) -> history.TextWords:
    """Return the words of all texts one after another, of those of the distinct ones."""
    sizes = np.diff(distinct.ends, prepend=0)
    lengths = sizes[rows.texts]
    stops = np.cumsum(lengths)
    shifts = (distinct.ends - sizes)[rows.texts] - (stops - lengths)
    places = np.arange(stops[-1]) + np.repeat(shifts, lengths)
    return history.TextWords(distinct.hashes[places], distinct.traits[places], stops)


def _columns(table: pa.Table) -> _Texts:
    """Paths are many and alike: what is done to them is done once to each."""
    ids = _encode(table["record_id"])
    xpaths = _encode(table["xpath"])
    blocks = pc.replace_substring_regex(xpaths.dictionary, _TEXT, "").dictionary_encode()
    texts = _encode(table["text"])
    distinct, numbers = texts.dictionary.to_pylist(), texts.indices.to_numpy().astype(np.int64)
    of_paths = pc.match_substring_regex(xpaths.dictionary, _IN_CODE)
    in_code = of_paths.to_numpy(zero_copy_only=False)[xpaths.indices.to_numpy()]
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


# Captures whose snapshots are compared, and which of them have to be read.

Keys = NDArray[np.uint64]

OF_A_PART = 5_000
"""Captures of which a part of the table is made, about: they are in memory together."""

_ITS_PLACE = ("damage", "words", "words_content")
"""Columns that say whether a capture is the page itself."""

CAPTURE_COLUMNS = [
    *("record_id", "url", "url_surtkey", "site", "fetch_time", "content_digest", "status"),
    *("reason", "original", "truncated", *_ITS_PLACE, "text_source"),
]

_FROM_INDEX = {"surt": "url_surtkey", "timestamp": "fetch_time", "digest": "content_digest"}


class Plan(NamedTuple):
    """URLs whose captures are to be compared: their keys (64-bit hashes), sorted, eight bytes each.

    `several` have more than one capture, `differing` more than one digest among them: the texts of
    others are not read. `singles` counts the URLs with one capture. The table has so many `parts`. `mode` is one of
    `dbce.visual.changes.history.MODES`.
    """

    several: Keys
    differing: Keys
    singles: int
    parts: int
    mode: str


def plan_of(captures_of_files: Iterable[pd.DataFrame], mode: str) -> Plan:
    """Return the plan of captures, as `frame` has them."""
    urls, digests = [np.empty(0, np.uint64)], [np.empty(0, np.uint64)]
    for captures in captures_of_files:
        urls.append(keys(captures, "url_surtkey"))
        digests.append(keys(captures, "url_surtkey", "content_digest"))
    every_url = np.concatenate(urls)
    known, counts = np.unique(every_url, return_counts=True)
    several = known[counts > 1]
    _, first = np.unique(np.concatenate(digests), return_index=True)
    of_digests, different = np.unique(every_url[first], return_counts=True)
    compared = int(counts[counts > 1].sum())
    return Plan(
        several,
        of_digests[different > 1],
        int((counts == 1).sum()),
        max(1, -(-compared // OF_A_PART)),
        mode,
    )


def names_of(folder: Folder) -> list[str]:
    """Return the names of the tables of each input file of a run; in a compact index of nights they stand together."""
    names = (*folder.names("pages/*.parquet"), *folder.names(f"{output.INDEX}/*.parquet"))
    return sorted({name.partition("/")[2] for name in names})


def rows_of(captures: pd.DataFrame, chosen: Plan) -> Iterator[Row]:
    """Yield the rows of captures that have others of their URL, from a data frame as `frame` returns it."""
    own = keys(captures, "url_surtkey")
    captures["part"] = (own % np.uint64(chosen.parts)).astype(np.int32)
    judged = captures["status"].isin([str(status) for status in output.JUDGED])
    captures["to_read"] = np.isin(own, chosen.differing) & judged
    # Of captures with the same bytes one is read: the others are compared by it.
    again = captures[captures["to_read"]].duplicated(["url_surtkey", "content_digest"])
    captures.loc[again[again].index, "to_read"] = False
    yield from plain_rows(captures[np.isin(own, chosen.several)])


def plain_rows(captures: pd.DataFrame) -> list[Row]:
    """Return captures as rows of plain values, None where a column has none."""
    plain = captures.astype(object).where(captures.notna(), None)
    return cast("list[Row]", plain.to_dict("records"))


def keys(rows: pd.DataFrame, *columns: str) -> Keys:
    """A 64-bit hash of some columns of each row."""
    texts = rows[columns[0]].fillna("")
    for column in columns[1:]:
        texts = texts + " " + rows[column].fillna("")
    return pd.util.hash_array(texts.to_numpy(object), categorize=False)


def frame(folder: Folder, name: str) -> pd.DataFrame:
    """Return the captures of an input file that have a date, CAPTURE_COLUMNS of them; repeated records once.

    `name` is what its tables are called. Column `gone` is the kind of page that stands in the place of the
    capture's own, "" if it is the page itself.
    """
    table = _table(folder, name)
    columns = (table[column].to_pylist() for column in (*_ITS_PLACE, "text_source"))
    captures: pd.DataFrame = table.to_pandas()
    captures["gone"] = [
        # An empty shell whose text its crawler stored has its page after all.
        "" if source == TextSource.CRAWLER else replacement_kind(*signs)
        for *signs, source in zip(*columns, strict=True)
    ]
    once = captures["reason"] != Reason.DUPLICATE_RECORD
    return captures[captures["fetch_time"].notna() & once].reset_index(drop=True)


def _table(folder: Folder, name: str) -> pa.Table:
    """HTML captures of an input file and, if the run keeps an index, the others of it."""
    pages = output.PAGES.empty_table().select(CAPTURE_COLUMNS)
    if folder.exists(f"pages/{name}"):
        with open_parquet(folder, f"pages/{name}") as table:
            pages = output.shown_rows(folder, f"pages/{name}", table.read(columns=CAPTURE_COLUMNS))
    if not folder.exists(f"{output.INDEX}/{name}"):
        return pages
    wanted = [*_FROM_INDEX, "record_id", "url", "site", "status", "reason", "is_html"]
    with open_parquet(folder, f"{output.INDEX}/{name}") as table:
        others = output.shown_rows(folder, f"{output.INDEX}/{name}", table.read(columns=wanted))
    others = others.filter(pc.and_(pc.invert(others["is_html"]), pc.is_valid(others["surt"])))
    others = others.rename_columns([_FROM_INDEX.get(n, n) for n in others.column_names])
    every = [pages, others.drop_columns(["is_html"])]
    return pa.concat_tables(every, promote_options="default").select(CAPTURE_COLUMNS)
