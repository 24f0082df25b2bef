import numpy as np
from numpy.typing import NDArray

def add_leaves(
    matrix: NDArray[np.float32],
    starts: NDArray[np.int32],
    packed: NDArray[np.uint8],
    values: NDArray[np.float64],
    score: NDArray[np.float64],
) -> None: ...
