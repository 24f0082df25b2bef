"""The tunables: checked where they enter, and told apart by a digest."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dbce.model import CHOICES, Config, Limits, UsageError, load_config, override


def test_what_a_file_leaves_out_has_its_default(tmp_path):
    path = tmp_path / "some.toml"
    path.write_text('threshold = 1\nsignature = "layers"\n[limits]\nwords = 9\n')
    assert load_config(path) == Config(threshold=1, signature="layers", limits=Limits(words=9))


def test_an_option_that_was_not_given_changes_nothing():
    base = Config(method="T001")
    assert override(base, {"method": None, "out": "x", "threshold": 0.3}) == Config(
        method="T001", threshold=0.3
    )


@pytest.mark.parametrize(
    "change",
    [
        {name: next(other for other in choices if other != getattr(Config(), name))}
        for name, choices in CHOICES.items()
        if name != "keep_pages"
    ]
    + [
        {"threshold": 0.5},
        {"num_perm": 64},
        {"seed": 1},
        {"circle": 4},
        {"limits": Limits(depth=9)},
    ],
    ids=str,
)
def test_what_changes_a_result_changes_the_digest(change):
    assert replace(Config(), **change).digest() != Config().digest()


def test_of_a_model_file_its_content_counts_and_not_its_place(tmp_path):
    one, copy, other = (tmp_path / name for name in ("one.npz", "copy.npz", "other.npz"))
    for path, content in ((one, b"a model"), (copy, b"a model"), (other, b"another")):
        path.write_bytes(content)
    digests = [Config(model=str(path)).digest() for path in (one, copy, other)]
    assert digests[0] == digests[1]
    assert len({Config().digest(), *digests}) == 3


def test_what_changes_no_result_does_not_change_the_digest():
    other = Config(max_reject_ratio=0.1, keep_pages="no", wet=True, wacz=True)
    assert other.digest() == Config().digest()
    assert (other.also(), Config().also()) == (("wet", "wacz"), ())


@pytest.mark.parametrize(
    "wrong",
    [{name: "x"} for name in CHOICES]
    + [{"threshold": 0}, {"threshold": 1.1}, {"num_perm": 15}, {"candidates": 1}, {"crosses": 0}]
    + [{"circle": 1}, {"circle": 65}],
    ids=str,
)
def test_a_wrong_value_is_named(wrong):
    with pytest.raises(UsageError, match=next(iter(wrong))):
        Config(**wrong)


def test_a_missing_file_is_named():
    with pytest.raises(UsageError, match=r"no\.toml"):
        load_config(Path("no.toml"))
