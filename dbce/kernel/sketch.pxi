# What a sketch keeps of a page: dbce.boilerplate.sketch says what.

cdef uint32_t[256] REMAINDERS


cdef void _divide() noexcept:
    """Fills the table of what CRC-32 leaves of each byte, bits from the right, as zlib has it."""
    cdef uint32_t left, polynomial = 0xEDB88320
    cdef int number, bit
    for number in range(256):
        left = number
        for bit in range(8):
            left = (left >> 1) ^ (polynomial * (left & 1))
        REMAINDERS[number] = left


_divide()


def hash_words(list texts, uint32_t[::1] hashes, uint32_t[::1] ends) -> int:
    """Writes the hash of each word, and the number of words up to the end of each text; the number of all.

    A word is what white space parts, as str.split has it; half as many hashes as characters and texts are enough.
    """
    cdef Py_ssize_t number, size = 0, words = 0
    cdef const char* text
    if len(texts) != ends.shape[0]:
        raise ValueError("as many ends as texts are needed")
    for number in range(ends.shape[0]):
        text = PyUnicode_AsUTF8AndSize(texts[number], &size)
        words = _hash_words(<const uint8_t*> text, size, hashes, words)
        if words < 0:
            raise ValueError("more places for words are needed")
        ends[number] = <uint32_t> words
    return words


cdef Py_ssize_t _hash_words(
    const uint8_t* text, Py_ssize_t size, uint32_t[::1] hashes, Py_ssize_t words
) noexcept nogil:
    """The number of words so far; -1 if there is no place for one."""
    cdef Py_ssize_t start = 0, at = 0
    cdef int width
    while at <= size:
        width = 1 if at == size else _space(text + at)
        if width and at > start:
            if words == hashes.shape[0]:
                return -1
            hashes[words] = <uint32_t> _mixed(_siphash(text + start, at - start))
            words += 1
        at += width if width else 1
        if width:
            start = at
    return words


def hash_places(
    tuple tags,
    tuple classes,
    tuple parents,
    frozenset inline,
    uint32_t[::1] places,
    int32_t[::1] holders,
) -> None:
    """Writes the place of each element in the template, and the element that sets its text.

    As dbce.html.walk.template_hash and .holders have them.
    """
    cdef Py_ssize_t number
    cdef int32_t parent
    cdef uint32_t left
    if not len(tags) == len(classes) == len(parents) == places.shape[0] == holders.shape[0]:
        raise ValueError("as many places as elements are needed")
    for number in range(places.shape[0]):
        parent = parents[number]
        if not -1 <= parent < number:
            raise ValueError("a parent stands before its children")
        left = ~(places[parent] if parent >= 0 else 0)
        left = _crc32(left, tags[number])
        if classes[number]:
            left = _crc32(_crc32(left, "."), classes[number])
        places[number] = ~_crc32(left, "/")
        holders[number] = holders[parent] if parent >= 0 and tags[number] in inline else number


cdef uint32_t _crc32(uint32_t left, str text) except? 0:
    """What is left of a text behind what is left of those before."""
    cdef Py_ssize_t size = 0, at
    cdef const char* bytes_of = PyUnicode_AsUTF8AndSize(text, &size)
    for at in range(size):
        left = (left >> 8) ^ REMAINDERS[(left ^ <uint8_t> bytes_of[at]) & 0xFF]
    return left


def hash_paths(list steps, tuple parents, uint32_t[::1] hashes) -> None:
    """Writes the hash of the last three steps of each element's path, with ">" between them."""
    cdef Py_ssize_t number, needed, room = 0
    cdef Piece[3] path
    cdef char* joined = NULL
    cdef char* end
    cdef int above, depth
    if not len(steps) == len(parents) == hashes.shape[0]:
        raise ValueError("as many hashes as elements are needed")
    try:
        for number in range(hashes.shape[0]):
            above, depth, needed = number, 0, 0
            while above >= 0 and depth < 3:
                path[depth].start = PyUnicode_AsUTF8AndSize(steps[above], &path[depth].size)
                needed += path[depth].size + 1
                depth += 1
                if not -1 <= parents[above] < above:
                    raise ValueError("a parent stands before its children")
                above = parents[above]
            if needed > room:
                joined = _of_room(joined, 2 * needed)
                room = 2 * needed
            end = joined
            while depth:
                depth -= 1
                end = _put(end, path[depth].start, path[depth].size)
                end = _put(end, ">", 1)
            hashes[number] = <uint32_t> _mixed(_siphash(<uint8_t*> joined, end - joined - 1))
    finally:
        free(joined)


cdef char* _of_room(char* old, Py_ssize_t room) except NULL:
    cdef char* new = <char*> realloc(old, room)
    if new is NULL:
        raise MemoryError
    return new
