"""A model learns what its examples show."""

from dataclasses import fields, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from dbce.boilerplate.classify.features import without_evidence
from dbce.boilerplate.classify.model import LEARNED, Model, chances
from dbce.boilerplate.classify.trees import Trees, arrays, check
from dbce.model import UsageError
from dbce.train import fit as module
from dbce.train.examples import Example
from dbce.train.fit import OF_SET, SITES, fit, part, training_weights


def right(model: Model, examples: list[Example]) -> float:
    """Share of the lines that are judged as the gold says."""
    found = np.concatenate([chances(model, e.features).content for e in examples])
    return float(np.mean((found > 0.5) == np.concatenate([e.share > 0.5 for e in examples])))


def comments(model: Model, examples: list[Example]) -> NDArray[np.bool_]:
    """Which of all lines are found to be comments."""
    found = [chances(model, example.features) for example in examples]
    return np.concatenate([of_lines.comment for of_lines in found]) > 0.5


def alone(example: Example) -> Example:
    """The page as if nothing had been compared with it."""
    blank = without_evidence(example.features.matrix, example.features.names)
    return replace(example, features=replace(example.features, matrix=blank))


def silent(example: Example) -> Example:
    """The page as if its gold did not tell which lines are comments."""
    known = np.where(example.share > 0.5, 0, np.nan)
    return replace(example, gold_comments=None, comments=known)


def equal(one: Trees, other: Trees) -> bool:
    return all(np.array_equal(arrays(one)[f.name], arrays(other)[f.name]) for f in fields(Trees))


def test_it_judges_pages_it_has_seen_also_without_their_evidence(tiny, examples):
    assert right(tiny, examples) == 1
    assert right(tiny, [alone(example) for example in examples]) == 1


def test_a_compared_page_is_learned_from_half_as_much_again_without_its_evidence(
    tiny, examples, monkeypatch
):
    learned = []

    def grow(rows, truth, weight, *_):
        learned.append((rows, weight))
        return tiny.plain

    monkeypatch.setattr(module, "grow", grow)
    for pages, times in ((examples, 1.5), ([alone(example) for example in examples], 1)):
        learned.clear()
        fit(pages, seed=1)
        up = pages[0].features.names.index("up")
        for rows, weight in learned:
            once = sum(map(len, training_weights(pages)))
            with_evidence = weight[~np.isnan(rows[:, up])].sum()
            assert weight.sum() == pytest.approx(times * once)
            assert with_evidence == pytest.approx(once if times > 1 else 0)


def test_it_learns_from_pages_that_all_stand_alone(examples):
    pages = [alone(example) for example in examples]
    assert right(fit(pages, seed=1), pages) == 1


def test_twice_the_same_gives_the_same(tiny, examples):
    again = fit(examples, seed=1)
    assert all(map(np.array_equal, again.weights, tiny.weights))
    for trees in ("named", "plain", "comments"):
        assert equal(getattr(again, trees), getattr(tiny, trees))


def test_what_is_grown_is_sound_and_named(tiny, examples):
    assert tiny.names == (*examples[0].features.names, *LEARNED)
    check(tiny.named, len(tiny.names))
    check(tiny.plain, len(tiny.names) - len(LEARNED))
    check(tiny.comments, len(tiny.names))
    assert (tiny.blend, tiny.comment_scale) == ((1, 0, 0), (1, 0))


def test_names_that_surround_content_weigh_more(tiny, examples):
    menu, _, _, headline, *_, footer = examples[0].features.tokens.line_tokens()
    content = set(headline) - set(menu) - set(footer)
    boilerplate = (set(menu) | set(footer)) - set(headline)
    weights, _ = tiny.weights.names
    assert all(weights[list(content)] > 0)
    assert all(weights[list(boilerplate)] < 0)
    assert np.count_nonzero(weights) == len({t for line in (menu, headline, footer) for t in line})


def test_comments_have_weights_of_names_of_their_own(reader, with_remarks):
    *_, paragraph, _, _, remark, _ = with_remarks[0].features.tokens.line_tokens()
    content, comments = reader.weights.names
    its_own = list(set(remark) - set(paragraph))
    assert all(content[its_own] < 0)
    assert all(comments[its_own] > 0)


def test_a_name_of_few_sites_has_no_weight(examples):
    some = [e for e in examples if e.site in sorted({e.site for e in examples})[: SITES - 1]]
    assert not any(of.any() for of in fit(some, seed=1).weights)


@pytest.mark.parametrize("is_compared", [True, False])
def test_it_tells_comments_from_content_and_menus(reader, with_remarks, is_compared):
    pages = with_remarks if is_compared else [alone(example) for example in with_remarks]
    assert np.array_equal(comments(reader, pages), truth_of(pages))
    assert right(reader, with_remarks) == 1


def truth_of(pages: list[Example]) -> NDArray[np.bool_]:
    return np.concatenate([example.comments for example in pages]) > 0.5


def test_gold_that_never_tells_of_comments_teaches_none(tiny, examples, with_remarks):
    assert all(example.gold_comments is None for example in examples)
    assert not comments(tiny, [*examples, *with_remarks]).any()
    assert not tiny.weights.names[1].any()


def test_what_some_gold_tells_of_comments_is_enough(with_remarks):
    first = min(example.site for example in with_remarks)
    some = [silent(e) if e.site == first else e for e in with_remarks]
    its_own = [example for example in with_remarks if example.site == first]
    assert np.array_equal(comments(fit(some, seed=1), its_own), truth_of(its_own))


def test_comments_may_be_known_of_pages_that_stand_alone_only(with_remarks):
    """What the trees for comments then see of other pages is nothing at all."""
    nothing = [replace(e, comments=np.full_like(e.comments, np.nan)) for e in with_remarks]
    pages = [alone(example) for example in with_remarks]
    model = fit([*nothing, *pages], seed=1)
    assert np.array_equal(comments(model, pages), truth_of(with_remarks))


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_lines_may_all_be_comments_or_none_but_not_content(examples, share):
    of_one = [replace(e, comments=np.full_like(e.share, share)) for e in examples]
    model = fit(of_one, seed=1)
    check(model.comments, len(model.names))
    assert (comments(model, examples) == bool(share)).all()
    of_one = [replace(e, share=np.full_like(e.share, share)) for e in examples]
    with pytest.raises(UsageError, match="both are needed"):
        fit(of_one, seed=1)


def test_a_site_is_always_in_the_same_part():
    sites = [f"{n}.example" for n in range(500)]
    parts = [part(site, 5) for site in sites]
    assert parts == [part(site, 5) for site in sites]
    assert min(np.bincount(parts, minlength=5)) > 70


def test_what_was_learned_holds_on_sites_that_were_not_seen(examples):
    assert right(fit(examples[:-4], seed=1), examples[-4:]) == 1


def test_lines_without_a_label_are_not_learned_from(examples):
    """Wrong labels of headings do harm; no labels do none."""
    heading = 3
    chances_of_heading = []
    for label in (0.0, np.nan):
        shares = [np.where(np.arange(len(e.share)) == heading, label, e.share) for e in examples]
        pages = [replace(e, share=share) for e, share in zip(examples, shares, strict=True)]
        learned = chances(fit(pages, seed=1), examples[0].features)
        chances_of_heading.append(learned.content[heading])
    misled, unsure = chances_of_heading
    assert misled < 0.1
    assert unsure > misled


# What each line counts in training.


def total(found: list[np.ndarray]) -> list[float]:
    return [float(one.sum()) for one in found]


def test_lines_count_one_in_the_mean_and_a_page_the_same_however_many_lines_it_has(examples):
    found = training_weights(examples)
    assert np.concatenate(found).mean() == pytest.approx(1)
    assert [len(one) for one in found] == [len(e.weight) for e in examples]
    one, *rest = examples
    longer = replace(one, weight=np.tile(one.weight, 50))
    shorter, larger = (total(training_weights([page, *rest])) for page in (one, longer))
    assert larger[0] / larger[1] == pytest.approx(shorter[0] / shorter[1])


def test_snapshots_of_a_url_share_much_of_its_weight(examples):
    one, *rest = examples
    alone = total(training_weights(examples))
    thrice = total(training_weights([one] * 3 + rest))
    assert thrice[0] / thrice[-1] < alone[0] / alone[-1]
    assert sum(thrice[:3]) / thrice[-1] > alone[0] / alone[-1]


def test_a_set_of_more_pages_does_not_rule(examples):
    """Four times the pages, of sites as large, count less than four times as much."""
    small = [replace(e, source="small", site=f"small {e.site}", url=f"s {e.url}") for e in examples]
    large = [
        replace(e, source="large", site=f"{n} {e.site}", url=f"{n} {e.url}")
        for n in range(4)
        for e in examples
    ]
    found = total(training_weights([*small, *large]))
    ratio = sum(found[len(small) :]) / sum(found[: len(small)])
    assert ratio == pytest.approx(4 ** (1 - OF_SET))


def test_a_page_that_is_trusted_less_counts_less(examples):
    doubted = [replace(e, trust=0.4) if n == 0 else e for n, e in enumerate(examples)]
    before, after = total(training_weights(examples)), total(training_weights(doubted))
    assert after[0] / after[-1] < 0.5 * before[0] / before[-1]
