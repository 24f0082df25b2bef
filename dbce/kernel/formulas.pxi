# Formulas over lines, elements and pages, evaluated step by step: dbce.boilerplate.classify.formulas says what they mean.

from cpython.buffer cimport PyBUF_C_CONTIGUOUS, PyBUF_FORMAT, PyBuffer_Release, PyObject_GetBuffer
from libc.math cimport rint

cdef enum Operation:  # numbered as dbce.boilerplate.classify.formulas has them
    LOAD, NUMBER, STORE, PICK
    ADD, SUBTRACT, MULTIPLY, DIVIDE, LEAST, GREATEST, LESS, AT_MOST, EQUAL
    CHOOSE, ROUND, SINGLE, BIT
    TAKE, TOTAL, HIGHEST, TOTAL_BEFORE
    BELOW, CLIMB, MARK, INHERIT
    RUN, RISE, FALL, SHIFT, MEAN_BEFORE, MEAN_BEHIND

cdef struct Register:
    double* values
    Py_ssize_t size

cdef struct Machine:
    Register* registers
    Py_buffer* arrays
    const double* numbers
    float* columns
    Py_ssize_t width


def evaluate(
    const int32_t[:, ::1] steps,
    const double[::1] numbers,
    const int32_t[::1] axes,
    const int64_t[::1] sizes,
    list arrays,
    float[:, ::1] columns,
) -> None:
    """Takes the steps of a program, over registers of which each is as long as its axis, and writes the columns.

    The program is sound: which registers, arrays and columns it names is not looked at, but what arrays hold is.
    """
    cdef Py_ssize_t number, room = 0, held = 0
    cdef int problem = 0
    cdef double* values = NULL
    cdef Machine machine
    for number in range(sizes.shape[0]):
        if sizes[number] < 1:
            raise ValueError("at least one of everything is needed")
    for number in range(axes.shape[0]):
        room += sizes[axes[number]]
    machine.registers = <Register*> calloc(axes.shape[0] + 1, sizeof(Register))
    machine.arrays = <Py_buffer*> calloc(len(arrays) + 1, sizeof(Py_buffer))
    machine.numbers, machine.columns, machine.width = &numbers[0], &columns[0, 0], columns.shape[1]
    try:
        values = <double*> malloc((room + 1) * sizeof(double))
        if values is NULL or machine.registers is NULL or machine.arrays is NULL:
            raise MemoryError
        room = 0
        for number in range(axes.shape[0]):
            machine.registers[number].values = values + room
            machine.registers[number].size = sizes[axes[number]]
            room += sizes[axes[number]]
        for array in arrays:
            PyObject_GetBuffer(array, &machine.arrays[held], PyBUF_C_CONTIGUOUS | PyBUF_FORMAT)
            held += 1
        with nogil:
            for number in range(steps.shape[0]):
                problem = _take_step(&machine, &steps[number, 0])
                if problem:
                    break
        if problem:
            raise IndexError(f"step {number}: there is no such place")
    finally:
        for number in range(held):
            PyBuffer_Release(&machine.arrays[number])
        free(machine.arrays)
        free(machine.registers)
        free(values)


cdef int _take_step(Machine* machine, const int32_t* step) noexcept nogil:
    """0, or -1 where a place is asked for that is not there. A step: its operation, register, and operands."""
    cdef int operation = step[0]
    cdef Register* into = machine.registers + step[1]
    cdef Register* a = machine.registers + step[2]
    cdef Register* b = machine.registers + step[3]
    cdef Register* c = machine.registers + step[4]
    cdef Py_ssize_t i, by_a
    cdef float* column
    if operation == LOAD:
        return _load(into, machine.arrays + step[2], step[3])
    elif operation == NUMBER:
        into.values[0] = machine.numbers[step[2]]
    elif operation == STORE:
        if a.size not in (1, machine.width):
            return -1
        column, by_a = machine.columns + step[1] * machine.width, a.size > 1
        for i in range(machine.width):
            column[i] = <float> a.values[i * by_a]
    elif operation == PICK:
        return _pick(into, machine.arrays + step[2], step[3], c)
    elif operation <= EQUAL:
        if a.size < into.size:
            _combine(operation, into.values, a.values, 0, b.values, 1, into.size)
        elif b.size < into.size:
            _combine(operation, into.values, a.values, 1, b.values, 0, into.size)
        else:
            _combine(operation, into.values, a.values, 1, b.values, 1, into.size)
    elif operation <= BIT:
        _change(operation, into, a, b, c)
    elif operation == TAKE:
        return _take(into, a, b)
    elif operation <= TOTAL_BEFORE:
        return _group(operation, into, a, b)
    elif operation <= INHERIT:
        return _on_trees(operation, into, a, b, c)
    else:
        _in_order(operation, into, a, b, c)
    return 0


cdef int _load(Register* into, const Py_buffer* array, Py_ssize_t row) noexcept nogil:
    """Reads the beginning of a row of an array of any of the types that there are."""
    cdef Py_ssize_t i, size = array.shape[array.ndim - 1]
    cdef char kind = array.format[0]
    cdef const char* start = <const char*> array.buf + row * size * array.itemsize
    if size < into.size or (array.ndim > 1 and row >= array.shape[0]):
        return -1
    if kind == c"d":
        memcpy(into.values, start, into.size * sizeof(double))
    elif kind == c"f":
        for i in range(into.size):
            into.values[i] = (<const float*> start)[i]
    elif array.itemsize == sizeof(int64_t):
        for i in range(into.size):
            into.values[i] = <double> (<const int64_t*> start)[i]
    elif array.itemsize == sizeof(uint8_t):
        for i in range(into.size):
            into.values[i] = (<const uint8_t*> start)[i]
    else:
        return -1
    return 0


cdef int _pick(Register* into, const Py_buffer* array, Py_ssize_t row, const Register* places) noexcept nogil:
    """Reads some numbers of an array that may be much longer, of float32."""
    cdef Py_ssize_t i, size = array.shape[array.ndim - 1]
    cdef const float* start = <const float*> array.buf + row * size
    if array.format[0] != c"f" or (array.ndim > 1 and row >= array.shape[0]):
        return -1
    for i in range(into.size):
        if not 0 <= places.values[i] < size:
            return -1
        into.values[i] = start[<Py_ssize_t> places.values[i]]
    return 0


@cython.cdivision(True)  # as processors divide: by 0, too
cdef inline void _combine(
    int operation,
    double* into,
    const double* a,
    Py_ssize_t by_a,
    const double* b,
    Py_ssize_t by_b,
    Py_ssize_t size,
) noexcept nogil:
    """One of two numbers, or of one and each of many; inlined, so that the compiler sees which."""
    cdef Py_ssize_t i
    if operation == ADD:
        for i in range(size):
            into[i] = a[i * by_a] + b[i * by_b]
    elif operation == SUBTRACT:
        for i in range(size):
            into[i] = a[i * by_a] - b[i * by_b]
    elif operation == MULTIPLY:
        for i in range(size):
            into[i] = a[i * by_a] * b[i * by_b]
    elif operation == DIVIDE:
        for i in range(size):
            into[i] = a[i * by_a] / b[i * by_b]
    elif operation == LEAST:
        for i in range(size):
            into[i] = b[i * by_b] if b[i * by_b] < a[i * by_a] else a[i * by_a]
    elif operation == GREATEST:
        for i in range(size):
            into[i] = b[i * by_b] if b[i * by_b] > a[i * by_a] else a[i * by_a]
    elif operation == LESS:
        for i in range(size):
            into[i] = a[i * by_a] < b[i * by_b]
    elif operation == AT_MOST:
        for i in range(size):
            into[i] = a[i * by_a] <= b[i * by_b]
    elif operation == EQUAL:
        for i in range(size):
            into[i] = a[i * by_a] == b[i * by_b]


cdef void _change(
    int operation, Register* into, const Register* a, const Register* b, const Register* c
) noexcept nogil:
    cdef Py_ssize_t i, by_b = b.size > 1, by_c = c.size > 1
    if operation == CHOOSE:
        for i in range(into.size):
            into.values[i] = b.values[i * by_b] if a.values[i] != 0 else c.values[i * by_c]
    elif operation == ROUND:
        for i in range(into.size):
            into.values[i] = rint(a.values[i])
    elif operation == SINGLE:
        for i in range(into.size):
            into.values[i] = <float> a.values[i]
    elif operation == BIT:
        for i in range(into.size):
            into.values[i] = (<int64_t> a.values[i] >> <int> b.values[0]) & 1


cdef int _take(Register* into, const Register* a, const Register* places) noexcept nogil:
    """The values at some places."""
    cdef Py_ssize_t i
    cdef size_t place
    for i in range(into.size):
        place = <size_t> <Py_ssize_t> places.values[i]
        if place >= <size_t> a.size:
            return -1
        into.values[i] = a.values[place]
    return 0


cdef int _group(int operation, Register* into, const Register* a, const Register* b) noexcept nogil:
    """What is asked by places `b`: totals, and the highest, of values of a place, and totals of those before."""
    cdef Py_ssize_t i, by_a = a.size > 1
    cdef size_t place
    cdef double* counts = NULL
    if operation == TOTAL_BEFORE:
        counts = <double*> calloc(into.size, sizeof(double))
        if counts is NULL:
            return -1
    else:
        for i in range(into.size):
            into.values[i] = 0 if operation == TOTAL else -INFINITY
    for i in range(b.size):
        place = <size_t> <Py_ssize_t> b.values[i]
        if place >= <size_t> into.size:
            free(counts)
            return -1
        if operation == TOTAL:
            into.values[place] += a.values[i * by_a]
        elif operation == HIGHEST:
            into.values[place] = max(into.values[place], a.values[i * by_a])
        else:
            into.values[i] = counts[place]
            counts[place] += a.values[i * by_a]
    free(counts)
    return 0


cdef int _on_trees(int operation, Register* into, const Register* a, const Register* parents, const Register* c) noexcept nogil:
    """What is asked of elements, or of paths, of which none stands before the one above it; a root is its own parent, or has -1."""
    cdef Py_ssize_t i, at
    if operation == CLIMB:
        for i in range(into.size):
            if not 0 <= c.values[i] < parents.size:
                return -1
            at = <Py_ssize_t> c.values[i]
            while a.values[at] == 0 and 0 <= parents.values[at] < at:
                at = <Py_ssize_t> parents.values[at]
            into.values[i] = at
    elif operation == MARK:
        memset(into.values, 0, into.size * sizeof(double))
        for i in range(a.size):
            if not 0 <= a.values[i] < parents.size:
                return -1
            at = <Py_ssize_t> a.values[i]
            while into.values[at] == 0:
                into.values[at] = 1
                if 0 <= parents.values[at] < at:
                    at = <Py_ssize_t> parents.values[at]
    elif operation == BELOW:
        memcpy(into.values, a.values, into.size * sizeof(double))
        for i in range(into.size - 1, -1, -1):
            at = <Py_ssize_t> parents.values[i]
            if not -1 <= at <= i:
                return -1
            if 0 <= at < i:
                into.values[at] += into.values[i]
    else:
        for i in range(into.size):
            at = <Py_ssize_t> parents.values[i]
            if not -1 <= at <= i:
                return -1
            into.values[i] = a.values[i]
            if 0 <= at < i:
                into.values[i] = <double> (<int64_t> a.values[i] | <int64_t> into.values[at])
    return 0


cdef void _in_order(
    int operation, Register* into, const Register* a, const Register* page, const Register* c
) noexcept nogil:
    """What is asked of what stands around on the same page."""
    cdef Py_ssize_t i, there, last = into.size - 1
    cdef double mean = 0
    cdef double* values = into.values
    if operation == RUN or operation == RISE:
        for i in range(into.size):
            values[i] = a.values[i]
            if i and page.values[i] == page.values[i - 1]:
                values[i] = values[i - 1] + values[i] if operation == RUN else max(values[i - 1], values[i])
    elif operation == FALL:
        for i in range(last, -1, -1):
            values[i] = a.values[i]
            if i < last and page.values[i] == page.values[i + 1]:
                values[i] = min(values[i + 1], values[i])
    elif operation == SHIFT:
        for i in range(into.size):
            there = i + <Py_ssize_t> c.values[0]
            values[i] = NAN
            if 0 <= there <= last and page.values[there] == page.values[i]:
                values[i] = a.values[there]
    elif operation == MEAN_BEFORE:
        for i in range(into.size):
            if i and page.values[i] != page.values[i - 1]:
                mean = 0
            values[i] = mean
            mean = c.values[0] * mean + (1 - c.values[0]) * a.values[i]
    else:
        for i in range(last, -1, -1):
            if i < last and page.values[i] != page.values[i + 1]:
                mean = 0
            values[i] = mean
            mean = c.values[0] * mean + (1 - c.values[0]) * a.values[i]
