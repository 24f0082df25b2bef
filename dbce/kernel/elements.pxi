# What is asked of the elements of one page, which are in document order and name their parents, -1 above the root.

def enclosing(tuple parents, chosen) -> list:
    """For each element the nearest chosen one, itself included; -1 where there is none."""
    cdef Py_ssize_t count = len(parents), element
    cdef int32_t* nearest
    if not chosen:
        return [-1] * count
    nearest = _marked(count, chosen)
    try:
        for element in range(count):
            nearest[element] = element if nearest[element] else _of_parent(nearest, parents, element)
        return [nearest[element] for element in range(count)]
    finally:
        free(nearest)


def holders(tuple tags, tuple parents, frozenset inline, blocks) -> list:
    """For each element the nearest that is no inline one or one of the blocks, itself included, else the root."""
    cdef Py_ssize_t count = len(parents), element
    cdef int32_t* holder = _marked(count, blocks)
    if len(tags) != count:
        free(holder)
        raise ValueError("as many tags as parents are needed")
    try:
        for element in range(count):
            if not holder[element] and parents[element] >= 0 and tags[element] in inline:
                holder[element] = _of_parent(holder, parents, element)
            else:
                holder[element] = element
        return [holder[element] for element in range(count)]
    finally:
        free(holder)


cdef int32_t* _marked(Py_ssize_t count, chosen) except NULL:
    """A number for each element, 1 of the chosen ones."""
    cdef int32_t* marks = <int32_t*> calloc(count + 1, sizeof(int32_t))
    cdef Py_ssize_t element
    if marks is NULL:
        raise MemoryError
    try:
        for element in chosen:
            if 0 <= element < count:
                marks[element] = 1
    except BaseException:
        free(marks)
        raise
    return marks


cdef int32_t _of_parent(const int32_t* values, tuple parents, Py_ssize_t element) except -2:
    """The value of an element's parent, which stands before it; -1 above the root."""
    cdef Py_ssize_t parent = parents[element]
    if parent >= element:
        raise IndexError("a parent stands before its elements")
    return values[parent] if parent >= 0 else -1
