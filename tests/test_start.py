"""Commands that are called often start without libraries that take a tenth of a second and more."""

import json

import pytest

from dbce.cli import main
from tests.runs import in_python
from tests.site import snapshots, stored, story

LEARNING = {"scipy", "sklearn", "datasketch"}
WITHOUT = LEARNING | {"pandas"}


def imported(folder, *words: str) -> set[str]:
    """The libraries that a process has imported when a command is done."""
    code = (
        "import sys; from dbce.cli import main; "
        f"assert main({[*words]!r}) == 0; print(file=sys.stderr); "
        "print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    )
    return set(in_python(code, folder).stderr.splitlines()[-1].split())


@pytest.fixture
def crawl(tmp_path):
    (tmp_path / "site.warc.gz").write_bytes(stored(*snapshots(2014)))
    (tmp_path / "page.html").write_text(f"<style>p {{ color: red }}</style>{story('ferry')}")
    return tmp_path


def test_the_text_of_a_page_waits_for_no_table_and_no_second_parser(crawl):
    libraries = imported(crawl, "text", "page.html")
    assert "lxml" in libraries
    assert libraries.isdisjoint({*WITHOUT, "pyarrow", "bs4"})


@pytest.mark.parametrize(
    ("words", "needs_arrow"),
    [
        ("text site.warc.gz", False),
        ("sample archive", False),
        ("nightly . --archive archive --master none", True),
        ("run . --out out --master none --jobs 1", True),
        ("run . --out out --master none --jobs 2", True),
    ],
)
def test_no_table_waits_for_what_learns_and_no_text_for_tables(crawl, words, needs_arrow):
    libraries = imported(crawl, *words.split())
    assert ("pyarrow" in libraries) == needs_arrow
    assert libraries.isdisjoint(WITHOUT)


def test_the_texts_of_a_run_wait_for_nothing_that_learns(crawl):
    assert main(["run", str(crawl), "--out", str(crawl / "out"), "--master", "none"]) == 0
    assert imported(crawl, "text", "out").isdisjoint(WITHOUT)


def test_arrow_still_takes_and_gives_what_is_of_pandas(crawl):
    code = (
        "from dbce.storage import spare_pandas; spare_pandas(); import pyarrow as pa, sys; "
        "assert 'pandas' not in sys.modules; table = pa.table({'a': ['x', None]}); "
        "import pandas as pd; frame = table.to_pandas(); "
        "assert pa.Table.from_pandas(frame, table.schema, preserve_index=False).equals(table); "
        "assert pa.array(pd.Series([1.5, None])).to_pylist() == [1.5, None]"
    )
    assert in_python(code, crawl).stderr == ""


def test_what_spark_imports_into_its_workers_waits_for_no_pandas(crawl):
    code = (
        "import sys; import dbce.engine.spark.compare, dbce.engine.spark.tasks, dbce.run; "
        "from dbce.engine.spark.rows import batches_of; from dbce.engine.spark.tasks import DONE; "
        "from dbce.storage import spare_pandas; spare_pandas(); "
        "list(batches_of([{'name': 'x'}], DONE)); print('pandas' in sys.modules)"
    )
    assert in_python(code, crawl).stdout == "False\n"


def test_a_run_does_without_what_it_does_not_load(crawl):
    absent = WITHOUT | {"scikit-learn"}
    code = (
        "import sys, importlib.metadata as metadata\n"
        f"absent, known = {absent!r}, metadata.version\n"
        "def version(name):\n"
        "    if name in absent: raise metadata.PackageNotFoundError(name)\n"
        "    return known(name)\n"
        "metadata.version = version\n"
        "sys.modules.update(dict.fromkeys(absent))\n"
        "from dbce.cli import main\n"
        "sys.exit(main(['run', '.', '--out', 'out', '--master', 'none']))"
    )
    in_python(code, crawl)
    versions = json.loads((crawl / "out/run.json").read_text())["versions"]
    assert "lxml" in versions
    assert absent.isdisjoint(versions)
