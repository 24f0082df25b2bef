# The walk of boosted trees; dbce.boilerplate.classify.walks says what the arrays hold.

cdef enum:
    ABREAST = 8  # rows that go down a tree together: the processor looks up one while it waits for others

cdef struct Node:
    float threshold
    int32_t feature
    int32_t missing_left
    int32_t[2] children


def add_leaves(
    const float[:, ::1] matrix,
    const int32_t[::1] starts,
    const uint8_t[::1] packed,
    const double[::1] values,
    double[::1] score,
) -> None:
    """Adds to the score of every row the value of the leaf that it comes to, tree by tree.

    `packed` are the nodes of all trees as bytes, in the order of `values`.
    """
    cdef const Node* nodes = <const Node*> &packed[0]
    cdef Py_ssize_t rows = matrix.shape[0], trees = starts.shape[0] - 1
    cdef Py_ssize_t block, first, end, tree
    with nogil:
        # So many rows go down one tree after another: they and the tree stay in the processor's cache.
        for block in range(0, rows, 64):
            end = min(block + 64, rows)
            for tree in range(trees):
                first = block
                while first < end:
                    _down(matrix, first, end, nodes + starts[tree], &values[starts[tree]], score)
                    first += ABREAST


cdef inline void _down(
    const float[:, ::1] matrix,
    Py_ssize_t first,
    Py_ssize_t end,
    const Node* tree,
    const double* values,
    double[::1] score,
) noexcept nogil:
    """The rows from `first` on, ABREAST at most, down one tree."""
    cdef const float* row[ABREAST]
    cdef int32_t at[ABREAST]
    cdef int32_t there, moved = 1
    cdef const Node* node
    cdef float value
    cdef int k
    for k in range(ABREAST):
        row[k] = &matrix[min(first + k, end - 1), 0]
        at[k] = 0
    while moved:
        moved = 0
        for k in range(ABREAST):
            node = tree + at[k]
            value = row[k][node.feature]
            # No branch: NaN is at most nothing, and differs from itself.
            there = node.children[(value <= node.threshold) | (node.missing_left & (value != value))]
            moved |= there ^ at[k]
            at[k] = there
    for k in range(min(<Py_ssize_t> ABREAST, end - first)):
        score[first + k] += values[at[k]]
