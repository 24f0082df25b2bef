"""Processes that make things of items, in order or as they come, and of which one may die."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from dbce.engine import Local, Pool, Stage, work_without_progress
from dbce.model import Progress, StoreError
from tests.gate import first
from tests.runs import in_python

pytestmark = pytest.mark.slow

DEADLY = 3
LARGE = 1_000_000


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


def lost_bytes(_number: int) -> bytes:
    return b""


def test_what_is_made_comes_in_order_and_what_is_ready_goes_to_no_process() -> None:
    with Pool(2, doubling, lost) as pool:
        ready = {4: 100}
        assert list(pool.in_order(range(9), ready.get)) == [0, 2, 4, 6, 100, 10, 12, 14, 16]


@pytest.mark.parametrize(("times", "made"), first([(2, -1), (1, 6)]))
def test_a_process_that_dies_costs_at_most_the_item_that_it_dies_of_twice(tmp_path, times, made):
    for in_order in (True, False):
        folder = tmp_path / str(in_order)
        folder.mkdir()
        with Pool(2, partial(dying, folder, times), lost) as pool:
            if in_order:
                results = dict(enumerate(pool.in_order(range(8))))
            else:
                results = dict(pool.as_made(range(8)))
        assert results == {n: made if n == DEADLY else 2 * n for n in range(8)}


@contextmanager
def dying_while_it_answers(folder: Path) -> Iterator[Callable[[int], bytes]]:
    """Large results; of one half is written when the process ends for the first time."""
    whole = Connection._send  # type: ignore[attr-defined]

    def half(self: Connection, data: bytes, *args: object) -> None:
        if len(data) > DEADLY * LARGE and not list(folder.iterdir()):
            (folder / "died").touch()
            whole(self, data[:LARGE], *args)
            os.kill(os.getpid(), signal.SIGKILL)
        whole(self, data, *args)

    Connection._send = half  # type: ignore[attr-defined]
    yield lambda number: b"x" * number * LARGE


def test_a_process_that_dies_with_half_a_result_written_keeps_nobody_waiting(tmp_path):
    with Pool(2, partial(dying_while_it_answers, tmp_path), lost_bytes) as pool:
        lengths = [len(made) for made in pool.in_order(range(1, 6))]
    assert list(tmp_path.iterdir())
    assert lengths == [number * LARGE for number in range(1, 6)]


@contextmanager
def opening_nothing() -> Iterator[Callable[[int], int]]:
    raise StoreError("an executor cannot render: there is no Chromium")
    yield lambda number: number


def test_what_cannot_be_opened_is_said_and_not_taken_for_a_death() -> None:
    with (
        pytest.raises(StoreError, match="there is no Chromium"),
        Pool(2, opening_nothing, lost) as pool,
    ):
        list(pool.in_order(range(3)))


def test_an_exception_comes_back_with_where_it_was_raised() -> None:
    with pytest.raises(ValueError, match="three") as told, Pool(2, raising, lost) as pool:
        list(pool.as_made(range(9)))
    assert "in refuse_three" in "".join(told.value.__notes__)


@contextmanager
def raising() -> Iterator[Callable[[int], int]]:
    yield refuse_three


def refuse_three(number: int) -> int:
    if number == DEADLY:
        raise ValueError("three")
    return number


def touch(folder: Path, name: str) -> None:
    (folder / name).touch()


def die(_name: str) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_the_units_of_a_stage_are_done_in_several_processes(tmp_path: Path) -> None:
    units = {name: name for name in "abcde"}
    stage = Stage(1, "touch", "touching", units, work_without_progress(partial(touch, tmp_path)))
    Local(2).do(stage, Progress("test"))
    assert sorted(path.name for path in tmp_path.iterdir()) == list("abcde")


def test_a_unit_that_processes_die_of_is_named_and_can_be_gone_on_with() -> None:
    stage = Stage(1, "die", "dying", {"a": "a", "b": "b"}, work_without_progress(die))
    with pytest.raises(StoreError, match=r"working on [ab] was killed twice.*free memory"):
        Local(2).do(stage, Progress("test"))


@contextmanager
def telling_of_ctrl_c() -> Iterator[Callable[[int], bool]]:
    yield lambda _: signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_no_process_gets_a_ctrl_c_not_even_while_python_starts() -> None:
    """In a Python of its own: the first process that it starts is no exception."""
    code = (
        "from dbce.engine import Pool; from tests.engine.test_pool import lost, telling_of_ctrl_c\n"
        "with Pool(2, telling_of_ctrl_c, lost) as pool: print(*pool.in_order(range(4)))"
    )
    assert in_python(code).stdout == "True True True True\n"
