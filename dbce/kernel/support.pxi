# Peer support of the text nodes of a page: dbce.boilerplate.peer_support says what is counted.

cdef enum Counted:  # columns of the counts of a text, and of a place
    HAVING = 0  # pages that have it
    LAST_PAGE = 1  # the last page that was seen to have it, from 1 on
    EVER = 2  # pages that have the text in any snapshot
    ITS_NODES = 2  # text nodes at the place
    ITS_WORDS = 3
    ITS_TEXTS = 4  # texts at the place
    SHARING = 5  # pages that have them, text by text


@cython.boundscheck(True)
def peer_support(
    const int64_t[:, ::1] nodes,
    const int64_t[::1] starts,
    Py_ssize_t cur,
    const int64_t[::1] others,
    const int64_t[::1] ever,
    int64_t[:, ::1] of_texts,
    int64_t[:, ::1] of_places,
    int64_t[::1] of_pairs,
    float[:, ::1] support,
) -> None:
    """Writes the peer support of each text node of a page, of some other pages.

    The columns of `nodes` are text, place, pair of both, and words, `starts` the first node of each page; `ever` has the
    texts of each other page's snapshots. The counts of texts, of places and of pairs are 0, before and after.
    """
    cdef Py_ssize_t other, node, row, count = others.shape[0]
    cdef int64_t text, place
    cdef double pages = count
    with nogil:
        for other in range(count):
            for node in range(starts[others[other]], starts[others[other] + 1]):
                text, place = nodes[node, 0], nodes[node, 1]
                of_texts[text, <int> HAVING] += of_texts[text, <int> LAST_PAGE] != other + 1
                of_places[place, <int> HAVING] += of_places[place, <int> LAST_PAGE] != other + 1
                of_texts[text, <int> LAST_PAGE] = of_places[place, <int> LAST_PAGE] = other + 1
                of_places[place, <int> ITS_NODES] += 1
                of_places[place, <int> ITS_WORDS] += nodes[node, 3]
        for other in range(count):
            for node in range(starts[others[other]], starts[others[other] + 1]):
                place = nodes[node, 1]
                if not of_pairs[nodes[node, 2]]:
                    of_pairs[nodes[node, 2]] = 1
                    of_places[place, <int> ITS_TEXTS] += 1
                    of_places[place, <int> SHARING] += of_texts[nodes[node, 0], <int> HAVING]
        for row in range(ever.shape[0]):
            of_texts[ever[row], <int> EVER] += 1
        for row in range(support.shape[0]):
            node = starts[cur] + row
            text, place = nodes[node, 0], nodes[node, 1]
            support[row, 0] = <float> (of_texts[text, <int> HAVING] / pages)
            support[row, 1] = <float> (of_places[place, <int> HAVING] / pages)
            support[row, 5] = <float> (of_texts[text, <int> EVER] / pages)
            if of_places[place, <int> ITS_NODES]:
                support[row, 2] = <float> _share(of_places, place, ITS_TEXTS, ITS_NODES)
                support[row, 3] = <float> _share(of_places, place, ITS_WORDS, ITS_NODES)
                support[row, 4] = <float> (_share(of_places, place, SHARING, ITS_TEXTS) / pages)
        for other in range(count):
            for node in range(starts[others[other]], starts[others[other] + 1]):
                of_texts[nodes[node, 0], :] = 0
                of_places[nodes[node, 1], :] = 0
                of_pairs[nodes[node, 2]] = 0
        for row in range(ever.shape[0]):
            of_texts[ever[row], <int> EVER] = 0


cdef inline double _share(
    int64_t[:, ::1] counts, int64_t place, int counted, int of_all
) noexcept nogil:
    return <double> counts[place, counted] / <double> counts[place, of_all]


@cython.boundscheck(True)
def snapshot_support(
    const int64_t[:, ::1] nodes,
    const int64_t[::1] starts,
    Py_ssize_t cur,
    const int64_t[::1] others,
    const uint8_t[::1] redesigned,
    int64_t[:, ::1] of_texts,
    float[:, ::1] support,
) -> None:
    """Writes the shares of other snapshots of a page that have each of its texts; the arrays are as of `peer_support`."""
    cdef Py_ssize_t other, node, row
    cdef int64_t[4] count
    cdef bint[4] chosen
    cdef int column
    memset(count, 0, sizeof(count))
    with nogil:
        support[:, :] = 0
        for other in range(others.shape[0]):
            chosen[0], chosen[1] = others[other] != cur, redesigned[other]
            chosen[2], chosen[3] = others[other] < cur, others[other] > cur
            for node in range(starts[others[other]], starts[others[other] + 1]):
                of_texts[nodes[node, 0], <int> LAST_PAGE] = other + 1
            for column in range(4):
                count[column] += chosen[column]
                for row in range(support.shape[0] if chosen[column] else 0):
                    support[row, column] += (
                        of_texts[nodes[starts[cur] + row, 0], <int> LAST_PAGE] == other + 1
                    )
        for row in range(support.shape[0]):
            for column in range(4):
                support[row, column] = (
                    <float> (support[row, column] / <double> count[column]) if count[column] else NAN
                )
        for other in range(others.shape[0]):
            for node in range(starts[others[other]], starts[others[other] + 1]):
                of_texts[nodes[node, 0], <int> LAST_PAGE] = 0


# What lines have of it, and of the masks that say which words of a page others share.


@cython.boundscheck(True)
def line_means(
    const float[:, ::1] of_nodes,
    const int64_t[::1] begins,
    const int64_t[::1] node_words,
    float[:, :] means,
) -> None:
    """Writes the means of columns of text nodes over the nodes of each line that are not NaN, by their words; a row each, NaN where all are."""
    cdef Py_ssize_t line, column, node, end
    cdef double value, total
    cdef int64_t weight
    for line in range(begins.shape[0]):
        end = begins[line + 1] if line + 1 < begins.shape[0] else node_words.shape[0]
        for column in range(means.shape[0]):
            total = weight = 0
            for node in range(begins[line], end):
                value = of_nodes[node, column]
                if value == value:
                    total += value * node_words[node]
                    weight += node_words[node]
            means[column, line] = <float> (total / weight) if weight else NAN


@cython.boundscheck(True)
def cross_evidence(
    const uint8_t[:, ::1] masks,
    const int64_t[:, ::1] crosses,
    const uint8_t[:, ::1] votes,
    const int64_t[::1] begins,
    const int64_t[::1] node_words,
    float[:, :] evidence,
) -> None:
    """Writes what the crosses of a page say of each line, a row each.

    The shares of its words that up and down of the first cross have; how content-like all crosses find it; the highest and the mean of
    the shares of all their up and down. A mask says which words a member has, the last is that of nobody, whose share is NaN. The columns
    of a cross are its masks, from up to next, and it has a vote, in halves, for each of the bits that these make of a word.
    """
    cdef Py_ssize_t row, role, line, node, start, end = 0, nobody = masks.shape[0] - 1, others = 0
    cdef double highest, total
    cdef int64_t count
    cdef double* shares = <double*> calloc(masks.shape[0] + 1, sizeof(double))
    cdef uint8_t* is_other = <uint8_t*> calloc(masks.shape[0] + 1, sizeof(uint8_t))
    try:
        if shares is NULL or is_other is NULL:
            raise MemoryError
        if not crosses.shape[0] or votes.shape[0] != crosses.shape[0] or votes.shape[1] != 32:
            raise ValueError("a cross is needed, and a vote for each of its bits")
        for row in range(crosses.shape[0]):
            for role in range(4):
                if not 0 <= crosses[row, role] <= nobody:
                    raise IndexError("a cross has masks that are there")
                is_other[crosses[row, role]] |= role < 2
        shares[nobody] = NAN
        for row in range(nobody):
            others += is_other[row]
        for line in range(begins.shape[0]):
            start = end
            for node in range(begins[line], begins[line + 1] if line + 1 < begins.shape[0] else node_words.shape[0]):
                end += node_words[node]
            if not 0 <= start < end <= masks.shape[1]:
                raise IndexError("a line has words that masks know")
            highest, total = -INFINITY, 0
            for row in range(nobody):
                shares[row] = <double> _sum(&masks[row, start], end - start) / <double> (end - start)
                if is_other[row]:
                    highest, total = max(highest, shares[row]), total + shares[row]
            count = 0
            for row in range(crosses.shape[0]):
                count += _count_votes(masks, &crosses[row, 0], &votes[row, 0], start, end)
            evidence[0, line] = <float> shares[crosses[0, 0]]
            evidence[1, line] = <float> shares[crosses[0, 1]]
            evidence[2, line] = <float> (<double> count / <double> (end - start) / <double> (2 * crosses.shape[0]))
            evidence[3, line], evidence[4, line] = <float> highest, <float> (total / <double> others)
    finally:
        free(shares)
        free(is_other)


cdef inline int64_t _sum(const uint8_t* values, Py_ssize_t size) noexcept nogil:
    cdef int64_t total = 0
    cdef Py_ssize_t i
    for i in range(size):
        total += values[i]
    return total


cdef int64_t _count_votes(
    const uint8_t[:, ::1] masks, const int64_t* cross, const uint8_t* votes, Py_ssize_t start, Py_ssize_t end
) noexcept nogil:
    cdef const uint8_t* up = &masks[cross[0], 0]
    cdef const uint8_t* down = &masks[cross[1], 0]
    cdef const uint8_t* before = &masks[cross[2], 0]
    cdef const uint8_t* after = &masks[cross[3], 0]
    cdef int64_t total = 0
    cdef Py_ssize_t word
    for word in range(start, end):
        total += votes[16 | up[word] << 3 | down[word] << 2 | before[word] << 1 | after[word]]
    return total
