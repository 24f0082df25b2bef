# What is asked of the elements of a forest: an element stands behind its parent, a root is its own.


@cython.boundscheck(True)
def inherit(const int64_t[::1] above, int64_t[::1] flags) -> None:
    """Adds to the flags of each path those of the paths above it; -1 is above a root."""
    cdef Py_ssize_t path
    with nogil:
        for path in range(above.shape[0]):
            if above[path] >= 0:
                flags[path] |= flags[above[path]]
