"""All features of the lines of a page, as one matrix.

Some are evidence on each line from other pages: its crosses, and the wider circle.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dbce.boilerplate.classify import formulas as f
from dbce.boilerplate.classify import structure
from dbce.boilerplate.classify.formulas import Axis, Formulas, Program
from dbce.boilerplate.classify.lines import (
    LEVELS,
    TITLE_COVER,
    Floats,
    Ints,
    Lines,
    read_lines,
    text_arrays,
    text_features,
)
from dbce.boilerplate.classify.signs import sign_arrays, sign_features
from dbce.boilerplate.classify.thesis import pattern_labels
from dbce.boilerplate.classify.tokens import Tokens, name_tokens, phrase_tokens
from dbce.kernel import compiled
from dbce.metadata import SelfDescription
from dbce.model import CIRCLE, CONTENT, HISTORY, INVALID, Annotation, Page

CROSS = ("up", "down", "votes", "shared_most", "shared_mean", "similarity")  # as they are written

EVIDENCE = (*CROSS, *CIRCLE)  # names of the evidence of other pages, in order

TIME = (*HISTORY, "page_kept", "kept_more")
"""Names of the evidence of other snapshots of the page, in order."""


def page_evidence(lines: Lines, annotations: Sequence[Annotation | None]) -> Floats:
    """Evidence of other pages on every line, a row each; an annotation a page. NaN without one, or with own snapshots alone.

    `up`, `down`: share of the line's words that this member of the strongest cross shares; `votes`:
    how content-like the bit patterns of all crosses find it, 0 to 1, an invalid vote 0.5;
    `shared_most`, `shared_mean`: over all members that are other pages; then the circle's columns,
    averaged over the line's words.
    """
    values = np.full((len(EVIDENCE), len(lines.holder)), np.nan, dtype=np.float32)
    for annotation, its_lines, begins, node_words in _annotated_pages(lines, annotations):
        if annotation.knows_other_pages:
            _write_evidence(annotation, begins, node_words, values[:, its_lines])
    return values


def _annotated_pages(
    lines: Lines, annotations: Sequence[Annotation | None]
) -> Iterator[tuple[Annotation, slice, Ints, Ints]]:
    """Yield (annotation, its lines, first text node of each of them, words of its text nodes)."""
    starts, node_starts = lines.starts.tolist(), lines.node_starts.tolist()
    pages = zip(annotations, pairwise(starts), pairwise(node_starts), strict=True)
    for annotation, of_page, (first, last) in pages:
        if annotation is not None:
            begins = lines.first_node[slice(*of_page)] - first
            yield annotation, slice(*of_page), begins, lines.node_words[first:last]


def _write_evidence(annotation: Annotation, begins: Ints, node_words: Ints, into: Floats) -> None:
    crosses, members = annotation.crosses, [*annotation.shared, None]
    nothing = np.zeros(node_words.sum(), np.bool_)  # what the member that is not there shares
    masks = np.concatenate([*annotation.shared.values(), nothing]).view(np.uint8)
    of_roles = np.array([[*map(members.index, cross.members[1:])] for cross in crosses])
    half_votes = np.array([_half_votes(cross.bits) for cross in crosses])
    of_crosses = masks.reshape(len(members), -1), of_roles, half_votes
    compiled.cross_evidence(*of_crosses, begins, node_words, into)
    into[CROSS.index("similarity")] = crosses[0].similarity_up
    compiled.line_means(annotation.circle, begins, node_words, into[len(CROSS) :])


@cache
def _half_votes(cross_bits: str) -> NDArray[np.uint8]:
    """Votes of a cross on each bits of a word, in halves: an invalid one is half a vote, and small whole numbers add up."""
    votes = np.zeros(3, np.uint8)
    votes[[CONTENT, INVALID]] = 2, 1
    return votes[pattern_labels(cross_bits, np.arange(32, dtype=np.uint8))]


def time_evidence(lines: Lines, annotations: Sequence[Annotation | None]) -> Floats:
    """Evidence of other snapshots on every line, a row each; NaN where there are none.

    The columns of the history, averaged over the line's words; what share of the page's words the
    others have, by which the page says how much it changes; and the line's share less the page's:
    whether it stays while the page changes, or changes while the page stays.
    """
    values = np.full((len(TIME), len(lines.holder)), np.nan, dtype=np.float32)
    for annotation, its_lines, begins, node_words in _annotated_pages(lines, annotations):
        if not np.isnan(annotation.history[0, 0]):
            its_own = values[:, its_lines]
            compiled.line_means(annotation.history, begins, node_words, its_own[: len(HISTORY)])
            its_own[-2] = (annotation.history[:, 0] * node_words).sum() / node_words.sum()
            its_own[-1] = its_own[0] - its_own[-2]
    return values


WINDOW = ("words", "link_density", "tag", "stops", "place_lines", "place_length")
"""Features of a line that are also features of its neighbours."""

EVIDENCE_WINDOW = ("votes", "shared_by")

REACH = 2  # lines that a window reaches to each side

PEER_FEATURES = frozenset(
    (*EVIDENCE, *structure.REPETITION, *(f"up{level}_shared" for level in LEVELS))
)
"""Features that other pages give, without those of a window."""

DECAY = 0.7  # share of a line's weight that is left one line on, in running means of features


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Lines of one or more pages, page after page, and what is known of them.

    `matrix` is float32, shape (lines, len(names)); `tokens` are the hashes of the names around each
    line, `phrases` those of its words, `heading` is the last heading up to it (a line of the same
    page, or -1), `prose` is how much of its page's prose it is, in words.
    """

    lines: Lines
    names: tuple[str, ...]
    matrix: Floats
    tokens: Tokens
    phrases: Tokens
    heading: Ints
    prose: Floats


def page_features(
    page: Page, annotation: Annotation | None, told: SelfDescription | None = None
) -> Features:
    """Features of a page with text; `told` is its description of itself, where that is known."""
    return batch_features([(page, annotation)], [told])


def batch_features(
    batch: Sequence[tuple[Page, Annotation | None]], told: Sequence[SelfDescription | None] = ()
) -> Features:
    """Features of pages with text, at least one, and their annotations: of each page alone, one after another."""
    pages, annotations = zip(*batch, strict=True)
    lines = read_lines(pages)
    arrays = text_arrays(lines, [page.title for page in pages])
    arrays |= sign_arrays(lines, told or [None] * len(batch))
    arrays["same_place"] = structure.same_places(lines)
    arrays |= {
        "evidence": page_evidence(lines, annotations),
        "times": time_evidence(lines, annotations),
    }
    rows = _program().rows(lines, arrays)
    heading, prose = rows[-2:]
    return Features(
        lines=lines,
        names=feature_names(),
        matrix=rows[: len(feature_names())].T,
        tokens=name_tokens(lines),
        phrases=phrase_tokens(lines),
        heading=heading.astype(np.int64),
        prose=prose,
    )


@cache
def _program() -> Program:
    return f.program(all_formulas())


def all_formulas() -> Formulas:
    """All features of lines, and last their headings and prose."""
    of_lines = text_features() | structure.structure_features()
    prose = f.where(f.WORDS >= structure.LONG, f.minimum(f.WORDS, 50), 0)
    prose = (prose * (1 - f.LINKED).single).single
    of_lines |= structure.kind_features(prose) | structure.item_features()
    of_lines |= (
        structure.reply_features(prose) | structure.section_features(TITLE_COVER) | sign_features()
    )
    evidence = {name: f.load("evidence", Axis.LINES, row) for row, name in enumerate(EVIDENCE)}
    times = {name: f.load("times", Axis.LINES, row) for row, name in enumerate(TIME)}
    columns = of_lines | evidence | times
    columns |= structure.repetition_features(evidence["ever_shared_by"], prose)
    columns |= f.window(of_lines, WINDOW, REACH) | f.window(evidence, EVIDENCE_WINDOW, REACH)
    columns |= f.running_means({"prose": prose, "link_density": f.LINKED}, DECAY)
    # One unknown value would make all running means behind it unknown.
    without_gaps = {name: evidence[name] for name in EVIDENCE_WINDOW}
    without_gaps = {name: f.where(of.is_number, of, 0) for name, of in without_gaps.items()}
    columns |= f.running_means(without_gaps, DECAY)
    return columns | {"heading": structure.headings(), "its_prose": prose}


@cache
def feature_names() -> tuple[str, ...]:
    return _program().columns[:-2]


def without_evidence(matrix: Floats, names: Sequence[str]) -> Floats:
    return without_time(without_others(matrix, names), names)


def without_others(matrix: Floats, names: Sequence[str]) -> Floats:
    blank = matrix.copy()
    for column, name in enumerate(names):
        if name.partition("@")[0] in PEER_FEATURES:
            # Running means take what is unknown for 0.
            blank[:, column] = 0 if "@mean" in name else np.nan
    return blank


def without_time(matrix: Floats, names: Sequence[str]) -> Floats:
    blank = matrix.copy()
    blank[:, [names.index(name) for name in TIME]] = np.nan
    return blank
