"""Nothing that was said is lost, and nothing that was there is overwritten blindly."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from dbce.annotate.content.book import SOMEBODY, Book
from dbce.evaluate import read_gold
from dbce.model import Label, StoreError, UsageError
from tests.annotate.content.said import BP, CON, UND, about, span

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "The ferry has left"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "gold.jsonl"


def say(book: Book, *spans, by: str = "Anna", hidden=(), record_id: str = "page") -> None:
    texts = {one.xpath: TEXT for one in (*spans, *hidden)}
    book.say(by, about(record_id), spans, hidden=hidden, texts=texts)


def lines(path: Path) -> list[tuple[str, str]]:
    objects = map(json.loads, path.read_text().splitlines())
    return [(one["text"], one["label"]) for one in objects]


def test_what_is_said_is_in_the_file_at_once(path):
    book = Book(path)
    assert not path.exists()
    say(book, span(0, "The ferry", CON))
    say(book, span(10, "has left", BP), span(0, "Home", UND, node=1))
    assert lines(path) == [("The ferry", "content"), ("has left", "boilerplate")]
    [first, _] = read_gold(str(path))
    assert (first.record_id, first.label, first.group) == ("page", Label.CONTENT, "a.example")
    book.close()


def test_who_comes_back_finds_everything(path):
    book = Book(path)
    say(book, span(0, "The ferry", CON))
    say(book, span(0, "Home", UND, node=1))
    book.close()
    again = Book(path)
    assert [one.mark for one in again.spans("Anna", "page")] == [CON, UND]
    assert again.undo("Anna", "page") == [("/p[1]", 0, 4)]
    assert again.undo("Anna", "page") == [("/p[0]", 0, 9)]
    assert again.undo("Anna", "page") == []
    assert path.read_text() == ""
    again.close()


def test_a_process_that_is_killed_loses_nothing_that_it_said_is_saved(path):
    script = (
        "import sys, time; from pathlib import Path; from dbce.annotate.content.book import Book;"
        "from tests.annotate.content.test_book import say, span;"
        "book = Book(Path(sys.argv[1])); say(book, span(0, 'The ferry')); print('saved', flush=True);"
        "time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "saved\n"
        with pytest.raises(UsageError, match=r"another dbce label has .*journal open"):
            Book(path)
        process.send_signal(signal.SIGKILL)
    book = Book(path)
    assert len(book.spans("Anna", "page")) == 1
    book.close()


@pytest.mark.parametrize("cut", range(1, 40, 7))
def test_a_line_that_broke_off_was_never_said(path, cut):
    book = Book(path)
    say(book, span(0, "The ferry", CON))
    before = path.read_bytes()
    say(book, span(10, "has left", BP))
    book.close()
    journal = path.with_name("gold.jsonl.journal")
    journal.write_bytes(journal.read_bytes()[:-cut])
    path.write_bytes(before)
    book = Book(path)
    assert [one.mark for one in book.spans("Anna", "page")] == [CON]
    say(book, span(10, "has left", BP))
    book.close()
    assert [json.loads(line)["by"] for line in journal.read_text().splitlines()] == ["Anna"] * 2


def test_a_file_that_lags_behind_its_journal_is_written_again(path):
    book = Book(path)
    say(book, span(0, "The ferry", CON))
    before = path.read_bytes()
    say(book, span(0, "Home", BP, node=1), hidden=[span(0, "unseen", BP, node=2)])
    after = path.read_bytes()
    book.close()
    path.write_bytes(before)
    Book(path).close()
    assert path.read_bytes() == after


def test_a_file_that_something_else_changed_is_not_overwritten(path):
    book = Book(path)
    say(book, span(0, "The ferry", CON))
    book.close()
    theirs = path.read_text().replace("content", "boilerplate")
    path.write_text(theirs)
    with pytest.raises(UsageError, match=r"is not what gold\.jsonl\.journal says"):
        Book(path)
    assert path.read_text() == theirs


def test_gold_that_is_there_is_gone_on_with(path):
    given = about() | {"era": 2015, "xpath": "/p[0]", "start": 0, "end": 9, "text": "The ferry"}
    path.write_text(json.dumps(given | {"record_id": "<page>", "label": "boilerplate"}) + "\n")
    book = Book(path)
    assert book.people() == {SOMEBODY: ["page"]}
    say(book, span(0, "Home", CON, node=1), by=SOMEBODY)
    book.close()
    first, second = map(json.loads, path.read_text().splitlines())
    assert first["era"] == second["era"] == 2015
    assert (first["record_id"], first["label"], first["annotators"]) == (
        *("page", "boilerplate"),
        [SOMEBODY],
    )


def test_a_file_that_lost_its_journal_knows_its_annotators(path):
    book = Book(path)
    say(book, span(0, "The ferry", CON))
    say(book, span(0, "The ferry", CON), by="Ben")
    book.close()
    before = path.read_bytes()
    path.with_name("gold.jsonl.journal").unlink()
    book = Book(path)
    assert book.people() == {"Anna": ["page"], "Ben": ["page"]}
    book.close()
    assert path.read_bytes() == before


def test_gold_of_whole_pages_is_not_touched(path):
    path.write_text('{"url": "u", "gold_text": "t"}\n')
    with pytest.raises(UsageError, match="gold of whole pages"):
        Book(path)
    assert path.read_text() == '{"url": "u", "gold_text": "t"}\n'


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_said(tmp_path):
    for name in ("missing/gold.jsonl", "gold.jsonl.gz", "."):
        with pytest.raises(UsageError, match="name a file"):
            Book(tmp_path / name)
    (tmp_path / "a.jsonl.journal").write_text("[1]\n")
    with pytest.raises(UsageError, match=r"line 1: not what dbce label wrote"):
        Book(tmp_path / "a.jsonl")
    (tmp_path / "b.jsonl.journal").write_text('{"by": "Anna"}\n')
    with pytest.raises(UsageError, match="not what dbce label wrote"):
        Book(tmp_path / "b.jsonl")


def test_a_full_disk_is_told_and_leaves_everything_as_it_was(path, monkeypatch):
    book = Book(path)
    say(book, span(0, "The ferry", CON))
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(StoreError, match="No space left"):
            say(book, span(10, "has left", BP))
    assert len(book.spans("Anna", "page")) == 1
    assert path.read_bytes() == before
    say(book, span(0, "Home", BP, node=1))
    book.close()
    again = Book(path)
    assert len(again.spans("Anna", "page")) == 2
    again.close()


def test_a_gold_file_behind_a_link_stays_where_it_is(tmp_path):
    (tmp_path / "there").mkdir()
    link = tmp_path / "gold.jsonl"
    link.symlink_to(tmp_path / "there" / "real.jsonl")
    book = Book(link)
    say(book, span(0, "The ferry", CON))
    book.close()
    assert link.is_symlink()
    assert (tmp_path / "there" / "real.jsonl").exists()
