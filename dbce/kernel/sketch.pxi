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


def hash_words(tuple nodes, uint32_t[::1] ends) -> bytes:
    """Returns the hashes of the words of all text nodes, as uint32, and writes the number of words up to the end of each node.

    A word is what white space parts, as str.split has it.
    """
    cdef Py_ssize_t number, size = 0
    cdef const char* text
    cdef Array hashes
    memset(&hashes, 0, sizeof(Array))
    if len(nodes) != ends.shape[0]:
        raise ValueError("as many ends as texts are needed")
    try:
        for number in range(ends.shape[0]):
            text = PyUnicode_AsUTF8AndSize(_field(nodes[number], 4), &size)
            if _hash_words(<const uint8_t*> text, size, &hashes) < 0:
                raise MemoryError
            ends[number] = <uint32_t> hashes.number
        return hashes.items[: hashes.number * sizeof(uint32_t)]
    finally:
        free(hashes.items)


cdef int _hash_words(const uint8_t* text, Py_ssize_t size, Array* hashes) noexcept nogil:
    """Adds the hash of each word; -1 if there is no memory for one."""
    cdef Py_ssize_t start = 0, at = 0
    cdef uint32_t* hash
    cdef int width
    while at <= size:
        while at < size and 0x20 < text[at] < 0x80:
            at += 1
        width = 1 if at == size else _space(text + at)
        if width and at > start:
            hash = <uint32_t*> _new(hashes, sizeof(uint32_t))
            if hash is NULL:
                return -1
            hash[0] = <uint32_t> _mixed(_siphash(text + start, at - start))
        at += width if width else 1
        if width:
            start = at
    return 0


def hash_runs(bytes text, find, uint32_t[::1] hashes) -> int:
    """Writes the hash of each word of a text in UTF-8, as dbce.model.words.words_of has them; the number of words.

    Without `hashes` they are counted alone. `find` gives the words of a piece with letters beyond ASCII.
    """
    cdef Py_ssize_t size = len(text), start = 0, at = 0, words = 0
    cdef const uint8_t* signs = text
    cdef bytes spelled
    cdef bint is_ascii = True
    cdef int width
    while at <= size:
        while at < size and c"a" <= signs[at] <= c"z":  # as most
            at += 1
        width = 1 if at == size else _apart(signs + at)
        if width and at > start:
            if not is_ascii:
                for word in find(text[start:at].decode("utf-8", "surrogatepass")):
                    spelled = word.encode()
                    words = _hash_run(spelled, len(spelled), hashes, words)
            else:
                words = _hash_run(signs + start, at - start, hashes, words)
        elif not width and signs[at] > 127:
            is_ascii = False
        at += width if width else 1
        if width:
            start = at
            is_ascii = True
    return words


cdef inline int _apart(const uint8_t* at) noexcept nogil:
    """How many bytes a sign has that is of no word, of ASCII and the commonest others; 0 of another one."""
    if at[0] < 128:
        return not (48 <= at[0] <= 57 or 65 <= (at[0] & 0xDF) <= 90 or at[0] == 95)
    if at[0] == 0xC2 and at[1] == 0xA0:  # a space that does not break
        return 2
    return 3 if at[0] == 0xE2 and at[1] == 0x80 else 0  # quotation marks, dashes and spaces


cdef inline Py_ssize_t _hash_run(
    const uint8_t* word, Py_ssize_t size, uint32_t[::1] hashes, Py_ssize_t words
) except -1:
    """The number of words with this one, whose hash is written unless they are counted alone."""
    if hashes is not None:
        if words == hashes.shape[0]:
            raise ValueError("more places for words are needed")
        hashes[words] = <uint32_t> _mixed(_siphash(word, size))
    return words + 1


cdef enum:
    SEEN = 1024  # hashes that are told from those seen before: most of a page are


def least_hashes(
    const uint32_t[::1] hashes,
    const uint32_t[::1] factors,
    const uint32_t[::1] shifts,
    uint32_t[::1] least,
) -> None:
    """Lowers each number to the least hash by its permutation, as dbce.boilerplate.sketch.minima has it."""
    cdef Py_ssize_t number, place
    cdef uint32_t mixed, value
    cdef uint32_t[SEEN] seen
    if not factors.shape[0] == shifts.shape[0] == least.shape[0]:
        raise ValueError("as many numbers as permutations are needed")
    with nogil:
        for number in range(SEEN):
            seen[number] = ~<uint32_t> number  # no hash that has its place here
        for number in range(hashes.shape[0]):
            if seen[hashes[number] % SEEN] == hashes[number]:
                continue
            seen[hashes[number] % SEEN] = hashes[number]
            # The finaliser of MurmurHash3, so that the bits that the permutations leave together are unlike.
            mixed = (hashes[number] ^ (hashes[number] >> 16)) * <uint32_t> 0x85EBCA6B
            mixed = (mixed ^ (mixed >> 13)) * <uint32_t> 0xC2B2AE35
            mixed ^= mixed >> 16
            for place in range(least.shape[0]):
                value = mixed * factors[place] + shifts[place]
                least[place] = value if value < least[place] else least[place]


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


cdef enum:
    KNOWN = 256  # steps, and paths, that are known at a time; a power of two

cdef struct KnownStep:
    void* tag  # the same text is the same object on most pages
    void* classes
    void* step

cdef struct KnownPath:
    void* steps[3]  # from the inside out, NULL above the root
    uint32_t hash


def hash_paths(tuple tags, tuple classes, tuple parents, step, uint32_t[::1] hashes) -> None:
    """Writes the hash of the last three steps of each element's path, with ">" between them; `step` makes one of tag and classes."""
    cdef Py_ssize_t number, above, parent, room = 0
    cdef list steps = []
    cdef object tag, its_classes, its_step
    cdef char* joined = NULL
    cdef KnownStep[KNOWN] of_names
    cdef KnownPath[KNOWN] of_steps
    cdef KnownStep* name
    cdef KnownPath* path
    cdef void* own[3]
    cdef int depth
    if not len(tags) == len(classes) == len(parents) == hashes.shape[0]:
        raise ValueError("as many hashes as elements are needed")
    memset(of_names, 0, sizeof(of_names))
    memset(of_steps, 0, sizeof(of_steps))
    try:
        for number in range(hashes.shape[0]):
            tag, its_classes, above = tags[number], classes[number], number
            name = of_names + _slot_of(<void*> tag, <void*> its_classes, NULL)
            if name.tag is not <void*> tag or name.classes is not <void*> its_classes:
                its_step = step(tag, its_classes)
                name.tag, name.classes, name.step = <void*> tag, <void*> its_classes, <void*> its_step
            steps.append(<object> name.step)
            for depth in range(3):
                own[depth] = NULL
                if above >= 0:
                    its_step, parent = steps[above], parents[above]
                    own[depth] = <void*> its_step
                    if not -1 <= parent < above:
                        raise ValueError("a parent stands before its children")
                    above = parent
            path = of_steps + _slot_of(own[0], own[1], own[2])
            if memcmp(path.steps, own, sizeof(own)):
                memcpy(path.steps, own, sizeof(own))
                path.hash = _hash_path(own, &joined, &room)
            hashes[number] = path.hash
    finally:
        free(joined)


cdef inline size_t _slot_of(void* one, void* other, void* third) noexcept nogil:
    return (<size_t> one * 3 ^ <size_t> other * 5 ^ <size_t> third * 7) >> 4 & (KNOWN - 1)


cdef uint32_t _hash_path(void** steps, char** joined, Py_ssize_t* room) except? 0:
    """The hash of some steps, from the inside out, joined in a room that grows."""
    cdef Piece[3] path
    cdef Py_ssize_t needed = 0
    cdef char* end
    cdef int depth = 0
    while depth < 3 and steps[depth] is not NULL:
        path[depth].start = PyUnicode_AsUTF8AndSize(<object> steps[depth], &path[depth].size)
        needed += path[depth].size + 1
        depth += 1
    if needed > room[0]:
        joined[0] = _of_room(joined[0], 2 * needed)
        room[0] = 2 * needed
    end = joined[0]
    while depth:
        depth -= 1
        end = _put(end, path[depth].start, path[depth].size)
        end = _put(end, ">", 1)
    return <uint32_t> _mixed(_siphash(<uint8_t*> joined[0], end - joined[0] - 1))


cdef char* _of_room(char* old, Py_ssize_t room) except NULL:
    cdef char* new = <char*> realloc(old, room)
    if new is NULL:
        raise MemoryError
    return new
