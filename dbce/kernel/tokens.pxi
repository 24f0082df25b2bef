# Paths of elements, and names, phrases and words of titles as tokens: dbce.boilerplate.classify says of what.

from cpython.object cimport PyObject, PyObject_Hash
from libc.stdlib cimport calloc

cdef extern from "Python.h":
    str PyUnicode_DecodeUTF32(const char* text, Py_ssize_t size, const char* errors, int* order)

cdef enum Folded:  # bits of a character, above those of its code
    SPACE = 1 << 21
    WORD = 1 << 22
    LETTER = 1 << 23
    END = 1 << 24  # the last of its word, whatever stands behind it
    CODE = (1 << 21) - 1

cdef enum:
    NAMES = 1 << 13  # hashes of names
    WORDS = 256  # of a line beside a title, at most
    START = 0xFFFFFFFF  # of a CRC-32

cdef struct Step:
    uint64_t hash
    PyObject* tag
    PyObject* classes
    PyObject* id
    PyObject* roles
    int32_t above
    int32_t depth
    bint hides

cdef struct Span:
    Py_ssize_t start
    Py_ssize_t size


# Paths.


def number_paths(list pages, dict places, int64_t[:, ::1] elements) -> tuple:
    """Writes the number of each element's path, its parent among all and its depth, and returns tags, classes, ids and roles of the different paths.

    A page is its columns: tags, classes, ids, roles, hidden, parents. Paths are numbered as they come; a root is its own parent. Three
    more rows have of each path the one above it, the place of its tag, or how many have one, and whether it hides.
    """
    cdef Py_ssize_t room = 64
    cdef int32_t* table
    cdef Py_ssize_t i
    cdef Array steps
    cdef Step* each
    memset(&steps, 0, sizeof(Array))
    if elements.shape[0] != 6:
        raise ValueError("a place for each of six values is needed")
    while room < 2 * elements.shape[1]:
        room *= 2
    table = <int32_t*> calloc(room, sizeof(int32_t))
    if table is NULL:
        raise MemoryError
    try:
        _number_all(pages, elements, &steps, table, room - 1)
        each = <Step*> steps.items
        for i in range(steps.number):
            elements[3, i], elements[5, i] = each[i].above, each[i].hides
            elements[4, i] = places.get(<str> each[i].tag, len(places))
        return (
            [<str> each[i].tag for i in range(steps.number)],
            [<str> each[i].classes for i in range(steps.number)],
            [<str> each[i].id for i in range(steps.number)],
            [<str> each[i].roles for i in range(steps.number)],
        )
    finally:
        free(table)
        free(steps.items)


cdef int _number_all(
    list pages, int64_t[:, ::1] elements, Array* steps, int32_t* table, uint64_t mask
) except -1:
    cdef tuple tags, classes, ids, roles, hidden, parents
    cdef Py_ssize_t start = 0, i, parent, place
    cdef Step step
    cdef Step* new
    for tags, classes, ids, roles, hidden, parents in pages:
        if not len(tags) == len(classes) == len(ids) == len(roles) == len(hidden) == len(parents):
            raise ValueError("columns of one length are needed")
        if len(tags) > elements.shape[1] - start:
            raise ValueError("as many places as elements are needed")
        for i in range(len(tags)):
            parent = parents[i]
            if not -1 <= parent < i:
                raise ValueError("a parent stands before its children")
            step.above = -1 if parent < 0 else <int32_t> elements[0, start + parent]
            step.depth = 0 if parent < 0 else (<Step*> steps.items)[step.above].depth + 1
            step.tag, step.classes = <PyObject*> tags[i], <PyObject*> classes[i]
            step.id, step.roles = <PyObject*> ids[i], <PyObject*> roles[i]
            step.hides = hidden[i]
            step.hash = _hash_of(&step)
            place = <Py_ssize_t> (step.hash & mask)
            while table[place] and not _same(&step, <Step*> steps.items + table[place] - 1):
                place = <Py_ssize_t> ((place + 1) & mask)
            if not table[place]:
                new = <Step*> _new(steps, sizeof(Step))
                if new is NULL:
                    raise MemoryError
                new[0] = step
                table[place] = <int32_t> steps.number
            elements[0, start + i] = table[place] - 1
            elements[1, start + i] = start + max(parent, 0)
            elements[2, start + i] = step.depth
        start += len(tags)
    if start != elements.shape[1]:
        raise ValueError("as many places as elements are needed")
    return 0


cdef uint64_t _hash_of(const Step* step) except? 0:
    cdef uint64_t mixed = _mixed(2 * <uint64_t> step.above + step.hides)
    mixed = _mixed(mixed + <uint64_t> PyObject_Hash(<str> step.tag))
    mixed = _mixed(mixed + <uint64_t> PyObject_Hash(<str> step.classes))
    mixed = _mixed(mixed + <uint64_t> PyObject_Hash(<str> step.id))
    return _mixed(mixed + <uint64_t> PyObject_Hash(<str> step.roles))


cdef bint _same(const Step* step, const Step* other) except -1:
    return (
        step.hash == other.hash
        and step.above == other.above
        and step.hides == other.hides
        and _equal(step.tag, other.tag)
        and _equal(step.classes, other.classes)
        and _equal(step.id, other.id)
        and _equal(step.roles, other.roles)
    )


cdef bint _equal(PyObject* text, PyObject* other) except -1:
    return text == other or <str> text == <str> other


# First words.


def first_words(
    const uint32_t[::1] folded, const int64_t[::1] bounds, const int64_t[::1] lines, int most, Py_ssize_t head
) -> list:
    """Returns the first words of some lines, so many, within so many characters: one space before each and behind the last; two where there is none."""
    cdef Py_ssize_t line, at, size
    cdef int words
    cdef bint is_within
    cdef uint32_t[512] codes  # a space may stand before each
    cdef list texts = []
    _check_bounds(bounds, folded.shape[0])
    for line in lines:
        if head > 255 or not 0 <= line < bounds.shape[0] - 1:
            raise ValueError("a line that is there, and fewer characters, are needed")
        size, words, is_within = 0, 0, False
        for at in range(bounds[line], min(bounds[line + 1], bounds[line] + head)):
            if not folded[at] & WORD:
                is_within = False
                continue
            if not is_within:
                if words == most:
                    break
                codes[size] = 32
                words, size = words + 1, size + 1
            codes[size] = folded[at] & CODE
            size += 1
            is_within = not folded[at] & END
        if not words:
            codes[0], size = 32, 1
        codes[size] = 32
        texts.append(PyUnicode_DecodeUTF32(<char*> codes, (size + 1) * sizeof(uint32_t), NULL, NULL))
    return texts


# Names.


def hash_names(
    list columns, const int64_t[::1] above, const int64_t[::1] wanted, int near, int64_t[::1] sizes
) -> bytes:
    """Returns the tokens of the names around each wanted path, one after another, as int32, and writes their numbers.

    Each of the columns has a text with names for every path. Sorted are first the names of all steps from the
    root on, then those of so many near ones, which have hashes of their own.
    """
    cdef Py_ssize_t i, number, paths = above.shape[0]
    cdef Array own, tokens
    cdef Span* spans
    memset(&own, 0, sizeof(Array))
    memset(&tokens, 0, sizeof(Array))
    if sizes.shape[0] != wanted.shape[0] or any([len(column) != paths for column in columns]):
        raise ValueError("as many places as paths are needed")
    spans = <Span*> calloc(paths + 1, sizeof(Span))
    if spans is NULL:
        raise MemoryError
    try:
        for i in range(wanted.shape[0]):
            if not 0 <= wanted[i] < paths:
                raise ValueError("there is no such path")
            number = wanted[i]
            while number >= 0 and not spans[number].start:  # those above a path that was read were read, too
                _read_names(columns, number, &own, spans)
                if not -1 <= above[number] < number:
                    raise ValueError("a path stands behind that above it")
                number = above[number]
        if _put_names(&own, spans, above, wanted, near, &tokens, sizes) < 0:
            raise MemoryError
        return tokens.items[: tokens.number * sizeof(int32_t)]
    finally:
        free(own.items)
        free(tokens.items)
        free(spans)


cdef int _read_names(list columns, Py_ssize_t path, Array* own, Span* spans) except -1:
    """Adds the names of one step; places are counted from 1 on, 0 is what was not read."""
    cdef Py_ssize_t size = 0
    cdef const char* text
    cdef list column
    spans[path].start = own.number + 1
    for column in columns:
        text = PyUnicode_AsUTF8AndSize(column[path], &size)
        if size and _split_names(<const uint8_t*> text, size, own) < 0:
            raise MemoryError
    spans[path].size = own.number + 1 - spans[path].start
    return 0


cdef int _split_names(const uint8_t* text, Py_ssize_t size, Array* own) noexcept nogil:
    """Adds the hashes of the parts of a name: two letters from a to z at least, and a capital begins one."""
    cdef uint32_t left = 0
    cdef Py_ssize_t at = 0, letters = 0, width
    cdef bint was_small = False, is_letter
    cdef uint8_t letter
    while at <= size:
        letter, width, is_letter = 0, 1, False
        if at < size:
            letter = text[at]
            if c"A" <= letter <= c"Z":
                if was_small and _end_name(own, left, &letters) < 0:
                    return -1
                was_small, is_letter = False, True
                letter += 32
            elif c"a" <= letter <= c"z":
                was_small = is_letter = True
            elif letter == 0xE2 and text[at + 1] == 0x84 and text[at + 2] == 0xAA:  # the sign of Kelvin
                letter, width, is_letter, was_small = c"k", 3, True, False
            elif letter == 0xC4 and text[at + 1] == 0xB0:  # a capital I with a dot: in small, an i and a dot
                letter, width, is_letter, was_small = c"i", 2, True, False
        if is_letter:
            if not letters:
                left = <uint32_t> START
            left = (left >> 8) ^ REMAINDERS[(left ^ letter) & 0xFF]
            letters += 1
        if not is_letter or width == 2:
            was_small = False
            if _end_name(own, left, &letters) < 0:
                return -1
        at += width
    return 0


cdef int _end_name(Array* own, uint32_t left, Py_ssize_t* letters) noexcept nogil:
    """Adds the hash of a part that ends, if it is long enough."""
    cdef int32_t* token
    if letters[0] > 1:
        token = <int32_t*> _new(own, sizeof(int32_t))
        if token is NULL:
            return -1
        token[0] = (~left) & (NAMES - 1)
    letters[0] = 0
    return 0


cdef int _put_names(
    Array* own,
    const Span* spans,
    const int64_t[::1] above,
    const int64_t[::1] wanted,
    int near,
    Array* tokens,
    int64_t[::1] sizes,
) noexcept nogil:
    cdef uint8_t[NAMES] is_named
    cdef Py_ssize_t i, before
    memset(is_named, 0, sizeof(is_named))
    for i in range(wanted.shape[0]):
        before = tokens.number
        if _put_above(own, spans, above, wanted[i], 1 << 30, tokens, is_named, 0) < 0:
            return -1
        if _put_above(own, spans, above, wanted[i], near, tokens, is_named, NAMES) < 0:
            return -1
        sizes[i] = tokens.number - before
    return 0


cdef int _put_above(
    Array* own,
    const Span* spans,
    const int64_t[::1] above,
    int64_t path,
    int steps,
    Array* tokens,
    uint8_t* is_named,
    int32_t shift,
) noexcept nogil:
    """Adds the names of so many steps of a path, each once and in order; `is_named` is empty, and is so again."""
    cdef Py_ssize_t i
    cdef int32_t* token
    cdef uint8_t* at = is_named
    while path >= 0 and steps:
        for i in range(spans[path].start - 1, spans[path].start - 1 + spans[path].size):
            is_named[(<int32_t*> own.items)[i]] = 1
        path, steps = above[path], steps - 1
    while True:
        at = <uint8_t*> memchr(at, 1, is_named + NAMES - at)
        if at is NULL:
            return 0
        token = <int32_t*> _new(tokens, sizeof(int32_t))
        if token is NULL:
            return -1
        token[0] = <int32_t> (at - is_named) + shift
        at[0] = 0


# Phrases.


def hash_phrases(
    const uint32_t[::1] folded,
    const int64_t[::1] bounds,
    tuple limits,
    int64_t[::1] tokens,
    int64_t[::1] sizes,
) -> int:
    """Writes the sorted tokens of the words of each line, one after another, and their numbers; the number of all.

    The limits are those of dbce.boilerplate.classify.tokens: characters of a short line, words that count, characters
    of a beginning, and hashes, a power of two. A line has two tokens more than words that count, at most.
    """
    cdef Py_ssize_t short, most, head, line, number = 0
    cdef int64_t slots
    short, most, head, slots = limits
    if bounds.shape[0] != sizes.shape[0] + 1 or tokens.shape[0] < (most + 2) * sizes.shape[0] or most > 30:
        raise ValueError("more places for tokens are needed")
    _check_bounds(bounds, folded.shape[0])
    with nogil:
        for line in range(sizes.shape[0]):
            sizes[line] = _hash_line(
                &folded[0], bounds[line], bounds[line + 1], short, most, head, slots - 1, &tokens[0] + number
            )
            number += sizes[line]
    return number


cdef int _check_bounds(const int64_t[::1] bounds, Py_ssize_t size) except -1:
    cdef Py_ssize_t i
    cdef int64_t before = 0
    for i in range(bounds.shape[0]):
        if not before <= bounds[i] <= size:
            raise ValueError("bounds that are not in order")
        before = bounds[i]
    return 0


cdef Py_ssize_t _hash_line(
    const uint32_t* folded,
    Py_ssize_t start,
    Py_ssize_t end,
    Py_ssize_t short,
    Py_ssize_t most,
    Py_ssize_t head,
    int64_t mask,
    int64_t* tokens,
) noexcept nogil:
    """The number of tokens of one line."""
    cdef Span[32] words
    cdef Py_ssize_t i, number = 0, count = 0
    cdef uint32_t left
    cdef bint is_whole = end - start <= short or _behind(folded, start, end, short) == end
    if not is_whole:
        end, most = _behind(folded, start, end, head), 1
    while count <= most and _next_word(folded, &start, end, LETTER, &words[count]):
        count += 1
    if count > 1:
        left = _folded_crc(folded, words[0], _after(<uint32_t> START, c"^"))
        left = _folded_crc(folded, words[1], _after(left, c" "))
        number = _put_token(tokens, number, ~left & mask)
    if is_whole and 0 < count <= most:
        left = _after(<uint32_t> START, c"=")
        for i in range(count):
            left = _folded_crc(folded, words[i], left if i == 0 else _after(left, c" "))
            number = _put_token(
                tokens, number, ~_folded_crc(folded, words[i], <uint32_t> START) & mask
            )
        number = _put_token(tokens, number, ~left & mask)
    return number


cdef Py_ssize_t _behind(
    const uint32_t* folded, Py_ssize_t start, Py_ssize_t end, Py_ssize_t characters
) noexcept nogil:
    """The place behind so many characters of a line with its white space collapsed; its end if it has no more."""
    cdef Py_ssize_t at, count = 0, gap = 0
    for at in range(start, end):
        if folded[at] & SPACE:
            gap = count > 0
            continue
        count += gap
        if count >= characters:
            return at
        count, gap = count + 1, 0
    return end


cdef bint _next_word(
    const uint32_t* folded, Py_ssize_t* at, Py_ssize_t end, uint32_t of, Span* word
) noexcept nogil:
    """True if there is one more run of characters of a kind, which is written; the place goes on behind it."""
    while at[0] < end and not folded[at[0]] & of:
        at[0] += 1
    word.start = at[0]
    while at[0] < end and folded[at[0]] & of:
        at[0] += 1
        if folded[at[0] - 1] & END:
            break
    word.size = at[0] - word.start
    return word.size > 0


cdef Py_ssize_t _put_token(int64_t* tokens, Py_ssize_t number, int64_t token) noexcept nogil:
    """Puts a token where it belongs, if it is new; the number of all."""
    cdef Py_ssize_t place = 0, i
    while place < number and tokens[place] < token:
        place += 1
    if place < number and tokens[place] == token:
        return number
    for i in range(number, place, -1):
        tokens[i] = tokens[i - 1]
    tokens[place] = token
    return number + 1


cdef uint32_t _folded_crc(const uint32_t* folded, Span word, uint32_t left) noexcept nogil:
    """What is left of a word in UTF-8 behind what is left of those before."""
    cdef Py_ssize_t at
    cdef uint32_t code
    for at in range(word.start, word.start + word.size):
        code = folded[at] & CODE
        if code < 0x80:
            left = _after(left, code)
        elif code < 0x800:
            left = _after(_after(left, 0xC0 | code >> 6), 0x80 | code & 0x3F)
        else:
            if code < 0x10000:
                left = _after(left, 0xE0 | code >> 12)
            else:
                left = _after(_after(left, 0xF0 | code >> 18), 0x80 | code >> 12 & 0x3F)
            left = _after(_after(left, 0x80 | code >> 6 & 0x3F), 0x80 | code & 0x3F)
    return left


cdef inline uint32_t _after(uint32_t left, uint32_t byte) noexcept nogil:
    return (left >> 8) ^ REMAINDERS[(left ^ byte) & 0xFF]


@cython.boundscheck(True)
def sum_weights(
    const int64_t[::1] tokens,
    const int64_t[::1] owners,
    const float[::1] weights,
    int64_t near,
    double[:, ::1] sums,
) -> None:
    """Adds to the sums of the owner of each token: its weight, that if it is `near` or higher, 1 if it has one, and 1."""
    cdef Py_ssize_t i, owner
    cdef double weight
    with nogil:
        for i in range(tokens.shape[0]):
            owner, weight = owners[i], weights[tokens[i]]
            sums[0, owner] += weight
            sums[1, owner] += weight if tokens[i] >= near else 0
            sums[2, owner] += weight != 0
            sums[3, owner] += 1


# Words of titles.


cdef struct Word:
    uint64_t hash
    Span span


def find_titles(
    const uint32_t[::1] folded,
    const int64_t[::1] bounds,
    const uint8_t[::1] short,
    const int64_t[::1] starts,
    const uint32_t[::1] titles,
    const int64_t[::1] title_bounds,
    int64_t[:, ::1] numbers,
) -> None:
    """Writes how many different words each short line has, how many of its page's title, and how many that has.

    The lines of a page begin at its start. Of lines that are not short nothing is written.
    """
    cdef Py_ssize_t page, line, longest = 0, room = 2, own_room
    cdef int64_t in_title
    cdef Word* title
    cdef Word[2 * WORDS] own
    if not starts.shape[0] == title_bounds.shape[0] or numbers.shape[0] != 3:
        raise ValueError("as many titles as pages are needed")
    if not numbers.shape[1] == short.shape[0] == bounds.shape[0] - 1:
        raise ValueError("as many places as lines are needed")
    _check_bounds(bounds, folded.shape[0])
    _check_bounds(title_bounds, titles.shape[0])
    _check_bounds(starts, short.shape[0])
    for page in range(starts.shape[0] - 1):
        longest = max(longest, title_bounds[page + 1] - title_bounds[page])
    while room < longest + 2:  # twice as many as words
        room *= 2
    title = <Word*> malloc(room * sizeof(Word))
    if title is NULL:
        raise MemoryError
    try:
        for page in range(starts.shape[0] - 1):
            memset(title, 0, room * sizeof(Word))
            in_title = _words_of(
                &titles[0], title_bounds[page], title_bounds[page + 1], title, room, NULL, NULL, 0, NULL
            )
            if not in_title:
                continue
            for line in range(starts[page], starts[page + 1]):
                if short[line]:
                    numbers[2, line] = in_title
                    own_room = 2
                    while own_room < min(bounds[line + 1] - bounds[line] + 2, 2 * WORDS):
                        own_room *= 2
                    memset(own, 0, own_room * sizeof(Word))
                    numbers[0, line] = _words_of(
                        &folded[0],
                        bounds[line],
                        bounds[line + 1],
                        own,
                        own_room,
                        &titles[0],
                        title,
                        room,
                        &numbers[1, line],
                    )
                    if numbers[0, line] < 0:
                        raise ValueError("a short line has fewer words")
    finally:
        free(title)


cdef int64_t _words_of(
    const uint32_t* folded,
    Py_ssize_t start,
    Py_ssize_t end,
    Word* table,
    Py_ssize_t room,
    const uint32_t* others,
    const Word* other_table,
    Py_ssize_t other_room,
    int64_t* both,
) noexcept nogil:
    """The number of different words of a text, -1 if they are too many; of those, how many another table has.

    The words come into an empty table, whose room is a power of two, and half of which they may fill.
    """
    cdef Span span
    cdef Py_ssize_t at
    cdef uint64_t hash
    cdef int64_t number = 0
    while _next_word(folded, &start, end, WORD, &span):
        hash = _hash_word(folded, span)
        at = _place_of(folded, span, hash, folded, table, room)
        if table[at].span.size:
            continue
        if 2 * number >= room:
            return -1
        table[at].hash, table[at].span = hash, span
        number += 1
        if both is not NULL:
            at = _place_of(folded, span, hash, others, other_table, other_room)
            both[0] += other_table[at].span.size > 0
    return number


cdef Py_ssize_t _place_of(
    const uint32_t* folded,
    Span span,
    uint64_t hash,
    const uint32_t* others,
    const Word* table,
    Py_ssize_t room,
) noexcept nogil:
    """The place of a word in a table of words of other texts, or the empty one for it."""
    cdef Py_ssize_t at = <Py_ssize_t> (hash & <uint64_t> (room - 1))
    cdef const Word* word
    while table[at].span.size:
        word = &table[at]
        if (
            word.hash == hash
            and word.span.size == span.size
            and _same_word(folded + span.start, others + word.span.start, span.size)
        ):
            return at
        at = (at + 1) & (room - 1)
    return at


cdef inline bint _same_word(const uint32_t* word, const uint32_t* other, Py_ssize_t size) noexcept nogil:
    """True of equal words; how the last character ends one makes no difference."""
    return (
        memcmp(word, other, (size - 1) * sizeof(uint32_t)) == 0
        and (word[size - 1] | END) == (other[size - 1] | END)
    )


cdef uint64_t _hash_word(const uint32_t* folded, Span span) noexcept nogil:
    cdef uint64_t hash = span.size
    cdef Py_ssize_t at
    for at in range(span.start, span.start + span.size):
        hash = _mixed(hash ^ (folded[at] | END))
    return hash
