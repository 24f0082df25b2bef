"""Processes of this machine that do one thing after another, and survive the death of one of them.

Each has a pipe of its own that closes when it ends. Those of `concurrent.futures` share one for all results:
where one was killed with half a large result written, who reads waited for the other half for ever.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import partial
from itertools import islice
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for_one
from threading import Lock, Semaphore, Thread, local
from traceback import format_exc
from types import ModuleType
from typing import Any, Generic, Self, TypeAlias, TypeVar

from dbce.model import StoreError, interrupts_deferred, secure_streams

Item = TypeVar("Item")
Made = TypeVar("Made")
OpenWork: TypeAlias = "Callable[[], AbstractContextManager[Callable[[Item], Made]]]"

Work = TypeVar("Work")

AHEAD = 2  # items that wait for each process: enough that none is idle while results are taken


def ready_work(work: Work) -> AbstractContextManager[Work]:
    """Work for which nothing has to be opened."""
    return nullcontext(work)


class _ProcessLostError(Exception):
    """A process has ended with an item under way."""


class Pool(Generic[Item, Made]):
    """Processes that each open what they need once, and then make things of items.

    Where a process dies, as the kernel ends one when memory does, its item is tried once more with no other
    process there; `lost` says what becomes of one that a process dies of again.
    """

    def __init__(
        self, jobs: int, open_work: OpenWork[Item, Made], lost: Callable[[Item], Made]
    ) -> None:
        self._jobs = jobs
        self._open_work = open_work
        self._lost = lost
        self._threads = ThreadPoolExecutor(jobs, "processes")  # each waits for one process
        self._permits = Semaphore(jobs)
        self._own = local()
        self._lock = Lock()
        self._processes: set[_Process[Item, Made]] = set()
        self._is_over = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with self._lock:
            self._is_over = True
        if kind is not None:  # nobody wants the rest
            for process in self._processes:
                process.terminate()
        self._permits.release(self._jobs)  # who was interrupted may have kept some
        self._threads.shutdown(cancel_futures=True)
        self._close_all()

    def in_order(
        self, items: Iterable[Item], ready: Callable[[Item], Made | None] = lambda _: None
    ) -> Iterator[Made]:
        """Return what is made of each item, in order; no more than AHEAD for each process are under way.

        What is `ready` goes to no process.
        """
        waiting: deque[tuple[Item, Future[Made]]] = deque()
        for item in items:
            future: Future[Made] = Future()
            if (made := ready(item)) is None:
                future = self._submit(item)
            else:
                future.set_result(made)
            waiting.append((item, future))
            if len(waiting) > self._jobs * AHEAD:
                yield self._result(*waiting.popleft())
        while waiting:
            yield self._result(*waiting.popleft())

    def as_made(self, items: Iterable[Item]) -> Iterator[tuple[Item, Made]]:
        """Each item with what is made of it, as it comes."""
        source = iter(items)
        running = {self._submit(item): item for item in islice(source, self._jobs * AHEAD)}
        while running:
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                item = running.pop(future)
                yield item, self._result(item, future)
                running |= {self._submit(item): item for item in islice(source, 1)}

    def _submit(self, item: Item) -> Future[Made]:
        return self._threads.submit(self._make, item)

    def _make(self, item: Item) -> Made:
        with self._permits:
            return self._process().make(item)

    def _process(self) -> _Process[Item, Made]:
        """The process of this thread: a new one where the last has ended."""
        process: _Process[Item, Made] | None = getattr(self._own, "process", None)
        if process is None or process.has_ended:
            with self._lock:
                if self._is_over:
                    raise _ProcessLostError
                self._own.process = process = _Process(self._open_work)
                self._processes.add(process)
        return process

    def _result(self, item: Item, future: Future[Made]) -> Made:
        try:
            return future.result()
        except _ProcessLostError:
            return self._alone(item)

    def _alone(self, item: Item) -> Made:
        """Result of an item with no other process there, which may have held the memory."""
        for _ in range(self._jobs):
            self._permits.acquire()
        try:
            self._close_all()
            return self._process().make(item)
        except _ProcessLostError:
            return self._lost(item)
        finally:
            self._close_all()
            self._permits.release(self._jobs)

    def _close_all(self) -> None:
        while self._processes:
            self._processes.pop().close()


class _Process(Generic[Item, Made]):
    """A process, and the pipe that items take there and results back."""

    def __init__(self, open_work: OpenWork[Item, Made]) -> None:
        # A process that is forked would inherit the locks of threads that it has not.
        context = get_context("spawn")
        self.has_ended = False
        self._pipe, theirs = context.Pipe()
        # Python ends it where somebody leaves an iterator unfinished, instead of waiting for it.
        self._process = context.Process(target=_work, args=(open_work, theirs), daemon=True)
        if os.name == "posix":
            # Python would start it with the first process, and unmask Ctrl-C before that.
            resource_tracker.ensure_running()
        # Ctrl-C is for us: the processes would all tell of it.
        with interrupts_deferred(), _without_main():
            self._process.start()
        theirs.close()  # so that it is open in that process alone

    def make(self, item: Item) -> Made:
        """Result of the process for an item, or what its work raises; _ProcessLostError if it has ended before."""
        try:
            self._pipe.send(item)
            answer = self._pipe.recv_bytes()
        except (EOFError, OSError) as e:
            self.has_ended = True
            raise _ProcessLostError from e
        is_made, made = pickle.loads(answer)  # noqa: S301 - from a process of ours
        if not is_made:
            raise made
        return made  # type: ignore[no-any-return]

    def terminate(self) -> None:
        """End it where it stands; who waits for it is told."""
        self._process.terminate()

    def close(self) -> None:
        """End it when it is done; nobody may wait for it any more."""
        self.has_ended = True
        self._pipe.close()
        self._process.join()


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the program that runs: a new process would import it, and a script without a guard would run once more."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def lost_unit(named: tuple[str, object]) -> int:
    """Raise StoreError: a unit of the job, behind its name, cannot be done."""
    raise StoreError(
        f"a process working on {named[0]} was killed twice, as the system does when memory runs out; free memory"
    )


def _work(open_work: OpenWork[Any, Any], pipe: Connection) -> None:
    """Answer one item after the other in a process of a pool, until the pool closes the pipe."""
    secure_streams()
    _die_with_parent()
    with ExitStack() as stack:
        try:
            make = stack.enter_context(open_work())
        except Exception as e:  # noqa: BLE001 - it is told to whom it concerns
            make = partial(_raise, e)
        while True:
            try:
                item = pipe.recv()
            except EOFError:
                return
            pipe.send_bytes(_answer(make, item))


def _answer(make: Callable[[Any], Any], item: Any) -> bytes:
    """Pickled result of an item, or the exception that its work raises, as `_Process.make` reads it."""
    try:
        return pickle.dumps((True, make(item)))
    except Exception as e:  # noqa: BLE001 - it is raised where the item comes from
        e.add_note(format_exc())
        return pickle.dumps((False, e))


def _raise(error: Exception, _item: object) -> None:
    raise error


def _die_with_parent() -> None:
    """End this process as soon as its parent is gone: the pipe that is watched is open in that alone, on every system."""
    if (parent := parent_process()) is not None:
        Thread(target=_end_after, args=(parent.sentinel,), daemon=True, name="orphans").start()


def _end_after(sentinel: int) -> None:
    wait_for_one([sentinel])
    # Nobody takes what is being made; finalizers may wait for a lock that this thread's death would keep.
    os._exit(1)
