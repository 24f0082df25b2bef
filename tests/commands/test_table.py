"""What follows from the table of commands: parsers, help, examples that parse, needs, and the documents."""

import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

from dbce.cli import COMMANDS, KINDS, main, make_parser
from dbce.commands.options import AGAIN, AUTO, engine
from dbce.commands.table import Command, Exit, Need, Option, check_needs
from dbce.model import EXTRAS, MissingExtra
from scripts.setup import reference
from tests.runs import PYPROJECT

ROOT = Path(__file__).resolve().parents[2]

ALL = list(COMMANDS.values())


def words_of(example: str) -> list[list[str]]:
    """The words of each dbce in a line of a shell."""
    calls = re.split(r" \| | && ", re.sub(r" > \S+", "", example))
    return [shlex.split(call)[1:] for call in calls if call.startswith("dbce ")]


@pytest.mark.parametrize("command", ALL, ids=lambda command: command.name)
def test_a_command_is_declared_in_full(command) -> None:
    module, function = command.place
    assert callable(getattr(import_module(module), function))
    called = [words[0] for example in command.examples for words in words_of(example)]
    assert command.name in called
    options = list(command.options())
    assert all(option.help and not option.help.endswith(".") for option in options)
    assert all(not option.more or option.more.endswith(".") for option in options)
    assert len({option.flag for option in options}) == len(options)


@pytest.mark.parametrize("example", [example for command in ALL for example in command.examples])
def test_an_example_can_be_typed(example) -> None:
    parser = make_parser()
    for words in words_of(example):
        assert parser.parse_args(words).command is COMMANDS[words[0]]


def test_a_switch_is_told_with_its_default() -> None:
    told = {option.flag: option.default_in_words for option in COMMANDS["render"].options()}
    assert (told["--scripts"], told["--pictures"]) == ("no", "no")


@pytest.mark.parametrize("command", ALL, ids=lambda command: command.name)
def test_help_has_examples_needs_and_exit_codes(command, capsys) -> None:
    with pytest.raises(SystemExit):
        main([command.name, "--help"])
    told = capsys.readouterr().out
    for example in command.examples:
        assert f"  {example}\n" in told
    for need in command.needs:
        assert not need.libraries or f"pip install 'dbce[{need.extra}]'" in told
    codes = told.partition("exit codes:\n")[2]
    assert re.findall(r"^  (\d+) ", codes, re.MULTILINE) == [
        str(int(c)) for c, _ in command.exits()
    ]
    assert {"0", "1", "2", "4", "130"} <= {str(int(code)) for code, _ in command.exits()}
    assert "--debug" in told
    assert "`" not in told


def test_the_list_of_commands_has_each_once_with_its_purpose(capsys) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    told = capsys.readouterr().out
    for kind, commands in KINDS.items():
        assert f"\n{kind}:\n" in told
        for command in commands:
            assert told.count(f"\n  {command.name} ") == 1
            assert f" {command.purpose}\n" in told


def test_debug_may_stand_before_the_command_and_behind_it() -> None:
    parser = make_parser()
    for words in (["--debug", "sample", "x"], ["sample", "x", "--debug"]):
        assert parser.parse_args(words).debug
    assert not parser.parse_args(["sample", "x"]).debug


def test_an_old_name_of_an_option_is_understood_and_told_nowhere(capsys) -> None:
    run = ["run", "x", "--out", "y"]
    parser = make_parser()
    for name in ("--template-similarity", "--threshold"):
        assert parser.parse_args([*run, name, "0.5"]).template_similarity == 0.5
    with pytest.raises(SystemExit):
        parser.parse_args(["run", "--help"])
    assert "--threshold" not in capsys.readouterr().out


def test_the_master_is_the_commands_own_but_under_spark_submit() -> None:
    run, segment = ["run", "x", "--out", "y"], ["segment", "x"]
    assert make_parser().parse_args(run).master == AUTO
    assert make_parser().parse_args(segment).master == "none"
    assert make_parser(None).parse_args(run).master is None
    assert make_parser(None).parse_args(segment).master is None


def test_options_that_many_commands_share_are_declared_once() -> None:
    assert [option.flag for option in engine().options] == ["--master", "--jobs", "--log-format"]
    assert engine(AUTO).options[0].default == AUTO
    assert AGAIN.is_exclusive
    taken = [command.name for command in ALL if AGAIN in command.parts]
    assert {"run", "render"} <= set(taken)
    for name in taken:
        words = [*words_of(COMMANDS[name].examples[0])[0], "--resume", "--overwrite"]
        with pytest.raises(SystemExit):
            make_parser().parse_args(words)


# Needs


def needs() -> list[tuple[str, Need]]:
    of_options = [
        (f"{command.name} {option.flag}", option.needs)
        for command in ALL
        for option in command.options()
        if option.needs
    ]
    of_commands = [(command.name, need) for command in ALL for need in command.needs]
    return [(what, need) for what, need in of_commands + of_options if need.libraries]


PACKAGES = {"PIL": "pillow", "skimage": "scikit-image"}
"""Packages that are not called as what they let import."""


@pytest.mark.parametrize(("what", "need"), needs(), ids=lambda value: str(value)[:30])
def test_what_is_needed_is_brought_by_the_extra_that_is_named(what, need) -> None:
    project = PYPROJECT["project"]
    brought = " ".join(project["optional-dependencies"][need.extra])
    for library in need.libraries:
        assert PACKAGES.get(library, library) in brought
        assert EXTRAS[library] == need.extra or library == "jinja2"


@pytest.mark.parametrize(
    ("words", "missing", "told"),
    [
        (["view", "x"], "flask", "dbce view needs more: pip install 'dbce[view]'"),
        (["label", "x", "--gold", "y"], "duckdb", "dbce label needs more"),
        (["migrate", "x", "--archive", "y", "--out", "z"], "PIL", "dbce migrate needs more"),
        (["migrate", "x", "--archive", "y", "--out", "z", "--master", "spark://x"], "PIL", ""),
        (["changes", "x"], "skimage", ""),
        (["changes", "x", "--mode", "image"], "skimage", "--mode needs more: .*render"),
        (["evaluate", "x", "--gold", "y"], "jinja2", ""),
        (["evaluate", "x", "--gold", "y", "--html", "z"], "jinja2", "--html needs .*report"),
        (["run", "x", "--out", "y"], "pyspark", ""),
        (["run", "x", "--out", "y", "--master", "none"], "pyspark", ""),
        (["run", "x", "--out", "y", "--master", "local[*]"], "pyspark", "or run with --master none"),
        (["headings", "x"], "skimage", ""),
    ],
)  # fmt: skip
def test_a_library_is_looked_for_only_where_it_is_needed(monkeypatch, words, missing, told) -> None:
    monkeypatch.setattr(
        "dbce.commands.table.find_spec", lambda library: None if library == missing else True
    )
    options = make_parser().parse_args(words)
    if not told:
        check_needs(options.command, options)
        return
    with pytest.raises(MissingExtra, match=told.replace("[view]", r"\[view\]")):
        check_needs(options.command, options)


# Documents


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (reference.GUIDE, reference.with_tables(reference.GUIDE.read_text(encoding="utf-8"))),
        (reference.SETTINGS_FILE, reference.default_file()),
    ],
    ids=["guide", "settings"],
)
def test_documents_are_what_declarations_give(file, text) -> None:
    assert file.read_text(encoding="utf-8") == text, "type: python scripts/setup/reference.py"


def test_the_guide_has_a_table_for_all_that_is_declared() -> None:
    guide = reference.GUIDE.read_text(encoding="utf-8")
    names = {name for _, name, _ in reference.PLACE.findall(guide)}
    of_commands = {f"options {c.name}" for c in ALL if any(True for _ in c.options())}
    assert names == (
        {"commands", "exit codes", "limits"}
        | of_commands
        | {f"group {title}" for title in reference.GROUPS}
    )


def test_a_table_follows_what_is_declared(monkeypatch) -> None:
    own = Option("--colour NAME|NUMBER", "of the marks", "Red by default.", default_words="red")
    command = Command("paint", "paint", "look:x", (own,), (), ends={Exit.DONE: "dry"})
    monkeypatch.setitem(reference.COMMANDS, "paint", command)
    told = reference.with_tables("a\n<!-- begin options paint -->\nold\n<!-- end -->\nb\n")
    assert told == (
        "a\n<!-- begin options paint -->\n| option | default | |\n|---|---|---|\n"
        "| `--colour NAME\\|NUMBER` | red | Of the marks. Red by default. |\n<!-- end -->\nb\n"
    )
