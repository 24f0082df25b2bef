# What is asked of the elements of one page, which are in document order and name their parents, -1 above the root.

cdef extern from "Python.h":
    Py_ssize_t PyUnicode_GetLength(object text) except -1
    uint32_t PyUnicode_ReadChar(object text, Py_ssize_t place) except? 0xFFFFFFFF
    void* PyTuple_GetItem(object values, Py_ssize_t place) except NULL
    void* PyList_GetItem(object values, Py_ssize_t place) except NULL
    Py_ssize_t PyLong_AsSsize_t(void* number) except? -1
    const Py_ssize_t PY_SSIZE_T_MAX

cdef enum:
    TAGS = 64  # that are known at a time; a power of two
    CLASSES = 1024  # the same, of classes, of which a page has more

cdef struct KnownTag:
    void* tag  # the same text is the same object on most pages
    int value  # 1 of one of some


cdef inline bint _is_one_of(tuple names, Py_ssize_t place, frozenset tags, KnownTag* known) except -1:
    """True of a tag that is one of some; those seen last need not be looked up."""
    cdef void* tag = PyTuple_GetItem(names, place)
    cdef KnownTag* seen = known + ((<size_t> tag >> 4) & (TAGS - 1))
    if seen.tag is not tag:
        seen.value = <object> tag in tags
        seen.tag = tag
    return seen.value


cdef inline Py_ssize_t _item(tuple numbers, Py_ssize_t place) except? -1:
    """A number of a tuple of them: nothing is counted up and down, as Cython has it."""
    return PyLong_AsSsize_t(PyTuple_GetItem(numbers, place))


cdef inline object _field(node, Py_ssize_t place):
    """A field of a text node: Python looks up by name how to index what is derived from a tuple."""
    return <object> PyTuple_GetItem(node, place)


def enclosing(page, chosen, bint outermost=False) -> list:
    """For each element of a page the nearest chosen one, or the outermost, itself included; -1 where there is none."""
    cdef tuple parents = page.parents
    cdef Py_ssize_t count = len(parents), element
    cdef int32_t* around
    cdef int32_t above
    if not chosen:
        return [-1] * count
    around = _marked(count, chosen)
    try:
        for element in range(count):
            above = _of_parent(around, parents, element) if outermost or not around[element] else -1
            around[element] = element if around[element] and above < 0 else above
        return [around[element] for element in range(count)]
    finally:
        free(around)


def subtree_end(tuple parents, Py_ssize_t element, Py_ssize_t most=PY_SSIZE_T_MAX) -> int:
    """The index behind the last element in an element; of one with more than `most` elements that of these."""
    return _subtree_end(parents, element, most)


cdef Py_ssize_t _subtree_end(tuple parents, Py_ssize_t element, Py_ssize_t most) except -1:
    cdef Py_ssize_t below = element + 1, last = len(parents)
    if not 0 <= element < last:
        raise IndexError("an element of the page is needed")
    if most < last - element:
        last = element + most
    while below < last and _item(parents, below) >= element:
        below += 1
    return below if below < last else last


cdef Py_ssize_t _first_node(tuple nodes, Py_ssize_t element) except -1:
    cdef Py_ssize_t first = 0, behind = len(nodes), middle
    while first < behind:
        middle = (first + behind) >> 1
        if <Py_ssize_t> _field(nodes[middle], 2) < element:
            first = middle + 1
        else:
            behind = middle
    return first


def first_node(tuple nodes, Py_ssize_t element) -> int:
    """The number of the first text node that stands in an element or behind it."""
    return _first_node(nodes, element)


def nearest_of_tags(page, Py_ssize_t element, tags, Py_ssize_t levels=PY_SSIZE_T_MAX) -> int:
    """The nearest element with one of some tags, the element itself or one around it, of so many levels; -1 if there is none."""
    cdef tuple of_page = page.tags, parents = page.parents
    cdef Py_ssize_t above
    while element >= 0 and levels > 0:
        if <object> PyTuple_GetItem(of_page, element) in tags:
            return element
        above = _item(parents, element)
        if above >= element:
            raise IndexError("a parent stands before its elements")
        element = above
        levels -= 1
    return -1


def nodes_within(page, Py_ssize_t element) -> range:
    """The numbers of the text nodes in an element of a page."""
    cdef tuple nodes = page.nodes
    cdef Py_ssize_t first = _first_node(nodes, element)
    cdef Py_ssize_t behind = _first_node(nodes, _subtree_end(page.parents, element, PY_SSIZE_T_MAX))
    while behind > first and <Py_ssize_t> _field(nodes[behind - 1], 0) < element:
        behind -= 1  # it stands behind
    return range(first, behind)


def subtree_mask(page, chosen) -> bytearray:
    """For each element of a page 1 if it is chosen or in one that is, else 0."""
    cdef tuple parents = page.parents
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


@cython.boundscheck(True)
def texts_within(page, chosen) -> list:
    """The numbers of the text nodes in some elements of a page."""
    cdef tuple nodes = page.nodes
    cdef Py_ssize_t number
    cdef list numbers = []
    cdef bytearray mask
    if chosen:
        mask = subtree_mask(page, chosen)
        for number in range(len(nodes)):
            if mask[<Py_ssize_t> _field(nodes[number], 0)]:
                numbers.append(number)
    return numbers


def ancestor_mask(page, chosen) -> bytearray:
    """For each element of a page 1 if it is chosen or has one in it, else 0."""
    cdef tuple parents = page.parents
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
def lines(page, holder, frozenset inline) -> list:
    """For each text node of a page the number of its line, which ends where the holder is another one, or an element begins that is not inline."""
    cdef tuple tags = page.tags
    cdef Py_ssize_t element, last = 0, after = 0, count = len(tags), line = -1
    cdef object held, before = None
    cdef bint begins
    cdef KnownTag[TAGS] known
    cdef list numbers = []
    memset(known, 0, sizeof(known))
    for node in page.nodes:
        element, after = _field(node, 0), _field(node, 2)
        if not (0 <= element < len(holder) and last <= after < count):
            raise IndexError("texts stand in elements of their page, in order")
        held = holder[element]
        begins = held != before
        for element in range(last + 1, after + 1):
            if begins:
                break
            begins = not _is_one_of(tags, element, inline, known)
        last, before = after, held
        line += begins
        numbers.append(line)
    return numbers


@cython.boundscheck(True)
def touching(tuple nodes, list lines, str ends, str starts) -> list:
    """The numbers of text nodes in one line with the one before and not spaced, which ends with one of some signs, or beyond ASCII, as they begin."""
    cdef uint8_t[128] is_end, is_start
    cdef Py_ssize_t number
    cdef uint32_t sign
    cdef list numbers = []
    cdef str before, text = ""
    _tell(is_end, ends)
    _tell(is_start, starts)
    for number in range(len(nodes)):
        before, text = text, _field(nodes[number], 4)
        if number == 0 or _field(nodes[number], 3) or lines[number] != lines[number - 1]:
            continue
        sign = PyUnicode_ReadChar(before, PyUnicode_GetLength(before) - 1)
        if sign < 128 and not is_end[sign]:
            continue
        sign = PyUnicode_ReadChar(text, 0)
        if sign > 127 or is_start[sign]:
            numbers.append(number)
    return numbers


cdef int _tell(uint8_t* table, str signs) except -1:
    """Tells signs of ASCII from others by a table of 128."""
    memset(table, 0, 128)
    for sign in signs.encode():
        if sign < 128:
            table[<uint8_t> sign] = 1
    return 0


cdef enum:
    HEAD = 4  # characters that are compared
    HEADS = 1024  # slots, most of which stay empty; a power of two


def may_begin(page, heads, str skipped=" \t\n\r\v\f\x1c\x1d\x1e\x1f") -> list:
    """The numbers of text nodes that begin, behind characters to skip, as a head in lower case does; and of all that go on beyond ASCII, or without heads not at all.

    It takes a fifth of the time of asking each text.
    """
    cdef tuple nodes = page.nodes
    cdef uint8_t[128] is_skipped
    cdef uint32_t[HEADS] slots
    cdef Py_ssize_t number, size = 0
    cdef const char* at
    cdef list numbers = []
    memset(is_skipped, 0, sizeof(is_skipped))
    memset(slots, 0, sizeof(slots))
    if 2 * len(heads) > HEADS:
        raise ValueError(f"{len(heads)} heads, the limit is {HEADS // 2}")
    for letter in skipped.encode():
        if letter < 128:
            is_skipped[<uint8_t> letter] = 1
    for text in heads:
        at = PyUnicode_AsUTF8AndSize(text, &size)
        _put_head(slots, at, min(size, HEAD))
    for number in range(len(nodes)):
        at = PyUnicode_AsUTF8AndSize(_field(nodes[number], 4), &size)
        while size and <uint8_t> at[0] < 128 and is_skipped[<uint8_t> at[0]]:
            at += 1
            size -= 1
        if _may_have_head(slots, <const uint8_t*> at, size) if size else not heads:
            numbers.append(number)
    return numbers


cdef void _put_head(uint32_t* slots, const char* head, Py_ssize_t size) noexcept nogil:
    cdef uint32_t code = 1
    cdef Py_ssize_t place
    for place in range(size):
        code = code << 8 | <uint8_t> head[place]
    slots[_slot_of_head(slots, code)] = code


cdef bint _may_have_head(const uint32_t* slots, const uint8_t* at, Py_ssize_t size) noexcept nogil:
    cdef uint32_t code = 1
    cdef Py_ssize_t place
    for place in range(min(size, HEAD)):
        if at[place] > 127:
            return True
        code = code << 8 | _lower(at[place])
        if slots[_slot_of_head(slots, code)]:
            return True
    return False


cdef inline Py_ssize_t _slot_of_head(const uint32_t* slots, uint32_t code) noexcept nogil:
    """The slot of up to four characters, or the empty one for them."""
    cdef uint32_t slot = (code * <uint32_t> 0x9E3779B1) >> 22
    while slots[slot] and slots[slot] != code:
        slot = (slot + 1) & (HEADS - 1)
    return slot


cdef inline uint8_t _lower(uint8_t letter) noexcept nogil:
    return letter + 32 if 65 <= letter <= 90 else letter


cdef enum:
    STEMS = 64  # at most
    PAIRS = 1024  # of bytes, told by a number of ten bits

cdef struct Piece:
    const char* start
    Py_ssize_t size

cdef struct Stems:
    Piece[STEMS] pieces
    Py_ssize_t behind  # the first pair of the shortest: where the last pair of as many bytes begins
    uint8_t[PAIRS] skipped  # bytes to the next place at which a stem may begin, by the pair there (Wu and Manber, 1994)
    uint8_t[PAIRS] first  # one more than the number of a stem with this pair there; 0 if none has it
    uint8_t[STEMS] following  # the same of another one, by the number of the stem before it


cdef int _learn(tuple stems, Stems* known) except -1:
    """Takes stems in lower case, each of two bytes at least."""
    cdef Py_ssize_t number, place
    cdef Piece* piece
    cdef uint32_t pair = 0
    if len(stems) > STEMS:
        raise ValueError(f"{len(stems)} stems, the limit is {STEMS}")
    known.behind = 254  # what is skipped is told in one byte
    for number in range(len(stems)):
        piece = &known.pieces[number]
        piece.start = PyUnicode_AsUTF8AndSize(stems[number], &piece.size)
        known.behind = min(known.behind, piece.size - 2)
    if known.behind < 0:
        raise ValueError("stems of two bytes at least are needed")
    memset(known.first, 0, sizeof(known.first))
    memset(known.skipped, <int> known.behind + 1, sizeof(known.skipped))
    for number in range(len(stems)):
        for place in range(known.behind + 1):
            pair = _pair(known.pieces[number].start + place)
            known.skipped[pair] = min(known.skipped[pair], <uint8_t> (known.behind - place))
        known.following[number] = known.first[pair]
        known.first[pair] = number + 1
    return 0


cdef inline uint32_t _pair(const char* at) noexcept nogil:
    """The number of two bytes in whatever case."""
    return (((<uint32_t> <uint8_t> at[0] | 32) << 4) ^ (<uint8_t> at[1] | 32)) & (PAIRS - 1)


cdef bint _is_at(const char* at, const char* end, Piece stem) noexcept nogil:
    cdef Py_ssize_t place
    if end - at < stem.size:
        return False
    for place in range(stem.size):
        if _lower(at[place]) != <uint8_t> stem.start[place]:
            return False
    return True


def texts_with(tuple nodes, tuple stems) -> list:
    """The numbers of text nodes that have one of some stems, of two bytes at least, in their text in lower case."""
    cdef Stems known
    cdef Py_ssize_t number, size = 0
    cdef const char* text
    cdef list numbers = []
    cdef str own
    _learn(stems, &known)
    for number in range(len(nodes)):
        own = _without_capitals(_field(nodes[number], 4))
        text = PyUnicode_AsUTF8AndSize(own, &size)
        if _has_stem(text, text + size, &known):
            numbers.append(number)
    return numbers


def texts_holding(tuple nodes, str signs, bint beyond=False) -> list:
    """The numbers of text nodes that hold one of some signs of ASCII, and if `beyond` of those that hold another one than ASCII has."""
    cdef uint8_t[256] is_one
    cdef Py_ssize_t number, place, size = 0
    cdef const char* text
    cdef uint8_t found
    cdef list numbers = []
    memset(is_one, 0, 128)
    memset(is_one + 128, beyond, 128)
    for letter in signs.encode("ascii"):
        is_one[<uint8_t> letter] = 1
    for number in range(len(nodes)):
        text = PyUnicode_AsUTF8AndSize(_field(<tuple> PyTuple_GetItem(nodes, number), 4), &size)
        found = 0
        for place in range(size):
            found |= is_one[<uint8_t> text[place]]
        if found:
            numbers.append(number)
    return numbers


cdef str _without_capitals(str text):
    """A text that may have capitals of ASCII alone: in lower case if others may be in it, as none is among signs of punctuation and letters of Chinese."""
    cdef Py_ssize_t place, size = 0
    cdef const uint8_t* at = <const uint8_t*> PyUnicode_AsUTF8AndSize(text, &size)
    if size == PyUnicode_GetLength(text):
        return text
    for place in range(size):
        if 0xC2 < at[place] < 0xE3 and not (at[place] == 0xE2 and at[place + 1] == 0x80) or at[place] > 0xE9:
            return text.lower()
    return text


cdef bint _has_stem(const char* at, const char* end, const Stems* known) noexcept nogil:
    cdef Py_ssize_t number
    cdef uint32_t pair
    while end - at > known.behind + 1:
        pair = _pair(at + known.behind)
        number = known.first[pair]
        while number:
            if _is_at(at, end, known.pieces[number - 1]):
                return True
            number = known.following[number - 1]
        at += max(known.skipped[pair], 1)
    return False


cdef bint _has_word(const char* at, const char* end, const Stems* known) noexcept nogil:
    """True of a text in which a stem stands alone between white space."""
    cdef const char* start
    cdef uint32_t number
    while at < end:
        start = at
        while at < end and <uint8_t> at[0] > 32:
            at += 1
        number = known.first[_pair(start + known.behind)] if at - start > known.behind + 1 else 0
        while number:
            if known.pieces[number - 1].size == at - start and _is_at(start, at, known.pieces[number - 1]):
                return True
            number = known.following[number - 1]
        at += 1
    return False


cdef struct KnownName:
    void* name
    void* places  # its list; NULL of a name that is left out


def places_of(tuple names, tuple stems=None, bint whole=False) -> dict:
    """The places of each text in a row of them, in order, but of "", and with stems only of those that may have one in them, or as one of their words."""
    cdef Stems known
    cdef KnownName[CLASSES] seen
    cdef KnownName* item
    cdef Py_ssize_t place, size = 0
    cdef const char* text
    cdef bint (*has)(const char*, const char*, const Stems*) noexcept nogil
    cdef bint is_likely
    cdef dict places = {}
    cdef list own
    cdef void* name
    memset(seen, 0, sizeof(seen))
    has = _has_word if whole else _has_stem
    if stems is not None:
        _learn(stems, &known)
    for place in range(len(names)):
        name = PyTuple_GetItem(names, place)
        item = seen + ((<size_t> name >> 4) & (CLASSES - 1))
        if item.name is not name:
            item.name, item.places = name, NULL
            text = PyUnicode_AsUTF8AndSize(<object> name, &size)
            is_likely = stems is None or size != PyUnicode_GetLength(<object> name)  # lower case may be another letter's
            if size and (is_likely or has(text, text + size, &known)):
                own = places.setdefault(<object> name, [])
                item.places = <void*> own
        if item.places is not NULL:
            (<list> item.places).append(place)
    return places


def places_among(tuple names, frozenset chosen, bint among=True) -> list:
    """The places of texts in a row of them that are some chosen ones, or that are none of them."""
    cdef KnownTag[TAGS] known
    cdef Py_ssize_t place
    cdef list places = []
    memset(known, 0, sizeof(known))
    for place in range(len(names)):
        if _is_one_of(names, place, chosen, known) == among:
            places.append(place)
    return places


def elements_of_tags(page, *tags) -> set:
    """The elements of a page that have one of some tags."""
    return set(places_among(page.tags, frozenset(tags)))


def holders(page, blocks=(), *, frozenset inline) -> list:
    """For each element of a page the one that sets its text: the nearest, itself included, not inline, or one of the blocks, else the root."""
    cdef tuple tags = page.tags, parents = page.parents
    cdef Py_ssize_t count = len(parents), element
    cdef int32_t* holder = _marked(count, blocks)
    cdef KnownTag[TAGS] known
    memset(known, 0, sizeof(known))
    if len(tags) != count:
        free(holder)
        raise ValueError("as many tags as parents are needed")
    try:
        for element in range(count):
            if not holder[element] and _item(parents, element) >= 0 and _is_one_of(tags, element, inline, known):
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
    cdef Py_ssize_t parent = _item(parents, element)
    if parent >= element:
        raise IndexError("a parent stands before its elements")
    return values[parent] if parent >= 0 else -1


@cython.boundscheck(True)
def differing(tuple nodes, tuple runs, list marks, Py_ssize_t elements) -> dict:
    """The runs with their marks, by element, of those elements whose runs have several, in the order in which they show."""
    cdef Py_ssize_t number, element
    cdef void** known
    cdef void* mark
    cdef dict several = {}
    if len(marks) != len(runs):
        raise ValueError("a mark for each run is needed")
    known = <void**> calloc(elements + 1, sizeof(void*))
    if known is NULL:
        raise MemoryError
    try:
        for number in range(len(runs)):
            element, mark = _element_of(nodes, runs, number, elements), PyList_GetItem(marks, number)
            if known[element] is NULL:
                known[element] = mark
            elif known[element] is not mark and <object> known[element] != <object> mark:
                several.setdefault(element, [])
        for number in range(len(runs) if several else 0):
            own = several.get(_element_of(nodes, runs, number, elements))
            if own is not None:
                (<list> own).append((runs[number], marks[number]))
        return several
    finally:
        free(known)


cdef inline Py_ssize_t _element_of(tuple nodes, tuple runs, Py_ssize_t number, Py_ssize_t elements) except -1:
    """The element of a run."""
    cdef void* node = PyTuple_GetItem(nodes, _item(<tuple> PyTuple_GetItem(runs, number), 0))
    cdef Py_ssize_t element = _item(<tuple> node, 0)
    if not 0 <= element < elements:
        raise IndexError("a text stands in an element of its page")
    return element


def part_texts(tuple nodes, tuple runs, parted, text_node, without_controls) -> tuple:
    """The text nodes with the verdict of each, of its last run; those that are parted as one for each of their runs that is not white space alone.

    Control characters are taken out. Last come the number of the first piece of each node, and how many there are.
    """
    cdef Py_ssize_t number, run = 0, first, count = len(runs)
    cdef bint spaced = False  # white space alone is behind the last run: it parts what it stands between
    cdef list pieces = [], verdicts = [], firsts = []
    cdef bint is_blank
    cdef tuple node, own
    cdef str text, piece
    for number in range(len(nodes)):
        firsts.append(len(pieces))
        node, first = <tuple> PyTuple_GetItem(nodes, number), run
        while run < count and _item(<tuple> PyTuple_GetItem(runs, run), 0) == number:
            run += 1
        text = _field(node, 4)
        if number not in parted:
            if spaced or _holds_control(text):
                pieces.append(text_node((*node[:3], spaced or node[3], without_controls(text))))
            else:
                pieces.append(node)
            verdicts.append(_field(<tuple> PyTuple_GetItem(runs, run - 1), 3) if run > first else None)
            spaced = False
            continue
        spaced = spaced or node[3]
        for first in range(first, run):
            own = <tuple> PyTuple_GetItem(runs, first)
            piece = text[_item(own, 1) : _item(own, 2)]
            is_blank = piece.isspace()
            if not is_blank:
                piece = without_controls(piece) if _holds_control(piece) else piece
                place = _field(node, 0), _field(node, 1), _field(node, 2), spaced, piece
                pieces.append(text_node(place))
                verdicts.append(_field(own, 3))
            spaced = is_blank
    return pieces, verdicts, [*firsts, len(pieces)]


cdef bint _holds_control(str text) except -1:
    cdef Py_ssize_t size = 0
    cdef const char* spelled = PyUnicode_AsUTF8AndSize(text, &size)
    return _has_control(<const uint8_t*> spelled, size)
