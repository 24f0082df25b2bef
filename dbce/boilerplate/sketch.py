"""Stage 1: a capture becomes a sketch, all that comparing needs to know of it, with a signature of its template.

Pages of one template are found by their signatures: tokens, MinHash, bands. Template tokens are the features that two
pages of one template share, whatever their text says. A recipe turns a page into hashes of its tokens. It is a named
choice, kept with every signature, since signatures of different recipes cannot be compared.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from dbce import html, model
from dbce.archive import site
from dbce.html import INLINE, Document, Island, Use
from dbce.kernel import compiled
from dbce.model import Capture, Config, Hashes, Page, Reject, Sketch
from dbce.quality import CUT_BEFORE_TEXT


def sketch(capture: Capture, config: Config) -> Sketch | Reject:
    sketched = sketch_parsed(capture, config)
    return sketched if isinstance(sketched, Reject) else sketched[0]


def sketch_parsed(
    capture: Capture, config: Config, use: Use = "judge"
) -> tuple[Sketch, Document] | Reject:
    """Sketch of a capture and its parsed document, or the reason why there is none."""
    document = document_of(capture, config, use)
    if isinstance(document, Reject):
        return document
    try:
        return _sketch(capture, document.page, config), document
    except Exception as e:  # noqa: BLE001 - whatever it is, it is of this page
        return model.reject_fault(capture, e, model.Stage.PARSE)


def document_of(capture: Capture, config: Config, use: Use = "judge") -> Document | Reject:
    """Parsed document of a capture, or the reason why there is none: all that a page needs that is compared with none."""
    try:
        document = html.load(capture.payload, capture.content_type, config.limits, use)
        if document.page.nodes:
            return document
        island = html.text_in_scripts(document.root)
        return _without_text(capture, island, document.source.breaks_off)
    except model.InputError as e:
        if e.reason is model.Reason.NO_TEXT:
            return _without_text(capture, None)
        return model.drop(capture, e.reason, e.detail)
    except Exception as e:  # noqa: BLE001 - whatever it is, it is of this page
        return model.reject_fault(capture, e, model.Stage.PARSE)


def _sketch(capture: Capture, page: Page, config: Config) -> Sketch:
    words, ends = word_hashes(page)
    return Sketch(
        record_id=capture.record_id,
        site=site(capture.url, config.site_by),
        surt=capture.surt,
        timestamp=capture.timestamp,
        signature=signature(page, config.signature, config.num_perm, config.seed),
        words=words,
        ends=ends,
        places=node_places(page),
    )


def _without_text(capture: Capture, island: Island | None, breaks_off: str = "") -> Reject:
    """Reject of a capture without text; one that breaks off may have had some, and so may a page that does."""
    if capture.truncated:
        return model.drop(
            capture, model.Reason.TRUNCATED, f"{capture.truncated}: no text of the page is there"
        )
    if island:
        kind = "an articleBody" if island.article else "prose"
        detail = f"the page holds no text, its scripts' data {island.words} words of {kind}"
        dropped = model.drop(capture, model.Reason.TEXT_IN_SCRIPT, detail)
        if not island.article:
            return dropped
        return replace(dropped, stored=model.StoredText(model.TextSource.JSON_LD, island.article))
    detail = f"{CUT_BEFORE_TEXT}, {breaks_off}" if breaks_off else "the page holds no text"
    return model.drop(capture, model.Reason.NO_TEXT, detail)


def word_hashes(page: Page) -> tuple[Hashes, Hashes]:
    """(hash of every word of all text nodes, end of each node among them); words as in lxml.html.diff."""
    ends = np.empty(len(page.nodes), np.uint32)
    return np.frombuffer(compiled.hash_words(page.nodes, ends), np.uint32), ends


def node_places(page: Page) -> Hashes:
    """Place in the template of each text node: that of the element that sets its line."""
    elements = [node.element for node in page.nodes]
    hashes = np.empty(len(page.tags), np.uint32)
    holding = np.empty(len(page.tags), np.int32)
    compiled.hash_places(page.tags, page.classes, page.parents, INLINE, hashes, holding)
    return hashes[holding[elements]]


# Signatures by which pages of one template are found, and texts that are the same.


DOCUMENT = "[document]"  # the root above <html>, as BeautifulSoup names it


def layers(page: Page) -> list[list[list[int]]]:
    """Elements of a page by layer, sibling groups in document order (thesis, listing 2.3); the root is layer 0."""
    below: dict[int, list[int]] = defaultdict(list)
    for element, parent in enumerate(page.parents):
        below[parent].append(element)
    tiers = [[below[-1]]]
    while layer := [below[element] for group in tiers[-1] for element in group if element in below]:
        tiers.append(layer)
    return tiers


def layer_tokens(page: Page) -> set[str]:
    """The thesis' tokens, e.g. `0_0_2_ul/0_0_2_body/0_0_2_html/0_0_2_[document]`.

    For node n of group g in layer l: `n_g_l_tag`, then `n_g_l_ancestor` for every ancestor (thesis,
    listing 2.7). The chain of ancestors is the same for all siblings, so it is joined once a group.
    """
    tokens = set()
    for level, groups in enumerate(layers(page)):
        for group_number, group in enumerate(groups):
            above = html.ancestors(page.parents, page.parents[group[0]])
            ancestors = [*(page.tags[element] for element in above), DOCUMENT]
            for node_number, element in enumerate(group):
                place = f"{node_number}_{group_number}_{level}_"
                tokens.add(place + f"/{place}".join([page.tags[element], *ancestors]))
    return tokens


def path_hashes(page: Page) -> Hashes:
    """Hashes of the last three steps (tag and classes) of every element's path: no positions.

    One paragraph more or less moves none, and a wrapper around the page changes only the first three layers.
    """
    hashes = np.empty(len(page.tags), np.uint32)
    compiled.hash_paths(page.tags, page.classes, page.parents, _step, hashes)
    return hashes


@lru_cache(maxsize=10_000)
def _step(tag: str, classes: str) -> str:
    return f"{tag}.{'.'.join(sorted(set(classes.split())))}" if classes else tag


RECIPES: dict[str, Callable[[Page], Hashes]] = {
    "layers": lambda page: model.hash_strings(list(layer_tokens(page))),
    "paths": path_hashes,
}

SCHEME = "affine32"  # datasketch's permutation scheme. Pinned: its default changed with version 2.
FILE = "permutations.npz"  # the default's permutations; scripts/setup/permutations.py writes them
RECALL = 0.95
"""Two pages whose similarity is just the threshold meet in a bucket with this probability."""


def signature(page: Page, recipe: str, num_perm: int, seed: int) -> Hashes:
    """The page's signature: num_perm values (uint32).

    The share of equal values of two signatures estimates the Jaccard similarity of the two pages'
    token sets (Broder 1997), with a standard error of at most 0.5 / sqrt(num_perm).
    """
    return minima(RECIPES[recipe](page), permutations(num_perm, seed % 2**32))


def minima(hashes: Hashes, permuted_by: NDArray[np.uint32]) -> Hashes:
    """Least hash by each permutation, as datasketch's MinHash has it (scheme `affine32`)."""
    factors, shifts = permuted_by
    least = np.full(len(factors), 2**32 - 1, np.uint32)
    compiled.least_hashes(hashes, factors, shifts, least)  # modulo 2**32, the number of hashes
    return least


@cache
def permutations(num_perm: int, seed: int) -> NDArray[np.uint32]:
    """Factor and shift of each permutation, as datasketch makes them: shape (2, num_perm).

    Those of the default are stored, since datasketch imports SciPy, which takes half a second.
    """
    permuted_by, its_seed = stored_permutations()
    is_stored = (num_perm, seed) == (permuted_by.shape[1], its_seed)
    return permuted_by if is_stored else make_permutations(num_perm, seed)


@cache
def stored_permutations() -> tuple[NDArray[np.uint32], int]:
    stored = model.stored_arrays("dbce.boilerplate", f"models/{FILE}")
    return stored["permutations"], int(stored["seed"])


def make_permutations(num_perm: int, seed: int) -> NDArray[np.uint32]:
    from datasketch import MinHash

    permuted_by = MinHash(num_perm=num_perm, seed=seed, scheme=SCHEME).permutations
    return np.asarray(permuted_by, dtype=np.uint32)


@cache
def bands_and_rows(threshold: float, num_perm: int) -> tuple[int, int]:
    """(b, r): the most selective banding that still brings similar pages together.

    Two pages of similarity s share at least one of b bands of r rows with probability
    1 - (1 - s**r)**b (Leskovec et al., Mining of Massive Datasets, section 3.4). Taken is the
    largest r for which that is at least RECALL at the threshold.
    """
    for rows in range(num_perm, 1, -1):
        bands = num_perm // rows
        if 1 - (1 - threshold**rows) ** bands >= RECALL:
            return bands, rows
    return num_perm, 1


def bands(values: Hashes, threshold: float) -> Iterator[tuple[int, bytes]]:
    """(band number, key) of each band; pages with an equal pair are in one bucket."""
    count, rows = bands_and_rows(threshold, len(values))
    for band in range(count):
        yield band, values[band * rows : (band + 1) * rows].tobytes()


# Texts that are the same, and nearly the same: both are made of the main text by a recipe that never
# changes (docs/formats.md), so that those of different runs can be compared.

PERMUTATIONS = 64
"""Values of a signature: 256 bytes, and a standard error of the similarity of .06 at most."""

SPACES, ASCII_SPACES = "\x85\u1680\u2028\u2029", b" \t\n\v\f\r\x1c\x1d\x1e\x1f"
"""All white space that NFKC leaves."""


def text_digest(text: str) -> str | None:
    """Return the SHA-256 of a text without white space, folded (`fold_text`); None of one without anything to be seen."""
    key = model.fold_text(text)
    for space in SPACES:
        key = key.replace(space, "")
    raw = key.encode("utf-8", "surrogatepass").translate(None, ASCII_SPACES)
    return f"sha256:{hashlib.sha256(raw).hexdigest()}" if raw else None


def text_signature(text: str) -> bytes | None:
    """Return the MinHash of the shingles of a text, 64 numbers of 32 bits, little end first; None of one without words."""
    hashes = model.shingle_hashes(text)
    if not len(hashes):
        return None
    return minima(hashes, stored_permutations()[0][:, :PERMUTATIONS]).astype("<u4").tobytes()


def text_similarity(text: str, other: str) -> float:
    """Return the Jaccard similarity of the shingles of two texts, 0 to 1."""
    a, b = model.shingles(text), model.shingles(other)
    shared = len(np.intersect1d(a, b, assume_unique=True))
    return shared / max(1, len(a) + len(b) - shared)
