"""Evidence and sets that are left out of training, comparing left out of judging, and labels of our own."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dbce import html
from dbce.boilerplate.classify import NAME_SLOTS, PHRASE_SLOTS, load_model, page_features
from dbce.boilerplate.classify.features import feature_names
from dbce.boilerplate.classify.model import LEARNED, Weights, score_lines
from dbce.evaluate.gold import GoldText
from dbce.model import CIRCLE, HISTORY, Annotation, Config, Cross
from dbce.train.examples import Example
from dbce.train.fit import TREES, part
from scripts.experiments import comparing, languages, own_labels, sets, transfer
from scripts.experiments.ablation import kinds, without_features, without_time
from scripts.experiments.forum_model import gain
from scripts.experiments.own_labels import LabelledPage, labelled_pages
from scripts.experiments.sets import Gains, compare_captures
from tests import site
from tests.training import HOSTS, write_labelled

# Kinds of evidence


KINDS = kinds()


def test_every_kind_is_of_features_that_exist_and_every_feature_of_a_kind():
    known = (*feature_names(), *LEARNED)
    for kind, names in KINDS.items():
        assert names, kind
        assert {*names} <= {*known}, kind
        assert len({*names}) == len(names), kind
    its_own = ("all of these", "other snapshots", "names", "phrases", "the page")
    assert sorted(name for kind in its_own for name in KINDS[kind]) == sorted(known)


SPREAD = np.linspace(-1, 1, 2 * NAME_SLOTS, dtype=np.float32).reshape(2, NAME_SLOTS)
WEIGHTS = Weights(SPREAD, np.ones(PHRASE_SLOTS, dtype=np.float32))


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_blanked_is_one_kind_and_nothing_else(examples, kind):
    gone = np.isin((*examples[0].features.names, *LEARNED), KINDS[kind])
    for one, other in zip(examples, without_features(examples, KINDS[kind]), strict=True):
        before, after = (score_lines(example.features, WEIGHTS).rows for example in (one, other))
        if kind in {"names", "phrases"}:  # they leave no trace
            assert before[:, gone].any()
            assert not np.nan_to_num(after[:, gone]).any()
        else:
            assert np.isnan(after[:, gone]).all()
        np.testing.assert_array_equal(after[:, ~gone], before[:, ~gone])
        assert not np.isnan(one.features.matrix[:, ~gone[: -len(LEARNED)]]).all()


def test_without_time_only_snapshots_are_unknown():
    strong, weak = (
        Cross("cur", "a", "b", "c", "d", 0.9, 0.8),
        Cross("cur", "b", None, None, "d", 0.7, 0),
    )
    shared = {who: np.ones(2, dtype=np.bool_) for who in "abcd"}
    said = (np.zeros((1, len(kind)), dtype=np.float32) for kind in (CIRCLE, HISTORY))
    found = Annotation("cur", (strong, weak), shared, *said)
    timeless = without_time(found)
    assert timeless.crosses == (replace(strong, prev=None, next=None), replace(weak, next=None))
    assert timeless.shared is found.shared
    assert timeless.circle is found.circle
    assert np.isnan(timeless.history).all()


# Whole sets


def of(example: Example, source: str, site: str, url: str = "http://nowhere.invalid/") -> Example:
    return replace(example, source=source, site=site, url=url, record_id=f"{source} {site} {url}")


def test_what_is_of_a_site_left_out_or_has_no_words_is_not_learned_from(examples):
    one, *_ = examples
    mirrored = of(one, "out", "a", "http://a/"), of(one, "in", "a", "http://mirror/")
    full = of(one, "in", "b", "http://b/")
    assert transfer.split_off([*mirrored, full], "out")[0] == [full]
    empty = [
        replace(of(one, source, source, f"http://{source}/"), gold="--") for source in ("out", "in")
    ]
    assert transfer.split_off([*empty, full], "out") == ([full], empty[:1]), "it is scored"


@pytest.fixture
def two(examples) -> list[Example]:
    """Four sites in a set called "out", four in one called "in"."""
    first = set(HOSTS[:4])
    return [replace(e, source="out" if e.site in first else "in") for e in examples]


def test_neither_trees_nor_scales_come_from_the_set_left_out(two, tiny, monkeypatch):
    seen: dict[str, set[str]] = {}

    def fit(examples, *_):
        seen["fit"] = {e.source for e in examples}
        return tiny

    def held_out_votes(examples, folds, *_):
        seen["folds"] = {e.source for e in examples} | {str(folds)}
        return [np.zeros((len(e.share), 2)) for e in examples]

    def fit_scales(model, examples, found):
        seen["scaled"] = {e.source for e in examples}
        assert len(found) == len(examples)
        return model

    def add_second(model, examples, held, **_):
        seen["second"] = {e.source for e in examples}
        return model, held

    for function in (fit, held_out_votes, fit_scales, add_second):
        monkeypatch.setattr(transfer, function.__name__, function)
    found = transfer.leave_out(two, "out", 3)
    assert seen == {"fit": {"in"}, "folds": {"in", "3"}, "scaled": {"in"}, "second": {"in"}}
    assert found.learned == 16
    assert found.texts.keys() == {e.record_id for e in two if e.source == "out"}


def test_each_part_of_a_set_is_learned_from_and_no_page_of_the_fold_that_is_judged(
    two, tiny, monkeypatch
):
    lessons, taught = ([e for e in two if e.source == source] for source in ("in", "out"))
    language_of = {e.record_id: "el" if e.site == HOSTS[0] else "ru" for e in taught}
    monkeypatch.setattr(languages, "LEAST_PAGES", 1)
    parts = languages.parts_of(taught, language_of)
    sizes = {name: len(own) for name, own in parts.items() if name != "half of the domains"}
    alike = {"all but ru": 4, "ru alone": 12, "all but el": 12, "el alone": 4}
    assert sizes == {"nothing": 0, "all": 16, **alike}
    learned: list[set[str]] = []
    monkeypatch.setattr(
        languages, "fit", lambda own, *_: learned.append({e.site for e in own}) or tiny
    )
    f1 = languages.held_out_f1(lessons, taught, parts["el alone"], 2)
    of_fold = {fold: {site for site in HOSTS if part(site, 2) == fold} for fold in range(2)}
    others = {*HOSTS[4:], HOSTS[0]}
    assert learned == [others - of_fold[fold] for fold in range(2)]
    assert f1.shape == (len(two),)


def test_what_a_part_of_a_set_gains_is_told_by_group():
    f1 = {"nothing": np.array([0.5, 0.7, 0.1]), "all": np.array([0.6, 1.0, 0.1])}
    groups = {"el": np.array([True, True, False]), "in": np.array([True, False, True])}
    assert languages.rows_of(f1, groups) == [
        ["nothing", "0.6000", "0.3000"],
        ["all", "+0.2000 ± 0.1000", "+0.0500 ± 0.0500"],
    ]


GOLD = [
    GoldText("p", "a b c d", "one"),
    GoldText("q", "a b c d", "one"),
    GoldText("r", "a b c d", "two"),
    GoldText("s", "", "two"),
]
COMPARED = {"p": "a b c d", "q": "a b c d", "r": "a b w x", "s": "anything"}
FOUND = transfer.TransferResult(7, COMPARED, COMPARED | {"q": ""}, 0.125)
"""F1 1, 1, 1/2; of s nothing is said by bag F1, for its gold has no words."""


def test_a_row_has_means_by_page_and_by_site_beside_the_peer():
    row = transfer.transfer_row(GOLD, FOUND, {"p": "a b c d", "r": "a b c d"})
    ours, theirs = (1, 1, 0.5), (1, 0, 1)
    change = np.subtract(ours, theirs)
    assert row[:2] == [7, 3]
    assert row[2:5] == pytest.approx([np.mean(ours), np.std(ours, ddof=1) / 3**0.5, (1 + 0.5) / 2])
    assert row[5:7] == pytest.approx([2 / 3, (0.5 + 1) / 2])
    assert row[7:9] == pytest.approx([change.mean(), change.std(ddof=1) / 3**0.5])
    assert row[9] == 0.125
    assert len(row) == len(transfer.HEADER) - 1


def test_a_page_alone_has_no_evidence_of_others(examples):
    one, *_ = examples
    column = one.features.names.index("shared_by")
    assert not np.isnan(one.features.matrix[:, column]).all(), "it was compared"
    assert np.isnan(transfer.alone(one).matrix[:, column]).all()


# Comparing


ALONE = COMPARED | {"q": ""}
"""F1 1, 1, 1/2, and 1, 0, 1/2; of s nothing is said by bag F1, for its gold has no words."""


def test_sites_and_languages_with_enough_pages_say_what_comparing_them_gains(monkeypatch):
    monkeypatch.setattr(comparing, "GROUP_PAGES", 2)
    languages = {"q": "cs", "r": "cs", "p": "ja"}
    every, site, language = comparing.gain_rows(GOLD, COMPARED, ALONE, languages)
    assert every[:5] == ["all", 3, pytest.approx(2.5 / 3), 0.5, pytest.approx(1 / 3)]
    assert site[:5] == ["one", 2, 1, 0.5, 0.5]
    assert language[:5] == ["cs", 2, 0.75, 0.25, 0.5]
    assert len(every) == len(comparing.HEADER) - 1


@pytest.fixture
def a_set(tmp_path, monkeypatch) -> Path:
    """The folder of a set of eight sites, with light models that are lighter still."""
    folder = tmp_path / "sites"
    folder.mkdir()
    write_labelled(folder, "sites", HOSTS)
    monkeypatch.setattr(sets, "DATA", tmp_path)
    monkeypatch.setattr(comparing, "LIGHT", TREES | {"max_iter": 5})
    return tmp_path


def test_each_page_is_judged_by_the_model_that_has_not_seen_its_domain(a_set, monkeypatch, capsys):
    seen: list[set[str]] = []
    fit = comparing.fit

    def noted(examples, *args):
        seen.append({e.site for e in examples})
        return fit(examples, *args)

    monkeypatch.setattr(comparing, "fit", noted)
    comparing.main(["halves", str(a_set)])
    assert [{part(site, 2) for site in sites} for sites in seen] == [{1}, {0}]
    assert all(load_model(str(a_set / f"half-{half}.npz")).second is None for half in (0, 1))

    judged: dict[str, set[str]] = {}
    texts_of_method = comparing.texts_of_method

    def asked(archive, method, config):
        judged.setdefault(config.model[-5], set()).update(
            one.url.split("/")[2] for one in archive.captures
        )
        return texts_of_method(archive, method, config)

    monkeypatch.setattr(comparing, "texts_of_method", asked)
    capsys.readouterr()
    comparing.main(["score", "--halves", str(a_set), "--set", "sites"])
    for half, hosts in judged.items():
        assert hosts, "each half has sites"
        assert {part(host, 2) for host in hosts} == {int(half)}
    (row,) = [line for line in capsys.readouterr().out.splitlines() if "sites" in line]
    assert [cell.strip() for cell in row.split("|")][2:4] == ["all", str(len(HOSTS) * 4)]


# Labels of our own


BODY = b"<title>Boots</title><ul><li>Shop<li>Cart</ul><h1>Boots</h1><p>Of soft leather, sewn by hand.</p>"


def test_ranges_of_all_pages_ascend_and_stay_within_their_lines() -> None:
    pages = labelled_pages()
    assert len(pages) >= 150
    for page in pages:
        for ranges in (page.main, page.again or []):
            ends = [end for pair in ranges for end in pair]
            assert ends == sorted(ends)
            assert all(0 <= end < page.lines for end in ends)


def test_both_passes_agree() -> None:
    *_, whole = own_labels.agreement(labelled_pages())
    assert whole[0] == "all"
    assert whole[1] >= 30
    assert whole[3] >= 0.85


def test_agreement_is_kappa_over_lines() -> None:
    page = LabelledPage("a", "product", 4, "", [[0, 1]], [[0, 0], [2, 2]])
    alike = replace(page, kind="service", again=page.main)
    assert list(own_labels.agreement([page, alike, replace(page, again=None)])) == [
        ("product", 1, 4, pytest.approx(0.0)),
        ("service", 1, 4, pytest.approx(1.0)),
        ("all", 2, 8, pytest.approx(0.5)),
    ]


def test_labels_stand_in_place_of_the_gold_and_both_ends_of_a_range_are_main_text() -> None:
    features = page_features(html.load(BODY, "text/html", Config().limits).page, None)
    texts = features.lines.texts
    nothing = np.zeros(len(texts))
    about = ("", "a.example", "r", "", "Boots", None)
    example = Example(*about, features, nothing, nothing, nothing, 1)
    digest = own_labels.digest_of(texts)
    page = LabelledPage("r", "product", len(texts), digest, [[0, 0], [2, 3]])
    own = own_labels.with_labels(example, page)
    assert own.gold == "Shop\nBoots\nOf soft leather, sewn by hand."
    assert own.share.tolist() == [1, 0, 1, 1]
    assert (own.weight > 0).all()


# The model of forums


def test_pages_of_forums_are_judged_as_their_model_has_it() -> None:
    texts = [site.story(topic) for topic in ("ferry", "harbour")]
    pages = [
        site.page(f"{n}", html=f"<title>-</title><p>{text}</p>") for n, text in enumerate(texts)
    ]
    ids = [one.record_id for one in pages]
    gold = tuple(GoldText(of, text, of) for of, text in zip(ids, texts, strict=True))
    archive = compare_captures(tuple(pages), gold, {}, Config())
    read = html.load(pages[0].payload, "text/html", Config().limits).page
    lines = max(html.lines(read, html.holders(read))) + 1
    nothing, everything = Gains([-1.0] * lines, []), Gains([1.0] * lines, [])
    found = gain(archive, dict.fromkeys(ids, nothing), dict.fromkeys(ids, everything), ids[:1])
    assert found == [2, 1, 0.0, 0.5, 0.5, pytest.approx(0.5)]
