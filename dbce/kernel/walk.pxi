# The walk of boosted trees; dbce.boilerplate.classify.trees says what the arrays hold.

from libc.math cimport INFINITY, exp, log1p

cdef enum:
    ABREAST = 8  # rows that go down a tree together: the processor looks up one while it waits for others
    BLOCK = 16  # rows that go down one tree after another: they and the tree stay in the processor's cache

cdef struct Node:
    float threshold
    uint16_t feature
    uint16_t left  # the right child stands behind it


def add_leaves(
    const float[:, ::1] matrix,
    Py_ssize_t width,
    const int32_t[::1] starts,
    const uint8_t[::1] packed,
    const double[::1] values,
    double[::1] score,
) -> None:
    """Adds to the score of every row the value of the leaf that it comes to, tree by tree.

    The trees look at so many columns of the matrix; `packed` are the nodes of all as bytes, in the order of `values`. What
    they call a feature from `width` on is a column once more in which NaN is less than all.
    """
    cdef const Node* nodes = <const Node*> &packed[0]
    cdef Py_ssize_t rows = matrix.shape[0], trees = starts.shape[0] - 1
    cdef Py_ssize_t start, end, first, tree
    cdef float* block
    if not 0 < width <= matrix.shape[1]:
        raise ValueError("as many columns as the trees look at are needed")
    block = <float*> malloc(<Py_ssize_t> BLOCK * 2 * width * sizeof(float))
    if block is NULL:
        raise MemoryError
    with nogil:
        start = 0
        while start < rows:
            end = min(rows - start, <Py_ssize_t> BLOCK)
            for first in range(end):
                _copy_twice(&matrix[start + first, 0], width, block + 2 * width * first)
            for tree in range(trees):
                first = 0
                while first < end:
                    _down(
                        block, 2 * width, first, end, nodes + starts[tree], &values[starts[tree]], &score[start]
                    )
                    first += ABREAST
            start += BLOCK
    free(block)


cdef void _copy_twice(const float* row, Py_ssize_t width, float* copies) noexcept nogil:
    """Copies a row, and behind it once more with NaN as less than all."""
    cdef Py_ssize_t column
    for column in range(width):
        copies[column] = row[column]
        copies[width + column] = -INFINITY if row[column] != row[column] else row[column]


cdef inline void _down(
    const float* rows,
    Py_ssize_t width,
    Py_ssize_t first,
    Py_ssize_t end,
    const Node* tree,
    const double* values,
    double* score,
) noexcept nogil:
    """The rows from `first` on, ABREAST at most, down one tree."""
    cdef const float* row[ABREAST]
    cdef uint32_t at[ABREAST]
    cdef uint32_t there, moved = 1
    cdef Node node
    cdef int k
    for k in range(ABREAST):
        row[k] = rows + min(first + k, end - 1) * width
        at[k] = 0
    while moved:
        moved = 0
        for k in range(ABREAST):
            node = tree[at[k]]
            # No branch. NaN is at most nothing, so it goes right.
            there = node.left + (not row[k][node.feature] <= node.threshold)
            moved |= there ^ at[k]
            at[k] = there
    for k in range(min(<Py_ssize_t> ABREAST, end - first)):
        score[first + k] += values[at[k]]


def expit(const double[::1] log_odds, double[::1] chances) -> None:
    """Writes the probability of each log-odds; where the odds against are too large for a number, it is 0."""
    cdef Py_ssize_t place
    if chances.shape[0] != log_odds.shape[0]:
        raise ValueError("as many places as log-odds are needed")
    with nogil:
        for place in range(log_odds.shape[0]):
            chances[place] = 1 / (1 + exp(-log_odds[place]))


def log_expit(const double[::1] log_odds, double[::1] logarithms) -> None:
    """Writes the logarithm of each probability."""
    cdef Py_ssize_t place
    cdef double x
    if logarithms.shape[0] != log_odds.shape[0]:
        raise ValueError("as many places as log-odds are needed")
    with nogil:
        for place in range(log_odds.shape[0]):
            x = log_odds[place]
            logarithms[place] = x - log1p(exp(x)) if x < 0 else -log1p(exp(-x))
