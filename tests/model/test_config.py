"""The tunables: checked where they enter, and told apart by a digest."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from dbce import model
from dbce.model import EXPERT, Config, Limits, Rendering, UsageError, load_config
from scripts.setup.reference import default_file

SETTINGS = model.settings_in(Config)
CHOICES = {name: setting.choices for name, setting in SETTINGS.items() if setting.choices}


@pytest.mark.parametrize(
    ("text", "config"),
    [
        # What a file leaves out has its default.
        ('template_similarity = 1\n[paper]\nsignature = "layers"\n[limits]\nwords = 9\n',
         Config(template_similarity=1, signature="layers", limits=Limits(words=9))),
        # All keys may stand at the top.
        ('method = "T002"\ntemplate_similarity = 0.3\nnum_perm = 64\n[limits]\ndepth = 9\n',
         Config(method="T002", template_similarity=0.3, num_perm=64, limits=Limits(depth=9))),
        (default_file(), Config()),
    ],
)  # fmt: skip
def test_a_file_is_read_also_without_groups(tmp_path, text, config):
    path = tmp_path / "some.toml"
    path.write_text(text)
    assert load_config(path) == config


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("seed = 1\n[expert]\nseed = 1", "seed is there twice"),
        ("[expert]\nmethod = 'T001'", r"method stands in \[expert\]; its place is in \[paper\]"),
        ("[paper]\nwet = true", r"wet stands in \[paper\]; its place is at the top"),
        ("[paper]\ncolour = 3", "unknown key 'colour'"),
        ("paper = 3", "paper must be a table"),
    ],
)
def test_a_key_that_is_misplaced_is_named_with_its_place(tmp_path, text, said):
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=said):
        load_config(path)


def test_the_default_file_has_its_groups():
    table = tomllib.loads(default_file())
    for group in (EXPERT, model.PAPER):
        assert list(table[group]) == [name for name in SETTINGS if SETTINGS[name].group == group]


LIMITS = Limits(texts=500_000, depth=500)
T002 = {"template_similarity": 0.5, "num_perm": 64, "method": "T002"}


@pytest.mark.parametrize(
    ("config", "digest"),
    [
        (Config(decide="lines", limits=LIMITS), "76a5a006fb12"),
        (Config(**T002, limits=replace(LIMITS, depth=99)), "ffdcb7b8a7d7"),
        (Rendering(pictures=True, limits=LIMITS), "2c92142d25d0"),
        (Rendering(pictures=True, width=800, limits=LIMITS), "5a874465440a"),
    ],
)
def test_a_digest_is_always_that_of_the_same_values(config, digest):
    """Record ids and whatever is gone on with depend on it."""
    assert config.digest() == digest


def test_an_option_that_was_not_given_changes_nothing():
    found = model.override(
        Config(method="T001"), {"method": None, "out": "x", "template_similarity": 0.3}
    )
    assert found == Config(method="T001", template_similarity=0.3)


OF_THESIS = [{"classifier": "T001"}, {"merge": "majority"}, {"marks": "dbce"}]


@pytest.mark.parametrize(
    "change",
    [
        {name: next(other for other in choices if other != getattr(Config(), name))}
        for name, choices in CHOICES.items()
        if name not in ("keep_pages", "decide", "classifier", "merge", "marks")
    ]
    + [{"decide": "lines"}, {"template_similarity": 0.5}, {"num_perm": 64}, {"seed": 1}]
    + [{"circle": 4}, {"limits": Limits(depth=9)}, *OF_THESIS],
    ids=str,
)
def test_what_changes_a_result_changes_the_digest_and_settings_of_the_thesis_for_it_alone(change):
    of_thesis = change in OF_THESIS
    base = Config(method="thesis") if of_thesis else Config()
    assert replace(base, **change).digest() != base.digest()
    if of_thesis:
        assert replace(Config(), **change).digest() == Config().digest()


def test_of_a_model_file_its_content_counts_and_not_its_place(tmp_path):
    one, copy, other = (tmp_path / name for name in ("one.npz", "copy.npz", "other.npz"))
    for path, content in ((one, b"a model"), (copy, b"a model"), (other, b"another")):
        path.write_bytes(content)
    digests = [Config(model=str(path)).digest() for path in (one, copy, other)]
    assert digests[0] == digests[1]
    assert len({Config().digest(), *digests}) == 3


def test_what_changes_no_result_does_not_change_the_digest():
    assert Config(decide="structures").digest() == Config().digest()
    by_patterns = Config(method="T002")
    assert replace(by_patterns, decide="lines").digest() == by_patterns.digest()
    assert replace(by_patterns, decide="structures").digest() != by_patterns.digest()
    other = Config(max_reject_ratio=0.1, keep_pages="no", wet=True, wacz=True)
    assert other.digest() == Config().digest()
    assert (other.optional_outputs(), Config().optional_outputs()) == (("wet", "wacz"), ())


@pytest.mark.parametrize(
    "wrong",
    [{name: "x"} for name in CHOICES]
    + [{"template_similarity": 0}, {"template_similarity": 1.1}, {"num_perm": 15}]
    + [{"candidates": 1}, {"crosses": 0}, {"circle": 1}, {"circle": 65}]
    + [{"min_probability": "0.5"}, {"verify": "no"}, {"num_perm": True}],
    ids=str,
)
def test_a_wrong_value_is_named(wrong):
    with pytest.raises(UsageError, match=next(iter(wrong))):
        Config(**wrong)


def test_a_missing_file_is_named():
    with pytest.raises(UsageError, match=r"no\.toml"):
        load_config(Path("no.toml"))
