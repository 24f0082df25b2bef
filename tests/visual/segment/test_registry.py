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


@pytest.mark.parametrize("name", SEGMENTERS)
def test_a_segmentation_names_algorithm_parameters_and_capture(name: str) -> None:
    found = segment(PAGE, name)
    assert found.algorithm.startswith(f"{name}(")
    assert found.record_id == PAGE.record_id
    assert segment(PAGE, "vips", VipsOptions(pdoc=7)).algorithm == "vips(pdoc=7)"


def test_options_of_another_algorithm_are_refused() -> None:
    with pytest.raises(UsageError, match="bom-paper takes PaperOptions, not VipsOptions"):
        segment(PAGE, "bom-paper", VipsOptions())


def test_options_are_read_from_words() -> None:
    words = {"granularity": "2.5", "weight": "cells", "drop_at_body": "yes"}
    read = options_of("bom-paper", words)
    assert read == PaperOptions(granularity=2.5, weight="cells", drop_at_body=True)


@pytest.mark.parametrize(
    ("algorithm", "name", "word", "sentence"),
    [
        ("bom-published", "pa", "5", "no option 'pa' here; there are: granularity, distance, "),
        ("page", "x", "1", "no option 'x' here; there are: none"),
        ("bom-paper", "granularity", "many", "granularity cannot be 'many': say a number"),
        ("bom-paper", "granularity", "-1", "granularity cannot be -1.0: say a number from 0 on"),
        ("bom-paper", "granularity", "nan", "granularity cannot be nan: say a number from 0 on"),
        ("bom-paper", "weight", "pixels", "weight cannot be 'pixels': say one of area, cells, "),
        ("bom-paper", "mixed", "maybe", "mixed cannot be 'maybe': say yes or no"),
        ("bom-published", "version", "2", "version cannot be '2': say one of 1.1.1, 1.1"),
        ("dbce", "level", "3", "level cannot be 3: say 1 or 2"),
    ],
)
def test_what_an_option_cannot_be_is_said_in_one_sentence(algorithm, name, word, sentence):
    with pytest.raises(UsageError, match=f"^{sentence}"):
        options_of(algorithm, {name: word})


def test_options_are_checked_wherever_they_are_made() -> None:
    with pytest.raises(UsageError):
        PublishedOptions(aligned="perhaps")
