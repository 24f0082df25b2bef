"""Algorithms by name, and what is said of names and options that are not there."""

import pytest

from dbce.model import UsageError
from dbce.visual.segment import (
    SEGMENTERS,
    PaperOptions,
    PublishedOptions,
    VipsOptions,
    options_of,
    segment,
)
from tests.visual.pages import box, page

PAGE = page(box("p", (0, 0, 100, 20), "text"))


def test_the_algorithms_have_these_names() -> None:
    assert list(SEGMENTERS) == [
        "dbce",
        "bom-paper",
        "bom-published",
        "vips",
        "blockfusion",
        "first-branching",
        "body-children",
        "page",
        "html5",
    ]


@pytest.mark.parametrize("name", SEGMENTERS)
def test_a_segmentation_names_algorithm_parameters_and_capture(name: str) -> None:
    found = segment(PAGE, name)
    assert found.algorithm.startswith(f"{name}(")
    assert found.record_id == PAGE.record_id


def test_parameters_are_named_with_their_values() -> None:
    assert segment(PAGE, "vips", VipsOptions(pdoc=7)).algorithm == "vips(pdoc=7)"


def test_an_unknown_algorithm_is_answered_with_those_there_are() -> None:
    with pytest.raises(
        UsageError, match="no algorithm is called 'bom': say one of dbce, bom-paper, "
    ):
        segment(PAGE, "bom")


def test_options_of_another_algorithm_are_refused() -> None:
    with pytest.raises(UsageError, match="bom-paper takes PaperOptions, not VipsOptions"):
        segment(PAGE, "bom-paper", VipsOptions())


def test_options_are_read_from_words() -> None:
    words = {"granularity": "2.5", "weight": "cells", "drop_at_body": "yes"}
    read = options_of("bom-paper", words)
    assert read == PaperOptions(granularity=2.5, weight="cells", drop_at_body=True)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"pa": "5"}, "no option 'pa' here; there are: granularity, distance, weight, "),
        ({"granularity": "many"}, "granularity cannot be 'many': say a number"),
        ({"granularity": "-1"}, "granularity cannot be -1.0: say a number from 0 on"),
        ({"granularity": "nan"}, "granularity cannot be nan: say a number from 0 on"),
        ({"weight": "pixels"}, "weight cannot be 'pixels': say one of area, cells, corner, sides"),
        ({"text_moving": "maybe"}, "text_moving cannot be 'maybe': say yes or no"),
        ({"version": "2"}, "version cannot be '2': say one of 1.1.1, 1.1"),
    ],
)
def test_what_an_option_cannot_be_is_said_in_one_sentence(
    words: dict[str, str], sentence: str
) -> None:
    with pytest.raises(UsageError) as e:
        options_of("bom-published", words)
    assert str(e.value).startswith(sentence)


def test_an_algorithm_without_options_says_so() -> None:
    with pytest.raises(UsageError, match="no option 'x' here; there are: none"):
        options_of("page", {"x": "1"})


def test_options_are_checked_wherever_they_are_made() -> None:
    with pytest.raises(UsageError):
        PublishedOptions(aligned="perhaps")
