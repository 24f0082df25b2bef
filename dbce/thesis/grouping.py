"""Stage 1 of the thesis: documents are sanitised and grouped by their templates (section 2.2)."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import islice
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from bs4 import BeautifulSoup, Comment, Tag
from datasketch import MinHash, MinHashLSH
from numpy.typing import NDArray

from dbce import model
from dbce.archive import site
from dbce.html import decode
from dbce.model import LOG, Capture, Config, Hashes, InputError, Reason, Reject, Stage, drop
from dbce.storage import ROWS_AT_ONCE, WORK, Folder, create_table, open_parquet, stem

REMOVED = ("script", "style", "noscript", "template", "iframe", "noembed")
"""Elements that sanitising removes: JavaScript, its fallbacks, style sheets and frames."""

MAX_WORDS = 20_000
"""Maximum words of a page, others are rejected: the diff takes quadratic time."""

SCHEME = "affine32"  # datasketch's permutations. Pinned: its default has changed before.

MAX_BUCKET = 1_000
"""Maximum captures of a bucket that are compared together; a larger bucket is cut in the order of URL and time."""

Member = TypeVar("Member")

Layers = list[list[list[Tag]]]  # elements by layer and sibling group (listing 2.5)


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A WARC entry: the fields that place it in a cross and the MinHash of its template, but no text."""

    record_id: str
    site: str
    surt: str
    timestamp: datetime
    signature: Hashes

    @property
    def place(self) -> tuple[str, datetime, str]:
        """Sort key of the entry in a bucket, the same on every machine."""
        return self.surt, self.timestamp, self.record_id


def read_entry(capture: Capture, config: Config) -> tuple[Entry, str] | Reject:
    """Return an entry and the HTML of its sanitised body, or its rejection."""
    try:
        return _read(capture, config)
    except InputError as e:
        return drop(capture, e.reason, e.detail)
    except RecursionError:  # of BeautifulSoup, on a page nested too deeply for it
        return drop(capture, Reason.TOO_DEEP, "nested too deeply for BeautifulSoup")
    except Exception as e:  # noqa: BLE001 - whatever it is, it is of this page
        return model.reject_fault(capture, e, Stage.PARSE)


def _read(capture: Capture, config: Config) -> tuple[Entry, str]:
    soup = sanitise(decode(capture.payload, capture.content_type).text)
    words = len((soup.body or soup).get_text(" ").split())
    if not words:
        raise InputError(Reason.NO_TEXT, "BeautifulSoup finds no text in it")
    if words > MAX_WORDS:
        raise InputError(
            Reason.TOO_MANY_WORDS, f"{words} words, the limit of the thesis' diff is {MAX_WORDS}"
        )
    entry = Entry(
        record_id=capture.record_id,
        site=site(capture.url, config.site_by),
        surt=capture.surt,
        timestamp=capture.timestamp,
        signature=signature(soup, config),
    )
    return entry, str(soup.body or soup)


def sanitise(html: str) -> BeautifulSoup:
    soup = BeautifulSoup(html, "lxml")
    for element in soup(REMOVED):
        element.decompose()
    for comment in soup.find_all(string=lambda text: isinstance(text, Comment)):
        comment.extract()
    return soup


def layers(soup: Tag) -> Layers:
    """Return the elements below `soup` as nested lists (listing 2.5): layer, sibling group, element."""
    levels: Layers = []
    parents: list[Tag] = [soup]
    while parents:
        groups = [[c for c in parent.children if isinstance(c, Tag)] for parent in parents]
        if any(groups):
            levels.append([group for group in groups if group])
        parents = [element for group in groups for element in group]
    return levels


def tokens(soup: BeautifulSoup) -> Iterator[str]:
    """Yield the tokens of a template, such as `0_0_2_ul/0_0_2_body/0_0_2_html/0_0_2_[document]` (listing 2.7)."""
    for level, groups in enumerate(layers(soup)):
        for group_number, group in enumerate(groups):
            ancestors = [parent.name for parent in group[0].parents]
            for node_number, node in enumerate(group):
                place = f"{node_number}_{group_number}_{level}_"
                yield "/".join(place + name for name in [node.name, *ancestors])


def signature(soup: BeautifulSoup, config: Config) -> Hashes:
    """Return the MinHash of a document's template; texts and attributes do not count."""
    minhash = MinHash(config.num_perm, seed=config.seed % 2**32, scheme=SCHEME)
    minhash.update_batch(token.encode() for token in tokens(soup))
    return np.asarray(minhash.hashvalues, dtype=np.uint32)


@lru_cache(maxsize=4)
def _index(threshold: float, num_perm: int) -> MinHashLSH:
    return MinHashLSH(threshold=threshold, num_perm=num_perm)


def bucket_keys(entry: Entry, config: Config) -> list[str]:
    """Return the keys of an entry's MinHashLSH buckets within its site, one per band, the same on all machines."""
    ranges = _index(config.template_similarity, config.num_perm).hashranges
    scope = "" if config.across_sites else entry.site
    return [
        f"{scope} {band} {entry.signature[start:end].tobytes().hex()}"
        for band, (start, end) in enumerate(ranges)
    ]


def buckets(entries: Iterable[Entry], config: Config) -> Iterator[list[Entry]]:
    """Yield the buckets with more than one entry, sorted by key; large ones in pieces, equal ones once."""
    by_key: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        for key in bucket_keys(entry, config):
            by_key[key].append(entry)
    warn_of_cut_buckets(map(len, by_key.values()))
    distinct: set[tuple[str, ...]] = set()
    for key in sorted(by_key):
        for piece in pieces(sorted(by_key[key], key=lambda entry: entry.place)):
            members = tuple(entry.record_id for entry in piece)
            if members not in distinct:
                distinct.add(members)
                yield piece


def warn_of_cut_buckets(sizes: Iterable[int]) -> None:
    """Log the number of buckets that are cut into pieces, by their sizes; nothing if none is."""
    if large := [size for size in sizes if size > MAX_BUCKET]:
        LOG.warning(
            "%s of more than %d captures, the largest of %d: compared in pieces, in the order of URL and time",
            *(model.count_of(len(large), "bucket"), MAX_BUCKET, max(large)),
        )


def pieces(bucket: Iterable[Member]) -> Iterator[list[Member]]:
    """Yield the pieces of a bucket, of at most MAX_BUCKET entries, in order; a single entry is left out."""
    members = iter(bucket)
    while piece := list(islice(members, MAX_BUCKET)):
        if len(piece) > 1:
            yield piece


def similarities(entry: Entry, signatures: NDArray[np.uint32]) -> NDArray[np.float64]:
    """Return estimated Jaccard similarities to entries, whose signatures are rows, as by `MinHash.jaccard`."""
    return np.asarray((signatures == entry.signature).mean(axis=1), dtype=np.float64)


# Entries and their bodies between the stages, kept by file.

ENTRIES = f"{WORK}/thesis"  # folder of the entries that stage 1 stores, a file per archive file

ENTRY = pa.schema(
    [
        ("name", pa.string()),
        ("number", pa.int64()),
        ("record_id", pa.string()),
        ("site", pa.string()),
        ("surt", pa.string()),
        ("timestamp", pa.timestamp("us", tz="UTC")),
        ("signature", pa.binary()),
        ("body", pa.string()),
    ]
)
"""Place of a capture, its entry and its sanitised body."""

Row = dict[str, Any]


@contextmanager
def keep_entries(folder: Folder, unit: str) -> Iterator[Callable[[int, Entry, str], None]]:
    path = f"{ENTRIES}/{stem(unit)}.parquet"
    with create_table(folder, path, ENTRY, pa.Table.from_pylist, ROWS_AT_ONCE) as table:

        def keep(number: int, entry: Entry, body: str) -> None:
            row = {name: getattr(entry, name) for name in Entry.__dataclass_fields__}
            row["signature"] = entry.signature.tobytes()
            table.add(row | {"name": unit, "number": number, "body": body})

        yield keep


def entry_of(row: Row) -> Entry:
    signature = np.frombuffer(row["signature"], dtype=np.uint32)
    return Entry(row["record_id"], row["site"], row["surt"], row["timestamp"], signature)


def read_entries(folder: Folder, unit: str) -> Iterator[Row]:
    with open_parquet(folder, f"{ENTRIES}/{stem(unit)}.parquet") as table:
        for batch in table.iter_batches(ROWS_AT_ONCE):
            yield from batch.to_pylist()
