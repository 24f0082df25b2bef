"""The list of a folder's files: what it says is what is stored, and it tells its own damage."""

import hashlib
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbce.model import UsageError
from dbce.storage.fixity import FIXITY, Fixity, SealedFolder, archive_root, damages, fixity_of, seal
from dbce.storage.folder import Digest, Folder
from tests.runs import process

NAMES = st.text(min_size=1).filter(
    lambda name: (
        not name.startswith("#") and not {"", ".", ".."} & {*name.split("/")} and ":\\" not in name
    )
)
DIGESTS = st.builds(
    Digest, st.integers(0, 2**60), st.text("0123456789abcdef", min_size=64, max_size=64)
)
LISTS = st.dictionaries(NAMES, DIGESTS).flatmap(
    lambda files: st.builds(
        Fixity,
        st.just(files),
        st.dictionaries(st.sampled_from(["run.json", "files.json"]), st.just('{"a": "b c"}')),
        st.frozensets(st.sampled_from(sorted(files))) if files else st.just(frozenset()),
    )
)


def sealed(folder: Path) -> SealedFolder:
    """Two tables in a folder, an account, and the list of them."""
    run = Folder(str(folder))
    run.write("pages/a\nb.parquet", b"one")
    run.write("pages/c.parquet", b"four")
    seal(run, ["pages"], run.take_digests(), last="run.json", data=b"{}", copies={"run.json": "{}"})
    return SealedFolder(str(folder))


@given(LISTS)
def test_a_list_comes_back_as_it_was(listed: Fixity) -> None:
    assert Fixity.from_bytes(bytes(listed)) == listed


@given(LISTS, st.data())
def test_any_other_bit_in_a_list_is_noticed(listed: Fixity, data: st.DataObject) -> None:
    stored = bytearray(bytes(listed))
    at = data.draw(st.integers(0, len(stored) - 1))
    stored[at] ^= 1 << data.draw(st.integers(0, 7))
    assert Fixity.from_bytes(bytes(stored)) is None
    assert Fixity.from_bytes(bytes(listed)[:at]) is None


@pytest.mark.parametrize("name", ["../x", "/etc/x", "pages/../../x", "a//b", "C:\\x", "./x"])
def test_a_list_that_leads_out_of_its_folder_counts_as_damaged(name: str) -> None:
    """Somebody else may have written it, and repair writes, moves and reads what it names."""
    digest = Digest(1, "0" * 64)
    assert Fixity.from_bytes(bytes(Fixity({name: digest}))) is None
    assert Fixity.from_bytes(bytes(Fixity({"a": digest}, {name: "text"}))) is None
    assert Fixity.from_bytes(bytes(Fixity({"a": digest}, lost=frozenset("a")))) is not None
    for line in ("# bytes x", "", "# lost 1"):  # of no known form
        text = f"# head\n{line}\n".encode()
        end = f"# end {hashlib.sha256(text).hexdigest()}\n".encode()
        assert Fixity.from_bytes(text + end) is None


def test_a_digest_is_that_of_what_was_written(tmp_path: Path) -> None:
    folder = Folder(str(tmp_path))
    with folder.create("a") as stream:
        stream.write(b"first")
        stream.write(memoryview(b"second"))
    assert folder.take_digests() == {"a": Digest(11, hashlib.sha256(b"firstsecond").hexdigest())}
    assert folder.take_digests() == {}
    with pytest.raises(AttributeError, match="front to back"), folder.create("a") as stream:
        stream.seek(0)


@pytest.mark.skipif(not shutil.which("sha256sum"), reason="sha256sum is not installed")
def test_whoever_has_no_dbce_reads_it_with_sha256sum(tmp_path: Path) -> None:
    sealed(tmp_path)
    command = ["sha256sum", "--check", "--strict", FIXITY]
    assert process(*command, folder=tmp_path).stdout.count(": OK\n") == 3
    (tmp_path / "pages/c.parquet").write_bytes(b"fear")
    assert "pages/c.parquet: FAILED\n" in process(*command, folder=tmp_path, code=1).stdout


def test_damage_is_told_by_its_kind(tmp_path: Path) -> None:
    folder = sealed(tmp_path)
    fixity = folder.fixity
    assert fixity is not None
    assert list(damages(folder, fixity)) == []
    (tmp_path / "pages/c.parquet").write_bytes(b"fear")
    (tmp_path / "run.json").write_bytes(b"{")
    (tmp_path / "pages/a\nb.parquet").unlink()
    assert [(one.name, one.what) for one in damages(folder, fixity)] == [
        ("pages/a\nb.parquet", "missing"),
        ("pages/c.parquet", "changed"),
        ("run.json", "has 1 of 2 bytes"),
    ]
    assert len([*damages(folder, fixity, verify=False)]) == 2  # what is cheap to see


def test_who_reads_is_told_what_is_not_there(tmp_path: Path) -> None:
    folder = sealed(tmp_path)
    (tmp_path / "pages/c.parquet").unlink()
    with pytest.raises(UsageError, match=rf"c\.parquet: missing: dbce repair {tmp_path} rebuilds"):
        folder.names("pages/*.parquet")
    assert folder.names("nodes/*.parquet") == []


def test_what_is_lost_for_good_keeps_nobody_from_the_rest(tmp_path: Path) -> None:
    fixity = sealed(tmp_path).fixity
    assert fixity is not None
    (tmp_path / "pages/c.parquet").unlink()
    lost = Fixity(fixity.files, fixity.copies, frozenset(["pages/c.parquet"]))
    Folder(str(tmp_path)).write(FIXITY, bytes(lost))
    assert SealedFolder(str(tmp_path)).names("pages/*.parquet") == ["pages/a\nb.parquet"]
    assert [one.what for one in damages(Folder(str(tmp_path)), lost)] == ["lost"]


def test_a_list_that_is_damaged_is_an_error_and_none_is_none(tmp_path: Path) -> None:
    assert fixity_of(Folder(str(tmp_path))) is None
    sealed(tmp_path)
    (tmp_path / FIXITY).write_bytes((tmp_path / FIXITY).read_bytes()[:-1])
    with pytest.raises(UsageError, match="is damaged, so"):
        fixity_of(Folder(str(tmp_path)))


@pytest.mark.parametrize(
    ("uri", "whole"),
    [
        ("/a/nights/n20260101-01", "/a"),
        ("/a/nights/n20260101-01/revised", "/a"),
        ("s3://b/a/index/compact-000002/", "s3://b/a"),
        ("/a/nights", "/a/nights"),
        ("/index/mine", "/index/mine"),
    ],
)
def test_the_archive_that_a_folder_is_of(uri: str, whole: str) -> None:
    assert archive_root(uri) == whole
