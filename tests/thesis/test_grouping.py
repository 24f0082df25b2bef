"""Stage 1: sanitised documents, the tokens of their templates, and the buckets that LSH makes."""

from dataclasses import replace

import numpy as np
import pytest
from datasketch import MinHash, MinHashLSH

from dbce.boilerplate.sketch import layer_tokens
from dbce.model import Capture, Config, Reason, Reject
from dbce.thesis import Entry, grouping, pieces, read_entry
from dbce.thesis.grouping import MAX_BUCKET, MAX_WORDS, SCHEME, buckets, layers, sanitise, tokens
from tests.html.soup import page as parsed
from tests.runs import fails_with
from tests.site import DOC1, DOC2, article, page

CONFIG = Config(method="thesis")


def entry(capture: Capture) -> Entry:
    return read_entry(capture, CONFIG)[0]


def entries() -> list[Entry]:
    """Entries of pages that are more and less alike."""
    pages = [page(f"t{n}", html=article(f"t{n}", *["text"] * (n // 2 + 1))) for n in range(24)]
    return [entry(one) for one in pages]


def test_scripts_comments_and_frames_are_removed_and_layers_are_those_of_listing_2_3():
    html = "<p>a<!-- b --><script>c</script></p><iframe>d</iframe><style>e</style>f<noscript>g</noscript>"
    assert str(sanitise(html).body) == "<body><p>a</p>f</body>"
    names = [[[e.name for e in group] for group in layer] for layer in layers(sanitise(DOC1))]
    assert names == [[["html"]], [["head", "body"]], [["span"]], [["ul"]], [["li", "li"]]]


GROUPS = "<div><b><i>1</i></b></div><p><u>2</u></p><div><b>3</b><s>4</s></div><ul><li>a</ul><ol><li>b</ol>"


@pytest.mark.parametrize("html", [DOC1, DOC2, GROUPS, article("ferry")])
def test_the_fast_signature_has_the_same_tokens(html):
    assert set(tokens(sanitise(html))) == layer_tokens(parsed(html))


def test_a_signature_is_datasketchs_minhash_of_the_tokens():
    soup = sanitise(DOC1)
    minhash = MinHash(128, seed=CONFIG.seed % 2**32, scheme=SCHEME)
    for token in tokens(soup):
        minhash.update(token.encode())
    assert grouping.signature(soup, CONFIG).tolist() == minhash.hashvalues.tolist()


def minhash_of(one: Entry) -> MinHash:
    return MinHash(128, seed=CONFIG.seed % 2**32, hashvalues=one.signature, scheme=SCHEME)


def test_entries_are_as_similar_as_datasketch_says():
    first, *others = entries()
    signatures = np.stack([other.signature for other in others])
    expected = [minhash_of(first).jaccard(minhash_of(other)) for other in others]
    assert grouping.similarities(first, signatures).tolist() == expected


@pytest.mark.parametrize("threshold", [0.3, 0.6, 0.9])
def test_buckets_bring_together_what_an_index_of_minhashlsh_finds(threshold):
    every = entries()
    config = replace(CONFIG, template_similarity=threshold)
    index = MinHashLSH(threshold=threshold, num_perm=128)
    for one in every:
        index.insert(one.record_id, minhash_of(one))
    together = {one.record_id: {one.record_id} for one in every}
    for bucket in buckets(every, config):
        for one in bucket:
            together[one.record_id] |= {other.record_id for other in bucket}
    assert together == {one.record_id: set(index.query(minhash_of(one))) for one in every}


def test_a_site_has_buckets_of_its_own_unless_sites_are_compared():
    one = entry(page("ferry"))
    pair = [one, replace(one, record_id="other", site="elsewhere.example")]
    assert list(buckets(pair, CONFIG)) == []
    (bucket,) = buckets(pair, replace(CONFIG, across_sites=True))  # of all bands, as it is the same
    assert len(bucket) == 2


def test_a_large_bucket_is_cut_in_its_order():
    cut = list(pieces(range(2 * MAX_BUCKET + 1)))
    assert [(piece[0], len(piece)) for piece in cut] == [(0, MAX_BUCKET), (MAX_BUCKET, MAX_BUCKET)]


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        (f"<p>{'word ' * (MAX_WORDS + 1)}", Reason.TOO_MANY_WORDS),
        ("<p><script>text</script>", Reason.NO_TEXT),
        ("<p>too deep for BeautifulSoup", Reason.TOO_DEEP),
    ],
)
def test_a_page_that_the_method_cannot_take_is_dropped_with_the_reason(html, reason, monkeypatch):
    if reason is Reason.TOO_DEEP:
        monkeypatch.setattr(grouping, "sanitise", fails_with(RecursionError()))
    dropped = read_entry(page("ferry", html=html), CONFIG)
    assert isinstance(dropped, Reject)
    assert dropped.reason is reason
