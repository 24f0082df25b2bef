"""What the dial gives and costs."""

import pytest

from scripts.experiments import dial
from scripts.experiments.dial import SETTINGS, main
from tests.data import shared


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.nightly
def test_a_higher_probability_gives_more_precision_and_less_recall(capsys, monkeypatch) -> None:
    shared("cleanportaleval")
    asked = {name: SETTINGS[name] for name in ("0.1", "0.5", "0.9", "recall", "precision")}
    monkeypatch.setattr(dial, "SETTINGS", asked)
    main(["--set", "cleanportaleval"])
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in capsys.readouterr().out.splitlines()
    ]
    by_setting = {row[0]: list(map(float, row[1:])) for row in rows if row[0] in asked}
    assert by_setting.keys() == asked.keys()
    assert by_setting["0.1"][1] >= by_setting["0.5"][1] >= by_setting["0.9"][1]
    assert by_setting["recall"][1] >= by_setting["precision"][1]
