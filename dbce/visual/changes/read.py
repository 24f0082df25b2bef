"""Snapshots read from the tables and the annotated pages that a run left of an input file.

All texts of many pages go through Arrow and numpy at a time: a page costs a millisecond, most of it
to parse its HTML for links and images.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dbce import history
from dbce.html import INLINE, NAME, parse
from dbce.model import Label, UsageError, hash_strings
from dbce.output import NODES, Row, annotated_pages
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
