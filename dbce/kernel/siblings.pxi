# Repeated siblings, such as posts and cards, and the same places in them; dbce.boilerplate.decide.structures says which elements may be some.

cdef struct Place:  # an element, by what leads to it
    int32_t above  # its parent, or what stands for that in the first of some siblings
    int32_t first  # of all elements to which the same leads; below siblings the place
    int32_t number  # of elements of which it is the first
    int32_t sibling  # the outermost around it, itself included, -1 if there is none

cdef struct Places:
    Place* each
    int32_t* slots  # elements and 1, by the hash of what leads to them
    uint64_t mask


def repeated_siblings(
    tuple tags, tuple classes, tuple parents, frozenset likely, list elements, Py_ssize_t least
) -> tuple:
    """Returns for some elements the outermost repeated sibling around each, itself included, and its place there; -1 outside of all.

    An element of a likely tag is a repeated sibling if at least so many in its parent have its tag and classes. Elements are in one
    place if the same tags and classes lead to them from siblings that are alike; the place is the first of them.
    """
    cdef Py_ssize_t count = len(parents), element
    cdef bint some = False
    cdef KnownTag[TAGS] known
    cdef Places places
    memset(known, 0, sizeof(known))
    if not len(tags) == len(classes) == count:
        raise ValueError("a tag and classes for each parent are needed")
    places.mask = 1
    while places.mask < 4 * <uint64_t> count:  # at most half of the slots are taken: an element takes two
        places.mask *= 2
    places.each = <Place*> calloc(count + 1, sizeof(Place))
    places.slots = <int32_t*> calloc(places.mask, sizeof(int32_t))
    places.mask -= 1
    try:
        if places.each is NULL or places.slots is NULL:
            raise MemoryError
        for element in range(count):
            if not -1 <= _item(parents, element) < element:
                raise IndexError("a parent stands before its elements")
            places.each[element].first = -1
            if _is_one_of(tags, element, likely, known):
                _find_place(&places, tags, classes, parents[element], element)
                some |= places.each[places.each[element].first].number >= least
        if not some:
            return [-1] * len(elements), [-1] * len(elements)
        for element in range(count):
            _enter_sibling(&places, tags, classes, parents[element], element, least)
        for element in elements:
            if not 0 <= element < count:
                raise IndexError("an element is one of the page")
        return (
            [places.each[<Py_ssize_t> element].sibling for element in elements],
            [places.each[<Py_ssize_t> element].first for element in elements],
        )
    finally:
        free(places.each)
        free(places.slots)


cdef int _enter_sibling(
    Places* places, tuple tags, tuple classes, Py_ssize_t parent, Py_ssize_t element, Py_ssize_t least
) except -1:
    """Notes the sibling that an element is in, and its place there."""
    cdef Place* own = places.each + element
    cdef bint repeated = own.first >= 0 and places.each[own.first].number >= least
    own.sibling = places.each[parent].sibling if parent >= 0 else -1
    if own.sibling >= 0:
        _find_place(places, tags, classes, places.each[parent].first, element)
    elif repeated:
        own.sibling = element
    else:
        own.first = -1
    return 0


cdef int _find_place(
    Places* places, tuple tags, tuple classes, Py_ssize_t above, Py_ssize_t element
) except -1:
    """Notes the first of the elements with the tag and classes of one below another, and one more of them."""
    cdef object tag = tags[element], names = classes[element]
    cdef uint64_t slot = _mixed(_mixed(<uint64_t> hash(tag) + above) + <uint64_t> hash(names))
    cdef int32_t other
    while places.slots[slot & places.mask]:
        other = places.slots[slot & places.mask] - 1
        if places.each[other].above == above and tags[other] == tag and classes[other] == names:
            break
        slot += 1
    else:
        other = element
        places.slots[slot & places.mask] = element + 1
        places.each[element].above = above
    places.each[element].first = other
    places.each[other].number += 1
    return 0
