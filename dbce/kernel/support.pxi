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


def count_shared(
    const uint8_t[:, ::1] masks,
    const int64_t[:, ::1] crosses,
    const uint8_t[:, ::1] votes,
    const int64_t[::1] bounds,
    int64_t[:, ::1] counts,
) -> None:
    """Writes how many words of each line each mask has, and last the sum of the votes that crosses have on them.

    The columns of a cross are its masks, from up to next, and it has a vote for each of the bits that these make of a word.
    """
    cdef Py_ssize_t row, line, word, last = masks.shape[0]
    _check_bounds(bounds, masks.shape[1])
    if counts.shape[0] != last + 1 or counts.shape[1] != bounds.shape[0] - 1 or votes.shape[1] != 32:
        raise ValueError("a count for each line and mask is needed, and a vote for each of their bits")
    with nogil:
        counts[:, :] = 0
        for row in range(last):
            for line in range(counts.shape[1]):
                for word in range(bounds[line], bounds[line + 1]):
                    counts[row, line] += masks[row, word]
        for row in range(crosses.shape[0]):
            for line in range(counts.shape[1]):
                for word in range(bounds[line], bounds[line + 1]):
                    counts[last, line] += votes[
                        row,
                        16
                        | masks[crosses[row, 0], word] << 3
                        | masks[crosses[row, 1], word] << 2
                        | masks[crosses[row, 2], word] << 1
                        | masks[crosses[row, 3], word],
                    ]
