"""How two pictures differ."""

from io import BytesIO

import numpy as np
import pytest

pytest.importorskip("skimage", reason="pip install 'dbce[render]'")
from PIL import Image

from dbce.visual.changes.look import compare_pictures


def drawn(rows: np.ndarray) -> bytes:
    stream = BytesIO()
    Image.fromarray(rows).save(stream, "PNG")
    return stream.getvalue()


def noise(height: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (height, 120, 3), np.uint8)


def test_a_picture_is_like_itself() -> None:
    found = compare_pictures(drawn(noise(200, 1)), drawn(noise(200, 1)))
    assert found == (1, 1, 1, 0, 0, 0)


def test_a_new_line_above_changes_its_own_rows_only() -> None:
    old = noise(400, 1)
    found = compare_pictures(drawn(old), drawn(np.vstack([noise(40, 2), old])))
    assert found.rows_kept == pytest.approx(2 * 400 / 840)
    assert found.pixels == pytest.approx(40 / 440, abs=0.001)
    assert found.ssim > 0.85
    assert found.pixels_top > 0.3  # not aligned


def test_other_pictures_differ_everywhere() -> None:
    found = compare_pictures(drawn(noise(200, 1)), drawn(noise(300, 2)))
    assert found.rows_kept == 0
    assert found.pixels > 0.9
    assert found.ssim < 0.5
    assert found.difference_hash > 8


def test_rows_that_changed_are_held_against_what_stood_there() -> None:
    old = noise(200, 1)
    new = old.copy()
    new[:, :12] = 255 - new[:, :12]
    found = compare_pictures(drawn(old), drawn(new))
    assert found.rows_kept == 0
    assert found.pixels == pytest.approx(0.1, abs=0.01)
    assert found.ssim > 0.8
