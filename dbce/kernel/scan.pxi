# A serialised page as lists; dbce.html.skeleton says of what, dbce.html.walk and .skeleton have the same of a tree.
#
# What is read is what libxml2 writes of a tree, not any HTML: every element that is not void has its end
# tag, every attribute its quotes, and "<" and ">" stand in no text but those of scripts and styles; or XML, in which
# elements without content are closed in their tag. What does not fit that is no error but beyond this reader, and
# whoever asks walks the tree.

from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memchr, memcmp, memcpy, memset

cdef extern from "Python.h":
    bytes PyBytes_FromStringAndSize(const char* text, Py_ssize_t size)
    object PyUnicode_DecodeUTF8(const char* text, Py_ssize_t size, const char* errors)

cdef enum:
    LONGEST = 1 << 29  # bytes of a page: all places in it and in what is made of it fit 32 bits
    SHELF = 256  # names and values that are looked up before they are read again; a power of two

cdef enum Flag:
    IS_DROPPED = 1
    IS_VOID = 2
    IS_STRUCTURE = 4
    IS_SCRIPT = 8
    IS_STYLE = 16
    IS_HEAD = 32
    IS_LI = 64
    IS_NOSCRIPT = 128
    IS_DECLARATION = 256
    IS_LINK = 512
    IS_IMAGE = 1024

cdef enum Answer:
    READ = 0
    BEYOND = 1
    NO_MEMORY = 2

cdef enum Kind:  # of values
    CLASS = 0
    ID = 1
    ROLE = 2
    STYLE = 3
    HIDDEN = 4
    ARIA_HIDDEN = 5
    ALT = 6  # of an image
    JUMP = 7
    PLACE = 8  # the name of a link
    DATA = 9  # the name is what counts
    SHEET = 10  # of the style sheet that the element holds
    REFERENCE = 11  # of a dropped element, too, as of the next, which says of which element of all
    DECLARATION = 12
    OTHER = 13

cdef enum What:  # else the number of an element, behind whose attributes others may go
    A_TEXT = -1
    END_OF_EMPTY_LI = -2
    IN_ROOT = -3
    IN_HEAD = -4
    END_OF_HEAD = -5

cdef struct Array:
    char* items
    Py_ssize_t number
    Py_ssize_t room

cdef struct Name:
    Piece piece
    int flags
    int32_t number

cdef struct Element:
    int32_t name
    int32_t parent
    bint marked

cdef struct Text:
    Piece piece
    int32_t element
    int32_t position
    int32_t after
    bint spaced

cdef struct Value:
    Piece piece
    int32_t element
    int kind

cdef struct Edit:
    int32_t start
    int32_t end
    int32_t what

cdef struct Level:
    Piece name
    int flags
    int32_t element  # -1: dropped
    int32_t texts

cdef struct Sets:
    Piece dropped
    Piece void
    Piece structures
    Piece roles
    Piece data
    Piece references
    Piece declarations

cdef struct Reader:
    const char* page
    const char* at
    const char* end
    Sets sets
    Py_ssize_t most
    Py_ssize_t deepest
    Array names
    Array elements
    Array texts
    Array values
    Array edits
    Array levels
    Array kept  # of all elements, one byte each
    Name[SHELF] shelf
    int dropped  # levels that are dropped
    bint spaced
    bint in_head
    bint had_head
    bint in_root
    bint begun  # the head has had its first child
    bint had_noscript
    bint had_empty_item
    bint had_tex
    bint is_xml
    bint unsure  # what a reference says


def scan(bytes html, tuple sets, Py_ssize_t most, Py_ssize_t deepest, type node, bint is_xml=False):
    """Returns the content of a page serialised as HTML, or as XML, None if it is beyond this reader.

    Text nodes are of the kind `node`, a named tuple. The sets are names with a space before and behind each: of elements that are dropped, void and structures,
    of attributes that are roles, whose names alone count, which begin with `data-`, and that are references: names of 7
    letters or more than 10, and of elements that declare something. At most so many elements may be kept, less deep than so.
    """
    cdef bytes dropped, void, structures, roles, data, references, declarations
    cdef int answer
    cdef Reader reader
    memset(&reader, 0, sizeof(Reader))
    if len(html) > LONGEST:
        return None
    reader.page = reader.at = html
    reader.end = reader.page + len(html)
    dropped, void, structures, roles, data, references, declarations = sets
    reader.sets.dropped = _piece(dropped)
    reader.sets.void = _piece(void)
    reader.sets.structures = _piece(structures)
    reader.sets.roles = _piece(roles)
    reader.sets.data = _piece(data)
    reader.sets.references = _piece(references)
    reader.sets.declarations = _piece(declarations)
    reader.most, reader.deepest, reader.is_xml = most, deepest, is_xml
    try:
        with nogil:
            answer = _read(&reader)
        if answer == NO_MEMORY:
            raise MemoryError
        return None if answer == BEYOND else _lists(&reader, node)
    finally:
        free(reader.names.items)
        free(reader.elements.items)
        free(reader.texts.items)
        free(reader.values.items)
        free(reader.edits.items)
        free(reader.levels.items)
        free(reader.kept.items)


cdef Piece _piece(bytes text):
    cdef Piece piece
    piece.start = text
    piece.size = len(text)
    return piece


cdef void* _new(Array* array, size_t size) noexcept nogil:
    """The place of one item more; NULL if there is no memory."""
    cdef Py_ssize_t room
    cdef char* items
    if array.number == array.room:
        room = 2 * array.room + 64
        items = <char*> realloc(array.items, room * size)
        if items is NULL:
            return NULL
        array.items, array.room = items, room
    array.number += 1
    return array.items + (array.number - 1) * size


# The page, from tag to tag.


cdef int _read(Reader* r) noexcept nogil:
    cdef const char* behind
    cdef int answer
    while r.at < r.end:
        if r.at[0] != c"<":
            behind = <const char*> memchr(r.at, c"<", r.end - r.at)
            answer = _read_text(r, r.end if behind is NULL else behind)
        elif r.at[1] == c"/":
            answer = _read_end(r)
            if answer == READ and not r.levels.number:
                return READ if r.in_root else BEYOND  # what follows the root is no page's matter
        elif r.at[1] == c"!":
            answer = _read_comment(r)
        else:
            answer = _read_start(r)
        if answer != READ:
            return answer
    return BEYOND


cdef int _read_text(Reader* r, const char* behind) noexcept nogil:
    cdef Level* level = _innermost(r)
    cdef Text* text
    cdef Piece piece
    piece.start, piece.size = r.at, behind - r.at
    r.at = behind
    if level is NULL:
        return READ if _is_blank(piece) else BEYOND
    if r.dropped:
        return READ
    level.texts += 1
    if _is_blank(piece):
        r.spaced = True
        return READ
    if not _is_escaped(piece, False):
        return BEYOND
    if not r.in_head:
        text = <Text*> _new(&r.texts, sizeof(Text))
        if text is NULL:
            return NO_MEMORY
        text.piece, text.element, text.position = piece, level.element, level.texts
        text.after, text.spaced = r.elements.number - 1, r.spaced
        _marks(r, level.element)
        r.spaced = False
        return _edit(r, piece.start, behind, A_TEXT)
    r.spaced = False
    return READ


cdef void _marks(Reader* r, int32_t element) noexcept nogil:
    """Marks an element that has a text, and the structures around it."""
    cdef Element* elements = <Element*> r.elements.items
    cdef Py_ssize_t number = r.levels.number
    cdef Level* level
    elements[element].marked = True
    while number:
        number -= 1
        level = <Level*> r.levels.items + number
        if elements[level.element].marked and level.element != element:
            return  # and so are the structures around it
        if level.flags & IS_STRUCTURE:
            elements[level.element].marked = True


cdef int _read_comment(Reader* r) noexcept nogil:
    cdef const char* behind
    cdef int answer = _sees_child(r)
    if answer != READ:
        return answer
    if r.at[2] == c"-" and r.at[3] == c"-":
        behind = _found(r.at + 4, r.end, "-->", 3)
        if behind is NULL:
            return BEYOND
        r.at = behind + 3
        return READ
    behind = <const char*> memchr(r.at, c">", r.end - r.at)  # of a doctype: it stands before the root
    if behind is NULL or r.levels.number:
        return BEYOND
    r.at = behind + 1
    return READ


cdef int _read_end(Reader* r) noexcept nogil:
    cdef Level* level = _innermost(r)
    cdef const char* name = r.at + 2
    if level is NULL or r.end - name <= level.name.size or name[level.name.size] != c">":
        return BEYOND
    if memcmp(name, level.name.start, level.name.size) != 0:
        return BEYOND
    if level.flags & IS_HEAD and r.in_head and r.levels.number == 2:
        r.in_head = False
        if not r.begun and _edit(r, r.at, r.at, IN_HEAD) != READ:
            return NO_MEMORY
        if _edit(r, r.at, r.at, END_OF_HEAD) != READ:
            return NO_MEMORY
    r.levels.number -= 1
    r.dropped -= level.element < 0
    r.at = name + level.name.size + 1
    return READ


cdef int _read_start(Reader* r) noexcept nogil:
    cdef const char* tag = r.at
    cdef const Name* name
    cdef Level* level
    cdef int32_t element = -1
    cdef int answer = _sees_child(r)
    if answer != READ:
        return answer
    r.at = _to(r.at + 1, r.end, c" ", c">", c"/")
    if tag[1] == c"?" or r.at == tag + 1:
        return BEYOND
    name = _named(r, tag + 1, r.at - tag - 1)
    if name is NULL:
        return NO_MEMORY
    if not r.dropped and not name.flags & IS_DROPPED:
        answer = _keep(r, name)
        if answer != READ:
            return answer
        element = r.elements.number - 1
    if name.flags & IS_DECLARATION and _value(r, name.piece, r.kept.number, DECLARATION) != READ:
        return NO_MEMORY
    answer = _read_attributes(r, element, name)
    if answer != READ:
        return answer
    if element >= 0 and _edit(r, r.at - 1, r.at - 1, element) != READ:
        return NO_MEMORY
    if _noted(r, name, element) != READ:
        return NO_MEMORY
    if r.is_xml and (r.at - 2)[0] == c"/":
        return _ends(r, name)
    if name.flags & IS_VOID:
        return BEYOND if r.is_xml else READ
    level = <Level*> _new(&r.levels, sizeof(Level))
    if level is NULL:
        return NO_MEMORY
    level.name.start, level.name.size = tag + 1, name.piece.size
    level.flags, level.element, level.texts = name.flags, element, 0
    r.dropped += element < 0
    if name.flags & IS_LI and r.end - r.at >= 5 and memcmp(r.at, "</li>", 5) == 0:
        r.had_empty_item = True
        return _edit(r, r.at, r.at + 5, END_OF_EMPTY_LI)
    if r.is_xml and name.flags & IS_STYLE:
        return _sheet(r, r.at, _to(r.at, r.end, c"<", c"<", c"<"))
    if not r.is_xml and name.flags & (IS_SCRIPT | IS_STYLE):
        return _skip_raw(r, (name.flags & IS_SCRIPT) != 0)
    return READ


cdef int _ends(Reader* r, const Name* name) noexcept nogil:
    """Takes down the end of an element that was closed in its tag."""
    if name.flags & IS_HEAD and r.levels.number == 1:
        r.in_head = False
    if name.flags & IS_LI:
        r.had_empty_item = True
    if name.flags & IS_STYLE:
        r.dropped += 1
        if _sheet(r, r.at, r.at) != READ:
            return NO_MEMORY
        r.dropped -= 1
    return READ


cdef int _keep(Reader* r, const Name* name) noexcept nogil:
    """Takes an element down."""
    cdef Level* above = _innermost(r)
    cdef Element* element
    if r.elements.number >= r.most or r.levels.number >= r.deepest:
        return BEYOND
    element = <Element*> _new(&r.elements, sizeof(Element))
    if element is NULL:
        return NO_MEMORY
    element.name, element.marked = name.number, False
    element.parent = -1 if above is NULL else above.element
    return READ


cdef int _noted(Reader* r, const Name* name, int32_t element) noexcept nogil:
    """Takes down what is to be known of an element that is dropped, too, and of the head."""
    cdef char* kept = <char*> _new(&r.kept, 1)
    if kept is NULL:
        return NO_MEMORY
    kept[0] = element >= 0
    if name.flags & IS_NOSCRIPT:
        r.had_noscript = True
    if name.flags & IS_HEAD and r.levels.number == 1 and not r.had_head:
        r.had_head = r.in_head = True
    return READ


cdef int _sees_child(Reader* r) noexcept nogil:
    """Notes the places of the first child of the root and of the head."""
    if r.levels.number == 1 and not r.in_root:
        r.in_root = True
        return _edit(r, r.at, r.at, IN_ROOT)
    if r.levels.number == 2 and r.in_head and not r.begun:
        r.begun = True
        return _edit(r, r.at, r.at, IN_HEAD)
    return READ


cdef int _read_attributes(Reader* r, int32_t element, const Name* tag) noexcept nogil:
    """Reads up to behind the tag; the element is -1 if it is dropped."""
    cdef Piece name, value
    cdef char quote
    cdef int kind
    while r.at < r.end and r.at[0] == c" ":
        if r.end - r.at < 3:
            return BEYOND
        name.start = r.at + 1
        r.at = _to(r.at + 2, r.end, c"=", c" ", c">")  # one may begin with "="
        name.size = r.at - name.start
        value.start, value.size = r.at, 0
        if r.at[0] == c"=":
            quote = r.at[1]
            if quote != c'"' and quote != c"'":
                return BEYOND
            value.start = r.at + 2
            r.at = <const char*> memchr(value.start, quote, r.end - value.start)
            if r.at is NULL:
                return BEYOND
            value.size = r.at - value.start
            r.at += 1
        kind = OTHER if element < 0 else _kind(r, tag.flags, name, value)
        if kind == OTHER and (name.size == 7 or name.size > 10) and _is_in(&r.sets.references, name):
            kind = REFERENCE
            r.unsure |= not _is_escaped(value, True)
        if kind != OTHER:
            # In HTML, addresses and places are spelled anew: they are looked up in the tree.
            if kind < JUMP and not _is_escaped(value, True):
                return BEYOND
            if _value(r, name if kind == DATA else value, element, kind) != READ:
                return NO_MEMORY
        elif tag.flags & IS_SCRIPT and _is(name, "type", 4):
            r.had_tex |= _begins(value.start, value.start + value.size, "math/tex", 8)
        if _is(name, "itemprop", 8) or (
            _is(name, "rel", 3) and _found(value.start, r.at, "author", 6) is not NULL
        ):
            if _value(r, name, r.kept.number, DECLARATION) != READ:
                return NO_MEMORY
    if r.is_xml and r.at < r.end and r.at[0] == c"/":
        r.at += 1
    if r.at >= r.end or r.at[0] != c">":
        return BEYOND
    r.at += 1
    return READ


cdef int _value(Reader* r, Piece piece, int32_t element, int kind) noexcept nogil:
    cdef Value* item = <Value*> _new(&r.values, sizeof(Value))
    if item is NULL:
        return NO_MEMORY
    item.piece, item.element, item.kind = piece, element, kind
    return READ


cdef int _kind(Reader* r, int flags, Piece name, Piece value) noexcept nogil:
    """The kind of an attribute of an element with these flags, as dbce.html.walk.attributes tells them apart."""
    if _is(name, "class", 5):
        return CLASS
    if _is(name, "id", 2):
        return ID
    if _is(name, "href", 4):
        return JUMP if value.size > 1 and value.start[0] == c"#" else OTHER
    if flags & IS_IMAGE and _is(name, "alt", 3):
        return ALT
    if flags & IS_LINK and _is(name, "name", 4):
        return PLACE
    if _is(name, "style", 5):
        return STYLE
    if _is(name, "hidden", 6):
        return HIDDEN
    if _is(name, "aria-hidden", 11):
        return ARIA_HIDDEN
    # Most attributes have other names, and the length of each rules most out.
    if name.size > 3 and _is_in(&r.sets.roles, name):
        return ROLE
    if name.size > 5 and memcmp(name.start, "data-", 5) == 0 and _is_in(&r.sets.data, name):
        return DATA
    return OTHER


cdef int _skip_raw(Reader* r, bint is_script) noexcept nogil:
    """Goes to the end tag of a script or a style, whose text is written as it is."""
    cdef const char* start = r.at
    cdef const char* behind
    behind = _found(r.at, r.end, "</script>", 9) if is_script else _found(r.at, r.end, "</style>", 8)
    if behind is NULL:
        return BEYOND
    r.at = behind
    if not is_script:
        return _sheet(r, start, behind)
    if _found(start, behind, "<!--", 4) is NULL:
        return READ
    # In a comment scripts may stand, with end tags that are none of ours: one that is still open here.
    while True:
        start = _found(start, behind, "<", 1)
        if start is NULL:
            return READ
        start += 1
        if _begins(start, behind, "script", 6) and _found(start, behind, "-->", 3) is NULL:
            return BEYOND


cdef int _sheet(Reader* r, const char* start, const char* behind) noexcept nogil:
    """Takes down a style sheet, but of one in something else that is dropped nothing."""
    cdef Piece sheet
    sheet.start, sheet.size = start, behind - start
    return _value(r, sheet, -1, SHEET) if r.dropped == 1 else READ


cdef bint _begins(
    const char* at, const char* end, const char* text, Py_ssize_t size
) noexcept nogil:
    """True of what begins with a text, in whatever case."""
    cdef Py_ssize_t place
    if end - at < size:
        return False
    for place in range(size):
        if (at[place] | 32) != text[place]:
            return False
    return True


# Names, places and characters.


cdef const Name* _named(Reader* r, const char* start, Py_ssize_t size) noexcept nogil:
    """A tag's name; those that were seen last are known by it, others are as new."""
    cdef uint32_t place = _shelf(start, size)
    cdef Name* name = &r.shelf[place]
    cdef Name* item
    if name.piece.size == size and memcmp(name.piece.start, start, size) == 0:
        return name
    name.piece.start, name.piece.size = start, size
    name.number = r.names.number
    name.flags = IS_DROPPED * _is_in(&r.sets.dropped, name.piece)
    name.flags |= IS_VOID * _is_in(&r.sets.void, name.piece)
    name.flags |= IS_STRUCTURE * _is_in(&r.sets.structures, name.piece)
    name.flags |= IS_SCRIPT * _is(name.piece, "script", 6)
    name.flags |= IS_STYLE * _is(name.piece, "style", 5)
    name.flags |= IS_HEAD * _is(name.piece, "head", 4)
    name.flags |= IS_LI * _is(name.piece, "li", 2)
    name.flags |= IS_NOSCRIPT * _is(name.piece, "noscript", 8)
    name.flags |= IS_DECLARATION * _is_in(&r.sets.declarations, name.piece)
    name.flags |= IS_LINK * _is(name.piece, "a", 1)
    name.flags |= IS_IMAGE * _is(name.piece, "img", 3)
    item = <Name*> _new(&r.names, sizeof(Name))
    if item is NULL:
        return NULL
    item[0] = name[0]
    return name


cdef inline uint32_t _shelf(const char* start, Py_ssize_t size) noexcept nogil:
    """Where a text may be looked up: FNV-1a (Fowler, Noll and Vo) of it."""
    cdef uint32_t number = 2166136261
    cdef Py_ssize_t place
    for place in range(size):
        number = (number ^ <uint8_t> start[place]) * 16777619
    return (number ^ (number >> 16)) & (SHELF - 1)


cdef bint _is(Piece piece, const char* name, Py_ssize_t size) noexcept nogil:
    return piece.size == size and memcmp(piece.start, name, size) == 0


cdef bint _is_in(const Piece* names, Piece piece) noexcept nogil:
    """True if a name is one of those that have a space before and behind each."""
    cdef const char* at = names.start
    cdef const char* end = names.start + names.size
    while at is not NULL and end - at > piece.size + 1:
        if at[piece.size + 1] == c" " and memcmp(at + 1, piece.start, piece.size) == 0:
            return True
        at = <const char*> memchr(at + 1, c" ", end - at - 1)
    return False


cdef inline Level* _innermost(Reader* r) noexcept nogil:
    return <Level*> r.levels.items + (r.levels.number - 1) if r.levels.number else NULL


cdef int _edit(Reader* r, const char* start, const char* end, int32_t what) noexcept nogil:
    """Takes down that there something may go in, or out."""
    cdef Edit* edit = <Edit*> _new(&r.edits, sizeof(Edit))
    if edit is NULL:
        return NO_MEMORY
    edit.start, edit.end, edit.what = start - r.page, end - r.page, what
    return READ


cdef inline const char* _to(
    const char* at, const char* end, char one, char other, char third
) noexcept nogil:
    """The next of three characters, or the end."""
    while at < end and at[0] != one and at[0] != other and at[0] != third:
        at += 1
    return at


cdef const char* _found(
    const char* at, const char* end, const char* text, Py_ssize_t size
) noexcept nogil:
    """The next place of a text, NULL if there is none."""
    while end - at >= size:
        at = <const char*> memchr(at, text[0], end - at - size + 1)
        if at is NULL or memcmp(at, text, size) == 0:
            return at
        at += 1
    return NULL


cdef bint _is_escaped(Piece piece, bint quoted) noexcept nogil:
    """True if a text is written as by html.escape: with no other escapes, and nothing left out."""
    cdef const char* at = piece.start
    cdef const char* end = piece.start + piece.size
    if not quoted and memchr(at, c">", piece.size) is not NULL:
        return False
    while True:
        at = <const char*> memchr(at, c"&", end - at)
        if at is NULL:
            return True
        at += 1
        if end - at >= 3 and (memcmp(at, "lt;", 3) == 0 or memcmp(at, "gt;", 3) == 0):
            continue
        if end - at >= 4 and (memcmp(at, "amp;", 4) == 0 or memcmp(at, "#13;", 4) == 0):
            continue
        if end - at >= 3 and (memcmp(at, "#9;", 3) == 0 or (end - at > 3 and memcmp(at, "#10;", 4) == 0)):
            continue
        if not quoted or end - at < 5 or memcmp(at, "quot;", 5) != 0:
            return False


cdef bint _is_blank(Piece piece) noexcept nogil:
    cdef Py_ssize_t place = 0
    cdef int width = 1
    while place < piece.size and width:
        width = _space(<const uint8_t*> piece.start + place)
        if piece.size - place > 4 and memcmp(piece.start + place, "&#13;", 5) == 0:
            width = 5
        place += width
    return width > 0


cdef inline int _space(const uint8_t* at) noexcept nogil:
    """The bytes of the white space that UTF-8 has there, by str.isspace; 0 if it is something else."""
    if 0x20 < at[0] < 0x80:  # as most
        return 0
    if at[0] < 0x80:
        return at[0] == 0x20 or 0x09 <= at[0] <= 0x0D or 0x1C <= at[0] <= 0x1F
    if at[0] == 0xC2:
        return 2 * (at[1] == 0x85 or at[1] == 0xA0)
    if at[0] == 0xE1:
        return 3 * (at[1] == 0x9A and at[2] == 0x80)
    if at[0] == 0xE2 and at[1] == 0x80:
        return 3 * (at[2] <= 0x8A or 0xA8 <= at[2] <= 0xA9 or at[2] == 0xAF)
    if at[0] == 0xE2:
        return 3 * (at[1] == 0x81 and at[2] == 0x9F)
    return 3 * (at[0] == 0xE3 and at[1] == 0x80 and at[2] == 0x80)


# What was read, as values of Python.


cdef struct Shelved:
    Piece piece
    int32_t number


cdef _lists(Reader* r, type node):
    """Columns of elements and of texts, by number."""
    cdef Name* names = <Name*> r.names.items
    cdef Element* elements = <Element*> r.elements.items
    cdef Text* texts = <Text*> r.texts.items
    cdef Value* values = <Value*> r.values.items
    cdef Py_ssize_t i, length = r.elements.number
    cdef list spelled = [
        PyUnicode_DecodeUTF8(names[i].piece.start, names[i].piece.size, NULL)
        for i in range(r.names.number)
    ]
    cdef list tags = [spelled[elements[i].name] for i in range(length)]
    cdef list columns = [[""] * length, [""] * length, [""] * length]
    cdef list hiders = [], alts = [], jumps = [], places = [], data = [], sheets = [], references = [], column
    cdef list declaring = []
    cdef Shelved[SHELF] shelf
    cdef list shelved = []
    cdef Value* item
    cdef str value
    memset(shelf, 0, sizeof(shelf))
    for i in range(r.values.number):
        item = &values[i]
        if ALT <= item.kind <= PLACE:
            column = alts if item.kind == ALT else jumps if item.kind == JUMP else places
            column.append((item.element, _text(item.piece)))
        elif item.kind == DATA:
            data.append((item.element, _shelved(shelf, shelved, item.piece)))
        elif item.kind == REFERENCE:
            references.append((item.element, _text(item.piece)))
        elif item.kind == DECLARATION:
            declaring.append((_shelved(shelf, shelved, item.piece), item.element))
        elif item.kind == SHEET:
            value = PyUnicode_DecodeUTF8(item.piece.start, item.piece.size, NULL)
            sheets.append(_text(item.piece) if r.is_xml else value)
        elif item.kind > ROLE:
            hiders.append((item.element, HIDERS[item.kind - STYLE], _text(item.piece)))
        else:
            value = _shelved(shelf, shelved, item.piece)
            column = columns[item.kind]
            if item.kind == ROLE and column[item.element]:
                value = f"{column[item.element]} {value}"
            column[item.element] = value
    return (
        tags,
        [elements[i].parent for i in range(length)],
        *columns,
        [_text_node(node, &texts[i]) for i in range(r.texts.number)],
        r.kept.items[: r.kept.number],
        _edits(r),
        bool(r.had_noscript),
        bool(r.had_empty_item),
        declaring,
        hiders,
        alts,
        jumps,
        places,
        data,
        "\n".join(sheets),
        bool(r.had_tex),
        None if r.unsure else references,
    )


cdef _text_node(type kind, const Text* text):
    cdef tuple values = (text.element, text.position, text.after, text.spaced != 0, _text(text.piece))
    return _of_kind(kind, values)


cdef tuple HIDERS = ("style", "hidden", "aria-hidden")


cdef str _shelved(Shelved* shelf, list shelved, Piece piece):
    """A value; those that were read last need not be read again."""
    cdef Shelved* item
    if not piece.size:
        return ""
    item = shelf + _shelf(piece.start, piece.size)
    if item.piece.size != piece.size or memcmp(item.piece.start, piece.start, piece.size) != 0:
        item.piece, item.number = piece, len(shelved)
        shelved.append(_text(piece))
    return shelved[item.number]


cdef str _text(Piece piece):
    """A text without its escapes."""
    cdef str text = PyUnicode_DecodeUTF8(piece.start, piece.size, NULL)
    if memchr(piece.start, c"&", piece.size) is NULL:
        return text
    text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"')
    if "&#" in text:
        text = text.replace("&#9;", "\t").replace("&#10;", "\n").replace("&#13;", "\r")
    return text.replace("&amp;", "&")


cdef bytes _edits(Reader* r):
    """The places in the order of the page, three numbers each, but those of elements without marks, and the root's of a page with a head."""
    cdef Element* elements = <Element*> r.elements.items
    cdef Edit* edits = <Edit*> r.edits.items
    cdef Py_ssize_t i, number = 0
    for i in range(r.edits.number):
        if edits[i].what == IN_ROOT and r.had_head:
            continue
        if edits[i].what < 0 or elements[edits[i].what].marked:
            edits[number] = edits[i]
            number += 1
    return r.edits.items[: number * sizeof(Edit)]


def has_control(bytes html) -> bool:
    """Return whether there is a control character but tab, line feed, form feed and carriage return."""
    return _has_control(html, len(html))


cdef bint _has_control(const uint8_t* text, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t place
    cdef uint8_t byte, found = 0
    for place in range(size):
        byte = text[place]
        found |= (byte < 32) & (byte != 9) & (byte != 10) & (byte != 12) & (byte != 13)
    return found != 0


def has_text(bytes html, bytes text) -> bool:
    """Return whether a page holds a text of two bytes or more: to look everywhere for both of its ends is five times as fast as to look for it."""
    cdef const uint8_t* at = html
    cdef Py_ssize_t place, size = len(html), behind = len(text) - 2
    cdef uint8_t first = text[0], second = text[1], third = text[behind], last = text[behind + 1], found = 0
    with nogil:
        for place in range(size - behind - 1):
            found |= (
                (at[place] == first) & (at[place + 1] == second)
                & (at[place + behind] == third) & (at[place + behind + 1] == last)
            )
    return found != 0 and text in html


def has_tag_of(bytes html, Py_ssize_t most) -> bool:
    """Return whether a page has a start tag with more attributes than so many, as the HTML standard reads one (13.2.5.8 and 13.2.5.32 to 39)."""
    cdef const char* at = html
    return _has_tag_of(at, at + len(html), most)


cdef bint _has_tag_of(const char* at, const char* end, Py_ssize_t most) noexcept nogil:
    cdef Py_ssize_t attributes
    while True:
        at = <const char*> memchr(at, c"<", end - at)
        if at is NULL:
            return False
        at += 1
        if at == end or not c"a" <= (at[0] | 32) <= c"z":
            continue
        while at < end and not _ends_name(at[0]):
            at += 1
        attributes = 0
        while _goes_on(&at, end):
            attributes += 1
            if attributes > most:
                return True


cdef bint _goes_on(const char** place, const char* end) noexcept nogil:
    """Goes behind the next attribute of a start tag; false of a tag without another one."""
    cdef const char* at = place[0]
    cdef const char* value
    while at < end and at[0] != c">" and _ends_name(at[0]):
        at += 1
    if at == end or at[0] == c">":
        place[0] = at
        return False
    at += 1  # it may begin with "="
    while at < end and at[0] != c"=" and not _ends_name(at[0]):
        at += 1
    value = _behind_spaces(at, end)
    if value < end and value[0] == c"=":
        at = _behind_spaces(value + 1, end)
        if at < end and (at[0] == c'"' or at[0] == c"'"):
            at = <const char*> memchr(at + 1, at[0], end - at - 1)
            at = end if at is NULL else at + 1
        else:
            while at < end and at[0] != c">" and not _is_space(at[0]):
                at += 1
    place[0] = at
    return True


cdef inline const char* _behind_spaces(const char* at, const char* end) noexcept nogil:
    while at < end and _is_space(at[0]):
        at += 1
    return at


cdef inline bint _is_space(char byte) noexcept nogil:
    return byte == c" " or c"\t" <= byte <= c"\r"


cdef inline bint _ends_name(char byte) noexcept nogil:
    return byte == c"/" or byte == c">" or _is_space(byte)


def fill(bytes html, bytes edits, tuple fillings, dict attributes, dict texts) -> bytes:
    """Returns a page with attributes of its elements, behind their own, and others of its texts, each by its number.

    `edits` are those of the scanned page; the fillings go to root and head, first and last.
    """
    cdef Py_ssize_t size = len(html), i, number = len(edits) // sizeof(Edit), text = 0, before = 0
    cdef Py_ssize_t room = size
    cdef const char* page = html
    cdef const Edit* edit = <const Edit*> <const char*> edits
    cdef Piece* pieces = <Piece*> malloc((number + 1) * sizeof(Piece))
    cdef bytes filled
    cdef char* out
    if pieces is NULL:
        raise MemoryError
    try:
        for i in range(number):
            if not before <= edit[i].start <= edit[i].end <= size or edit[i].what < END_OF_HEAD:
                raise ValueError("places that are not in order")
            before = edit[i].end
            pieces[i].start, pieces[i].size = page + edit[i].start, 0
            if edit[i].what >= 0:
                _choose(attributes, edit[i].what, pieces + i)
                room += pieces[i].size > 0  # a space
            elif edit[i].what == A_TEXT:
                pieces[i].size = edit[i].end - edit[i].start
                _choose(texts, text, pieces + i)
                text += 1
            elif edit[i].what <= IN_ROOT:
                pieces[i] = _piece(fillings[IN_ROOT - edit[i].what])
            room += pieces[i].size - (edit[i].end - edit[i].start)
        filled = PyBytes_FromStringAndSize(NULL, room)
        out = filled
        before = 0
        with nogil:
            for i in range(number):
                out = _put(out, page + before, edit[i].start - before)
                if edit[i].what >= 0 and pieces[i].size:
                    out = _put(out, " ", 1)
                out = _put(out, pieces[i].start, pieces[i].size)
                before = edit[i].end
            _put(out, page + before, size - before)
        return filled
    finally:
        free(pieces)


cdef int _choose(dict values, Py_ssize_t number, Piece* piece) except -1:
    """Puts the value with a number, if there is one, into a piece's place."""
    cdef object value = values.get(number)
    if value is not None:
        piece.start = PyUnicode_AsUTF8AndSize(value, &piece.size)
    return 0


cdef inline char* _put(char* out, const char* text, Py_ssize_t size) noexcept nogil:
    memcpy(out, text, size)
    return out + size
