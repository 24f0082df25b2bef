import numpy as np
from numpy.typing import NDArray

def hash_texts(texts: list[str], hashes: NDArray[np.uint32]) -> None: ...
def add_leaves(
    matrix: NDArray[np.float32],
    starts: NDArray[np.int32],
    packed: NDArray[np.uint8],
    values: NDArray[np.float64],
    score: NDArray[np.float64],
) -> None: ...
