# The structures of a page and what the lines in each come to; dbce.boilerplate.decide.tree says which elements are structures.

cdef enum:  # kinds of elements, as dbce.boilerplate.decide.tree has them
    HEADING = 7  # the level of one
    PART = 1 << 3
    WHOLE = 1 << 4
    ITEM = 1 << 5
    ROW = 1 << 6
    TABLE = 1 << 7
    PARAGRAPH = 1 << 8
    VERBATIM = 1 << 9
    HEADER = 1 << 10

cdef struct Inside:
    int kind
    int level  # of the heading that it is in
    int32_t structure  # the nearest, itself included, -1 if there is none
    int32_t outer  # the nearest without itself
    int32_t place  # among the structures with lines
    bint has_lines
    int32_t first
    int32_t last
    int32_t rows
    int holds  # the kinds of structures in it
    double words
    double gain
    double loose
    double longest


def structures(
    tuple tags, tuple parents, dict kinds, tuple lines, tuple limits
) -> tuple:
    """Returns columns of the structures with lines in document order, and behind them for each line its structure and the level of its heading, and which are one and open.

    `kinds` has the kind of each tag that counts; `lines` are lists: the element of each line, whether it is an aside, its words and its
    gain. A part of more words than the first of the limits is open; an item with paragraphs of more than the second is not one. A line
    in no structure that holds lines has -1, an aside that and level 0.
    """
    cdef Py_ssize_t count = len(parents), number = 0, line, element
    cdef list elements, aside, words, gains
    cdef list places = [], levels = [], are_one = [], are_open = []
    cdef list at = [], outer = [], names = [], first = [], last = [], sums = [], gained = [], rows = [], paragraphs = []
    cdef Inside* inside
    cdef double large = limits[0], post = limits[1]
    cdef Inside* insides
    cdef KnownTag[TAGS] known
    cdef bint has_lines
    memset(known, 0, sizeof(known))
    elements, aside, words, gains = lines
    if len(tags) != count or not len(elements) == len(aside) == len(words) == len(gains):
        raise ValueError("a tag for each parent, and values for each line are needed")
    insides = <Inside*> calloc(count + 1, sizeof(Inside))
    if insides is NULL:
        raise MemoryError
    try:
        for element in range(count):
            _enter(insides, parents, _kind_of(tags, element, kinds, known), element)
        for line in range(len(elements)):
            element = elements[line]
            if not 0 <= element < count:
                raise IndexError("a line stands in an element")
            if not aside[line]:
                _add_line(insides, insides[element], line, words[line], gains[line])
        for element in range(count - 1, -1, -1):
            if insides[element].has_lines:
                _add_structure(insides, insides + element, parents[element])
        for element in range(count):
            if insides[element].has_lines:
                inside = insides + element
                inside.place = number
                number += 1
                at.append(element)
                outer.append(insides[inside.outer].place if inside.outer >= 0 else -1)
                names.append(tags[element])
                first.append(inside.first)
                last.append(inside.last)
                sums.append(inside.words)
                gained.append(inside.gain)
                rows.append(inside.rows)
                paragraphs.append(inside.holds & PARAGRAPH != 0)
                are_one.append(_is_one(inside, large, post))
                are_open.append(_is_open(inside, large))
        for line in range(len(elements)):
            element = elements[line]
            levels.append(0 if aside[line] else insides[element].level)
            element = -1 if aside[line] else insides[element].structure
            has_lines = element >= 0 and insides[element].has_lines
            places.append(insides[element].place if has_lines else -1)
        return at, outer, names, first, last, sums, gained, rows, paragraphs, places, levels, are_one, are_open
    finally:
        free(insides)


cdef int _enter(Inside* insides, tuple parents, int kind, Py_ssize_t element) except -1:
    """Notes the kind of an element, and what it is in."""
    cdef Inside* inside = insides + element
    cdef Py_ssize_t parent = _item(parents, element)
    if parent >= element:
        raise IndexError("a parent stands before its elements")
    inside.structure = insides[parent].structure if parent >= 0 else -1
    inside.level = insides[parent].level if parent >= 0 else 0
    inside.outer = inside.structure
    inside.kind = kind
    if kind & HEADING:
        inside.level = kind & HEADING
    elif kind & (PART | WHOLE):
        inside.structure = element
    return 0


cdef inline int _kind_of(tuple tags, Py_ssize_t element, dict kinds, KnownTag* known) except -1:
    """The kind of a tag, 0 of most; those seen last need not be looked up."""
    cdef void* tag = PyTuple_GetItem(tags, element)
    cdef KnownTag* seen = known + ((<size_t> tag >> 4) & (TAGS - 1))
    if seen.tag is not tag:
        seen.value = kinds.get(<object> tag, 0)
        seen.tag = tag
    return seen.value


cdef void _add_line(
    Inside* insides, Inside element, Py_ssize_t line, double words, double gain
) noexcept nogil:
    """Adds a line that is no heading to the innermost structure around it."""
    cdef Inside* own
    if element.level or element.structure < 0:
        return
    own = insides + element.structure
    if not own.has_lines:
        own.has_lines, own.first = True, line
    own.last = line
    own.words += words
    own.loose += words
    own.gain += words * gain


cdef void _add_structure(Inside* insides, const Inside* own, Py_ssize_t parent) noexcept nogil:
    """Adds a structure, to which all in it was added, to the one around it."""
    cdef Inside* outer
    if own.outer < 0:
        return
    outer = insides + own.outer
    if not outer.has_lines:
        outer.has_lines, outer.first, outer.last = True, own.first, own.last
    outer.first, outer.last = min(outer.first, own.first), max(outer.last, own.last)
    outer.words += own.words
    outer.gain += own.gain
    outer.rows += (own.kind & ROW) > 0
    outer.loose += 0 if own.kind & ITEM else own.loose
    outer.longest = max(outer.longest, own.words if own.kind & ROW else own.longest)
    # A table in a header is no table within the table.
    outer.holds |= own.holds | (own.kind & ~(<int> TABLE) if insides[parent].kind & HEADER else own.kind)


cdef bint _is_one(const Inside* own, double large, double post) noexcept nogil:
    if own.kind & ITEM:
        return own.words <= post or not own.holds & PARAGRAPH
    return own.loose <= large or own.kind & VERBATIM != 0


cdef bint _is_open(const Inside* own, double large) noexcept nogil:
    if own.kind & PART:
        return own.words > large or own.holds & WHOLE != 0
    return own.kind & TABLE != 0 and (own.longest > large or own.holds & TABLE != 0)


@cython.boundscheck(True)
def label_words(
    tuple lines,
    const uint32_t[::1] ends,
    tuple before,
    uint8_t[::1] labels,
    uint8_t[::1] rules,
    double[:, ::1] sums,
    tuple named,
) -> list:
    """Writes label and rule of each word, which are those of its line, and sums over the words of each structure; returns that of each text node.

    `lines` are lists: the line of each text node, and of each line whether it is kept, its rule and the number of its structure, 0 of none; `ends`
    is where each node's words end, `before` the labels, rules and probabilities of words. A word whose label stays keeps its rule. The rows of
    sums: words, words kept, probabilities; a structure has the label of most of its words, and their mean, rounded as by NumPy. `named`
    are the kind of its tuples, labels, the element of each, the tags of the page and the names of those.
    """
    cdef list of_node, of_kept, of_rules, of_structures, elements, structures = [None]
    cdef tuple of_labels, tags, values
    cdef dict names
    cdef Py_ssize_t node, line, word = 0, structure, element
    cdef uint8_t kept, rule
    cdef double total
    cdef const uint8_t[::1] labels_before = before[0], rules_before = before[1]
    cdef const double[::1] probabilities = before[2]
    of_node, of_kept, of_rules, of_structures = lines
    kind, of_labels, elements, tags, names = named
    if len(of_node) != ends.shape[0]:
        raise ValueError("a line for each end is needed")
    for node in range(ends.shape[0]):
        line = of_node[node]
        if not 0 <= line < len(of_kept) == len(of_rules) == len(of_structures):
            raise IndexError("a text node stands in a line")
        kept, rule, structure = of_kept[line], of_rules[line], of_structures[line]
        sums[0, structure] += <int64_t> ends[node] - word
        sums[1, structure] += kept * (<int64_t> ends[node] - word)
        total = sums[2, structure]
        for word in range(word, ends[node]):
            labels[word] = kept
            rules[word] = rules_before[word] if labels_before[word] == kept else rule
            total += probabilities[word]
        sums[2, structure] = total
        word = ends[node]
    for structure in range(1, sums.shape[1]):
        element, total = elements[structure - 1], sums[2, structure] / max(sums[0, structure], 1)
        label = of_labels[2 * sums[1, structure] > sums[0, structure]]
        values = (structure - 1, names[tags[element]], element, label, rint(1e4 * total) / 1e4)
        structures.append(_of_kind(kind, values))
    return [structures[<Py_ssize_t> of_structures[<Py_ssize_t> line]] for line in of_node]


@cython.boundscheck(True)
def runs(
    tuple nodes, const uint32_t[::1] ends, tuple columns, structures, tuple kinds, tuple names
) -> tuple:
    """Returns runs, neighbouring words of one text node of which all is the same: a node, from, to, verdict and structure.

    `ends` is where each node's words end; the columns are labels, probabilities, bits and rules of words; `structures` has that of each
    node, or is None. `kinds` are those of a run and a verdict; of a verdict are `names` of labels and bits, what is the same for
    all, and names of rules.
    """
    cdef const uint8_t[::1] labels = columns[0], bits = columns[2], rules = columns[3]
    cdef const double[::1] chances = columns[1]
    cdef Py_ssize_t node, first, before = -1, word = 0, end, at = 0, begins, ends_at = 0, size = 0
    cdef const char* text
    cdef list rows = []
    cdef tuple of_labels, of_bits, of_rules
    cdef object its = None, structure
    of_labels, of_bits, of_all, of_rules = names
    if not len(nodes) == ends.shape[0] or not (structures is None or len(structures) == len(nodes)):
        raise ValueError("an end for each text node is needed")
    if not labels.shape[0] == chances.shape[0] == bits.shape[0] == rules.shape[0]:
        raise ValueError("values for each word are needed")
    for node in range(ends.shape[0]):
        structure = None if structures is None else structures[node]
        end, text = ends[node], NULL
        while word < end:
            first = word
            word += 1
            while word < end and (
                labels[word] == labels[first]
                and chances[word] == chances[first]
                and bits[word] == bits[first]
                and rules[word] == rules[first]
            ):
                word += 1
            if before < 0 or not (
                labels[first] == labels[before]
                and chances[first] == chances[before]
                and bits[first] == bits[before]
                and rules[first] == rules[before]
            ):
                its = of_labels[labels[first]], chances[first], of_bits[bits[first]], of_all, of_rules[rules[first]]
                its = _of_kind(kinds[1], its)
            before = first
            if text is NULL and word == end:  # all of it, as most
                size = PyUnicode_GetLength(_field(nodes[node], 4))
                rows.append(_of_kind(kinds[0], (node, 0, size, its, structure)))
                continue
            if text is NULL:
                text, at, ends_at = PyUnicode_AsUTF8AndSize(_field(nodes[node], 4), &size), 0, 0
            begins = ends_at
            ends_at += _pass_words(<const uint8_t*> text, size, &at, word - first)
            rows.append(_of_kind(kinds[0], (node, begins, ends_at, its, structure)))
    return tuple(rows)


def weigh(tuple runs, label) -> tuple:
    """Returns sums over the characters of runs: all, verdicts that are right, content; and of those with a label all, and content.

    Of what is not certain it is as much as may be expected.
    """
    cdef Py_ssize_t size, every = 0, chosen = 0
    cdef double chance, right = 0, content = 0, of_chosen = 0
    for run in runs:
        verdict = _field(run, 3)
        size = <Py_ssize_t> _field(run, 2) - <Py_ssize_t> _field(run, 1)
        chance = _field(verdict, 1)
        every += size
        right += size * (chance if chance >= 0.5 else 1 - chance)
        content += size * chance
        if _field(verdict, 0) is label:
            chosen += size
            of_chosen += size * chance
    return every, right, content, chosen, of_chosen


cdef Py_ssize_t _pass_words(
    const uint8_t* text, Py_ssize_t size, Py_ssize_t* at, Py_ssize_t words
) noexcept nogil:
    """Passes so many words with the white space around them; the number of characters passed."""
    cdef Py_ssize_t characters = 0
    cdef bint is_within = False
    cdef int width
    while at[0] < size:
        width = _space(text + at[0])
        if not width and not is_within:
            if not words:
                break
            words -= 1
        is_within = not width
        characters += (text[at[0]] & 0xC0) != 0x80
        at[0] += width if width else 1
    return characters
