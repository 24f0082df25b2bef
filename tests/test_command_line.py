"""What the command line makes of what was meant: the wrong kind of thing, slips, what is not installed."""

import json
import sys
from pathlib import Path

import pytest

import dbce
from dbce import archive as archives
from dbce.cli import main
from dbce.commands.settings import SMALL
from dbce.formats import FORMATS
from dbce.model import Stage
from tests.runs import ended, in_python, process, refusal
from tests.site import snapshots, stored, story

HEAVY = "pandas numpy pyarrow scipy sklearn pyspark lxml bs4 fsspec warcio".split()


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """site.warc.gz; runs/one and runs/two over it; nights, which took it."""
    folder = tmp_path_factory.mktemp("kinds")
    crawl = folder / "crawl" / "site.warc.gz"
    crawl.parent.mkdir()
    crawl.write_bytes(stored(*snapshots(2014)))
    common = ["--master", "none", "--method", "T002"]
    for name in ("one", "two"):
        assert ended("run", crawl, "--out", folder / "runs" / name, *common) == 0
    assert ended("nightly", crawl, "--archive", folder / "nights", *common) == 0
    return folder


# The wrong kind of thing


@pytest.mark.parametrize("command", ["show {} http://x.example/", "report {}"])
def test_what_is_no_run_is_told_with_the_command_that_was_meant(place, capsys, command) -> None:
    call = f"dbce {command.split()[0]} {place}"
    for name, told in {
        "crawl/site.warc.gz": f"is an archive, no run: dbce run {place}/crawl/site.warc.gz --out DIR",
        "crawl": f"holds archives, no run: dbce run {place}/crawl --out DIR",
        "runs": f"is not a run but contains some (one, two): {call}/runs/one",
        "runs/one/pages": f"is inside of a run: {call}/runs/one",
        "none": "none does not exist",
    }.items():
        assert told in refusal(capsys, *command.format(place / name).split())


def test_a_run_that_did_not_end_is_told_to_be_gone_on_with(tmp_path, capsys, place) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work/begun.json").write_text("{}")
    said = refusal(capsys, "report", tmp_path)
    assert f"holds an unfinished run: dbce run INPUT --out {tmp_path} --resume" in said
    said = refusal(capsys, "nightly", place / "crawl", "--archive", tmp_path)
    assert "is an unfinished run, not a nightly archive" in said


def test_a_run_is_no_input(place, capsys) -> None:
    run = place / "runs/one"
    said = refusal(capsys, "run", run, "--out", place / "again")
    assert f"is a finished run, whose outputs are not read again: dbce text {run}" in said
    assert "is a finished run, not a nightly archive" in refusal(capsys, "compact", run)


def test_a_url_that_is_not_there_is_told_with_what_was_meant(place, capsys) -> None:
    run = place / "runs/one"
    for command in ("show", "strip"):
        said = refusal(capsys, command, run, "www.harbour.example/ferry")
        assert "did you mean http://harbour.example/ferry?" in said
    said = refusal(capsys, "history", run, "http://www.harbour.example/fery")
    assert "did you mean http://harbour.example/ferry" in said
    assert f"dbce list {run} lists" in refusal(capsys, "show", run, "http://q.example/no-such")
    said = refusal(capsys, "run", run, "--out", "x", "--host", "https://Harbour.example/ferry")
    assert "is not a host name; give harbour.example, or *.harbour.example" in said


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("vieww x", "dbce: .*did you mean dbce view?"),
        ("{}/crawl", "to read an archive: dbce run {}/crawl --out DIR"),
        ("{}/runs/one", "it is a finished run: dbce view {}/runs/one"),
        ("run x --out y --methd T002", "did you mean --method?; see dbce run --help"),
        ("run x --outt=y", "did you mean --out?"),
        ("run x --out y --gold z", "--gold is an option of dbce report, dbce label"),
        ("text x --revise list", "--revise is an option of dbce nightly"),
        ("text x -o y", "what it prints goes to a file by > FILE"),
        ("run x --out y --meth T009", "T009"),
    ],
)
def test_a_slip_is_told_with_what_was_meant(place, capsys, words, meant) -> None:
    said = refusal(capsys, *words.format(place).split())
    for part in meant.format(place).split(".*"):
        assert part in said


@pytest.mark.parametrize(("job", "name"), [("jobs/sketch.py", "jobs/sketch.py"), ("", "dbce run")])
def test_a_job_is_called_by_its_own_name(monkeypatch, capsys, job, name) -> None:
    monkeypatch.setattr(sys, "argv", ["jobs/dbce", "crawl"])  # a command may lie in such a folder
    with pytest.raises(SystemExit):
        main(["run", "crawl"], master=None, stage=Stage.READ, job=job)
    assert f"{name}: the following arguments are required: --out;" in capsys.readouterr().err


# The default master


@pytest.fixture
def masters(monkeypatch):
    """The masters for which Spark was asked; it is refused then."""
    asked: list[str | None] = []

    def refuse(master: str | None) -> None:
        asked.append(master)
        raise archives_error

    archives_error = RuntimeError("no Spark here")
    monkeypatch.setattr("dbce.engine.spark.session.open_session", refuse)
    return asked


def test_a_small_input_does_not_wait_for_java(place, tmp_path, capsys, masters) -> None:
    assert ended("run", place / "crawl", "--out", tmp_path / "out", "--method", "T002") == 0
    first = capsys.readouterr().err.splitlines()[0]
    assert first == (
        "dbce: running in this one process, as the inputs have 0 MB; --master local[*]: Spark"
    )
    assert masters == []


def test_a_large_input_runs_on_spark(place, tmp_path, capsys, masters, monkeypatch) -> None:
    monkeypatch.setattr(archives, "size", lambda _: SMALL)
    assert ended("run", place / "crawl", "--out", tmp_path / "out") == 1
    assert masters == ["local[*]"]
    assert "running on Spark with all cores" in capsys.readouterr().err.splitlines()[0]


def test_of_a_large_file_only_what_is_read_counts(place, tmp_path, masters, monkeypatch) -> None:
    monkeypatch.setattr(archives, "size", lambda _: SMALL)
    line = (
        'com,example)/ 2014 {"url": "http://example.com/", "filename": "site.warc.gz", "offset": 0}'
    )
    (place / "crawl/index.cdxj").write_text(f"{line}\n")
    assert ended("run", place / "crawl/index.cdxj", "--out", tmp_path / "out") == 0
    assert masters == []


def test_a_master_that_is_given_is_taken(place, tmp_path, masters) -> None:
    common = ["run", place / "crawl", "--out", tmp_path / "out", "--master"]
    assert ended(*common, "local[*]") == 1
    assert ended(*common, "none") == 0
    assert masters == ["local[*]"]


def test_without_pyspark_a_run_is_in_this_one_process(place, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setattr(archives, "size", lambda _: SMALL)
    monkeypatch.setattr("dbce.commands.settings.find_spec", lambda _: None)
    assert ended("run", place / "crawl", "--out", tmp_path / "out", "--method", "T002") == 0
    assert "pip install 'dbce[spark]'" in capsys.readouterr().err.splitlines()[0]


# What is not installed


MISSING = {
    "s3fs": {"run s3://nobody/x.warc.gz --out x": "s3", "text s3://nobody/run": "s3"},
    "aiohttp": {
        "run http://nobody.example/x.warc.gz --out x": "http",
        "check https://nobody.example/x.warc.gz": "http",
    },
    "pyspark.sql": {"run {}/crawl --out x --master local[1]": "spark"},
    "duckdb": {"view {}/runs/one --port 0": "view"},
    "jinja2": {
        "report {}/runs/one": "report",
        "evaluate {}/runs/one --gold x --html y": "report",
        "evaluate-blocks {}/x --gold x --html y": "report",
    },
}
"""Commands that need a library, by its name, and the extra that brings it."""


@pytest.mark.wing
@pytest.mark.parametrize("library", MISSING)
def test_a_missing_extra_is_named_the_same_way_everywhere(place, tmp_path, library) -> None:
    calls = [[word.format(place) for word in command.split()] for command in MISSING[library]]
    code = f"import sys; sys.modules[{library!r}] = None; from dbce.cli import main; sys.exit(sum(main(words) != 2 for words in {calls!r}))"
    sentences = in_python(code, tmp_path).stderr.splitlines()
    for sentence, extra in zip(sentences, MISSING[library].values(), strict=True):
        assert f" needs more: pip install 'dbce[{extra}]'" in sentence
    assert list(tmp_path.iterdir()) == []


# Starting


def test_the_package_is_a_command() -> None:
    as_package, as_module = [sys.executable, "-m", "dbce"], [sys.executable, "-m", "dbce.cli"]
    assert process(*as_package, "--version").stdout == f"dbce {dbce.__version__}\n"
    assert process(*as_package, "--help").stdout == process(*as_module, "--help").stdout


@pytest.mark.parametrize("words", [["--help"], ["run", "--help"], ["--version"]])
def test_help_waits_for_no_library(words) -> None:
    told = process(sys.executable, "-X", "importtime", "-m", "dbce", *words).stderr
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in told.splitlines()}
    assert "dbce" in imported
    assert imported.isdisjoint(HEAVY)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [("dbce n", {"nightly"}), ("dbce run x --wa", {"--warc-base", "--wacz"}),
     ("dbce text x --format ", {*FORMATS, "wet"})],
)  # fmt: skip
def test_a_shell_is_told_what_may_come_next(tmp_path, typed, expected) -> None:
    process(
        *(sys.executable, "-m", "dbce"),
        _ARGCOMPLETE="1",
        _ARGCOMPLETE_STDOUT_FILENAME=str(tmp_path / "told"),
        _ARGCOMPLETE_IFS="\n",
        COMP_LINE=typed,
        COMP_POINT=str(len(typed)),
    )
    assert {word.strip() for word in (tmp_path / "told").read_text().split("\n")} == expected


# What is not imported to start


LEARNING = {"scipy", "sklearn", "datasketch"}
WITHOUT = LEARNING | {"pandas"}


def imported(folder, *words: str) -> set[str]:
    """The libraries that a process has imported when a command is done; Arrow allocates as all others do."""
    code = (
        f"import sys; from dbce.cli import main; assert main({[*words]!r}) == 0; print(file=sys.stderr); "
        "arrow = sys.modules.get('pyarrow'); assert not arrow or arrow.default_memory_pool().backend_name == 'system'; "
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
        "from dbce.storage import spare_pandas; spare_pandas(); list(batches_of([{'name': 'x'}], DONE)); print('pandas' in sys.modules)"
    )
    assert in_python(code, crawl).stdout == "False\n"


def test_a_run_does_without_what_it_does_not_load(crawl):
    absent = WITHOUT | {"scikit-learn"}
    code = (
        "import sys, types, importlib.metadata as metadata\n"
        f"absent, known = {absent!r}, metadata.version\n"
        "def version(name):\n"
        "    if name in absent: raise metadata.PackageNotFoundError(name)\n"
        "    return known(name)\n"
        "find = types.SimpleNamespace(find_spec=lambda name, *_: name in absent and version(name) or None)\n"
        "metadata.version = version; sys.meta_path.insert(0, find)\n"
        "from dbce.cli import main\n"
        "sys.exit(main(['run', '.', '--out', 'out', '--master', 'none']))"
    )
    in_python(code, crawl)
    versions = json.loads((crawl / "out/run.json").read_text())["versions"]
    assert "lxml" in versions
    assert absent.isdisjoint(versions)
