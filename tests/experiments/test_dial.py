"""What the dial gives and costs."""

from __future__ import annotations

import pytest

from scripts.experiments.dial import SETTINGS, main
from tests.data import shared


@pytest.mark.data
@pytest.mark.slow
def test_a_higher_probability_gives_more_precision_and_less_recall(capsys) -> None:
    shared("chinese")
    main(["--set", "chinese"])
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in capsys.readouterr().out.splitlines()
    ]
    by_setting = {row[0]: list(map(float, row[1:])) for row in rows if row[0] in SETTINGS}
    assert by_setting.keys() == SETTINGS.keys()
    assert by_setting["0.1"][1] >= by_setting["0.5"][1] >= by_setting["0.9"][1]
    assert by_setting["recall"][1] >= by_setting["precision"][1]
