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


def inside(tuple parents, chosen) -> bytearray:
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


def around(tuple parents, chosen) -> bytearray:
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
    cdef list numbers = []
    for node in nodes:
        element, after = (<tuple> node)[0], (<tuple> node)[2]
        if not (0 <= element < len(holder) and last <= after < count):
            raise IndexError("texts stand in elements of their page, in order")
        held = holder[element]
        begins = held != before
        for element in range(last + 1, after + 1):
            if begins:
                break
            begins = tags[element] not in inline
        last, before = after, held
        line += begins
        numbers.append(line)
    return numbers


@cython.boundscheck(True)
def may_begin(tuple nodes, heads, str skipped) -> list:
    """The numbers of text nodes whose first two characters behind those skipped, in lower case, begin a head, or are beyond ASCII."""
    cdef uint8_t[128] is_skipped, ones
    cdef uint8_t[128][128] pairs
    cdef Py_ssize_t number, place, size
    cdef Py_UCS4 letter
    cdef uint32_t one, other
    cdef str text, head
    cdef list numbers = []
    memset(is_skipped, 0, sizeof(is_skipped))
    memset(ones, 0, sizeof(ones))
    memset(pairs, 0, sizeof(pairs))
    for letter in skipped:
        if letter < 128:
            is_skipped[<uint32_t> letter] = 1
    for head in heads:
        one, other = _letter(head, 0), _letter(head, 1)
        if one < 128:
            ones[one] = 1
            if other < 128:
                pairs[one][other] = 1
            elif other == NO_LETTER:
                memset(pairs[one], 1, sizeof(pairs[one]))
    for number in range(len(nodes)):
        text = (<tuple> nodes[number])[4]
        place, size = 0, len(text)
        while place < size:
            letter = text[place]
            if not (is_skipped[<uint32_t> letter] if letter < 128 else letter in skipped):
                break
            place += 1
        one, other = _lower(_letter(text, place)), _lower(_letter(text, place + 1))
        if one < 128 and (other < 128 or other == NO_LETTER):
            if not (ones[one] if other == NO_LETTER else pairs[one][other]):
                continue
        numbers.append(number)
    return numbers


cdef enum:
    NO_LETTER = 1 << 30


cdef inline uint32_t _letter(str text, Py_ssize_t place):
    """The character that a text has there, NO_LETTER at its end."""
    return <uint32_t> <Py_UCS4> text[place] if place < len(text) else <uint32_t> NO_LETTER


cdef inline uint32_t _lower(uint32_t letter) noexcept nogil:
    return letter + 32 if 65 <= letter <= 90 else letter


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
