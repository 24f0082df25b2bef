"""Values on a shelf are there again, wherever it keeps them."""

import errno
import pickle
from tempfile import gettempdir

import numpy as np
import pytest

from dbce.model import StoreError
from dbce.storage import Shelf, ShelfItems, temporary


@pytest.fixture(params=[temporary.IN_MEMORY, 100], ids=["in memory", "on disk"])
def limit(request, monkeypatch) -> int:
    monkeypatch.setattr(temporary, "IN_MEMORY", request.param)
    return request.param


def test_what_is_put_aside_is_taken_in_any_order_and_stays(limit):
    values = [(number, np.arange(number, dtype=np.uint32)) for number in range(50)]
    with Shelf() as waiting:
        places = [waiting.put(value) for value in values]
        for number in (49, 0, 7, 7):
            same, array = waiting.take(places[number])
            assert (same, array.tolist()) == (number, list(range(number)))
        late = waiting.put("late")
        assert waiting.take(late) == "late"
        assert waiting._file._rolled is (limit == 100)


def test_values_travel_to_other_processes_as_a_list(limit):
    with Shelf() as waiting:
        shelved = ShelfItems(waiting, [waiting.put(value) for value in "abc"][::-1])
        assert (list(shelved), len(shelved)) == (["c", "b", "a"], 3)
        assert list(shelved) == ["c", "b", "a"], "once more"
        assert pickle.loads(pickle.dumps(shelved)) == ["c", "b", "a"]


def test_a_full_disk_is_told_in_a_sentence(monkeypatch):
    def full(_: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with Shelf() as waiting:
        monkeypatch.setattr(waiting._file, "write", full)
        with pytest.raises(StoreError, match=f"^{gettempdir()} cannot be written: No space left"):
            waiting.put(1)
