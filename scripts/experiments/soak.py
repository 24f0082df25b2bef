"""Kills, starves and resumes every command that writes a folder, at random moments, and keeps account.

    python -m scripts.experiments.soak [--minutes 60] [--seed 1] [--only render,migrate] [--folder FOLDER]

Question: is anything lost, left behind or made otherwise when dbce is ended where it stands?
Data: a site of its own, 24 pages at two times in three archives; no other. Minutes: as many as are asked for.

Each command is run once undisturbed; its outputs are what counts. Then, in turn, a command begins in a folder of
its own and something happens to it at a random moment: SIGKILL, SIGTERM or Ctrl-C to the process that leads, SIGKILL
to one that it has started, no file may grow beyond some kilobytes, as on a full disk, or, where root may mount, the power
of its disk is cut (disk.py). So it goes on with `--resume` up to three times, then undisturbed to its end. In the end the outputs must be those of the undisturbed
call, byte for byte but for clock and place (digests.py), no process may be left, and no temporary file.

The account is a row a command: rounds, what happened, and what was wrong. The seed and the number of a round make it
happen again, as far as clocks allow. Exit code 1: something was lost, left behind or other.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from scripts.experiments import large
from scripts.experiments.digests import Checkout
from scripts.experiments.disk import NoDiskError
from scripts.experiments.disk import disk as own_disk

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scripts.experiments.disk import Disk

ROOT = Path(__file__).resolve().parents[2]

GONE = 15.0
"""Seconds within which all that a command has started must have ended after it."""

ON_DISK = 0.4
"""Share of the rounds on a disk of their own, whose power can be cut."""

ENDED = 300.0
"""Seconds that a call may take before it counts as one that hangs."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A command that is disturbed.

    Attributes:
        words: the call; {made} is the folder that it begins with, {archives} the folder of its inputs.
        outputs: what it leaves in {made}, as a glob.
        needs: the subjects whose outputs it begins with, in a copy.
        first: the option that it begins with; `again` is the one that it goes on with.
        is_hurt: files of what it begins with are damaged.
    """

    words: str
    outputs: str
    needs: tuple[str, ...] = ()
    first: str = ""
    again: str = "--resume"
    is_hurt: bool = False


SUBJECTS = {
    "run": Subject("run {archives} --out {made} --master none --jobs 2", "*"),
    "run on Spark": Subject("run {archives} --out {made} --master local[2]", "*"),
    "nightly": Subject("nightly {archives} --archive {made} --master none --jobs 2", "*", again=""),
    "render": Subject("render {archives} --out {made} --jobs 2", "rendered", ("run",)),
    "segment": Subject("segment {made} --jobs 2", "blocks", ("run", "render")),
    "headings": Subject("headings {made} --jobs 2", "headings", ("run", "render")),
    "changes": Subject("changes {made} --jobs 2", "changes", ("run",)),
    "migrate": Subject(
        "migrate {made} --archive {archives} --out {made} --jobs 2", "migrated", ("run", "render")
    ),
    "compact": Subject("compact {made}", "index", ("nightly",), again=""),
    "report": Subject("report {made}", "report*", ("run",), again=""),
    "export": Subject(
        "export {made} --to datatrove --out {made}/export", "export", ("run",), again=""
    ),
    "repair": Subject("repair {made} --jobs 2", "*", ("run",), again="", is_hurt=True),
    "repair of nights": Subject(
        "repair {made} --jobs 2", "*", ("nightly",), again="", is_hurt=True
    ),
    "run that replaces": Subject(
        "run {archives} --out {made} --master none", "*", ("run",), first="--overwrite"
    ),
}


class Call:
    """A command, with a mark in its surroundings by which all that it starts is known."""

    def __init__(self, words: Sequence[str], temporary: Path, most: int | None = None) -> None:
        self._mark = f"DBCE_SOAK={uuid4()}"
        name, _, value = self._mark.partition("=")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dbce", *words],
            cwd=ROOT,
            env=os.environ | {name: value, "TMPDIR": str(temporary)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=lambda: _limit_file_size(most),  # noqa: PLW1509 - before any thread
        )

    def wait_for_end(self) -> tuple[int, str]:
        """The exit code, and what was said last."""
        try:
            output = self.process.communicate(timeout=ENDED)[1]
        except subprocess.TimeoutExpired:
            self.process.kill()
            output = self.process.communicate()[1] + b"\nit hangs"
        lines = output.decode("utf-8", "replace").splitlines()
        return self.process.returncode, lines[-1] if lines else ""

    def child_processes(self) -> list[int]:
        """The processes that it has started, and that are there."""
        children = []
        for place in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                is_marked = self._mark.encode() in (place / "environ").read_bytes().split(b"\0")
                if is_marked and int(place.name) != self.process.pid:
                    children.append(int(place.name))
        return children


def _limit_file_size(most: int | None) -> None:
    """Nothing that is written may grow beyond so many bytes; Ctrl-C is heard."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if most is not None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # an error in its place, as of a full disk
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


def _hurt(folder: Path) -> None:
    """Damages three files: one is cut, of one a bit is another, one is gone."""
    tables = sorted(folder.rglob("*.parquet"))
    cut, flipped, gone = tables[0], tables[len(tables) // 2], tables[-1]
    cut.write_bytes(cut.read_bytes()[:-9])
    data = bytearray(flipped.read_bytes())
    data[len(data) // 2] ^= 1
    flipped.write_bytes(data)
    gone.unlink()


def _to_leader(number: int) -> Callable[[Call, random.Random], None]:
    return lambda call, _: call.process.send_signal(number)


def _to_another(call: Call, chance: random.Random) -> None:
    if others := call.child_processes():
        with suppress(ProcessLookupError):
            os.kill(chance.choice(others), signal.SIGKILL)


FAULTS: dict[str, Callable[[Call, random.Random], None]] = {
    "SIGKILL": _to_leader(signal.SIGKILL),
    "SIGTERM": _to_leader(signal.SIGTERM),
    "Ctrl-C": _to_leader(signal.SIGINT),
    "SIGKILL to another": _to_another,
}
STARVED, CUT = "full disk", "power cut"


@dataclass(slots=True)
class Account:
    """Faults that befell a command, and what was wrong then."""

    rounds: int = 0
    happened: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


class Soak:
    """The folder of a soak: inputs, undisturbed outputs with their digests, and one folder a round."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.seed = folder, seed
        self.archives = folder / "archives"
        large.main([str(self.archives), "--captures", "48", "--files", "3"])
        self.seconds: dict[str, float] = {}
        self.expected: dict[str, list[str]] = {}

    def run_undisturbed(self, name: str) -> None:
        """Runs a subject as it should go, and keeps its outputs' digests.

        Raises:
            ChildProcessError: it does not end well when nothing happens to it.
        """
        place = self._begun(name, "whole")
        began = time.monotonic()
        code, output = self._call(name, place, SUBJECTS[name].first).wait_for_end()
        if code:
            raise ChildProcessError(f"{name} ends with {code}: {output}")
        self.seconds[name] = time.monotonic() - began
        self.expected[name] = self._digests(name, place)

    def run_disturbed(self, name: str, number: int, account: Account) -> None:
        """One round of a subject; the account is added to."""
        chance = random.Random(f"{self.seed} {name} {number}")
        with ExitStack() as mounts:
            disk = None
            if chance.random() < ON_DISK:
                with suppress(NoDiskError):
                    folder = Path(tempfile.mkdtemp(dir=self.folder))
                    disk = mounts.enter_context(own_disk(folder))
            self._round(name, number, chance, account, disk)

    def _round(
        self, name: str, number: int, chance: random.Random, account: Account, disk: Disk | None
    ) -> None:
        place = self._begun(name, f"round-{number}", disk.files if disk else None)
        wrong = [*self._ends(name, place, chance, account, disk)]
        code, output = self._call(name, place, SUBJECTS[name].again).wait_for_end()
        is_refused = "is not empty" in output  # an export that was whole: it is not written again
        if code and not is_refused:
            wrong.append(f"ends with {code}: {output}")
        elif (place / "made/out/set-aside.json").exists():
            account.happened["file set aside"] += (
                1  # its nights were killed twice: other nights then
            )
        elif different := set(self._digests(name, place)) ^ set(self.expected[name]):
            wrong.append(
                f"other outputs: {', '.join(sorted({one.split()[1] for one in different}))}"
            )
        if left := sorted(path.name for path in (place / "tmp").iterdir()):
            wrong.append(f"temporary files: {', '.join(left)}")
        account.rounds += 1
        account.wrong += [f"round {number}: {one}" for one in wrong]
        if wrong and disk:
            shutil.copytree(place, self.folder / f"{name.replace(' ', '-')}-{number}")
        if not wrong and not disk:
            shutil.rmtree(place)

    def _ends(
        self, name: str, place: Path, chance: random.Random, account: Account, disk: Disk | None
    ) -> Sequence[str]:
        """Ends a subject where it stands, up to three times; what was wrong with that."""
        wrong, subject = [], SUBJECTS[name]
        for attempt in range(chance.randint(1, 3)):
            fault = chance.choice([*FAULTS, STARVED, *([CUT] * 3 if disk else [])])
            account.happened[fault] += 1
            most = chance.randrange(1_000, 100_000) if fault == STARVED else None
            call = self._call(name, place, subject.again if attempt else subject.first, most)
            if fault != STARVED:
                with suppress(subprocess.TimeoutExpired):
                    call.process.wait(chance.random() * self.seconds[name] * 1.1)
            if disk and fault == CUT:
                disk.freeze()
                _to_leader(signal.SIGKILL)(call, chance)
            elif fault in FAULTS and call.process.poll() is None:
                FAULTS[fault](call, chance)
            code, output = call.wait_for_end()
            if code == 1 or "it hangs" in output:
                wrong.append(f"after {fault} exit code {code}: {output}")
            until = time.monotonic() + GONE
            while (left := call.child_processes()) and time.monotonic() < until:
                time.sleep(0.2)
            if left:
                wrong.append(f"after {fault} {len(left)} processes stay")
                for process in left:
                    with suppress(ProcessLookupError):
                        os.kill(process, signal.SIGKILL)
            if disk and fault == CUT:
                disk.thaw()
        return wrong

    def _call(self, name: str, place: Path, option: str, most: int | None = None) -> Call:
        words = SUBJECTS[name].words.format(archives=self.archives, made=place / "made/out")
        return Call([*words.split(), *option.split()], place / "tmp", most)

    def _begun(self, name: str, round_name: str, on: Path | None = None) -> Path:
        """A folder for a round, with the outputs that the subject begins with; on a disk of its own, if there is one."""
        place = (on or self.folder) / name.replace(" ", "-") / round_name
        (place / "tmp").mkdir(parents=True)
        for first in SUBJECTS[name].needs:
            made = self.folder / first / "whole/made"
            shutil.copytree(made, place / "made", dirs_exist_ok=True)
        if SUBJECTS[name].is_hurt:
            _hurt(place / "made/out")
        if on:
            os.sync()  # what was there before is on the disk
        return place

    def _digests(self, name: str, place: Path) -> list[str]:
        checkout = Checkout((), place, self.archives, None)
        return list(
            checkout.folder_digests(name.replace(" ", "-"), f"made/out/{SUBJECTS[name].outputs}")
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Soaks for the minutes asked for; the exit code."""
    options = _parse(arguments)
    names = options.only.split(",") if options.only else list(SUBJECTS)
    folder = tempfile.mkdtemp(dir=options.folder)
    soak = Soak(Path(folder), options.seed)
    accounts = {name: Account() for name in names}
    firsts = {first for name in names for first in SUBJECTS[name].needs}
    for name in SUBJECTS:
        if name in names or name in firsts:
            soak.run_undisturbed(name)
    until, number = time.monotonic() + 60 * options.minutes, 0
    while time.monotonic() < until:
        number += 1
        for name, account in accounts.items():
            if time.monotonic() < until:
                soak.run_disturbed(name, number, account)
    for name, account in accounts.items():
        happened = ", ".join(f"{count} {fault}" for fault, count in account.happened.most_common())
        print(f"{name}: {account.rounds} rounds; {happened}; {len(account.wrong)} wrong")
        print("".join(f"  {line}\n" for line in account.wrong), end="")
    is_wrong = any(account.wrong for account in accounts.values())
    if is_wrong:
        print(f"what is left of them: {folder}")
    else:
        shutil.rmtree(folder)
    return int(is_wrong)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60, help="how long (default: 60)")
    parser.add_argument("--seed", type=int, default=1, help="of what happens when (default: 1)")
    parser.add_argument("--only", metavar="A,B", help="these commands alone")
    parser.add_argument("--folder", type=Path, metavar="FOLDER", help="where it works")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
