# What is asked of the elements of one page, which are in document order and name their parents, -1 above the root.

cdef enum:
    TAGS = 64  # that are known at a time; a power of two

cdef struct KnownTag:
    void* tag  # the same text is the same object on most pages
    bint is_one


cdef bint _is_one_of(tag, frozenset tags, KnownTag* known) except -1:
    """True of a tag that is one of some; those seen last need not be looked up."""
    cdef KnownTag* seen = known + ((<size_t> <void*> tag >> 4) & (TAGS - 1))
    if seen.tag is not <void*> tag:
        seen.is_one = tag in tags
        seen.tag = <void*> tag
    return seen.is_one


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


def subtree_end(parents, Py_ssize_t element, Py_ssize_t most) -> int:
    """The first element behind those in an element, or the one behind `most` of them, itself included."""
    cdef Py_ssize_t below = element + 1, last = len(parents)
    if not 0 <= element < last:
        raise IndexError("an element of the page is needed")
    if most < last - element:
        last = element + most
    while below < last and <Py_ssize_t> parents[below] >= element:
        below += 1
    return below if below < last else last


def subtree_mask(tuple parents, chosen) -> bytearray:
    """For each element 1 if it is chosen or in one that is, else 0."""
    cdef Py_ssize_t count = len(parents), element
    cdef bytearray mask = bytearray(count)
    cdef int32_t* marks = _marked(count, chosen)
    try:
        for element in range(count):
            if marks[element] == 0:
                marks[element] = _of_parent(marks, parents, element) > 0
            mask[element] = marks[element]
        return mask
    finally:
        free(marks)


def ancestor_mask(tuple parents, chosen) -> bytearray:
    """For each element 1 if it is chosen or has one in it, else 0."""
    cdef Py_ssize_t count = len(parents), element
    cdef bytearray mask = bytearray(count)
    cdef int32_t* marks = _marked(count, chosen)
    try:
        for element in range(count - 1, -1, -1):
            if marks[element]:
                mask[element] = 1
                if _of_parent(marks, parents, element) >= 0:
                    marks[<Py_ssize_t> parents[element]] = 1
        return mask
    finally:
        free(marks)


@cython.boundscheck(True)
def lines(tuple tags, tuple nodes, holder, frozenset inline) -> list:
    """For each text node the number of its line, which ends where the holder is another one, or an element begins that is not inline."""
    cdef Py_ssize_t element, last = 0, after = 0, count = len(tags), line = -1
    cdef object held, before = None
    cdef bint begins
    cdef KnownTag[TAGS] known
    cdef list numbers = []
    memset(known, 0, sizeof(known))
    for node in nodes:
        element, after = (<tuple> node)[0], (<tuple> node)[2]
        if not (0 <= element < len(holder) and last <= after < count):
            raise IndexError("texts stand in elements of their page, in order")
        held = holder[element]
        begins = held != before
        for element in range(last + 1, after + 1):
            if begins:
                break
            begins = not _is_one_of(tags[element], inline, known)
        last, before = after, held
        line += begins
        numbers.append(line)
    return numbers


@cython.boundscheck(True)
def may_begin(tuple nodes, heads, str skipped) -> list:
    """The numbers of text nodes whose first two characters behind those skipped, in lower case, begin a head, or are beyond ASCII."""
    cdef uint8_t[128] is_skipped, ones
    cdef uint8_t[128][128] pairs
    cdef Py_ssize_t number, size = 0
    cdef const uint8_t* text
    cdef const uint8_t* end
    cdef list numbers = []
    memset(is_skipped, 0, sizeof(is_skipped))
    memset(ones, 0, sizeof(ones))
    memset(pairs, 0, sizeof(pairs))
    for letter in skipped.encode():
        if letter < 128:
            is_skipped[<uint8_t> letter] = 1
    for head in heads:
        text = <const uint8_t*> PyUnicode_AsUTF8AndSize(head, &size)
        if size and text[0] < 128:
            ones[text[0]] = 1
            if size == 1:
                memset(pairs[text[0]], 1, sizeof(pairs[0]))
            elif text[1] < 128:
                pairs[text[0]][text[1]] = 1
    for number in range(len(nodes)):
        try:
            text = <const uint8_t*> PyUnicode_AsUTF8AndSize((<tuple> nodes[number])[4], &size)
        except UnicodeEncodeError:  # lone surrogates
            numbers.append(number)
            continue
        end = text + size
        while text < end and text[0] < 128 and is_skipped[text[0]]:
            text += 1
        if text < end and text[0] < 128 and (text + 1 == end or text[1] < 128):
            if not (ones[_lower(text[0])] if text + 1 == end else pairs[_lower(text[0])][_lower(text[1])]):
                continue
        numbers.append(number)
    return numbers


cdef inline uint8_t _lower(uint8_t letter) noexcept nogil:
    return letter + 32 if 65 <= letter <= 90 else letter


cdef enum:
    STEMS = 64  # at most
    PAIRS = 1024  # of bytes, told by a number of ten bits


def stems_in(str text, tuple stems) -> list:
    """The stems that a text has in it; each has two bytes at least."""
    cdef Piece[STEMS] pieces
    cdef uint8_t[STEMS] is_there
    cdef uint8_t[PAIRS] begins
    cdef Py_ssize_t size = 0, number, count = len(stems)
    cdef const char* at
    cdef const char* end
    if count > STEMS:
        raise ValueError(f"{count} stems, the limit is {STEMS}")
    memset(is_there, 0, sizeof(is_there))
    memset(begins, 0, sizeof(begins))
    for number in range(count):
        pieces[number].start = PyUnicode_AsUTF8AndSize(stems[number], &pieces[number].size)
        if pieces[number].size < 2:
            raise ValueError("stems of two bytes at least are needed")
        begins[_pair(pieces[number].start)] = 1
    at = PyUnicode_AsUTF8AndSize(text, &size)
    end = at + size
    with nogil:
        while at < end:
            if begins[_pair(at)]:
                for number in range(count):
                    if end - at >= pieces[number].size and not is_there[number]:
                        is_there[number] = memcmp(at, pieces[number].start, pieces[number].size) == 0
            at += 1
    return [stems[number] for number in range(count) if is_there[number]]


cdef inline uint32_t _pair(const char* at) noexcept nogil:
    """The number of two bytes, the second of which may be the zero behind a text."""
    return ((<uint32_t> <uint8_t> at[0] << 4) ^ <uint8_t> at[1]) & (PAIRS - 1)


def places_of(tuple names) -> dict:
    """The places of each text in a row of them, in order; "" is left out."""
    cdef Py_ssize_t place
    cdef dict places = {}
    cdef object found
    cdef str name
    for place in range(len(names)):
        name = names[place]
        if not name:
            continue
        found = places.get(name)
        if found is None:
            places[name] = [place]
        else:
            (<list> found).append(place)
    return places


def holders(tuple tags, tuple parents, frozenset inline, blocks) -> list:
    """For each element the nearest that is no inline one or one of the blocks, itself included, else the root."""
    cdef Py_ssize_t count = len(parents), element
    cdef int32_t* holder = _marked(count, blocks)
    cdef KnownTag[TAGS] known
    memset(known, 0, sizeof(known))
    if len(tags) != count:
        free(holder)
        raise ValueError("as many tags as parents are needed")
    try:
        for element in range(count):
            if not holder[element] and parents[element] >= 0 and _is_one_of(tags[element], inline, known):
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
