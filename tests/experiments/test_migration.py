"""Lists of labels are compared as the papers do it."""

import pytest

from scripts.experiments.migration import compare_labels


def test_the_example_of_the_thesis() -> None:
    """Figure 5.5: header, nav, article (D), aside, article, aside, footer; the nav is not found."""
    found = compare_labels("HNDADAF", "HDADAF")
    assert found.distance == 1
    assert (found.found, found.expected) == (4, 5)
    assert (found.common, found.gold) == (6, 7)
    assert found.relative_distance == pytest.approx(1 / 7)
    assert found.recall == pytest.approx(6 / 7)
    assert found.precision == 1
