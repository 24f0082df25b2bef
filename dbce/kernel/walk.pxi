# The walk of boosted trees; dbce.boilerplate.classify.trees says what the arrays hold.

from libc.math cimport INFINITY, exp, log1p

cdef enum:
    BLOCK = 16  # rows that go down a tree together: the processor looks up one while it waits for others

cdef struct Node:
    float threshold  # the value of a leaf, which leads to itself: it looks at a column that is less than all
    uint16_t feature  # where its column begins in a block of rows
    uint16_t left  # the right child stands behind it


def add_leaves(
    const float[:, ::1] columns,
    Py_ssize_t width,
    const int64_t[::1] forests,
    const int64_t[::1] starts,
    const uint8_t[::1] packed,
    double[:, ::1] scores,
) -> None:
    """Adds to the scores of every row, one a forest, the value of the leaf that it comes to, tree by tree.

    A forest goes from one of `forests` to the next, a tree from one of the starts. The trees look at so many of the
    columns, as long as the rows are many; `packed` are the nodes of all as bytes. Behind the columns are these once more, in which NaN is less than
    all, and one of what is less than all.
    """
    cdef const Node* nodes = <const Node*> &packed[0]
    cdef Py_ssize_t rows = columns.shape[1], start = 0, end, row, forest, tree, column
    cdef float* block
    cdef float* with_nan_least
    cdef float value
    if not 0 < width <= columns.shape[0]:
        raise ValueError("as many columns as the trees look at are needed")
    if scores.shape[0] != forests.shape[0] - 1 or scores.shape[1] != rows:
        raise ValueError("as many scores as forests and rows are needed")
    block = <float*> calloc((2 * width + 1) * BLOCK, sizeof(float))
    if block is NULL:
        raise MemoryError
    with_nan_least = block + BLOCK * width
    with nogil:
        for row in range(BLOCK):
            with_nan_least[BLOCK * width + row] = -INFINITY
        while start < rows:
            end = min(rows - start, BLOCK)  # behind it are the rows of before, which count no more
            for column in range(width):
                for row in range(end):
                    value = columns[column, start + row]
                    block[BLOCK * column + row] = value
                    with_nan_least[BLOCK * column + row] = -INFINITY if value != value else value
            for forest in range(scores.shape[0]):
                for tree in range(forests[forest], forests[forest + 1]):
                    _down(block, end, nodes + starts[tree], &scores[forest, start])
            start += BLOCK
    free(block)


cdef inline void _down(
    const float* rows, Py_ssize_t number, const Node* tree, double* score
) noexcept nogil:
    """A block, of which so many rows count, down one tree."""
    cdef uint32_t at[BLOCK]
    cdef uint32_t there, moved = 1
    cdef Node node
    cdef int k
    for k in range(BLOCK):
        at[k] = 0
    while moved:
        moved = 0
        for k in range(BLOCK):
            node = tree[at[k]]
            # No branch. NaN is at most nothing, so it goes right.
            there = node.left + (not rows[node.feature + k] <= node.threshold)
            moved |= there ^ at[k]
            at[k] = there
    for k in range(number):
        score[k] += tree[at[k]].threshold


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
