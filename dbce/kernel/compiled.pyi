from typing import Any

import numpy as np
from numpy.typing import NDArray

def hash_texts(texts: list[str], hashes: NDArray[np.uint32]) -> None: ...
def hash_words(texts: list[str], hashes: NDArray[np.uint32], ends: NDArray[np.uint32]) -> int: ...
def hash_places(
    tags: tuple[str, ...],
    classes: tuple[str, ...],
    parents: tuple[int, ...],
    inline: frozenset[str],
    places: NDArray[np.uint32],
    holders: NDArray[np.int32],
) -> None: ...
def hash_paths(steps: list[str], parents: tuple[int, ...], hashes: NDArray[np.uint32]) -> None: ...
def scan(
    html: str, sets: tuple[bytes, bytes, bytes, bytes], most: int, deepest: int
) -> tuple[Any, ...] | None: ...
def with_slots(
    html: str, edits: bytes, slot: bytes, fillings: tuple[bytes, bytes, bytes]
) -> str: ...
def add_leaves(
    matrix: NDArray[np.float32],
    starts: NDArray[np.int32],
    packed: NDArray[np.uint8],
    values: NDArray[np.float64],
    score: NDArray[np.float64],
) -> None: ...
