"""Fixity: the size and SHA-256 of every file of a finished folder, in a list that carries its own digest.

The list is named as in BagIt (RFC 8493), with a leading underscore so that readers of Parquet folders skip it. `sha256sum
--check` reads it, so the folder can be verified in twenty years without dbce. That is why it is SHA-256 and not a faster digest.
Lines that begin with # are comments to sha256sum. They hold the sizes, copies of notes that cannot be rebuilt, the files that
`dbce repair` recorded as lost and, last, the digest of all lines above.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from dbce.model import UsageError
from dbce.storage.folder import Digest, Folder

FIXITY = "_manifest-sha256.txt"  # name of the list in its folder
# Bytes of a file up to which its digest is computed whenever it is read; larger ones have checksums a page.
SMALL = 1 << 20
_HEAD = "# SHA-256 of every file, for sha256sum --check; dbce check reads the sizes and the last line, too\n"
_END = "# end "


class Damage(NamedTuple):
    """A file, by its name in a folder, and what is wrong with it: "missing", "has 10 of 20 bytes", "changed" or "lost"."""

    folder: Folder
    name: str
    what: str

    def __str__(self) -> str:
        return f"{self.folder.full_path(self.name)}: {self.what}"


OTHERS = frozenset({"changes", "rendered", "migrated"})
"""Folders in that of a run that `dbce repair` does not make."""
AGAIN = "dbce changes, render or migrate makes it again, with --overwrite"


def is_of_others(folder: Folder, name: str = "") -> bool:
    """Return whether commands other than `dbce repair` make a file of a folder, or all of it."""
    of_folder = folder.path.rpartition("/")[2] in OTHERS and not folder.exists("run.json")
    return of_folder or name.partition("/")[0] in OTHERS


@dataclass(frozen=True, slots=True)
class Fixity:
    """The files of a folder by name, copies of some of them, and the names of those that are lost for good."""

    files: Mapping[str, Digest]
    copies: Mapping[str, str] = field(default_factory=dict)
    lost: frozenset[str] = frozenset()

    def __bytes__(self) -> bytes:
        lines = [_HEAD]
        for name, (size, sha256) in sorted(self.files.items()):
            if name in self.lost:
                lines.append(f"# lost {size} {sha256} {_escape(name)}\n")
                continue
            mark = "\\" if _escape(name) != name else ""
            lines += [f"# bytes {size}\n", f"{mark}{sha256}  {_escape(name)}\n"]
        lines += [f"# copy {name} {text}\n" for name, text in sorted(self.copies.items())]
        text = "".join(lines).encode("utf-8", "surrogateescape")
        return text + f"{_END}{hashlib.sha256(text).hexdigest()}\n".encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Fixity | None:
        """The list that was stored so; None if it is damaged, or names what is not in its folder."""
        text, _, end = data.rpartition(_END.encode())
        if end != f"{hashlib.sha256(text).hexdigest()}\n".encode():
            return None
        lines = text.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n")[1:]
        try:
            fixity = cls._parse(lines)
        except (ValueError, IndexError):  # somebody else has written it
            return None
        # A list that somebody sent must not lead repair to other files.
        inside = all(_is_inside(name) for name in (*fixity.files, *fixity.copies))
        return fixity if inside else None

    @classmethod
    def _parse(cls, lines: Iterable[str]) -> Fixity:
        """Raises ValueError or IndexError where a line is of no known form."""
        files: dict[str, Digest] = {}
        copies: dict[str, str] = {}
        lost: set[str] = set()
        size = 0
        for line in lines:
            if line.startswith("# bytes "):
                size = int(line[8:])
            elif line.startswith("# copy "):
                name, _, copy = line[7:].partition(" ")
                copies[name] = copy
            elif line.startswith("# lost "):
                lost_size, sha256, name = line[7:].split(" ", 2)
                files[_plain(name)] = Digest(int(lost_size), sha256)
                lost.add(_plain(name))
            else:
                sha256, _, name = line.removeprefix("\\").partition("  ")
                files[_plain(name) if line[0] == "\\" else name] = Digest(size, sha256)
        return cls(files, copies, frozenset(lost))


def _is_inside(name: str) -> bool:
    parts = name.split("/")
    return "" not in parts and ".." not in parts and "." not in parts and ":\\" not in name


def _escape(name: str) -> str:
    return name.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")


def _plain(name: str) -> str:
    signs = {"\\\\": "\\", "\\n": "\n", "\\r": "\r"}
    return re.sub(r"\\[\\nr]", lambda match: signs[match[0]], name)


def seal(
    folder: Folder,
    parts: Iterable[str],
    known: Mapping[str, Digest],
    *,
    last: str = "",
    data: bytes = b"",
    copies: Mapping[str, str] | None = None,
) -> Fixity:
    """List the files of a folder that is finished, then write the `last` of them, which says that it is; return the list.

    `parts` are files and folders in it; of one that has such a list itself only that is listed. What is not `known` from
    when it was written is read once more.
    """
    files = {
        name: digest
        if (digest := known.get(name)) and digest.size == size
        else file_digest(folder, name)
        for name, size in _file_sizes(folder, parts)
    }
    if last:
        files[last] = Digest(len(data), hashlib.sha256(data).hexdigest())
    fixity = Fixity(files, copies or {})
    folder.write(FIXITY, bytes(fixity))
    if last:
        folder.write(last, data)
    return fixity


def _file_sizes(folder: Folder, parts: Iterable[str]) -> Iterator[tuple[str, int]]:
    for part in parts:
        infos = folder.fs.find(folder.full_path(part), detail=True)
        names = {folder.name_of(path): info["size"] for path, info in infos.items()}
        sealed = [name.removesuffix(FIXITY) for name in names if name.endswith(f"/{FIXITY}")]
        for name, size in names.items():
            is_own = name.endswith(f"/{FIXITY}") or not name.startswith(tuple(sealed))
            if is_own and name != FIXITY and "/." not in f"/{name}":
                yield name, size


def file_digest(folder: Folder, name: str) -> Digest:
    with folder.fs.open(folder.full_path(name), "rb") as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
        # Not tell(): of a file in memory the digest is taken without reading.
        return Digest(stream.seek(0, 2), sha256)


def fixity_of(folder: Folder) -> Fixity | None:
    """The list of a folder; None if it has none, a UsageError if it is damaged."""
    if not folder.exists(FIXITY):
        return None
    fixity = Fixity.from_bytes(folder.read(FIXITY))
    if fixity is None:
        raise UsageError(
            f"{folder.full_path(FIXITY)} is damaged, so {folder.uri} cannot be verified: dbce repair {folder.uri}"
        )
    return fixity


def damages(folder: Folder, fixity: Fixity, *, verify: bool = True) -> Iterator[Damage]:
    """The files that are missing or have another size; with `verify` also those with another digest, and lost ones."""
    for name, digest in sorted(fixity.files.items()):
        if name in fixity.lost:
            if verify:
                yield Damage(folder, name, "lost")
        elif (size := _size(folder, name)) is None:
            yield Damage(folder, name, "missing")
        elif size != digest.size:
            yield Damage(folder, name, f"has {size} of {digest.size} bytes")
        elif verify and file_digest(folder, name) != digest:
            yield Damage(folder, name, "changed")


def _size(folder: Folder, name: str) -> int | None:
    try:
        return int(folder.fs.size(folder.full_path(name)))
    except FileNotFoundError:
        return None


class SealedFolder(Folder):
    """A finished folder that raises an error when a file to be read is missing, truncated or, if that is cheap to see, changed.

    A folder without a list is not checked.
    """

    @cached_property
    def fixity(self) -> Fixity | None:
        return fixity_of(self)

    def __reduce__(self) -> tuple[type[Any], tuple[object, ...]]:
        """Other processes open it anew."""
        return type(self), (self.uri,)

    def names(self, pattern: str) -> list[str]:
        """As its base; a UsageError if a name that should be there is not."""
        names = super().names(pattern)
        if self.fixity is not None:
            wanted = re.compile(re.escape(pattern).replace(r"\*", "[^/]*"))
            listed = {name for name in self.fixity.files if wanted.fullmatch(name)}
            for name in sorted(listed - self.fixity.lost - {*names}):
                raise UsageError(_sentence(Damage(self, name, "missing")))
        return names

    def check(self, name: str, *, verify: bool = False) -> None:
        """As its base says, by the list."""
        digest = self._digest_of(name)
        if digest is None:
            return
        small = Fixity({name: digest})
        for damage in damages(self, small, verify=verify or digest.size <= SMALL):
            raise UsageError(_sentence(damage))

    def _digest_of(self, name: str) -> Digest | None:
        """The digest of a file; None if it is lost, or in no list, its own or that of a folder that another command made."""
        fixity, (first, _, rest) = self.fixity, name.partition("/")
        if fixity and first in OTHERS:
            fixity, name = fixity_of(self.subfolder(first)), rest
        return fixity.files.get(name) if fixity and name not in fixity.lost else None


def archive_root(uri: str) -> str:
    """The nightly archive that a folder of a night or of an index is in; any other folder itself."""
    return re.sub(
        r"/(nights/n\d{8}-\d{2,}(/revised)?|index/(n\d{8}-\d{2,}|compact-\d+))/?$", "", uri
    )


def _sentence(damage: Damage) -> str:
    by = f"dbce repair {archive_root(damage.folder.uri)} rebuilds it if the inputs are still available"
    return f"{damage}: {AGAIN if is_of_others(damage.folder, damage.name) else by}; dbce check lists all damage"
