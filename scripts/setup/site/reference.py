"""Reference pages of the site, which follow from declarations: commands, settings, tables, and Python by its docstrings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dbce.cli import KINDS, requirements
from dbce.commands.table import Argument, Group
from dbce.model import Config, Limits, Rendering, sentence, settings_in
from dbce.model.setting import number, range_in_words
from dbce.output.index.rows import CAPTURE
from dbce.output.rows import NODES, PAGES, REJECTS
from dbce.visual.changes import CHANGES
from dbce.visual.headings import HEADINGS
from dbce.visual.migrate.account import MIGRATED
from dbce.visual.render.outputs import ELEMENTS, TEXTS
from dbce.visual.render.outputs import PAGES as RENDERED
from dbce.visual.segment import BLOCKS
from scripts.setup.reference import default_file, option_row, table_rows, words
from scripts.setup.site import python
from scripts.setup.site.documents import ROOT, linked, outside_code, places

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from dbce.commands.table import Command, Option
    from dbce.model.setting import Setting

TABLES = {
    "pages": ("A row for each HTML capture of a run.", PAGES, "formats.md", "Table `pages`"),
    "nodes": ("A row for each text run of a page.", NODES, "formats.md", "Table `nodes`"),
    "rejects": (
        "A row for each capture or place that cannot be read.",
        REJECTS,
        "formats.md",
        "Table `rejects`",
    ),
    "changes": (
        "A row for each capture with an earlier one, of `dbce changes`.",
        CHANGES,
        "formats.md",
        "Table `changes`",
    ),
    "index": (
        "A row for each capture that was read, to compare later ones with.",
        CAPTURE,
        "formats.md",
        "Table `index`",
    ),
    "rendered/pages": (
        "A row for each page of `dbce render`.",
        RENDERED,
        "formats.md",
        "Table `rendered/pages`",
    ),
    "rendered/elements": (
        "A row for each of its elements.",
        ELEMENTS,
        "formats.md",
        "Table `rendered/elements`",
    ),
    "rendered/texts": (
        "A row for each of its texts.",
        TEXTS,
        "formats.md",
        "Table `rendered/texts`",
    ),
    "blocks": ("A row for each block of `dbce segment`.", BLOCKS, "segmentation.md", "The tables"),
    "headings": (
        "A row for each block of `dbce headings`.",
        HEADINGS,
        "formats.md",
        "Table `headings`",
    ),
    "migrated": (
        "A row for each page of `dbce migrate`.",
        MIGRATED,
        "formats.md",
        "Table `migrated`",
    ),
}
"""Tables by their names: what a row is, the schema, and the document and section that describe the columns."""

TYPES = {"timestamp[us, tz=UTC]": "timestamp (µs, UTC)", "double": "float64"}
"""Types by the names that the documents have for them."""


def pages() -> dict[str, bytes]:
    """The reference pages by their paths."""
    made = {
        "index.md": "\n".join(overview()),
        "commands.md": "\n".join(commands()),
        "settings.md": "\n".join(settings()),
        "tables.md": "\n".join(tables()),
        "python.md": python.page(),
    }
    at = places() | {f"docs/reference/{name}": f"reference/{name}" for name in made}
    return {
        f"reference/{name}": outside_code(
            text,
            lambda prose, name=name: linked(prose, "docs/guide.md", at, f"reference/{name}"),  # type: ignore[misc]
        ).encode()
        for name, text in made.items()
    }


def overview() -> Iterator[str]:
    """Yield the lines of the page that leads to the others, with links as the guide has them."""
    yield "# Reference"
    yield ""
    yield "These pages are made from the declarations and docstrings of the code when the site is built."
    yield ""
    yield "| page | what it has |"
    yield "|---|---|"
    for kind, of in KINDS.items():
        names = ", ".join(f"[{one.name}](reference/commands.md#dbce-{one.name})" for one in of)
        yield f"| [Commands](reference/commands.md): {kind} | {names} |"
    yield "| [Settings](reference/settings.md) | of results, of rendering, limits of a page, and the file with all of them |"
    names = ", ".join(f"[{name}](reference/tables.md#{_anchor(name)})" for name in TABLES)
    yield f"| [Tables](reference/tables.md) | {names} |"
    yield "| [Python](reference/python.md) | functions and classes |"
    yield "| [Formats](formats.md) | files, reasons, marks and gold, in prose |"
    yield ""


def _anchor(heading: str) -> str:
    return heading.replace("/", "")


def commands() -> Iterator[str]:
    """Yield the lines of the page of commands."""
    yield "# Commands"
    for kind, of in KINDS.items():
        yield f"\nFor {kind}: " + " · ".join(
            f"[{one.name}](reference/commands.md#dbce-{one.name})" for one in of
        )
    for of in KINDS.values():
        for command in of:
            yield from _command(command)


def _command(command: Command) -> Iterator[str]:
    yield f"\n## dbce {command.name}\n"
    more = f" [More in the guide]({command.see})." if command.see.startswith("#") else ""
    more = more or (f" [More]({command.see})." if command.see else "")
    yield f"{sentence(command.purpose)}{more}\n"
    yield f"```\n{command.usage()} [options]\n```\n"
    if command.about:
        yield f"```text\n{command.about}\n```\n"
    arguments = [part for part in command.parts if isinstance(part, Argument)]
    if any(one.help for one in arguments):
        rows = ((f"`{one.metavar}`", sentence(one.help) if one.help else "") for one in arguments)
        yield from table_rows("argument | ", rows)
        yield ""
    yield from _options(command)
    for need in (*requirements(command),):
        yield f"\nNeeds: {need}"
    yield "\nExamples:\n"
    yield "```\n" + "\n".join(command.examples) + "\n```\n"
    yield from table_rows(
        "exit code | meaning", ((str(int(code)), meaning) for code, meaning in command.exits())
    )


def _options(command: Command) -> Iterator[str]:
    """Yield tables of options, of groups with a title below their title."""
    plain: list[Option] = []
    titled: list[Group] = []
    for part in command.parts:
        if isinstance(part, Group) and part.title:
            titled.append(part)
        elif isinstance(part, Group):
            plain += part.options
        elif not isinstance(part, Argument):
            plain.append(part)
    if plain:
        yield from table_rows("option | default | ", map(option_row, plain))
    for group in titled:
        yield f"\n{sentence(group.title)[:-1]}: {group.help}\n"
        yield from table_rows("option | default | ", map(option_row, group.options))


def settings() -> Iterator[str]:
    """Yield the lines of the page of settings."""
    yield "# Settings"
    yield (
        "\nA setting is an option of the commands that it is for, `--min-probability` for `min_probability`, or a line of "
        "the file that `--config FILE` names. The command line wins."
    )
    kinds = (
        ("Of results", "What a run gives; those of `[limits]` stand below.", Config),
        (
            "Limits of a page",
            "In the table `[limits]` of the file; a page beyond one is rejected with its reason.",
            Limits,
        ),
        ("Of rendering", "Options of `dbce render`.", Rendering),
    )
    for title, about, kind in kinds:
        yield f"\n## {title}\n\n{about}\n"
        yield from table_rows("setting | default | ", map(_setting, settings_in(kind).values()))
    yield "\n## The file\n\n`conf/dbce.toml`, with every setting at its default:\n"
    yield f"```toml\n{default_file().rstrip()}\n```\n"


def _setting(setting: Setting) -> tuple[str, ...]:
    value = setting.default
    if isinstance(value, bool):
        default = str(value).lower()
    else:
        default = number(value) if isinstance(value, int | float) else f'"{value}"'
    choices = (
        f" One of {', '.join(f'`{one}`' for one in setting.choices)}." if setting.choices else ""
    )
    help_ = words(setting.help + range_in_words(setting), setting.more)
    return f"`{setting.name}`", f"`{default}`", f"{help_}{choices}"


def tables() -> Iterator[str]:
    """Yield the lines of the page of tables.

    Raises:
        LookupError: a column is not described.
    """
    yield "# Tables"
    yield '\nParquet files, read with `pandas.read_parquet("clean/pages")` and the like.\n'
    for name, (about, schema, document, heading) in TABLES.items():
        anchor = re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        yield f"\n## {name}\n\n{about} [More]({document}#{anchor}).\n"
        yield from table_rows("column | type | ", _columns(schema, document, heading))


def _columns(schema: pa.Schema, document: str, heading: str) -> Iterator[tuple[str, ...]]:
    parts = re.split(
        r"^## (.+)$", (ROOT / "docs" / document).read_text("utf-8"), flags=re.MULTILINE
    )
    section = dict(zip(parts[1::2], parts[2::2], strict=True))[heading]
    rows = re.findall(r"^\| (`[\w`, ]+`) \| [^|]+ \|(.*)\|$", section, re.MULTILINE)
    # Columns that belong together stand in one row: `height_before`, `height_after`.
    meanings = {name: text for names, text in rows for name in re.findall(r"\w+", names)}
    for column in schema:
        meaning = re.sub(r"\]\(#", f"]({document}#", meanings[column.name].strip())
        kind = str(column.type)
        yield f"`{column.name}`", TYPES.get(kind, kind.replace("item: ", "")), meaning
