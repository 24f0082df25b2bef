"""Processes that make things of items, in order or as they come, and of which one may die."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import pytest

from dbce.engine import Local, Pool, Stage, each
from dbce.model import StoreError
from dbce.progress import Progress
from tests.gate import first

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow

DEADLY = 3


@contextmanager
def doubling() -> Iterator[Callable[[int], int]]:
    yield lambda number: 2 * number


@contextmanager
def dying(folder: Path, times: int) -> Iterator[Callable[[int], int]]:
    """Doubles numbers; one of them ends the process, so many times."""

    def double(number: int) -> int:
        if number == DEADLY and len(list(folder.iterdir())) < times:
            (folder / str(os.getpid())).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return 2 * number

    yield double


def lost(_number: int) -> int:
    return -1


def test_what_is_made_comes_in_order_and_what_is_ready_goes_to_no_process() -> None:
    with Pool(2, doubling, lost) as pool:
        ready = {4: 100}
        assert list(pool.in_order(range(9), ready.get)) == [0, 2, 4, 6, 100, 10, 12, 14, 16]


@pytest.mark.parametrize(("times", "made"), first([(2, -1), (1, 6)]))
def test_a_process_that_dies_costs_at_most_the_item_that_it_dies_of_twice(
    tmp_path: Path, times: int, made: int
) -> None:
    for in_order in (True, False):
        folder = tmp_path / str(in_order)
        folder.mkdir()
        with Pool(2, partial(dying, folder, times), lost) as pool:
            if in_order:
                results = dict(enumerate(pool.in_order(range(8))))
            else:
                results = dict(pool.as_made(range(8)))
        assert results == {n: made if n == DEADLY else 2 * n for n in range(8)}


def touch(folder: Path, name: str) -> None:
    (folder / name).touch()


def die(_name: str) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_the_units_of_a_stage_are_done_in_several_processes(tmp_path: Path) -> None:
    units = {name: name for name in "abcde"}
    stage = Stage(1, "touch", "touching", units, each(partial(touch, tmp_path)))
    Local(2).do(stage, Progress("test"))
    assert sorted(path.name for path in tmp_path.iterdir()) == list("abcde")


def test_a_unit_that_processes_die_of_is_named_and_can_be_gone_on_with() -> None:
    stage = Stage(1, "die", "dying", {"a": "a", "b": "b"}, each(die))
    with pytest.raises(StoreError, match=r"working on [ab] was killed twice.*--resume"):
        Local(2).do(stage, Progress("test"))
