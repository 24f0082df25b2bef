"""The stored model of languages says what py3langid says, which it is made from."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.metadata.language_model import FILE, LONGEST, language_model
from scripts.setup.language_model import ROOT, arrays, identifier

oracle = cache(identifier)

# Words of ten alphabets, what is no word, and characters that are composed or broken.
WORDS = """
ferry Fähre søster été über Überfahrt ÎLE ÑANDÚ река Ђурђевдан ποταμός נהר نهر नदी แม่น้ำ 江 川を渡る 강
fe\u0301te U\u0308bung \ud83d 😀 0101 https://a.example/ \\x00 &nbsp; ŞEHİR ij ß
""".split()


def test_the_file_is_what_the_installed_py3langid_makes() -> None:
    made = arrays(oracle())
    with np.load(ROOT / "dbce/metadata" / FILE) as stored:
        assert set(stored.files) == made.keys()
        for name, array in made.items():
            assert stored[name].dtype == array.dtype
            np.testing.assert_array_equal(stored[name], array)


def sequences() -> list[bytes]:
    """Some of the sequences that the model knows, of all lengths."""
    numbers = language_model().sequences[::97].tolist()
    whole = [number.to_bytes(LONGEST + 1, "big").lstrip(b"\0") for number in numbers]
    return [sequence[1:] for sequence in whole]


@given(
    st.text(max_size=300)
    | st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join)
    | st.lists(st.sampled_from(sequences()), max_size=60).map(
        lambda parts: b"".join(parts).decode("utf-8", "surrogateescape")
    )
)
def test_language_and_probability_are_those_of_py3langid_to_the_last_bit(text: str) -> None:
    assert language_model().likeliest(text) == oracle().classify(text)


@pytest.mark.parametrize(
    "text", ["", "\x01\x02", "zz", "THE FERRY CROSSES THE RIVER", "уз ўз" * 40]
)
def test_so_they_are_of_texts_with_little_to_go_by(text: str) -> None:
    assert language_model().likeliest(text) == oracle().classify(text)
