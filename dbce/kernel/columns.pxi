# Columns of texts as Arrow has them: UTF-8, one text behind the other, and the bounds of each.

cdef enum:
    COLUMN_BYTES = 0x7FFFFFFF  # of a column, at most

cdef struct Path:
    char* start
    Py_ssize_t size
    const char* name  # of its last step
    Py_ssize_t name_size
    int32_t parent
    int32_t number  # of its last step, among those of its name and parent
    bint is_numbered


def write_paths(
    list names, tuple parents, tuple nodes, const int32_t[::1] numbers, int32_t[::1] bounds
) -> bytes:
    """Returns the XPath expressions of text nodes by their numbers, as dbce.html.walk.xpaths has them, and writes the bounds.

    `names` are the steps to elements, without numbers; equal ones are one object.
    """
    cdef Py_ssize_t elements = len(names), run, element, position, size
    cdef Path* paths
    cdef char* pool = NULL
    cdef char* out
    cdef bytes column
    if len(parents) != elements or bounds.shape[0] != numbers.shape[0] + 1:
        raise ValueError("a parent for each element, and a bound for each text, are needed")
    paths = <Path*> malloc((elements + 1) * sizeof(Path))
    if paths is NULL:
        raise MemoryError
    try:
        _number_steps(names, parents, paths)
        pool = _spell_paths(paths, elements)
        bounds[0] = 0
        for run in range(numbers.shape[0]):
            _find_text(nodes, numbers[run], &element, &position)
            if not 0 <= element < elements or position < 0:
                raise IndexError("a text stands in an element of its page")
            size = bounds[run] + paths[element].size + _digits(position) + 9
            if size > COLUMN_BYTES:
                raise OverflowError("a column holds 2 GB")
            bounds[run + 1] = <int32_t> size
        column = PyBytes_FromStringAndSize(NULL, bounds[numbers.shape[0]])
        out = column
        for run in range(numbers.shape[0]):
            _find_text(nodes, numbers[run], &element, &position)
            out = _put(out, paths[element].start, paths[element].size)
            out = _put(out, "/text()", 7)
            out = _put_number(out, position)
        return column
    finally:
        free(paths)
        free(pool)


cdef int _find_text(tuple nodes, Py_ssize_t number, Py_ssize_t* element, Py_ssize_t* position) except -1:
    """Tells the element of a text node, and the place among the texts of that."""
    if not 0 <= number < len(nodes):
        raise IndexError("no such text")
    element[0], position[0] = _field(nodes[number], 0), _field(nodes[number], 1)
    return 0


cdef int _number_steps(list names, tuple parents, Path* paths) except -1:
    """Says of every step which number it has, if any: the root has none, nor an only child of its name in it."""
    cdef Py_ssize_t room = 64, element, place
    cdef int32_t* table  # by parent and name the last element so far, and 1
    cdef uint64_t of_name
    cdef Path* path
    cdef Path* before
    while room < 2 * len(names):
        room *= 2
    table = <int32_t*> calloc(room, sizeof(int32_t))
    if table is NULL:
        raise MemoryError
    try:
        for element in range(len(names)):
            path = paths + element
            path.name = PyUnicode_AsUTF8AndSize(names[element], &path.name_size)
            path.parent = parents[element]
            if not (0 <= path.parent < element or path.parent == element - 1 == -1):
                raise ValueError("a parent stands before its children, and there is one root")
            of_name = <uint64_t> path.name
            place = <Py_ssize_t> (_mixed(of_name + <uint64_t> path.parent) & (room - 1))
            while table[place]:
                before = paths + table[place] - 1
                if before.name == path.name and before.parent == path.parent:
                    break
                place = (place + 1) & (room - 1)
            path.number = 1
            path.is_numbered = path.parent > 0
            if table[place]:
                path.number = before.number + 1
                path.is_numbered = before.is_numbered = True
            table[place] = <int32_t> (element + 1)
    finally:
        free(table)
    return 0


cdef char* _spell_paths(Path* paths, Py_ssize_t elements) except NULL:
    """Where the paths of all elements are spelled, one behind the other."""
    cdef Py_ssize_t element, room = 1
    cdef Path* path
    cdef char* pool
    cdef char* out
    for element in range(elements):
        path = paths + element
        path.size = path.name_size + (_digits(path.number) + 2 if path.is_numbered else 0)
        path.size += paths[path.parent].size if element else 0
        room += path.size
    pool = out = <char*> malloc(room)
    if pool is NULL:
        raise MemoryError
    for element in range(elements):
        path = paths + element
        path.start = out
        if element:
            out = _put(out, paths[path.parent].start, paths[path.parent].size)
        out = _put(out, path.name, path.name_size)
        if path.is_numbered:
            out = _put_number(out, path.number)
    return pool


cdef int _digits(Py_ssize_t number) noexcept nogil:
    cdef int digits = 1
    while number > 9:
        number //= 10
        digits += 1
    return digits


cdef char* _put_number(char* out, Py_ssize_t number) noexcept nogil:
    """A number in brackets; what stands behind it."""
    cdef char* end = out + _digits(number) + 1
    cdef char* at = end
    out[0], end[0] = 91, 93
    while at > out + 1:
        at -= 1
        at[0] = <char> (48 + number % 10)
        number //= 10
    return end + 1


def write_texts(tuple runs, tuple nodes, int32_t[::1] bounds) -> bytes:
    """Returns the texts of runs, which are parts of those of their nodes, their words one space apart, and writes the bounds."""
    cdef Py_ssize_t number, node, start, end, size = 0, room = 256
    cdef char* column = NULL
    cdef const char* spelled
    cdef str text
    if len(runs) != bounds.shape[0] - 1:
        raise ValueError("a bound for each text is needed")
    try:
        column = _of_room(column, room)
        bounds[0] = 0
        for number in range(len(runs)):
            run = runs[number]
            node, start, end = _field(run, 0), _field(run, 1), _field(run, 2)
            if not 0 <= node < len(nodes):
                raise IndexError("no such text")
            text = _field(nodes[node], 4)
            if start != 0 or end != len(text):
                text = text[start:end]
            spelled = PyUnicode_AsUTF8AndSize(text, &size)
            if bounds[number] + size > COLUMN_BYTES:
                raise OverflowError("a column holds 2 GB")
            if bounds[number] + size > room:
                room = 2 * (bounds[number] + size)
                column = _of_room(column, room)
            bounds[number + 1] = <int32_t> (_put_words(column + bounds[number], spelled, size) - column)
        return column[: bounds[len(runs)]]
    finally:
        free(column)


cdef char* _put_words(char* out, const char* text, Py_ssize_t size) noexcept nogil:
    """The words of a text, as str.split has them, one space apart; what stands behind them."""
    cdef const uint8_t* signs = <const uint8_t*> text
    cdef const uint8_t* end = signs + size
    cdef const uint8_t* word
    cdef char* first = out
    cdef int width
    while signs < end:
        width = _space(signs)
        if width:
            signs += width
            continue
        word = signs
        while signs < end and not _space(signs):
            signs += 1
        if out > first:
            out = _put(out, " ", 1)
        out = _put(out, <const char*> word, signs - word)
    return out


def join_lines(tuple nodes, list content, list units) -> list:
    """Lines of text nodes, neighbours of one unit each: the place of the first of them, that behind the last, and their text, its words one space apart.

    A space stands between texts that white space or another text node parts. The text is None where signs in it may be more than text, or
    white space may be none: before formulas and shortcodes, without width, between letters of East Asia.
    """
    cdef Py_ssize_t count = len(content), last = -1, place = 0, start, number, size = 0, filled, room = 256, unit
    cdef char* joined = NULL
    cdef char* line = NULL
    cdef const char* spelled
    cdef list lines = []
    cdef str text
    cdef void* node
    try:
        joined, line = _of_room(joined, room), _of_room(line, room)
        number = _listed(content, 0) if count else 0
        while place < count:
            start, filled, unit = place, 0, _listed(units, number)
            while place < count and _listed(units, number) == unit:
                node = PyTuple_GetItem(nodes, number)
                spelled = PyUnicode_AsUTF8AndSize(_field(<tuple> node, 4), &size)
                if filled + size >= room:
                    room = 2 * (filled + size + 1)
                    joined, line = _of_room(joined, room), _of_room(line, room)
                if number - last > 1 or _field(<tuple> node, 3):
                    joined[filled] = c" "
                    filled += 1
                _put(joined + filled, spelled, size)
                filled += size
                last = number
                place += 1
                number = _listed(content, place) if place < count else 0
            text = None
            if not _may_be_more(<const uint8_t*> joined, filled):
                size = _put_words(line, joined, filled) - line
                text = PyUnicode_DecodeUTF8(line, size, NULL)
                text = text if text.isascii() or text.isprintable() else None
            lines.append((start, place, text))
        return lines
    finally:
        free(joined)
        free(line)


cdef inline Py_ssize_t _listed(list numbers, Py_ssize_t place) except? -1:
    return PyLong_AsSsize_t(PyList_GetItem(numbers, place))


cdef bint _may_be_more(const uint8_t* text, Py_ssize_t size) noexcept nogil:
    """True of a text with a backslash, a bracket, a control character, two dollars, or a line feed beside letters from U+2E80 on."""
    cdef Py_ssize_t at
    cdef int dollars = 0
    cdef uint8_t sign, found = 0, feeds = 0, wide = 0
    for at in range(size):
        sign = text[at]
        found |= (sign == c"\\") | (sign == c"[") | (sign == 127) | ((sign < 32) & (_space(text + at) == 0))
        dollars += sign == c"$"
        feeds |= sign == c"\n"
        wide |= (sign >= 0xE2) & ((sign > 0xE2) | (text[at + 1] >= 0xBA))
    return found or dollars > 1 or (feeds and wide)


def write_column(tuple rows, str kind, Py_ssize_t place, Py_ssize_t inner) -> tuple:
    """Returns the buffers of a column of Arrow: which values are there, numbers or bounds, and texts if they are texts.

    Values are those at a place of each row or, if `inner` is no -1, at that place of what stands there, None of None. They are of `kind` int32,
    double or string, as Arrow names them.
    """
    cdef Py_ssize_t count = len(rows), row, size = 0, room = 0
    cdef bytearray there = bytearray((count + 7) // 8)
    cdef uint8_t* flags = there
    cdef bytes numbers
    cdef char* texts = NULL
    cdef int32_t* ints
    cdef double* doubles
    cdef const char* text = NULL
    cdef object value
    cdef bint of_texts = kind == "string", of_ints = kind == "int32"
    numbers = PyBytes_FromStringAndSize(NULL, (count + 1) * sizeof(double))
    ints, doubles = <int32_t*> <char*> numbers, <double*> <char*> numbers
    ints[0] = 0
    try:
        for row in range(count):
            value = _field(rows[row], place)
            if inner >= 0 and value is not None:
                value = _field(value, inner)
            if value is not None:
                flags[row >> 3] |= 1 << (row & 7)
            if of_texts:
                size = 0
                if value is not None:
                    text = PyUnicode_AsUTF8AndSize(value, &size)
                if ints[row] + size > COLUMN_BYTES:
                    raise OverflowError("a column holds 2 GB")
                if ints[row] + size > room:
                    room = 2 * (ints[row] + size)
                    texts = _of_room(texts, room)
                if size:
                    _put(texts + ints[row], text, size)
                ints[row + 1] = <int32_t> (ints[row] + size)
            elif of_ints:
                ints[row] = 0 if value is None else value
            else:
                doubles[row] = 0 if value is None else value
        return (there, numbers, texts[: ints[count]]) if of_texts else (there, numbers)
    finally:
        free(texts)


# Rows of values as named tuples.

cdef extern from "Python.h":
    const int Py_tp_new
    void* PyType_GetSlot(type kind, int slot) except NULL
    bint PyType_IsSubtype(type kind, type other)

ctypedef object (*New)(type kind, tuple values, void* names)


def named(type kind, rows) -> list:
    """Returns tuples as named tuples of a kind: to call it takes four times as long, and tuple.__new__ half as long again."""
    return [_of_kind(kind, row) for row in rows]


cdef object _of_kind(type kind, tuple row):
    if not PyType_IsSubtype(kind, tuple):
        raise TypeError(f"{kind} is no kind of tuples")
    return (<New> PyType_GetSlot(tuple, Py_tp_new))(kind, (row,), NULL)
