"""The joint method: evidence of other pages, other times and the page itself, weighed by a model."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise, repeat
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dbce.boilerplate.classify.features import Features, batch_features
from dbce.boilerplate.classify.lines import Doubles, Floats
from dbce.boilerplate.classify.model import Model, chances, with_comments
from dbce.kernel import compiled
from dbce.metadata import SelfDescription
from dbce.model import BOILERPLATE, CONTENT, Annotation, Hashes, Mask, Page, TextNode

LIKELY = 0.5  # probability from which a line that is no content counts as a comment

NODES_AT_ONCE = 4_000
"""Text nodes of the pages of a batch, beyond which the next page begins another: those of more leave the processor's cache."""

_TEXT = itemgetter(TextNode._fields.index("text"))
HALF = 0.5  # part of a line in hidden elements beyond which it is not shown


@dataclass(frozen=True, slots=True)
class LineValues:
    """Classified lines of a page.

    `of_node` is the line of each text node, `starts` the first node of each line, and the end of the last, `elements` hold those first nodes, `linked` says which
    nodes are in links; `gains` are probability less cut, `words` lengths, `shown` whether a reader sees them; `own` says which no other page of the circle
    has, though some have their place. `aside` says whether they are asides, which belong to no structure.
    """

    page: Page
    of_node: Sequence[int]
    starts: Sequence[int]
    elements: list[int]
    linked: Sequence[bool]
    gains: Sequence[float]
    words: Sequence[float]
    shown: Sequence[bool]
    own: Sequence[bool] = ()
    aside: Sequence[bool] = ()

    def nodes(self, line: int) -> Sequence[TextNode]:
        return self.page.nodes[self.starts[line] : self.starts[line + 1]]

    def links(self, line: int) -> Sequence[bool]:
        """Whether each text node of a line is in a link."""
        return self.linked[self.starts[line] : self.starts[line + 1]]

    def text(self, line: int) -> str:
        return "".join(map(_TEXT, self.nodes(line)))


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """A label (a place in LABELS) and the probability of content for every word of a page.

    `comments` says which words have their label for being a comment of a user; `ends` is where each
    text node's words end among them.
    """

    labels: NDArray[np.uint8]
    probabilities: Doubles
    comments: Mask
    ends: Hashes
    line_columns: Sequence[NDArray[Any]]

    def lines_of(self, page: Page) -> LineValues:
        """The values of the page's lines, made when they are asked for: as lists they take much more memory."""
        return LineValues(page, *(of.tolist() for of in self.line_columns))


def judge_jointly(
    pages: Sequence[tuple[Page, Annotation | None]],
    model: Model,
    descriptions: Sequence[SelfDescription | None] = (),
    *,
    keep_comments: bool = False,
) -> list[Judgement]:
    """Judgement of pages with their annotations, if they have one; `descriptions` are what each says of itself.

    A line is judged as a whole: words that other pages share by chance follow their paragraph.
    Comments of users are content if they are to be kept, else boilerplate.
    """
    before = accumulate((len(page.nodes) for page, _ in pages), initial=0)
    each = zip(pages, descriptions or repeat(None), before, strict=False)
    judged: list[Judgement] = []
    for _, batch in groupby(each, lambda of: of[2] // NODES_AT_ONCE):
        some, of_batch, _ = zip(*batch, strict=True)
        judged += _judge(some, model, of_batch, keep_comments=keep_comments)
    return judged


def _judge(
    pages: Sequence[tuple[Page, Annotation | None]],
    model: Model,
    descriptions: Sequence[SelfDescription | None],
    *,
    keep_comments: bool,
) -> list[Judgement]:
    features = batch_features(pages, descriptions)
    of_lines = chances(model, features)
    lines = features.lines
    line_of_word = lines.of_node.repeat(lines.node_words)
    of_line = with_comments(of_lines) if keep_comments else of_lines.content
    least = cuts(features, of_line, of_lines.comment)
    is_content = of_line >= least
    labels = np.array([BOILERPLATE, CONTENT], np.uint8).take(is_content[line_of_word])
    of_word = of_line[line_of_word]
    likely = (of_lines.content < least) & (of_lines.comment >= LIKELY)
    comments = (likely & (is_content == keep_comments))[line_of_word]
    node_ends = lines.node_words.cumsum()
    gains = of_line - least
    shared_by, place_on = (_evidence(features, name) for name in ("shared_by", "place_on"))
    unshared = (shared_by == 0) & (place_on > 0)
    values = gains, lines.words, lines.hidden <= HALF, unshared
    judged, start = [], 0
    of_pages = pairwise(lines.node_starts.tolist()), pairwise(lines.starts.tolist())
    for page, ((node, end), (line, behind)) in enumerate(zip(*of_pages, strict=True)):
        ends = node_ends[node:end]
        words, own_ends = slice(start, ends[-1]), (ends - start).astype(np.uint32)
        columns = *lines.places(page), *(of[line:behind] for of in values)
        judged.append(Judgement(labels[words], of_word[words], comments[words], own_ends, columns))
        start = ends[-1]
    return judged


# The cut: the probability from which on the lines of a page are content.

SURE = 0.6  # probability from which a line is content on any page

AGAINST_ALL = 0.8
"""Probability of content needed against the evidence of all other pages; safer than SURE on unknown sites."""

VERBATIM = 0.95
"""Probability needed by a paragraph that all pages have word for word: invitations to subscribe read like text, formulas and introductions more so."""

PARAGRAPH = 8  # minimum words of a paragraph that needs more where all pages of a template have it

OTHER_CONTENT = 4
"""Words of other content on a page for each word of such paragraphs; a page of less is about them, such as a licence."""

LIKE_LEARNED = 0.85
"""Best F1 that may be expected of a page of a kind that was learned from, at least."""

LOWERED = 0.75
"""Power of the expected F1, as a part of that, by which the cut of other pages is lowered."""

MAY_BE_COMMENT = 0.3
"""Doubles of being a comment of a user above which the cut of a line is not lowered."""


class PageCut(NamedTuple):
    """Probability from which on lines of a page are content; lowered where little is expected of it."""

    usual: float
    lowered: float


def cuts(page: Features, chance: Doubles, comment: Doubles) -> Doubles:
    """Probability from which on each line of one or more pages is content.

    It is lowered for lines of pages that were compared with no other, if they are no comments. Where all crosses call a line
    boilerplate, and all pages of the circle have it, it is at least AGAINST_ALL: habits learned elsewhere do not
    easily overrule what a site shows of itself. Paragraphs of this kind need VERBATIM where the page has enough besides. `chance` is the probability of every line to be content, `comment` that to be a comment
    of a user.
    """
    starts, words = page.lines.starts, page.lines.words
    sizes = np.diff(starts)
    of_pages = [page_cut(chance[a:b], words[a:b]) for a, b in pairwise(starts.tolist())]
    usual, lowered = np.repeat(np.array(of_pages).T, sizes, axis=1)
    votes, shared_by, place_on = (_evidence(page, n) for n in ("votes", "shared_by", "place_on"))
    least: Doubles = np.where(np.isnan(votes) & (comment <= MAY_BE_COMMENT), lowered, usual)
    is_heading = page.heading == np.arange(len(page.heading))
    against = (votes == 0) & (shared_by >= 1) & (place_on > 0) & ~is_heading
    if not against.any():
        return least
    least = np.where(against, np.maximum(least, AGAINST_ALL), least)
    content = words * (chance >= least)
    verbatim = against & (words >= PARAGRAPH)
    others, shared = (np.add.reduceat(content * of, starts[:-1]) for of in (~against, verbatim))
    is_beside = np.repeat(others >= OTHER_CONTENT * shared, sizes)
    return np.where(verbatim & is_beside, VERBATIM, least)


def _evidence(page: Features, name: str) -> Floats:
    column: Floats = page.matrix[:, page.names.index(name)]
    return column


def page_cut(chance: Doubles, words: Floats, beta: float = 1.0) -> PageCut:
    """Cut of a page from its lines' probabilities and lengths: half way between two answers.

    `beta` says how many times as much recall counts as precision.

    The one is half of the best F1 that may be expected, of F-beta 1 / (1 + beta²); where probabilities are
    right, no other cut gives more of it (Lipton, Elkan and Naryanaswamy, Optimal thresholding of classifiers to maximize
    F1 measure, 2014). The other is the middle of the gap that parts the words into the two groups
    that differ most (Otsu, A threshold selection method from gray-level histograms, 1979); on a site
    unlike those learned from, where all probabilities are too high or too low, it moves with them, but
    not beyond what is sure by itself.

    Of kinds of pages that were not learned from, text is called boilerplate rather than the other way round, and
    little F1 is expected: so there is a lowered one, the lower the less is expected, unless precision counts more than recall.
    It is for pages alone; what other pages share tells of those that have any.
    """
    falling = np.argsort(-chance, kind="stable")
    if (cuts := compiled.cut_lines(chance, words, falling, beta**2)) is None:
        return PageCut(0.5, 0.5)
    of_f_beta, expected_f1, middle = cuts
    usual = of_f_beta if middle is None else (of_f_beta + min(middle, SURE)) / 2
    if beta < 1:
        return PageCut(usual, usual)
    return PageCut(usual, usual * min(expected_f1 / LIKE_LEARNED, 1.0) ** LOWERED)
