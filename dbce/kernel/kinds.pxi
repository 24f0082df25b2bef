# By what dbce.quality.kinds tells what a page is for: what its texts come to, and the weights of its signs.

def sum_texts(tuple nodes, Py_ssize_t prose, Py_ssize_t short) -> tuple:
    """Returns the characters of texts; of the longest, and of those with so many as `prose`; the number of these, of signs of currencies and of question marks; and the short texts.

    Those are of so many characters at most, without white space around them and in lower case.
    """
    cdef Py_ssize_t number, place, length, size = 0, every = 0, longest = 0, of_prose = 0
    cdef Py_ssize_t paragraphs = 0, money = 0, questions = 0
    cdef const uint8_t* spelled
    cdef list names = []
    cdef str text
    for number in range(len(nodes)):
        text = _field(<tuple> PyTuple_GetItem(nodes, number), 4)
        spelled, length = <const uint8_t*> PyUnicode_AsUTF8AndSize(text, &size), len(text)
        every += length
        longest = max(longest, length)
        if length >= prose:
            of_prose += length
            paragraphs += 1
        if length <= short:
            names.append(text.strip().lower())
        for place in range(size):
            questions += spelled[place] == 63
            money += _is_currency(spelled + place)
    return every, longest, of_prose, paragraphs, money, questions, names


cdef inline bint _is_currency(const uint8_t* at) noexcept nogil:
    """Whether $, £, ¥, € or ₹ begins there; a text ends with a zero."""
    if at[0] == 0xC2:
        return at[1] == 0xA3 or at[1] == 0xA5
    if at[0] == 0xE2:
        return at[1] == 0x82 and (at[2] == 0xAC or at[2] == 0xB9)
    return at[0] == 36


@cython.boundscheck(True)
def kind_chances(
    tuple counts, dict names, tuple scales, dict rows, const double[:, ::1] of_names, double spread, double[::1] chances
) -> None:
    """Writes the probability of each kind of page over its intercept: a softmax of all weights.

    The scales are means, deviations and weights of counts, of which none counts for more than `spread` deviations; `rows` has the row of
    each known name in their weights, by its sign, as `names` are by theirs. A name counts once.
    """
    cdef const double[::1] means = scales[0], deviations = scales[1]
    cdef const double[:, ::1] weights = scales[2]
    cdef Py_ssize_t place, kind
    cdef bytearray known = bytearray(of_names.shape[0])
    cdef double value, total = 0, most = -INFINITY
    cdef dict row
    if len(counts) != weights.shape[0]:
        raise ValueError("a weight for each count is needed")
    for place in range(len(counts)):
        value = max(-spread, min(spread, (<double> counts[place] - means[place]) / deviations[place]))
        for kind in range(chances.shape[0]):
            chances[kind] += value * weights[place, kind]
    for sign, row in rows.items():
        for name in names[sign]:
            number = row.get(name)
            if number is not None:
                known[number] = 1
    for place in range(of_names.shape[0]):  # in one order, since a sum depends on it
        for kind in range(chances.shape[0] if known[place] else 0):
            chances[kind] += of_names[place, kind]
    for kind in range(chances.shape[0]):
        most = max(most, chances[kind])
    for kind in range(chances.shape[0]):
        chances[kind] = exp(chances[kind] - most)
        total += chances[kind]
    for kind in range(chances.shape[0]):
        chances[kind] /= total
