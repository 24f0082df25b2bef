"""The targets of `make fuzz` on their seeds, and on mutations of them that Hypothesis makes."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.chromium import visit
from tests.fuzz.targets import TARGETS, mark_page, read_container, show_frame, write
from tests.html.soup import ODDITIES, TAGS
from tests.view.mutants import HOSTILE, mutants

places = st.integers(0, 2**16)
changes = st.lists(st.tuples(places, places, st.binary(max_size=6) | st.none()), max_size=4)


@pytest.fixture(scope="module")
def seeds(tmp_path_factory) -> dict[str, list[bytes]]:
    """The seeds of each target."""
    folders = write(tmp_path_factory.mktemp("fuzz"))
    return {
        name: [file.read_bytes() for file in sorted(folder.iterdir())]
        for name, folder in folders.items()
    }


def mutated(seed: bytes, changes: list[tuple[int, int, bytes | None]]) -> bytes:
    """The seed with slices replaced by some bytes, or by themselves twice."""
    for one, other, filling in changes:
        start, end = sorted((one % (len(seed) + 1), other % (len(seed) + 1)))
        middle = seed[start:end] * 2 if filling is None else filling
        seed = seed[:start] + middle + seed[end:]
    return seed


@pytest.mark.parametrize("target", TARGETS)
def test_the_seeds_hold(seeds, target) -> None:
    assert len(seeds[target]) > 10
    for seed in seeds[target]:
        TARGETS[target](seed)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(places, changes)
def test_any_file_is_read_to_its_end_and_accounted_for(seeds, number: int, changes) -> None:
    read_container(mutated(seeds["containers"][number % len(seeds["containers"])], changes))


markup = [f"<{sign}{tag}>".encode() for sign in ("", "/") for tag in TAGS]
markup += [f"<{tag} x='".encode() for tag in TAGS]  # a quote that nothing closes
markup += [text.encode("utf-8", "surrogatepass") for text in ODDITIES]
fillings = st.sampled_from(markup) | st.binary(max_size=6) | st.none()
odd = st.lists(st.tuples(places, places, fillings), max_size=8)


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(places, odd)
def test_any_page_comes_back_without_its_marks(seeds, number: int, changes) -> None:
    mark_page(mutated(seeds["pages"][number % len(seeds["pages"])], changes))


hostile = st.lists(st.tuples(places, places, st.sampled_from(HOSTILE) | st.none()), max_size=4)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(places, hostile)
def test_any_page_is_shown_and_does_nothing(seeds, number: int, changes) -> None:
    show_frame(mutated(seeds["frames"][number % len(seeds["frames"])], changes))


@pytest.mark.browser
@pytest.mark.nightly
def test_no_page_breaks_the_frame_in_a_browser(browser, tmp_path) -> None:
    assert list(visit(browser, mutants(tmp_path), iter(range(60)))) == list(range(60))
