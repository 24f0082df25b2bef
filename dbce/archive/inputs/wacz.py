"""Archives inside a WACZ, which is a zip file: read where they lie, without unpacking.

The format (https://specs.webrecorder.net/wacz/latest/) wants them stored, not compressed once
more; so one is a stretch of the zip file, and the offsets of its records are those of the
WACZ's own index.
"""

import re
import zlib
from collections import Counter
from collections.abc import Sequence
from io import BufferedReader, UnsupportedOperation
from typing import IO, cast
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from dbce.storage import RawFile, buffered_reader

ENDING = ".wacz"
_BORDER = re.compile(r"\.wacz/(?=.)", re.IGNORECASE | re.DOTALL)
# A member's local header (APPNOTE.TXT, section 4.3.7).
_LOCAL_MAGIC = b"PK\3\4"
_LOCAL_HEADER = 30  # bytes before the member's name
_ENCRYPTED = 1  # bit of a member's flags


def parts(uri: str) -> tuple[str, str]:
    """The WACZ and the name inside it, of a place as `x.wacz/archive/a.warc`; any other place as it is, with ""."""
    border = _BORDER.search(uri)
    return (uri[: border.end() - 1], uri[border.end() :]) if border else (uri, "")


def members(file: IO[bytes], endings: Sequence[str]) -> list[tuple[str, int]]:
    """Name and size of every archive inside a WACZ, in the order of names.

    The size of one that is compressed is 0: it is read from its beginning only. A file that is no
    zip file, or whose directory leads astray, has none.
    """
    try:
        with ZipFile(file) as archive:
            named = _by_name(archive)
    except (BadZipFile, RuntimeError):  # zipfile raises the second of a version to come
        return []
    infos = {name: i for name, i in named.items() if name.lower().endswith(tuple(endings))}
    if not all(_is_there(file, info) for info in infos.values()):
        return []
    return sorted(
        (name, i.file_size if i.compress_type == ZIP_STORED else 0) for name, i in infos.items()
    )


def _by_name(archive: ZipFile) -> dict[str, ZipInfo]:
    """The members of a zip file; of several with one name the second as in a folder `2`, and so on."""
    named: dict[str, ZipInfo] = {}
    times = Counter[str]()
    for info in archive.infolist():
        times[info.filename] += 1
        number = times[info.filename]
        named[info.filename if number == 1 else f"{number}/{info.filename}"] = info
    return named


def _is_there(file: IO[bytes], info: ZipInfo) -> bool:
    if info.header_offset < 0:
        return False
    file.seek(info.header_offset)
    return file.read(len(_LOCAL_MAGIC)) == _LOCAL_MAGIC


def open_member(file: BufferedReader, name: str) -> BufferedReader:
    """An archive inside an open WACZ, which is closed with it; or inside one that is itself inside.

    Raises:
        FileNotFoundError: the WACZ does not have it.
        UnsupportedOperation: it is encrypted, or packed in a way that nobody here knows.
    """
    outer, inner = parts(name)
    if inner:
        return open_member(open_member(file, outer), inner)
    try:
        archive = ZipFile(file)
        info = _by_name(archive)[name]
        if info.compress_type != ZIP_STORED or info.flag_bits & _ENCRYPTED:
            return buffered_reader(_CompressedMember(file, archive.open(info), info.file_size))
        if not _is_there(file, info):
            raise BadZipFile("it is not where the directory says")  # noqa: TRY301 - as zipfile says
        file.seek(info.header_offset)
        head = file.read(_LOCAL_HEADER)
    except KeyError:
        raise FileNotFoundError(f"the WACZ does not have {name}") from None
    except (BadZipFile, RuntimeError) as e:  # zipfile raises this of what it cannot unpack
        raise UnsupportedOperation(f"{name} in the WACZ: {e}") from e
    lengths = int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
    start = info.header_offset + _LOCAL_HEADER + lengths
    return buffered_reader(_Slice(file, start, info.file_size))


class _Slice(RawFile):
    """A stretch of a file, as a file."""

    def __init__(self, file: BufferedReader, start: int, size: int) -> None:
        super().__init__(file)
        self._start = start
        self._size = size
        self._at = 0

    def _read(self, count: int) -> bytes:
        data = self._read_here(min(count, max(0, self._size - self._at)))
        self._at += len(data)
        return data

    def _read_here(self, count: int) -> bytes:
        self._file.seek(self._start + self._at)
        return cast("bytes", self._file.read(count))

    def seek(self, offset: int, whence: int = 0) -> int:
        self._at = max(0, offset + (0, self._at, self._size)[whence])
        return self._at

    def tell(self) -> int:
        return self._at


class _CompressedMember(_Slice):
    """A compressed member; going back reads it again from its beginning."""

    def __init__(self, file: BufferedReader, stream: IO[bytes], size: int) -> None:
        super().__init__(file, 0, size)
        self._stream = stream

    def _read_here(self, count: int) -> bytes:
        try:
            if self._stream.tell() != self._at:
                self._stream.seek(self._at)
            return self._stream.read(count)
        except (BadZipFile, EOFError, zlib.error):
            return b""  # behind damage it is over: the record there is truncated
