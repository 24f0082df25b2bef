from collections.abc import Callable, Collection, Container, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dbce.model import Label, Page, TextNode, TextRun, Verdict

_Named = TypeVar("_Named", bound=tuple[Any, ...])

def named(kind: type[_Named], rows: Iterable[tuple[Any, ...]]) -> list[_Named]: ...
def write_paths(
    names: list[str],
    parents: tuple[int, ...],
    nodes: tuple[Any, ...],
    numbers: NDArray[np.int32],
    bounds: NDArray[np.int32],
) -> bytes: ...
def write_texts(
    runs: tuple[TextRun, ...], nodes: tuple[TextNode, ...], bounds: NDArray[np.int32]
) -> bytes: ...
def join_lines(
    nodes: tuple[TextNode, ...], content: list[int], units: list[int]
) -> list[tuple[int, int, str | None]]: ...
def write_column(rows: tuple[Any, ...], kind: str, place: int, inner: int) -> tuple[Any, ...]: ...
def enclosing(page: Page, chosen: Collection[int], outermost: bool = False) -> list[int]: ...
def places_of(
    names: tuple[str, ...], stems: tuple[str, ...] | None = None, whole: bool = False
) -> dict[str, list[int]]: ...
def places_among(
    names: tuple[str, ...], chosen: frozenset[str], among: bool = True
) -> list[int]: ...
def elements_of_tags(page: Page, *tags: str) -> set[int]: ...
def first_node(nodes: tuple[TextNode, ...], element: int) -> int: ...
def nearest_of_tags(page: Page, element: int, tags: Container[str], levels: int = ...) -> int: ...
def nodes_within(page: Page, element: int) -> range: ...
def subtree_end(parents: tuple[int, ...], element: int, most: int = ...) -> int: ...
def subtree_mask(page: Page, chosen: Iterable[int]) -> bytearray: ...
def texts_within(page: Page, chosen: Collection[int]) -> list[int]: ...
def ancestor_mask(page: Page, chosen: Iterable[int]) -> bytearray: ...
def differing(
    nodes: tuple[TextNode, ...], runs: tuple[TextRun, ...], marks: list[Any], elements: int
) -> dict[int, list[tuple[Any, Any]]]: ...
def part_texts(
    nodes: tuple[TextNode, ...],
    runs: tuple[TextRun, ...],
    parted: Collection[int],
    text_node: Callable[[tuple[Any, ...]], TextNode],
    without_controls: Callable[[str], str],
) -> tuple[list[TextNode], list[Verdict | None], list[int]]: ...
def lines(page: Page, holder: Sequence[int], inline: frozenset[str]) -> list[int]: ...
def touching(
    nodes: tuple[TextNode, ...], lines: list[int], ends: str, starts: str
) -> list[int]: ...
def may_begin(page: Page, heads: Collection[str], skipped: str = ...) -> list[int]: ...
def texts_with(nodes: tuple[TextNode, ...], stems: tuple[str, ...]) -> list[int]: ...
def texts_holding(nodes: tuple[TextNode, ...], signs: str, beyond: bool = ...) -> list[int]: ...
def sum_texts(
    nodes: tuple[TextNode, ...], prose: int, short: int
) -> tuple[int, int, int, int, int, int, list[str]]: ...
def kind_chances(
    counts: tuple[float, ...],
    names: dict[str, list[str]],
    scales: tuple[NDArray[np.float64], ...],
    rows: dict[str, dict[str, int]],
    of_names: NDArray[np.float64],
    spread: float,
    chances: NDArray[np.float64],
) -> None: ...
def holders(page: Page, blocks: Collection[int] = ..., *, inline: frozenset[str]) -> list[int]: ...
def structures(
    tags: tuple[str, ...],
    parents: tuple[int, ...],
    kinds: dict[str, int],
    lines: tuple[Sequence[int], Sequence[bool], Sequence[float], Sequence[float]],
    limits: tuple[float, float],
) -> tuple[list[Any], ...]: ...
def label_words(
    lines: tuple[Sequence[int], Sequence[bool], Sequence[int], Sequence[int]],
    ends: NDArray[np.uint32],
    before: tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.float64]],
    labels: NDArray[np.uint8],
    rules: NDArray[np.uint8],
    sums: NDArray[np.float64],
    named: tuple[type[_Named], tuple[Any, ...], list[int], tuple[str, ...], dict[str, str]],
) -> list[_Named | None]: ...
def runs(
    nodes: tuple[TextNode, ...],
    ends: NDArray[np.uint32],
    columns: tuple[NDArray[Any], ...],
    structures: Sequence[Any] | None,
    kinds: tuple[type[_Named], type[tuple[Any, ...]]],
    names: tuple[tuple[Any, ...], tuple[str, ...], int, tuple[str, ...]],
) -> tuple[_Named, ...]: ...
def weigh(runs: tuple[TextRun, ...], label: Label) -> tuple[int, float, float, int, float]: ...
def repeated_siblings(
    tags: tuple[str, ...],
    classes: tuple[str, ...],
    parents: tuple[int, ...],
    likely: frozenset[str],
    elements: Sequence[int],
    least: int,
) -> tuple[list[int], list[int]]: ...
def inherit(above: NDArray[np.int64], flags: NDArray[np.int64]) -> None: ...
def evaluate(
    steps: NDArray[np.int32],
    numbers: NDArray[np.float64],
    axes: NDArray[np.int32],
    sizes: NDArray[np.int64],
    arrays: list[NDArray[Any]],
    columns: NDArray[np.float32],
) -> None: ...
def look_up(
    codes: NDArray[np.uint32], table: NDArray[np.uint32], start: int, values: NDArray[np.uint32]
) -> int: ...
def set_lines(
    pages: list[tuple[Any, ...]],
    starts: NDArray[np.int64],
    parents: NDArray[np.int64],
    flags: NDArray[np.int64],
    columns: NDArray[np.int64],
    bounds: NDArray[np.int64],
) -> str: ...
def count_lines(
    kinds: NDArray[np.uint32],
    bounds: NDArray[np.int64],
    columns: NDArray[np.int64],
    node_words: NDArray[np.int64],
    counts: NDArray[np.int64],
    lengths: NDArray[np.float64],
) -> None: ...
def cut_lines(
    chance: NDArray[np.float64],
    words: NDArray[np.float32],
    falling: NDArray[np.int64],
    weight: float,
) -> tuple[float, float, float | None] | None: ...
def hash_lines(
    codes: NDArray[np.uint32],
    kinds: NDArray[np.uint32],
    bounds: NDArray[np.int64],
    words: int,
    head: int,
    hashes: NDArray[np.int64],
) -> None: ...
def hash_letters(texts: list[str], letters: bytes) -> list[int]: ...
def first_alike(keys: NDArray[np.int64], firsts: NDArray[np.int64]) -> None: ...
def hash_texts(texts: list[str], hashes: NDArray[np.uint32]) -> None: ...
def hash_rows(
    values: NDArray[np.uint32], starts: NDArray[np.int64], keys: NDArray[np.int64]
) -> None: ...
def hash_words(nodes: tuple[TextNode, ...], ends: NDArray[np.uint32]) -> bytes: ...
def hash_runs(
    text: bytes, find: Callable[[str], list[str]], hashes: NDArray[np.uint32] | None
) -> int: ...
def least_hashes(
    hashes: NDArray[np.uint32],
    factors: NDArray[np.uint32],
    shifts: NDArray[np.uint32],
    least: NDArray[np.uint32],
) -> None: ...
def hash_places(
    tags: tuple[str, ...],
    classes: tuple[str, ...],
    parents: tuple[int, ...],
    inline: frozenset[str],
    places: NDArray[np.uint32],
    holders: NDArray[np.int32],
) -> None: ...
def hash_paths(
    tags: tuple[str, ...],
    classes: tuple[str, ...],
    parents: tuple[int, ...],
    step: Callable[[str, str], str],
    hashes: NDArray[np.uint32],
) -> None: ...
def scan(
    html: bytes,
    sets: tuple[bytes, ...],
    most: int,
    deepest: int,
    node: type[TextNode],
    is_xml: bool = False,
) -> tuple[Any, ...] | None: ...
def has_control(html: bytes) -> bool: ...
def has_text(html: bytes, text: bytes) -> bool: ...
def has_tag_of(html: bytes, most: int) -> bool: ...
def fill(
    html: bytes,
    edits: bytes,
    fillings: tuple[bytes, bytes, bytes],
    attributes: dict[int, str],
    texts: dict[int, str],
) -> bytes: ...
def thin_spans(
    own: NDArray[np.uint32],
    spans: NDArray[np.int64],
    other: NDArray[np.uint32],
    other_spans: NDArray[np.int64],
    least: int,
    blocks: NDArray[np.int64],
    kept: NDArray[np.int64],
    other_kept: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> int: ...
def peer_support(
    nodes: NDArray[np.int64],
    starts: NDArray[np.int64],
    cur: int,
    others: NDArray[np.int64],
    ever: NDArray[np.int64],
    of_texts: NDArray[np.int64],
    of_places: NDArray[np.int64],
    of_pairs: NDArray[np.int64],
    support: NDArray[np.float32],
) -> None: ...
def snapshot_support(
    nodes: NDArray[np.int64],
    starts: NDArray[np.int64],
    cur: int,
    others: NDArray[np.int64],
    redesigned: NDArray[np.uint8],
    of_texts: NDArray[np.int64],
    support: NDArray[np.float32],
) -> None: ...
def number_paths(
    pages: list[tuple[Any, ...]], places: dict[str, int], elements: NDArray[np.int64]
) -> tuple[list[str], list[str], list[str], list[str]]: ...
def line_means(
    of_nodes: NDArray[np.float32],
    begins: NDArray[np.int64],
    node_words: NDArray[np.int64],
    means: NDArray[np.float32],
) -> None: ...
def cross_evidence(
    masks: NDArray[np.uint8],
    crosses: NDArray[np.int64],
    votes: NDArray[np.uint8],
    begins: NDArray[np.int64],
    node_words: NDArray[np.int64],
    evidence: NDArray[np.float32],
) -> None: ...
def first_words(
    folded: NDArray[np.uint32],
    bounds: NDArray[np.int64],
    lines: NDArray[np.int64],
    most: int,
    head: int,
) -> list[str]: ...
def hash_names(
    columns: list[list[str]],
    above: NDArray[np.int64],
    wanted: NDArray[np.int64],
    near: int,
    sizes: NDArray[np.int64],
) -> bytes: ...
def sum_weights(
    tokens: NDArray[np.int64],
    owners: NDArray[np.int64],
    weights: NDArray[np.float32],
    near: int,
    sums: NDArray[np.float64],
) -> None: ...
def hash_phrases(
    folded: NDArray[np.uint32],
    bounds: NDArray[np.int64],
    limits: tuple[int, int, int, int],
    tokens: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> int: ...
def find_titles(
    folded: NDArray[np.uint32],
    bounds: NDArray[np.int64],
    short: NDArray[np.uint8],
    starts: NDArray[np.int64],
    titles: NDArray[np.uint32],
    title_bounds: NDArray[np.int64],
    numbers: NDArray[np.int64],
) -> None: ...
def add_leaves(
    columns: NDArray[np.float32],
    width: int,
    forests: NDArray[np.int64],
    starts: NDArray[np.int64],
    packed: NDArray[np.uint8],
    scores: NDArray[np.float64],
) -> None: ...
def expit(log_odds: NDArray[np.float64], chances: NDArray[np.float64]) -> None: ...
def log_expit(log_odds: NDArray[np.float64], logarithms: NDArray[np.float64]) -> None: ...
