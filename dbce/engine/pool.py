"""Processes of this machine that do one thing after another, and survive the death of one of them."""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, ExitStack, suppress
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait as wait_for_one
from multiprocessing.util import Finalize
from threading import Thread
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from dbce.model import StoreError, secure_streams
from dbce.progress import held_back

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Item = TypeVar("Item")
Made = TypeVar("Made")

AHEAD = 2
"""Items that wait for each process: enough that none is idle while results are taken."""


class Pool(Generic[Item, Made]):
    """Processes that each open what they need once, and then make things of items.

    Where a process dies, as the kernel ends one when memory does, the items that were under way are
    tried once more, one at a time; `lost` says what becomes of one that a process dies of again.
    """

    def __init__(
        self,
        jobs: int,
        open_work: Callable[[], AbstractContextManager[Callable[[Item], Made]]],
        lost: Callable[[Item], Made],
    ) -> None:
        self._jobs = jobs
        self._open_work = open_work
        self._lost = lost
        self._executor: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:  # nobody wants the rest
            for process in active_children():
                process.terminate()
        self._shut()

    def in_order(
        self, items: Iterable[Item], ready: Callable[[Item], Made | None] = lambda _: None
    ) -> Iterator[Made]:
        """Return what is made of each item, in order; no more than AHEAD for each process are under way.

        What is `ready` goes to no process.
        """
        waiting: deque[tuple[Item, Future[Made]]] = deque()
        for item in items:
            made = ready(item)
            waiting.append((item, self._submit(item) if made is None else _over(made)))
            if len(waiting) > self._jobs * AHEAD:
                yield self._first(waiting)
        while waiting:
            yield self._first(waiting)

    def as_made(self, items: Iterable[Item]) -> Iterator[tuple[Item, Made]]:
        """Each item with what is made of it, as it comes."""
        source = iter(items)
        running: dict[Future[Made], Item] = {}
        while True:
            while len(running) < self._jobs * AHEAD:
                with suppress(StopIteration):
                    item = next(source)
                    running[self._submit(item)] = item
                    continue
                break
            if not running:
                return
            ended = wait(running, return_when=FIRST_COMPLETED).done
            for future in ended:
                if future not in running:
                    continue
                try:
                    made = future.result()
                except BrokenProcessPool:
                    again = list(running.values())
                    running.clear()
                    yield from ((item, self._alone(item)) for item in again)
                else:
                    yield running.pop(future), made

    def _first(self, waiting: deque[tuple[Item, Future[Made]]]) -> Made:
        item, future = waiting.popleft()
        try:
            return future.result()
        except BrokenProcessPool:
            made = self._alone(item)
            for number, (other, its_future) in enumerate(waiting):
                if not its_future.done() or its_future.exception() is not None:
                    waiting[number] = (other, self._submit(other))
            return made

    def _alone(self, item: Item) -> Made:
        """One item with nothing beside it, so that it is known what a process dies of."""
        self._shut()
        try:
            return self._submit(item).result()
        except BrokenProcessPool:
            self._shut()
            return self._lost(item)

    def _submit(self, item: Item) -> Future[Made]:
        if self._executor is None:
            # A process that is forked would inherit the locks of threads that it has not.
            self._executor = ProcessPoolExecutor(
                self._jobs, get_context("spawn"), _begin, (self._open_work,)
            )
        with held_back():  # Ctrl-C is for us: the processes would all tell of it
            try:
                return self._executor.submit(_do, item)
            except BrokenProcessPool as e:
                broken: Future[Made] = Future()
                broken.set_exception(e)
                return broken

    def _shut(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)
            self._executor = None


def _over(made: Made) -> Future[Made]:
    future: Future[Made] = Future()
    future.set_result(made)
    return future


def lost_unit(item: Any) -> Any:
    """The end of a job of which one unit cannot be done.

    Raises:
        StoreError: always.
    """
    name = item[0] if isinstance(item, tuple) else item
    raise StoreError(
        f"a process working on {name} was killed twice, as the system does when memory runs out; "
        "finished work is kept: free memory, then continue with --resume"
    )


_OPEN: list[Callable[[Any], Any]] = []
"""What this process works with, if it is one of a pool."""


def _begin(open_work: Callable[[], AbstractContextManager[Callable[[Any], Any]]]) -> None:
    secure_streams()
    _die_with_parent()
    stack = ExitStack()
    _OPEN[:] = [stack.enter_context(open_work())]
    Finalize(None, stack.close, exitpriority=10)


def _do(item: Any) -> Any:
    return _OPEN[0](item)


def _die_with_parent() -> None:
    """End this process as soon as the one that has started it is gone.

    A worker waits for work at a pipe of which it holds both ends, so it would wait for ever. The pipe that
    is watched here is held open by the parent alone, and closes however that ends, on every system.
    """
    if (parent := parent_process()) is not None:
        Thread(target=_end_after, args=(parent.sentinel,), daemon=True, name="orphans").start()


def _end_after(sentinel: int) -> None:
    wait_for_one([sentinel])
    # Nobody takes what is being made; finalizers may wait for a lock that this thread's death would keep.
    os._exit(1)
