# Hashes of texts: dbce.model.hashing says of what, and pandas gives the same.

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL


def hash_texts(list texts, uint32_t[::1] hashes) -> None:
    """Writes the lower half of each text's SipHash, mixed, into its place."""
    cdef Py_ssize_t number, size = 0
    cdef const char* text
    if len(texts) != hashes.shape[0]:
        raise ValueError("as many places as texts are needed")
    for number in range(hashes.shape[0]):
        text = PyUnicode_AsUTF8AndSize(texts[number], &size)
        hashes[number] = <uint32_t> _mixed(_siphash(<const uint8_t*> text, size))


@cython.boundscheck(True)
def hash_rows(const uint32_t[::1] values, const int64_t[::1] starts, int64_t[::1] keys) -> None:
    """Writes a key for each row of values, from one start to the next: that of equal values in equal order is the same."""
    cdef Py_ssize_t row, place
    cdef uint64_t key
    with nogil:
        for row in range(keys.shape[0]):
            key = starts[row + 1] - starts[row]
            for place in range(starts[row], starts[row + 1]):
                key = _mixed(key + values[place])
            keys[row] = <int64_t> key


cdef inline uint64_t _mixed(uint64_t value) noexcept nogil:
    """The value scrambled, every bit depending on every bit (finaliser of SplitMix64)."""
    value = (value ^ (value >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    value = (value ^ (value >> 27)) * <uint64_t> 0x94D049BB133111EB
    return value ^ (value >> 31)


cdef uint64_t _siphash(const uint8_t* text, Py_ssize_t size) noexcept nogil:
    """SipHash-2-4 (Aumasson and Bernstein 2012) with pandas' key, 0123456789123456."""
    cdef uint64_t low = 0x3736353433323130, high = 0x3635343332313938
    cdef uint64_t[4] state
    cdef Py_ssize_t start = 0
    state[0] = low ^ <uint64_t> 0x736F6D6570736575
    state[1] = high ^ <uint64_t> 0x646F72616E646F6D
    state[2] = low ^ <uint64_t> 0x6C7967656E657261
    state[3] = high ^ <uint64_t> 0x7465646279746573
    while start + 8 <= size:
        _taken_in(state, _number(text + start, 8))
        start += 8
    _taken_in(state, _number(text + start, size - start) | (<uint64_t> size << 56))
    state[2] ^= 0xFF
    _stirred(state)
    _stirred(state)
    _stirred(state)
    _stirred(state)
    return state[0] ^ state[1] ^ state[2] ^ state[3]


cdef inline uint64_t _number(const uint8_t* text, Py_ssize_t size) noexcept nogil:
    """So many bytes, eight at most, as a number whose lowest byte comes first."""
    cdef uint64_t number = 0
    cdef Py_ssize_t place
    for place in range(size):
        number |= <uint64_t> text[place] << (8 * place)
    return number


cdef inline void _taken_in(uint64_t* state, uint64_t block) noexcept nogil:
    state[3] ^= block
    _stirred(state)
    _stirred(state)
    state[0] ^= block


cdef inline void _stirred(uint64_t* state) noexcept nogil:
    """One round."""
    state[0] += state[1]
    state[1] = _rotated(state[1], 13) ^ state[0]
    state[0] = _rotated(state[0], 32)
    state[2] += state[3]
    state[3] = _rotated(state[3], 16) ^ state[2]
    state[0] += state[3]
    state[3] = _rotated(state[3], 21) ^ state[0]
    state[2] += state[1]
    state[1] = _rotated(state[1], 17) ^ state[2]
    state[2] = _rotated(state[2], 32)


cdef inline uint64_t _rotated(uint64_t number, int bits) noexcept nogil:
    return (number << bits) | (number >> (64 - bits))
