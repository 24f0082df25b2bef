"""The documents name what the code has, and their examples run."""

import re
import resource
import shlex
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name

import pyarrow as pa
import pytest

import dbce
from dbce import sample
from dbce.boilerplate.word_labels import RULES
from dbce.cli import COMMANDS, main, make_parser
from dbce.model import Config, Limits, Reason, Resolution, Stage, Status, settings_in
from dbce.output.index.rows import CAPTURE
from dbce.output.rows import NODES, PAGES, REJECTS
from dbce.visual.changes import CHANGES
from dbce.visual.render import outputs as rendered
from tests.runs import ROOT, process, read
from tests.test_architecture import LAYERS, LEVEL

DOCUMENTS = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("*.md", "docs/**/*.md", "scripts/**/*.md")
    for path in ROOT.glob(pattern)
)
TYPES = {
    "timestamp[us, tz=UTC]": "timestamp (µs, UTC)",
    "double": "float64",
    "list<item: string>": "list of string",
}


def section(name: str, heading: str) -> str:
    """What stands below a heading of the second level."""
    parts = re.split(r"^## (.+)$", read(name), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))[heading]


def table(text: str, columns: int) -> list[tuple[str, ...]]:
    """The rows of all Markdown tables in a text that have so many columns, without the headings."""
    lines = (line for line in text.splitlines() if line.startswith("| "))
    rows = (
        tuple(cell.strip(" `") for cell in re.split(r"(?<!\\)\|", line)[1:-1]) for line in lines
    )
    return [row for row in rows if len(row) == columns]


def examples(name: str) -> str:
    """All Python of a document, one after the other."""
    return "\n".join(re.findall(r"^```python\n(.*?)^```", read(name), re.MULTILINE | re.DOTALL))


def typed(text: str) -> Iterator[str]:
    """The calls of dbce in the blocks of a document, without what a shell does with them."""
    for block in re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            for call in re.split(r" \| | && |; ", re.sub(r"  +#.*| [<>] ?\S+", "", line)):
                if call.removeprefix("$ ").startswith("dbce "):
                    yield call.removeprefix("$ ")


@pytest.mark.parametrize(
    ("heading", "schema"),
    [
        ("Table `pages`", PAGES),
        ("Table `nodes`", NODES),
        ("Table `rejects`", REJECTS),
        ("Table `index`", CAPTURE),
        ("Table `changes`", CHANGES),
        ("Table `rendered/pages`", rendered.PAGES),
        ("Table `rendered/elements`", rendered.ELEMENTS),
        ("Table `rendered/texts`", rendered.TEXTS),
    ],
)
def test_every_column_is_described_with_its_type_in_order(heading: str, schema: pa.Schema) -> None:
    described = [row[:2] for row in table(section("docs/formats.md", heading), columns=3)[1:]]
    stored = [(f.name, TYPES.get(str(f.type), str(f.type))) for f in schema]
    assert described == stored


def test_every_resolution_reason_status_stage_and_deciding_rule_is_listed() -> None:
    rows = table(section("docs/formats.md", "Revisits"), columns=3)[1:]
    assert [name for name, *_ in rows] == list(Resolution)
    rows = table(section("docs/formats.md", "Statuses and reasons"), columns=3)[1:]
    assert [reason for reason, *_ in rows] == list(Reason)
    skipped = [reason for reason, status, _ in rows if status == Status.SKIPPED]
    assert skipped == list(Reason)[: len(skipped)]
    formats = read("docs/formats.md")
    assert [name for name in (*Status, *Stage, *RULES) if f"`{name}`" not in formats] == []


def test_every_option_and_setting_is_in_the_guide() -> None:
    guide = read("docs/guide.md")
    flags = {option.flag for command in COMMANDS.values() for option in command.options()}
    assert [flag for flag in sorted(flags) if f"`{flag}" not in guide] == []
    text = section("docs/guide.md", "Options")
    names = [name for kind in (Config, Limits) for name in settings_in(kind)]
    assert [n for n in names if n not in text and n.replace("_", "-") not in text] == []


# The map draws the room dbce as a shell would call it.
@pytest.mark.parametrize("name", sorted({*DOCUMENTS} - {"docs/architecture.md"}))
def test_what_a_document_tells_to_type_can_be_typed(name: str) -> None:
    for line in typed(read(name)):
        assert make_parser().parse_args(shlex.split(line)[1:]), line


def test_the_example_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(examples("README.md"), "README.md", "exec"), {})
    printed = capsys.readouterr().out
    assert "# The last hand ferry\n\nIt takes four people and a goat" in printed
    assert "http://paper.example/ferry annotated The last hand ferry" in printed
    assert "Letters" not in printed
    assert "Printed" not in printed


def test_the_readme_shows_what_the_package_exports() -> None:
    assert set(re.findall(r"`?dbce\.(\w+)", section("README.md", "In Python"))) == set(dbce.__all__)


def test_the_examples_of_the_guide_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    sample.write(Path("archive"))
    assert main(["run", "archive", "--out", "clean", "--master", "none"]) == 0
    exec(compile(examples("docs/guide.md"), "docs/guide.md", "exec"), {})
    assert "damaged" in capsys.readouterr().out


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_to_files_and_headings(name: str) -> None:
    text = re.sub(r"^```.*?^```", "", read(name), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"https?:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (ROOT / name).parent / path if path else ROOT / name
        assert target.exists(), f"{name} links to {link}"
        if anchor:
            headings = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            marks = [re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings]
            assert anchor in marks, f"{name} links to {link}"


POINTING = (
    *("CONTRIBUTING.md", "docs/architecture.md", "docs/pitfalls.md"),
    *(d for d in DOCUMENTS if "/adr/" in d),
)

EXPERIMENTS = sorted(path.stem for path in ROOT.glob("scripts/experiments/[!_]*.py"))
LISTED, HARNESS = (
    [row[0] for row in table(read("scripts/experiments/README.md"), columns)[1:]]
    for columns in (6, 2)
)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_is_listed_once_and_can_be_imported_and_started(name: str) -> None:
    assert [*LISTED, *HARNESS].count(name) == 1
    assert import_module(f"scripts.experiments.{name}").__doc__
    source = read(f"scripts/experiments/{name}.py")
    assert name in HARNESS or 'if __name__ == "__main__":' in source


@pytest.mark.parametrize("name", DOCUMENTS)
def test_experiments_that_a_document_names_exist(name: str) -> None:
    named = set(re.findall(r"scripts\.experiments\.([a-z]\w*)", read(name)))
    assert [one for one in named if not (ROOT / f"scripts/experiments/{one}.py").exists()] == []


@pytest.mark.parametrize("name", POINTING)
def test_files_and_tests_that_a_document_points_to_exist(name: str) -> None:
    named = set(re.findall(r"`((?:dbce|tests|conf|jobs|scripts)/[\w./-]+)`", read(name)))
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []
    sources = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob("tests/**/*.py"))
    tests = set(re.findall(r"`(test_\w+)`", read(name)))
    assert [test for test in sorted(tests) if f"def {test}(" not in sources] == []


def test_every_name_on_the_map_is_one_of_the_code() -> None:
    named = set(re.findall(r"`([a-z_]+(?:\.\w+)+)`", read("docs/architecture.md")))
    for name in named - {"run.json", "metrics.prom", "lxml.html.diff"}:
        if not (ROOT / "dbce" / name).exists():
            resolve_name(f"dbce.{name}")


def test_every_part_of_the_house_is_on_the_map() -> None:
    rooms = re.findall(r"`(\w+)(?:/|\.py)`", section("docs/architecture.md", "The rooms"))
    assert sorted(rooms) == sorted(LEVEL.keys() - {"dbce"})


def test_the_map_has_the_layers_that_imports_follow() -> None:
    _, drawn, _ = section("docs/architecture.md", "Who may import whom").split("```\n")
    assert tuple(tuple(line.split()) for line in drawn.splitlines()) == LAYERS[::-1]


def test_what_a_release_brings_is_read_in_a_minute() -> None:
    entries = re.split(r"^## ", read("CHANGELOG.md"), flags=re.MULTILINE)[1:]
    assert [entry.splitlines()[0] for entry in entries if len(entry.split()) > 300] == []


OUT = (
    *("from which on", "what counts more", "what does the work", "what a run gives"),
    *("wrong use", "a store failed", "in a folder that is there", "works in the folder"),
    *("to send", "somebody else", "look around", "how far people agree", "that they name"),
    *("least sure", "how sure", "night that died", "it must lie", "where pages name them"),
)
"""Phrases that readers of English stumble over, each with a better one in its place."""


def read_by_users() -> Iterator[tuple[str, str]]:
    yield "README.md", read("README.md")
    parser = make_parser()
    yield "dbce --help", parser.format_help()
    for name, command in parser.commands.items():
        yield f"dbce {name} --help", command.format_help()
    for template in (ROOT / "dbce").rglob("*.html"):
        yield template.name, template.read_text(encoding="utf-8")


def test_help_pages_and_readme_have_no_phrase_that_is_out() -> None:
    found = [
        f"{where}: {phrase}"
        for where, text in read_by_users()
        for phrase in OUT
        if phrase in " ".join(text.split()).lower()
    ]
    assert not found, "\n".join(found)


# docs/jobs.md: what it says to type prints what it shows, on the sample archive


JOBS = re.split(r"^## I want to (.+)$", read("docs/jobs.md"), flags=re.MULTILINE)[1:]
TEN = dict(zip(JOBS[::2], JOBS[1::2], strict=True))
SECONDS = dict(
    re.findall(r"^\| \[(.+?)\]\(#.+\) \| ([\d.]+) \|$", read("docs/jobs.md"), re.MULTILINE)
)


def prompts(job: str) -> list[tuple[str, str]]:
    """What is typed at each prompt of a job, and what is printed below it."""
    (block,) = re.findall(r"^```\n(\$ .*?)^```", job, re.MULTILINE | re.DOTALL)
    _, *typed = re.split(r"^\$ ", block, flags=re.MULTILINE)
    return [(line, printed) for line, _, printed in (one.partition("\n") for one in typed)]


def pattern(printed: str) -> str:
    """Output with dots for lines that are left out, as a pattern of all of it."""
    lines = [re.escape(line) for line in printed.splitlines(keepends=True)]
    # The date of a night and its seconds are those of the day.
    lines = [
        re.sub(r"^n\d{8}", r"n\\d{8}", re.sub(r"\d+\\ s\\\n$", r"\\d+ s\n", line)) for line in lines
    ]
    return "".join(r"(?:.*\n)*?" if line == "\\.\\.\\.\\\n" else line for line in lines)


def test_there_are_ten_and_the_table_at_the_top_has_them_all() -> None:
    assert len(TEN) == 10
    assert list(SECONDS) == list(TEN)


@pytest.mark.slow
@pytest.mark.nightly
def test_what_jobs_say_to_type_prints_what_they_show(tmp_path: Path) -> None:
    """One after the other, in one folder: later jobs read what earlier ones leave."""
    sample.write(tmp_path / "archive")
    for name, job in TEN.items():
        begun = cpu()
        for line, printed in prompts(job):
            if line.startswith("cat "):
                (tmp_path / line.removeprefix("cat ")).write_text(printed, encoding="utf-8")
            else:
                given = shell(line, tmp_path)
                assert re.fullmatch(pattern(printed), given), f"{name}: $ {line}\n{given}"
        print(f"{name}: {cpu() - begun:.1f} s of CPU")  # noqa: T201 - a figure of docs/jobs.md


def cpu() -> float:
    """Seconds of CPU that all that was started here has taken, whatever else the machine does."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def shell(line: str, folder: Path) -> str:
    """What a line prints in a folder where `dbce` and `python` are those of the tests."""
    python = shlex.quote(sys.executable)
    ours = f'dbce() {{ {python} -m dbce "$@"; }}; python() {{ {python} "$@"; }}'
    run = process("bash", "-o", "pipefail", "-c", f"{ours}; {line}", folder=folder, code=None)
    assert run.returncode in {0, 141}, run.stderr  # 141: `head` has read enough
    return run.stdout
