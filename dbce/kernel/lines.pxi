# What is asked of lines in a row, page after page, and of the characters of texts in a row.

cdef enum:  # kinds of characters, and their number, as dbce.boilerplate.classify.lines has them
    BLANK = 1 << 0
    UPPER = 1 << 2
    OF_UNSPACED = 6  # places of two in the counts
    OF_ALPHANUMERIC = 7
    KINDS = 9

cdef enum:  # flags of paths, as it has them
    IN_LINK = 1 << 0
    IN_HIDDEN = 1 << 1
    IN_STRONG = 1 << 2
    SETS_LINES = 1 << 3


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
def set_lines(
    list pages,
    const int64_t[::1] starts,
    const int64_t[::1] parents,
    const int64_t[::1] flags,
    int64_t[:, ::1] columns,
    int64_t[::1] bounds,
) -> str:
    """Returns the texts of all nodes in a row, a space before each that begins a line or is apart, and writes where each begins, and the end.

    `pages` are the text nodes of each page, `starts` its first elements, `flags` those of elements. The columns: the line of each node, and
    its element's flags; for each line the element that sets it, as in dbce.html.walk, where it begins, and the element of its first node.
    """
    cdef Py_ssize_t page, place = 0, line = -1, size = 0, element, after, holder, before, last
    cdef bint begins
    cdef tuple nodes
    cdef list texts = []
    cdef str text
    for page, nodes in enumerate(pages):
        before = last = -1
        for node in nodes:
            element = starts[page] + <Py_ssize_t> _field(node, 0)
            after = starts[page] + <Py_ssize_t> _field(node, 2)
            text = _field(node, 4)
            if not starts[page] <= element <= after < starts[page + 1]:
                raise IndexError("a text stands in an element of its page")
            holder = element
            while not flags[holder] & SETS_LINES and parents[holder] < holder:
                holder = parents[holder]
            begins = holder != last
            while not begins and before < after:
                before += 1
                begins = flags[before] & SETS_LINES != 0
            before, last = after, holder
            if begins:
                line += 1
                columns[2, line], columns[3, line], columns[4, line] = holder, size, element
            columns[0, place], columns[1, place] = line, flags[element]
            bounds[place] = size
            if begins or _field(node, 3):
                texts.append(" ")
                size += 1
            texts.append(text)
            size += len(text)
            place += 1
    bounds[place] = size
    return "".join(texts)


@cython.boundscheck(True)
def count_lines(
    const uint32_t[::1] kinds,
    const int64_t[::1] bounds,
    const int64_t[:, ::1] columns,
    int64_t[::1] node_words,
    int64_t[:, ::1] counts,
    double[:, ::1] lengths,
) -> None:
    """Counts the words of each text node, which goes from one of the bounds to the next, and the characters of each line.

    The columns are those of `set_lines`. The rows of counts: the characters of each kind; words; words that begin with a capital; the
    kinds of the last that is not blank. The rows of lengths: of the line; of its part in links, in bold or the like, in hidden elements.
    """
    cdef int64_t[KINDS + 3] own
    cdef int64_t line = -1, flags, unspaced, alphanumeric
    cdef Py_ssize_t node
    cdef double length
    cdef bint blank = True
    cdef int row
    with nogil:
        for node in range(node_words.shape[0]):
            if columns[0, node] != line:
                memset(own, 0, sizeof(own))
                blank = True
            line, flags = columns[0, node], columns[1, node]
            unspaced, alphanumeric = own[OF_UNSPACED], own[OF_ALPHANUMERIC]
            node_words[node] = _count_text(kinds, bounds[node], bounds[node + 1], own, &blank)
            length = node_words[node] + (own[OF_UNSPACED] - unspaced) / 2.0
            lengths[0, line] += length
            lengths[1, line] += length if flags & IN_LINK else 0
            lengths[2, line] += length if flags & IN_STRONG else 0
            # The sign that a headline shows when the mouse is over it hides nothing to be read.
            if flags & IN_HIDDEN and own[OF_ALPHANUMERIC] > alphanumeric:
                lengths[3, line] += length
            for row in range(KINDS + 3):
                counts[row, line] = own[row]


@cython.boundscheck(True)
cdef int64_t _count_text(
    const uint32_t[::1] kinds, Py_ssize_t start, Py_ssize_t end, int64_t* own, bint* blank
) except -1 nogil:
    """Adds the characters of a text to the counts of its line, and returns the number of its words.

    `blank` says that the line has white space before the text: a word that goes on is a word of both texts, and one of the line.
    """
    cdef int64_t words = 0
    cdef bint begins = True
    cdef Py_ssize_t place
    cdef uint32_t of
    cdef int row
    for place in range(start, end):
        of = kinds[place]
        for row in range(KINDS):
            own[row] += (of >> row) & 1
        if of & BLANK:
            begins = blank[0] = True
            continue
        words += begins
        if blank[0]:
            own[<int> KINDS] += 1
            own[KINDS + 1] += (of & UPPER) > 0
        begins = blank[0] = False
        own[KINDS + 2] = of
    return words


# Lines that say the same.


def hash_lines(
    const uint32_t[::1] codes,
    const uint32_t[::1] kinds,
    const int64_t[::1] bounds,
    Py_ssize_t words,
    Py_ssize_t head,
    int64_t[:, ::1] hashes,
) -> None:
    """Writes a hash of the text of each line without white space around it, and one of so many words at its beginning.

    Words count as far as they are within so many characters, the white space between them does not.
    """
    cdef Py_ssize_t line, start, end, at, count
    cdef bint in_word
    cdef uint64_t whole, begin
    if not hashes.shape[1] == bounds.shape[0] - 1 or hashes.shape[0] != 2 or kinds.shape[0] != codes.shape[0]:
        raise ValueError("as many places as lines are needed")
    _check_bounds(bounds, codes.shape[0])
    with nogil:
        for line in range(hashes.shape[1]):
            start, end = bounds[line], bounds[line + 1]
            while start < end and kinds[start] & BLANK:
                start += 1
            while end > start and kinds[end - 1] & BLANK:
                end -= 1
            whole = begin = count = in_word = 0
            for at in range(start, end):
                whole = _followed(whole, codes[at])
                if kinds[at] & BLANK:
                    in_word = False
                    continue
                count += not in_word
                if count <= words and at < start + head:
                    begin = _followed(begin if in_word else _followed(begin, <uint32_t> SPACE), codes[at])
                in_word = True
            hashes[0, line], hashes[1, line] = _mixed(whole), _mixed(begin)


cdef inline uint64_t _followed(uint64_t hash, uint32_t code) noexcept nogil:
    return (hash ^ code) * <uint64_t> 0x9E3779B97F4A7C15


def hash_letters(list texts, bytes letters) -> list:
    """A hash for each text of those bytes of it in lower case that are some letters."""
    cdef uint8_t[256] is_letter
    cdef Py_ssize_t number, place, size = 0
    cdef const char* text
    cdef uint64_t key
    cdef uint8_t byte
    cdef list keys = []
    cdef str own
    memset(is_letter, 0, sizeof(is_letter))
    for letter in letters:
        is_letter[<uint8_t> letter] = 1
    for number in range(len(texts)):
        own = _without_capitals(texts[number])
        text = PyUnicode_AsUTF8AndSize(own, &size)
        key = 0
        for place in range(size):
            byte = _lower(text[place])
            if is_letter[byte]:
                key = _followed(key, byte)
        keys.append(_mixed(key))
    return keys


def first_alike(const int64_t[::1] keys, int64_t[::1] firsts) -> None:
    """Writes the place of the first key that is the same, for each key."""
    cdef Py_ssize_t room = 2, i, at
    cdef int64_t* table
    if firsts.shape[0] != keys.shape[0]:
        raise ValueError("as many places as keys are needed")
    while room < 2 * keys.shape[0]:
        room *= 2
    table = <int64_t*> calloc(room, sizeof(int64_t))  # places, counted from 1 on
    if table is NULL:
        raise MemoryError
    with nogil:
        for i in range(keys.shape[0]):
            at = <Py_ssize_t> (_mixed(keys[i]) & <uint64_t> (room - 1))
            while table[at] and keys[table[at] - 1] != keys[i]:
                at = (at + 1) & (room - 1)
            if not table[at]:
                table[at] = i + 1
            firsts[i] = table[at] - 1
    free(table)


@cython.boundscheck(True)
def cut_lines(
    const double[:] chance, const float[:] words, const int64_t[:] falling, double weight
):
    """The best F-beta and the best F1 that lines from some chance on may be expected to have, and the middle between the two groups that differ most.

    Lines fall in their chance; those without words do not count. `weight` is beta squared. The middle is None of one line, and all are where none may be expected.
    """
    cdef Py_ssize_t line
    cdef double length, above = 0, wanted = 0, all_lengths = 0, all_wanted = 0, left, apart
    cdef double before = 0, f_beta = 0, f1 = 0, widest = -1, middle = 0
    for line in falling:
        if words[line] > 0:
            all_lengths += words[line]
            all_wanted += words[line] * chance[line]
    if all_wanted == 0:
        return None
    for line in falling:
        length = words[line]
        if not length > 0:
            continue
        if above > 0:
            left = all_lengths - above
            apart = wanted / above - (all_wanted - wanted) / left
            apart = above * left * (apart * apart)
            if apart > widest:
                widest, middle = apart, (before + chance[line]) / 2
        before = chance[line]
        above += length
        wanted += length * before
        f_beta = max(f_beta, wanted / (above + weight * all_wanted))
        f1 = max(f1, 2 * wanted / (above + all_wanted))
    return f_beta, f1, middle if widest >= 0 else None
