# What the texts of a page come to, by which dbce.quality.kinds tells what the page is for.

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
