"""Every module of the package is reached from a command, a job or the public API.

What is not is an experiment or dead: it belongs to scripts/experiments, which is in no wheel, or goes.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping

from dbce.visual import PARTS
from tests.test_architecture import exported
from tests.test_architecture import sources as all_sources

API = ("dbce", "dbce.archive", "dbce.pipeline", "dbce.spark")

STEPS = ("dbce.adapters.datatrove",)
"""Modules that other people's pipelines import, and which import those."""

Use = tuple[str, str]
"""A module, and what of it is used; "" for all."""


def uses(source: str, sources: Mapping[str, str]) -> Iterator[Use]:
    """What a source imports of ours; of a room that it imports as a whole, what it takes from it."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if alias.name in sources)
        elif isinstance(node, ast.ImportFrom) and node.module in sources:
            for alias in node.names:
                inside = f"{node.module}.{alias.name}"
                if inside not in sources or alias.name in exported(node.module):
                    yield node.module, alias.name
                else:
                    local = alias.asname or alias.name
                    yield from ((inside, name) for name in taken(tree, local))


def taken(tree: ast.AST, module: str) -> Iterator[str]:
    """The attributes of a module that are read by its local name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == module:
            yield node.attr


def passed_on(front: str, source: str) -> dict[str, Use]:
    """Where the names come from that a front exports, at once or lazily."""
    homes = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            homes |= {alias.asname or alias.name: (node.module, alias.name) for alias in node.names}
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "lazily" and node.args[1:]:
            table = node.args[1]
            assert isinstance(table, ast.Dict), f"{front}: name the homes where `lazily` is called"
            for home, names in zip(table.keys, table.values, strict=True):
                homes |= {
                    name: (f"{front}.{text}", name) for text in words(home) for name in words(names)
                }
    return homes


def words(node: ast.AST | None) -> list[str]:
    """The strings in an expression."""
    return [n.value for n in ast.walk(node or ast.Pass()) if isinstance(n, ast.Constant)]


def reached(roots: Iterable[Use], sources: Mapping[str, str], fronts: Iterable[str]) -> set[str]:
    """The modules that some uses lead to; of a front only what is asked of it."""
    homes = {front: passed_on(front, sources[front]) for front in fronts}
    seen: set[Use] = set()
    found: set[str] = set()
    to_do = list(roots)
    while to_do:
        use = to_do.pop()
        if use in seen or use[0] not in sources:
            continue
        seen.add(use)
        module, name = use
        if name in homes.get(module, {}):
            to_do.append(homes[module][name])
        elif f"{module}.{name}" in sources:
            to_do.append((f"{module}.{name}", ""))
        elif module not in found:
            found.add(module)
            to_do += uses(sources[module], sources)
    return found


def test_no_module_is_out_of_reach_of_commands_jobs_and_the_public_api() -> None:
    sources = {one.module: one.text for one in all_sources()}
    fronts = {one.module for one in all_sources() if one.module == one.package}
    doors = [
        m
        for m in sources
        if m.startswith(
            ("jobs.", "dbce.commands", "dbce.visual.commands", "dbce.cli", "dbce.__main__")
        )
    ]
    roots = [(door, "") for door in doors] + [
        (front, name) for front in API for name in exported(front)
    ]
    roots += [(module, "") for module in STEPS]
    roots += [(module, name) for name, module in PARTS.items()]
    lost = sources.keys() - fronts - reached(roots, sources, fronts)
    assert not lost, f"no command, job or public name leads to {', '.join(sorted(lost))}"


def test_of_a_front_and_of_a_module_that_is_imported_whole_only_what_is_taken_counts() -> None:
    front = "from dbce.room.a import one\nfrom dbce.room.b import two\n__getattr__ = lazily(__name__, {'c': ('three',)})"
    house = dict.fromkeys(("dbce", "dbce.room.a", "dbce.room.c", "dbce.room.d"), "")
    house |= {"dbce.room": front, "dbce.room.b": "import dbce.room.d"}
    for command, modules in {
        "from dbce.room import two": {"dbce.room.b", "dbce.room.d"},
        "from dbce.room import three": {"dbce.room.c"},
        "from dbce import room as r\nr.one\nother.two": {"dbce.room.a"},
    }.items():
        found = reached([("command", "")], house | {"command": command}, {"dbce.room"})
        assert found - {"command"} == modules, command
