"""A whole run as a bag (BagIt, RFC 8493), to be handed to a repository: its files below `data/`, as they were written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbce.model import MissingExtra, UsageError
from dbce.output import JUDGED
from dbce.storage import LOCK, WORK, Folder, move_all

if TYPE_CHECKING:
    from dbce.output import Manifest

_PLACE = f"{WORK}/bag"


def write_bag(folder: Folder, manifest: Manifest, out: Folder) -> int:
    """Write a bag of a run or of a nightly archive, which is verified; the number of judged captures.

    Raises:
        MissingExtra: the library is not installed.
        UsageError: the folder is in an object store, or captures are selected.
    """
    try:
        import bagit
    except ModuleNotFoundError as e:
        raise MissingExtra("a bag", "bag") from e
    if not out.renames:
        raise UsageError(f"a bag is made on a disk, and {out.uri} is none; name a folder")
    if getattr(folder, "selection", None) is not None:
        raise UsageError("a bag has a whole run; leave out the selection")
    run, place = Folder(folder.uri), out.within(_PLACE)
    for path in sorted(run.fs.find(run.path)):
        name = run.name_of(path)
        if name != LOCK and "/." not in f"/{name}" and not path.startswith(f"{out.path}/"):
            run.copy(name, place)
    judged: int = sum(manifest["captures"][status] for status in JUDGED)
    about = {
        "External-Description": f"Main content of {judged} archived pages, told from boilerplate",
        "Bagging-Software": f"dbce {manifest['versions']['dbce']}",
    }
    bagit.make_bag(place.path, about, checksums=["sha256"])
    *others, first = sorted(place.entries(), key=lambda name: name == "bagit.txt")
    move_all(place, out, [*others, first])  # without its declaration it is no bag
    return judged
