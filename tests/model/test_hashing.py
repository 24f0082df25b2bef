"""Hashes and ids that are the same on every machine; these values are stored in archives."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.model import digest64, first_numbers, hash_strings, mix, stable_id
from tests import reference


def test_words_have_the_hashes_that_earlier_releases_stored():
    assert hash_strings(["Buy", "More", ""]).tolist() == [2368205310, 1838291768, 1445345862]
    assert hash_strings([]).tolist() == []


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])) | st.text("ab", max_size=300)))
def test_the_hashes_are_those_of_pandas(words):
    hashes, of_pandas = hash_strings(words), reference.hash_strings(words)
    assert hashes.dtype == of_pandas.dtype
    assert hashes.tolist() == of_pandas.tolist()


def test_what_is_no_text_for_a_file_has_no_hash():
    with pytest.raises(UnicodeEncodeError):
        hash_strings(["a", "\ud83d"])


@given(st.lists(st.integers(-3, 3) | st.integers(-(2**63), 2**63 - 1), max_size=300))
def test_values_are_numbered_in_the_order_in_which_they_first_occur(values):
    numbers, distinct = first_numbers(np.array(values, np.int64))
    expected, of_pandas = pd.factorize(np.array(values, np.int64))
    assert (numbers.tolist(), distinct.tolist()) == (expected.tolist(), of_pandas.tolist())


def test_ids_and_digests_are_those_that_earlier_releases_stored():
    assert stable_id("cross", "a", "b") == "urn:uuid:b430ab84-c341-50c8-9a5d-3eef09e87c84"
    assert digest64(b"words") == 5268617479337866752


def test_an_id_depends_on_where_its_parts_end():
    assert stable_id("ab", "c") != stable_id("a", "bc")


def test_mixing_loses_nothing():
    values = np.arange(10_000, dtype=np.uint64)
    assert len(np.unique(mix(values))) == len(values)
