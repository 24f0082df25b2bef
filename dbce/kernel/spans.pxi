# What spans of two pages have in common before they are aligned: dbce.boilerplate.diff says of what.

cdef enum:
    OTHER_HAS = 0  # what is seen of a value, above twice the number of its span
    BOTH_HAVE = 1


@cython.boundscheck(True)
def thin_spans(
    const uint32_t[::1] own,
    const int64_t[:, ::1] spans,
    const uint32_t[::1] other,
    const int64_t[:, ::1] other_spans,
    Py_ssize_t least,
    int64_t[:, ::1] blocks,
    int64_t[:, ::1] kept,
    int64_t[:, ::1] other_kept,
    int64_t[:, ::1] sizes,
) -> int:
    """Writes the blocks that need no alignment, and what is to be aligned; the number of blocks.

    Spans are starts and sizes. A block is the number of its span, its places in the one array and in the other, and its size: what two spans
    have in common at their ends, and what is left of them if that is equal. To be aligned are values that the other span may have, in spans
    that may have `least` of them in a row in common: the number of the span above the value, and the place. The sizes are how many by span.
    """
    cdef Py_ssize_t span, found = 0, first = 0, other_first = 0, count, other_count
    cdef int64_t start, end, other_start, other_end, at
    cdef int bits = 10
    cdef uint32_t* seen
    cdef uint32_t* runs
    cdef uint32_t stamp = 0
    cdef uint64_t slot
    if not spans.shape[1] == other_spans.shape[1] == sizes.shape[1]:
        raise ValueError("as many sizes as spans are needed")
    for span in range(spans.shape[1]):
        while <int64_t> 1 << bits < 8 * max(spans[1, span], other_spans[1, span]):
            bits += 1
    seen = <uint32_t*> calloc(<size_t> 2 << bits, sizeof(uint32_t))
    if seen is NULL:
        raise MemoryError
    runs = seen + (<size_t> 1 << bits)
    try:
        with nogil:
            for span in range(spans.shape[1]):
                start, other_start = spans[0, span], other_spans[0, span]
                end, other_end = start + spans[1, span], other_start + other_spans[1, span]
                while start < end and other_start < other_end and own[start] == other[other_start]:
                    start += 1
                    other_start += 1
                at = start - spans[0, span]
                found = _add_block(blocks, found, span, start - at, other_start - at, at)
                at = end
                while start < end and other_start < other_end and own[end - 1] == other[other_end - 1]:
                    end -= 1
                    other_end -= 1
                found = _add_block(blocks, found, span, end, other_end, at - end)
                stamp += 2
                for at in range(other_start, other_end):
                    seen[_slot(other[at], bits)] = stamp + OTHER_HAS
                count, other_count = first, other_first
                for at in range(start, end):
                    slot = _slot(own[at], bits)
                    if seen[slot] >= stamp:
                        seen[slot] = stamp + BOTH_HAVE
                        kept[0, count], kept[1, count] = span << 32 | own[at], at
                        count += 1
                for at in range(other_start, other_end):
                    if seen[_slot(other[at], bits)] == stamp + BOTH_HAVE:
                        other_kept[0, other_count] = span << 32 | other[at]
                        other_kept[1, other_count] = at
                        other_count += 1
                if _are_equal(kept[:, first:count], other_kept[:, other_first:other_count]):
                    for at in range(count - first):
                        found = _add_block(
                            blocks, found, span, kept[1, first + at], other_kept[1, other_first + at], 1
                        )
                    count = first
                elif least > 1 and not _may_share_run(
                    kept[:, first:count], other_kept[:, other_first:other_count], least, runs, bits, stamp
                ):
                    count = first
                if count == first or other_count == other_first:
                    count, other_count = first, other_first
                sizes[0, span], sizes[1, span] = count - first, other_count - other_first
                first, other_first = count, other_count
    finally:
        free(seen)
    return found


cdef inline uint64_t _slot(uint64_t value, int bits) noexcept nogil:
    """The upper bits of a product with 2**64 / golden ratio are a good hash (Knuth, TAOCP 6.4)."""
    return (value * <uint64_t> 0x9E3779B97F4A7C15) >> (64 - bits)


@cython.boundscheck(True)
cdef Py_ssize_t _add_block(
    int64_t[:, ::1] blocks, Py_ssize_t found, int64_t span, int64_t own, int64_t other, int64_t size
) except -1 nogil:
    """The number of blocks with this one, if it is one."""
    if size == 0:
        return found
    blocks[0, found], blocks[1, found] = span, own
    blocks[2, found], blocks[3, found] = other, size
    return found + 1


cdef bint _are_equal(int64_t[:, :] values, int64_t[:, :] others) noexcept nogil:
    cdef Py_ssize_t at
    if values.shape[1] != others.shape[1]:
        return False
    for at in range(values.shape[1]):
        if values[0, at] != others[0, at]:
            return False
    return True


cdef bint _may_share_run(
    int64_t[:, :] values, int64_t[:, :] others, Py_ssize_t least, uint32_t* runs, int bits, uint32_t stamp
) noexcept nogil:
    """Whether both may have so many values in a row, none left out between them; `runs` has what was seen with another stamp."""
    cdef Py_ssize_t at
    for at in range(values.shape[1] - least + 1):
        if values[1, at + least - 1] - values[1, at] == least - 1:
            runs[_slot(_run_hash(values, at, least), bits)] = stamp
    for at in range(others.shape[1] - least + 1):
        if others[1, at + least - 1] - others[1, at] == least - 1:
            if runs[_slot(_run_hash(others, at, least), bits)] == stamp:
                return True
    return False


cdef uint64_t _run_hash(int64_t[:, :] values, Py_ssize_t first, Py_ssize_t size) noexcept nogil:
    cdef uint64_t mixed = 0
    cdef Py_ssize_t at
    for at in range(first, first + size):
        mixed = _mixed(mixed + <uint64_t> values[0, at])
    return mixed
