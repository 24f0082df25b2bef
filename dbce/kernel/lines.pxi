# What is asked of lines in a row, page after page, and of the characters of texts in a row.

cdef enum:  # kinds of characters, and their number, as dbce.boilerplate.classify.lines has them
    BLANK = 1 << 0
    UPPER = 1 << 2
    KINDS = 9


@cython.boundscheck(True)
def look_up(
    const uint32_t[::1] codes, const uint32_t[::1] table, Py_ssize_t start, uint32_t[::1] values
) -> int:
    """Writes what the table has for each code from `start` on, less 1; the place of the first for which it has 0, or the end."""
    cdef Py_ssize_t place
    cdef uint32_t value
    with nogil:
        for place in range(start, codes.shape[0]):
            value = table[codes[place]]
            if value == 0:
                break
            values[place] = value - 1
        else:
            place = codes.shape[0]
    return place


@cython.boundscheck(True)
def count_kinds(const uint32_t[::1] kinds, const int64_t[::1] bounds, int64_t[:, ::1] counts) -> None:
    """Counts the characters of each text, which goes from one of the bounds to the next.

    The rows: the characters of each kind; words; words that begin with a capital; the kinds of the last that is not blank.
    """
    cdef int64_t[KINDS + 3] own
    cdef Py_ssize_t text, place
    cdef uint32_t of
    cdef bint blank
    cdef int row
    with nogil:
        for text in range(counts.shape[1]):
            memset(own, 0, sizeof(own))
            blank = True
            for place in range(bounds[text], bounds[text + 1]):
                of = kinds[place]
                for row in range(KINDS):
                    own[row] += (of >> row) & 1
                if of & BLANK:
                    blank = True
                    continue
                if blank:
                    own[<int> KINDS] += 1
                    own[KINDS + 1] += (of & UPPER) > 0
                blank = False
                own[KINDS + 2] = of
            for row in range(KINDS + 3):
                counts[row, text] = own[row]
