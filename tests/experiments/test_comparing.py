"""The gain of comparing over judging each page alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dbce.boilerplate.classify import load_model
from dbce.train.fit import TREES, part
from scripts.experiments import comparing, sets
from scripts.experiments.comparing import gain_rows, main
from tests.experiments.test_transfer import COMPARED, GOLD
from tests.training import HOSTS, write_labelled

if TYPE_CHECKING:
    from pathlib import Path

FEW = TREES | {"max_iter": 5}

ALONE = COMPARED | {"q": ""}
"""F1 1, 1, 1/2, and 1, 0, 1/2; of s nothing is said by bag F1, for its gold has no words."""


def test_sites_and_languages_with_enough_pages_say_what_comparing_them_gains(monkeypatch):
    monkeypatch.setattr(comparing, "GROUP_PAGES", 2)
    every, site, language = gain_rows(GOLD, COMPARED, ALONE, {"q": "cs", "r": "cs", "p": "ja"})
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
    monkeypatch.setattr(comparing, "LIGHT", FEW)
    return tmp_path


def test_each_page_is_judged_by_the_model_that_has_not_seen_its_domain(a_set, monkeypatch, capsys):
    seen: list[set[str]] = []
    fit = comparing.fit

    def noted(examples, *args):
        seen.append({e.site for e in examples})
        return fit(examples, *args)

    monkeypatch.setattr(comparing, "fit", noted)
    main(["halves", str(a_set)])
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
    main(["score", "--halves", str(a_set), "--set", "sites"])
    for half, hosts in judged.items():
        assert hosts, "each half has sites"
        assert {part(host, 2) for host in hosts} == {int(half)}
    (row,) = [line for line in capsys.readouterr().out.splitlines() if "sites" in line]
    assert [cell.strip() for cell in row.split("|")][2:4] == ["all", str(len(HOSTS) * 4)]
