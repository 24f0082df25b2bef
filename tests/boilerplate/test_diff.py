"""Which words of a page another page shares: the fast engine, and lxml's as its oracle."""

from collections.abc import Iterable, Iterator
from itertools import accumulate, islice, pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq

from dbce.archive import expand, read
from dbce.boilerplate import diff
from dbce.boilerplate.compare import compare
from dbce.boilerplate.diff import Spans, align, texts_of
from dbce.boilerplate.sketch import word_hashes
from dbce.model import Config, Limits, hash_strings
from dbce.pipeline import sketch_all
from tests.data import shared
from tests.html.soup import page
from tests.site import DOC1, DOC2

Nodes = list[list[str]]
Pair = tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
CELLS = Config().alignment_cells


def packed(nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
    """(word hashes, ends) of text nodes given as words."""
    words = hash_strings([word for node in nodes for word in node])
    return words, np.array(list(accumulate(map(len, nodes))), dtype=np.uint32)


def aligned(pages: list[tuple[np.ndarray, np.ndarray]], cells: int = CELLS) -> list[np.ndarray]:
    """The words that the first page shares with each of the others."""
    others = np.arange(1, len(pages))
    return list(align(texts_of(pages), np.zeros_like(others), others, cells))


def fast(one: Nodes, other: Nodes, cells: int = CELLS) -> list[bool]:
    (mask,) = aligned([packed(one), packed(other)], cells)
    return mask.tolist()


def lxml(one: Nodes, other: Nodes) -> list[bool]:
    return diff.match(packed(one)[0], packed(other)[0]).tolist()


def split(text: str) -> Nodes:
    """Text nodes from a line: words, nodes parted by a bar."""
    return [node.split() for node in text.split("|")]


def shown(text: str, mask: list[bool]) -> str:
    """The words that are shared."""
    words = text.replace("|", " ").split()
    return " ".join(word for word, is_shared in zip(words, mask, strict=True) if is_shared)


EXAMPLE_SHARED = "Buy More New Cars 2016 - Example Inc. All rights reserved"


@pytest.mark.parametrize("engine", ["fast", "lxml"])
def test_the_thesis_example_shares_all_but_the_definition(engine):
    one, other = word_hashes(page(DOC1)), word_hashes(page(DOC2))
    mask = aligned([one, other])[0] if engine == "fast" else diff.match(one[0], other[0])
    words = " ".join(node.text for node in page(DOC1).nodes)
    assert shown(words, mask.tolist()) == EXAMPLE_SHARED


def among_others(common: str) -> tuple[str, str]:
    return f"m n o p q {common} r s t u v", f"1 2 3 4 5 {common} 6 7 8 9 10"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        # A run of words inside a text may be chance, up to SMALL of them.
        (*among_others("a"), ""),
        (*among_others("a b"), ""),
        (*among_others("a b c"), "a b c"),
        (*among_others("a b c d"), "a b c d"),
        # It is kept where it is a whole text node, where it goes on in one, and on a very short page.
        ("m n o p q|Home|r s t u v w", "1 2 3 4 5|Home|6 7 8 9 10", "Home"),
        ("m n o last word|Home|r s t u v", "1 2 last word|Home|6 7 8 9", "last word Home"),
        ("a b", "a c", "a"),
        # A text is shared as often as the other page has it.
        ("a b c d e|a b c d e|a b c d e", "a b c d e|x|a b c d e", "a b c d e a b c d e"),
    ],
)
def test_what_may_be_chance_is_not_shared(one, other, expected):
    assert shown(one, fast(split(one), split(other))) == expected


nodes = st.lists(
    st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=6), min_size=1, max_size=12
)


def plainly(one: Nodes, other: Nodes) -> list[bool]:
    """The definition: whole nodes first, then word by word between them, then drop small runs."""
    partner: dict[int, int] = {}
    whole = set()
    starts, other_starts = ([0, *accumulate(map(len, page))] for page in (one, other))
    anchors = common(list(map(tuple, one)), list(map(tuple, other)))
    for i, j in anchors:
        places = range(starts[i], starts[i + 1])
        partner |= zip(places, range(other_starts[j], other_starts[j + 1]), strict=True)
        whole |= set(places)
    words, others = ([word for node in page for word in node] for page in (one, other))
    for (i, j), (to_i, to_j) in pairwise([(-1, -1), *anchors, (len(one), len(other))]):
        a, b = starts[i + 1], other_starts[j + 1]
        for n, m in common(words[a : starts[to_i]], others[b : other_starts[to_j]]):
            partner[a + n] = b + m
    runs: list[list[int]] = []
    for place in sorted(partner):
        goes_on = runs and runs[-1][-1] == place - 1
        if goes_on and partner[place] == partner[place - 1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    long = {place for run in runs if len(run) > min(diff.SMALL, len(words) // 4) for place in run}
    return [place in long | whole for place in range(len(words))]


def common(one: list, other: list) -> list[tuple[int, int]]:
    """The places of a longest common subsequence, one by one."""
    blocks = LCSseq.editops(one, other).as_matching_blocks()
    return [(block.a + n, block.b + n) for block in blocks for n in range(block.size)]


@settings(max_examples=300)
@given(nodes, nodes)
def test_what_is_shared_is_what_the_definition_says(one, other):
    assert fast(one, other) == plainly(one, other)


@given(st.lists(nodes, min_size=1, max_size=4), st.integers(0, 300), st.integers(1, 16))
def test_pairs_aligned_together_are_as_each_for_itself(pages, cells, batch):
    texts = texts_of([packed(one) for one in pages])
    cur, other = (places.ravel() for places in np.indices((len(pages), len(pages))))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dbce.boilerplate.diff.BATCH", batch)
        together = [mask.tolist() for mask in align(texts, cur, other, cells)]
    assert together == [fast(one, its, cells) for one in pages for its in pages]
    assert list(align(texts, cur[:0], other[:0], cells)) == []


@given(nodes, nodes)
def test_beyond_the_work_limit_just_whole_equal_nodes_are_shared(one, other):
    expected = [node in other for node in one for _ in node]
    assert fast(one, other, cells=0) == expected


def test_in_a_gap_beyond_the_work_limit_only_whole_nodes_are_shared_and_the_rest_goes_on():
    long = " ".join(f"w{n}" for n in range(40))
    one = f"top line here|{long} mine|the middle of it|a b c d e x|foot"
    other = f"top line here|{long} yours|the middle of it|a b c d e y|foot"
    mask = fast(split(one), split(other), cells=100)
    assert shown(one, mask) == "top line here the middle of it a b c d e foot"


def test_the_work_limit_counts_all_gaps_together():
    one = "a b c d e f g h i x|1|a b c d e f g h i x|2"
    other = one.replace("x", "y")
    mask = fast(split(one), split(other), cells=150)
    assert shown(one, mask) == "a b c d e f g h i 1 2"


def test_two_huge_pages_are_compared_without_pairing_all_their_nodes():
    one, other = ([[f"n{n}"] for n in range(at, at + 30_000)] for at in (0, 15_000))
    assert fast(one, other) == [False] * 15_000 + [True] * 15_000


def agreement(pairs: Iterable[Pair]) -> float:
    """Share of words on which the engines agree."""
    equal = total = 0
    for cur, other in pairs:
        (mask,) = aligned([cur, other])
        equal += int((mask == diff.match(cur[0], other[0])).sum())
        total += len(mask)
    return equal / total


def versions(seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Pages that have most words in common, and their nodes anywhere."""
    rng = Random(seed)
    common = [f"w{rng.randrange(300)}" for _ in range(400)]
    while True:
        words = [f"x{rng.randrange(9999)}" if rng.random() < 0.08 else w for w in common]
        cuts = sorted({0, len(words), *(rng.randrange(len(words)) for _ in range(40))})
        yield packed([words[a:b] for a, b in pairwise(cuts)])


def test_the_engines_agree_on_nearly_all_words_of_pages_that_differ_anyhow():
    assert agreement(tuple(islice(versions(seed), 2)) for seed in range(60)) > 0.98


@pytest.mark.data
def test_the_engines_agree_on_real_pages(capsys):
    (source,) = expand([str(shared("cleanportaleval/cleanportaleval.warc.gz"))])
    sketched = sketch_all(list(read(source, Limits())), Config())
    texts = {one.record_id: (one.words, one.ends) for one in sketched.sketches.values()}
    every = list(compare(sketched.sketches.values(), Config()))[::8]
    pairs = [(texts[one.record_id], texts[other]) for one in every for other in one.shared]
    share = agreement(pairs)
    with capsys.disabled():
        print(f"\nengines agree on {share:.4f} of the words of {len(pairs)} pairs")  # noqa: T201 - a figure of docs/method.md
    assert share >= 0.97


# Longest common subsequences of many spans at once.


values = st.lists(st.integers(0, 6), max_size=14)
pairs = st.lists(st.tuples(values, values), max_size=6)


def laid_out(lists: list[list[int]], gap: int) -> tuple[np.ndarray, Spans]:
    """The lists as spans of one array, with something between."""
    array, starts = [9] * gap, []
    for one in lists:
        starts.append(len(array))
        array += [*one, *[9] * gap]
    sizes = np.array([len(one) for one in lists], dtype=np.int64)
    return np.array(array, dtype=np.uint32), Spans(np.array(starts, dtype=np.int64), sizes)


def found(some: list[tuple[list[int], list[int]]], least: int = 1) -> list[list[tuple[int, int]]]:
    """The matches of each pair, as places in its lists."""
    one, spans = laid_out([left for left, _ in some], 1)
    other, other_spans = laid_out([right for _, right in some], 2)
    result = diff.matches(one, spans, other, other_spans, least)
    lists: list[list[tuple[int, int]]] = [[] for _ in some]
    for number, place, other_place in zip(result.number, result.own, result.other, strict=True):
        own = place - spans.starts[number], other_place - other_spans.starts[number]
        lists[number].append((int(own[0]), int(own[1])))
    return [sorted(own) for own in lists]


@settings(max_examples=300)
@given(pairs, st.sampled_from([1, 10, 256]))
def test_each_pair_has_the_matches_that_it_has_alone(some, together):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dbce.boilerplate.diff.TOGETHER", together)
        assert found(some) == [common(one, other) for one, other in some]


def runs(some: list[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Matches that follow each other on both sides."""
    result: list[list[tuple[int, int]]] = []
    for one, other in some:
        if result and result[-1][-1] == (one - 1, other - 1):
            result[-1].append((one, other))
        else:
            result.append([(one, other)])
    return result


@settings(max_examples=300)
@given(pairs, st.integers(2, 4))
def test_long_runs_are_found_when_only_they_are_asked_for(some, least):
    for mine, (one, other) in zip(found(some, least), some, strict=True):
        every = runs(common(one, other))
        asked = {match for run in every if len(run) >= least for match in run}
        assert asked <= set(mine) <= {match for run in every for match in run}


# The texts of many pages, side by side.


pages = st.lists(
    st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=4), max_size=6),
    min_size=1,
    max_size=6,
)


def numbered(page: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    """(words, ends) of a page given as text nodes."""
    words = np.array([word for node in page for word in node], dtype=np.uint32)
    return words, np.cumsum([len(node) for node in page], dtype=np.uint32)


@given(pages)
def test_equal_nodes_of_all_pages_have_equal_numbers(given_pages):
    found = texts_of([numbered(page) for page in given_pages])
    nodes = [tuple(node) for page in given_pages for node in page]
    number = dict(zip(nodes, found.nodes.tolist(), strict=True))
    assert found.nodes.tolist() == [number[node] for node in nodes]
    assert len(set(number.values())) == len(number)


@given(pages)
def test_every_page_and_node_keeps_its_words(given_pages):
    found = texts_of([numbered(page) for page in given_pages])
    all_pages = np.arange(len(given_pages))
    of_pages = zip(
        given_pages, found.nodes_of(all_pages).starts, found.words_of(all_pages).sizes, strict=True
    )
    for nodes_of, first, words in of_pages:
        bounds = found.word_starts[first : first + len(nodes_of) + 1].tolist()
        assert [found.words[a:b].tolist() for a, b in pairwise(bounds)] == nodes_of
        assert words == sum(map(len, nodes_of))
