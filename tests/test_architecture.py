"""Imports run one way, and each outside library has one home."""

import ast
import pkgutil
import re
from collections.abc import Callable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.util import resolve_name
from typing import NamedTuple

import pytest

from tests.runs import ROOT

# From the bottom up. The values of the lowest layer may use each other; above it, what stands on
# one layer does not import its neighbours. "dbce" is the package's own __init__.py.
LAYERS = (
    ("dbce", "model", "kernel", "wing"),
    ("storage",),
    ("archive", "html"),
    ("metadata", "quality", "sample"),
    ("formats", "thesis"),
    ("boilerplate",),
    ("output",),
    ("engine",),
    ("pipeline", "run", "spark"),
    ("adapters",),
    ("evaluate", "history"),
    ("train",),
    ("report",),
    ("view",),
    ("annotate",),
    ("commands",),
    ("visual",),
    ("cli",),
    ("__main__", "jobs"),
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}

# Library: where it may be imported. The longest name that fits an import decides.
HOMES = {
    "multiprocessing": {"engine"},
    "concurrent.futures.ProcessPoolExecutor": set(),  # see engine.pool
    # Programs of others: Java, the list of fonts, the Nu Html Checker.
    "subprocess": {"engine.spark", "visual.render", "visual.migrate"},
    "warcio": {"archive"},
    "lxml": {"html"},
    "lxml.html.diff": {"html", "thesis"},
    "bs4": {"html", "thesis"},
    "datasketch": {"boilerplate", "thesis"},
    "resiliparse": {"visual.migrate"},
    "tinycss2": {"view", "visual.headings", "visual.migrate"},
    "cssselect2": {"visual.headings", "visual.migrate"},
    "pyspark": {"engine.spark", "jobs"},
    "datatrove": {"adapters"},
    "duckdb": {"view"},
    "flask": {"annotate", "view", "visual.annotate", "visual.view"},
    "waitress": {"annotate", "view"},
    "skimage": {"visual.changes", "visual.measure"},
}


class Source(NamedTuple):
    """Text of a module, which is its own package where it is a front."""

    module: str
    package: str
    text: str


@cache
def sources() -> list[Source]:
    """Every source in dbce/ and jobs/."""
    found = []
    for path in sorted([*ROOT.glob("dbce/**/*.py"), *ROOT.glob("jobs/**/*.py")]):
        names = path.relative_to(ROOT).with_suffix("").parts
        module = ".".join(names[:-1] if names[-1] == "__init__" else names)
        found.append(Source(module, ".".join(names[:-1]), path.read_text(encoding="utf-8")))
    return found


@cache
def nodes(source: str) -> tuple[ast.AST, ...]:
    """All nodes of a source, from its top down."""
    return tuple(ast.walk(ast.parse(source)))


def part_of(module: str) -> str:
    """The part of the house that a module belongs to: dbce.html.parse is in html."""
    names = module.split(".")
    if names[0] == "jobs":
        return "jobs"
    return names[1] if names[1:] and names[1] in LEVEL else "dbce"


def imports(source: Source) -> list[str]:
    """Full names of all that a source imports, wherever in the file and in whatever form."""
    found = []
    for node in nodes(source.text):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            origin = resolve_name("." * node.level + (node.module or ""), source.package)
            found += [f"{origin}.{alias.name}" for alias in node.names]
    return found


def layers(source: Source) -> list[str]:
    """One sentence for each import that the module's place in the house forbids."""
    here = part_of(source.module)
    complaints = []
    for name in imports(source):
        if name.split(".")[0] in {"dbce", "jobs"}:
            there = part_of(name)
            if source.module == "dbce":  # the door of the house shows what is in it
                continue
            down = LEVEL[there] < LEVEL[here]
            if there != here and not down and LEVEL[here] + LEVEL[there] > 0:
                complaints.append(f"{name}: {there} is not below {here}")
            continue
        if name.split(".")[0] == "scripts":
            complaints.append(f"{name}: what stands beside is not in the wheel")
            continue
        fitting = [home for home in HOMES if f"{name}.".startswith(f"{home}.")]
        homes = HOMES[max(fitting, key=len)] if fitting else ()
        if fitting and not any(here == home or _is_in(source.module, home) for home in homes):
            complaints.append(f"{name}: not a library of {here}")
    return complaints


def wing(source: Source) -> list[str]:
    """Imports of the wing by a module of the core; the hook takes its parts by name."""
    if _is_in(source.module, "visual"):
        return []
    return [name for name in imports(source) if _is_in(name, "visual")]


LOOSE = {"__init__", "__main__", "cli", "wing"}
"""The modules that stand in no room: the door, the command line and the hook of the wing."""

BY_MODULE = {
    *("annotate", "commands", "evaluate", "report", "train", "view"),
    *("visual.annotate", "visual.commands", "visual.evaluate", "visual.view"),
}
"""Rooms below the command line without a front, or with one for less than others use: a command imports
the modules that it needs, since some need libraries that are extras."""

BESIDE = "*"
SUBROOMS = {
    "annotate": (("core",), ("content",), (BESIDE,)),
    "archive": (("records",), ("inputs",), ("outputs",), (BESIDE,)),
    "boilerplate": (
        ("variants",),
        ("cross", "diff", "classify"),
        ("peer_support", "word_labels"),
        ("decide",),
        (BESIDE,),
    ),
    "engine": ((BESIDE,), ("spark",)),
    "output": ((BESIDE,), ("index",)),
    "visual": (
        *((BESIDE,), ("render",), ("segment",), ("measure",), ("block_verdicts",)),
        ("headings", "migrate", "changes"),
        ("evaluate", "view"),
        ("annotate",),
        ("commands",),
    ),
    "visual.annotate": (("blocks", "headings"), (BESIDE,)),
    "visual.evaluate": (("results",), ("blocks", "headings"), (BESIDE,)),
}
"""Rooms and modules in a room, from the bottom up; BESIDE are the modules that stand beside them."""


@cache
def rooms() -> dict[str, bool]:
    """Every module of dbce, and whether it is the front of a room."""
    return {one.module: one.module == one.package for one in sources() if "dbce" in one.module}


@cache
def named(source: str) -> list[tuple[str, str]]:
    """(module, name) of all imports of ours; a module that is imported itself has no name."""
    known = rooms()
    found = []
    for node in nodes(source):
        if isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names if alias.name in known]
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            for alias in node.names:
                inside = f"{node.module}.{alias.name}"
                is_module = inside in known and alias.name not in exported(node.module)
                found.append((inside, "") if is_module else (node.module, alias.name))
    return found


@cache
def exported(module: str) -> frozenset[str]:
    """Names that a front lets out: those in its `__all__`, or else all that it imports of its room."""
    path = ROOT.joinpath(*module.split("."), "__init__.py")
    tree = ast.parse(path.read_text(encoding="utf-8")) if path.exists() else ast.Module([], [])
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return frozenset(ast.literal_eval(node.value))
    imported = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    own = (node for node in imported if (node.module or "").startswith(module))
    return frozenset(alias.asname or alias.name for node in own for alias in node.names)


@cache
def defined(module: str) -> frozenset[str]:
    """Names that a module defines itself, also under a condition."""
    path = ROOT.joinpath(*module.split(".")).with_suffix(".py")
    return frozenset(_bound(ast.parse(path.read_text(encoding="utf-8")).body))


def _bound(statements: list[ast.stmt]) -> Iterator[str]:
    for node in statements:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, (ast.If, ast.Try)):
            yield from _bound([*node.body, *node.orelse])
        else:
            names = (each for each in ast.walk(node) if isinstance(each, ast.Name))
            yield from (each.id for each in names if isinstance(each.ctx, ast.Store))


def handed_on(source: Source) -> list[str]:
    """Names that a source has from a module that only imports them.

    mypy lets every module pass on what it imports: fronts do, and list a name but once so.
    """
    return [
        f"{name} from {module}"
        for module, name in named(source.text)
        if name and not rooms()[module] and name not in defined(module)
    ]


def late(source: Source) -> frozenset[str]:
    """Names that a front imports when they are asked for: those that it gives `lazily`, or has for types."""
    tree = ast.parse(source.text)
    calls = [
        call
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "lazily"
    ]
    if any(not call.args[1:] for call in calls):
        branches = (node for node in tree.body if isinstance(node, ast.If))
        imports = (node for branch in branches for node in branch.body)
        return frozenset(
            alias.name
            for node in imports
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        )
    return frozenset(
        name.value
        for call in calls
        for homes in call.args[1:]
        if isinstance(homes, ast.Dict)
        for names in homes.values
        for name in ast.walk(names)
        if isinstance(name, ast.Constant) and isinstance(name.value, str)
    )


def test_no_name_that_is_imported_late_is_that_of_a_module():
    # The module would be found in its place as soon as anybody has imported it.
    fronts = (one for one in sources() if one.module == one.package)
    hidden = [
        (one.module, *(name for name in late(one) if f"{one.module}.{name}" in rooms()))
        for one in fronts
    ]
    assert [names for names in hidden if names[1:]] == []


SPELLED = re.compile(r"dbce(\.\w+)+:\w+(\.\w+)*")


def asked_for(source: Source) -> list[str]:
    """All of ours that a source imports, wherever and for whatever, or names in a string, as "dbce.room:name"."""
    strings = (node.value for node in nodes(source.text) if isinstance(node, ast.Constant))
    spelled = [text for text in strings if isinstance(text, str) and SPELLED.fullmatch(text)]
    return [*spelled, *(f"{module}:{name}" for module, name in named(source.text))]


def test_every_name_that_is_asked_for_is_there() -> None:
    # For mypy a front with a `__getattr__` has every name.
    missing, extras = [], set()
    for name in sorted({name for source in sources() for name in asked_for(source)}):
        try:
            pkgutil.resolve_name(name)
        except (AttributeError, ImportError) as e:
            if isinstance(e, ModuleNotFoundError) and not (e.name or "").startswith("dbce"):
                extras.add(e.name or "")
            else:
                missing.append(f"{name}: {e}")
    assert missing == []
    if extras:
        pytest.skip(f"what needs {', '.join(sorted(extras))} is not looked up")


def past_fronts(source: Source) -> list[str]:
    """Modules of other rooms that a source imports although they have a front.

    A room in a room may use modules that stand beside it, and the door shows what is in the house.
    """
    return [
        module
        for module, _ in named(source.text)
        if module.count(".") > 1
        and source.module != "dbce"
        and not rooms()[module]
        and not f"{source.package}.".startswith(f"{_room_of(module)}.")
        and not any(_is_in(module, room) for room in BY_MODULE)
    ]


def _room_of(module: str) -> str:
    """The innermost package around a module with a front; others only sort the modules of a room."""
    package = module.rpartition(".")[0]
    while package.count(".") > 1 and not exported(package):
        package = package.rpartition(".")[0]
    return package


def _is_in(module: str, room: str) -> bool:
    return f"{module}.".startswith(f"dbce.{room}.")


def test_no_file_is_too_long_to_be_read_at_a_time() -> None:
    sizes = {source.module: source.text.count("\n") for source in sources()}
    assert {module: lines for module, lines in sizes.items() if lines > 430} == {}


def test_no_modules_import_each_other_in_a_circle() -> None:
    """The door of the house, which shows all, imports none."""
    graph = {
        one.module: {other for other, _ in named(one.text) if other not in {"dbce", one.module}}
        for one in sources()
        if one.module != "dbce"
    }
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as e:
        pytest.fail(f"a circle: {' -> '.join(e.args[1])}")


def climbs(source: Source) -> list[str]:
    """Imports within a room that go from one of its rooms to another on the same floor, or up."""
    found = []
    for room in (room for room in SUBROOMS if _is_in(source.module, room)):
        here, level = _place(source.module, room)
        for other in (other for other, _ in named(source.text) if _is_in(other, room)):
            there, its_level = _place(other, room)
            if here != there and its_level >= level:
                found.append(other)
    return found


def _place(module: str, room: str) -> tuple[str, int]:
    """The room in a room that a module is in, and the floor of that one."""
    name = module.removeprefix(f"dbce.{room}").removeprefix(".").partition(".")[0]
    floors = {each: n for n, names in enumerate(SUBROOMS[room]) for each in names}
    name = name if name in floors else BESIDE
    return name, floors[name]


REMOVERS = {"rm", "rm_file", "rmdir", "mv", "move", "unlink", "rmtree"}
"""Functions of file systems by which files go, or take the place of others."""

REMOVING = ("dbce.storage.", "dbce.annotate.core.")
"""The rooms that may call them: that of outputs, and that of gold, which lies on a local disk."""


def removals(source: Source) -> list[str]:
    """Calls in a source by which a file goes without `dbce.storage`."""
    return [
        ast.unparse(node)
        for node in nodes(source.text)
        if not source.module.startswith(REMOVING)
        and isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and (node.func.attr in REMOVERS or ast.unparse(node.func).startswith(("os.re", "os.rm")))
    ]


OF_A_JOURNAL = {"Journal", "journal_path", "locked"}
"""Names of annotate.core by which a journal, or gold that follows from it, is written."""


def journal_writers(source: Source) -> list[str]:
    """Everything in a source that writes a journal, or says where one is."""
    written = [
        node.value
        for node in nodes(source.text)
        if isinstance(node, ast.Constant) and str(node.value).endswith(".journal")
    ]
    imported = [
        name or module
        for module, name in named(source.text)
        if module.startswith("dbce.annotate.core.")
        and (name in OF_A_JOURNAL or (not name and module.endswith((".journal", ".store"))))
    ]
    return written + imported


def test_nothing_outside_the_core_of_the_desk_writes_a_journal() -> None:
    assert broken(journal_writers).keys() == {"dbce.annotate.core.store"}


PADDED = re.compile(r"now\(UTC\)|pc\.strftime\(|strftime\(fetch_time, '")
"""Writing of today's date, and of Arrow and DuckDB, whose years have four digits."""


def without_zeros(source: Source) -> list[str]:
    """The lines that write a year as Python does on Linux: 999 without a zero in front."""
    return [line for line in source.text.splitlines() if "%Y" in line and not PADDED.search(line)]


def test_dates_of_captures_are_written_by_the_archive_room_alone() -> None:
    assert broken(without_zeros) == {}
    templates = (Source("", "", path.read_text("utf-8")) for path in ROOT.glob("dbce/**/*.html"))
    assert [lines for page in templates if (lines := without_zeros(page))] == []


NOT_NOUNS = frozenset(
    """
    about above across after against along among any around as aside at before behind below beneath beside
    between beyond by down during each either every from in inside into like near neither none of off on one
    only onto out outside over own same since some such than that these this those through throughout to
    together toward under until up upon via when which who whole whose with within without what
    born chosen come done drawn found given gone held kept known left made meant said seen shown sure taken
    told went written
    """.split()
)
"""Prepositions, pronouns and irregular participles; not `where`, by which numpy and SQL call a choice."""

NOUNS_IN_ED = frozenset({"bcubed", "embed", "feed", "need", "seed", "shed", "speed"})

MAX_NAMELESS = 4
"""Two that are public, and the two properties that are named after the option `--out`; it may only fall."""


def is_nameless(name: str) -> bool:
    """Whether a name is a preposition, a pronoun or a participle alone."""
    word = name.strip("_").lower()
    return word in NOT_NOUNS or (word.endswith("ed") and word.isalpha() and word not in NOUNS_IN_ED)


def nameless(source: Source) -> list[str]:
    """The module, functions and classes of a source whose name says no noun and no verb."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    definitions = (node.name for node in nodes(source.text) if isinstance(node, kinds))
    names = [source.module.rpartition(".")[2], *definitions]
    return [name for name in names if not re.search("[a-z][A-Z]", name) and is_nameless(name)]


def test_no_name_is_a_preposition_or_a_participle_alone() -> None:
    found = broken(nameless)
    assert sum(map(len, found.values())) <= MAX_NAMELESS, found


def test_nothing_stands_loose() -> None:
    assert {path.stem for path in ROOT.glob("dbce/*.py")} == LOOSE


def test_every_part_of_the_package_has_a_layer() -> None:
    parts = {
        path.stem
        for path in ROOT.glob("dbce/*")
        if (path / "__init__.py").exists() or path.suffix == ".py"
    }
    unplaced = parts - {"__init__"} - LEVEL.keys()
    assert not unplaced, f"give these a place in LAYERS: {sorted(unplaced)}"


# The rules that all sources keep find what breaks them, and nothing else.


def broken(rule: Callable[[Source], list[str]]) -> dict[str, list[str]]:
    """What a rule complains of, by module."""
    return {one.module: complaints for one in sources() if (complaints := rule(one))}


@pytest.mark.parametrize("rule", [layers, wing, handed_on, past_fronts, removals, climbs])
def test_imports_and_removals_of_files_keep_to_the_rules(
    rule: Callable[[Source], list[str]],
) -> None:
    assert broken(rule) == {}


@pytest.mark.parametrize(
    ("rule", "place", "text", "count"),
    [
        (layers, "dbce.archive.records", "from dbce.pipeline import run", 1),
        (layers, "dbce.archive.records", "from dbce import pipeline", 1),
        (layers, "dbce.archive.records", "from ..html import parse", 1),
        (layers, "dbce.run.job", "import pyspark", 1),
        (layers, "dbce.boilerplate.cross", "from lxml.html.diff import htmldiff", 1),
        (layers, "dbce.html.parse", "if TYPE_CHECKING:\n import warcio", 1),
        (layers, "dbce.cli", "def main():\n    from pyspark.sql import SparkSession", 1),
        (layers, "dbce.boilerplate.diff", "from lxml import html", 1),
        (layers, "dbce.boilerplate.classify.thesis", "import bs4.dammit", 1),
        (layers, "dbce.engine.spark.session", "from jobs.annotate import main", 1),
        (layers, "dbce.model", "import dbce.archive", 1),
        (layers, "dbce.evaluate", "from scripts.experiments.peers import PEERS", 1),
        (layers, "dbce.errors", "from dbce.model import Reason", 0),
        (layers, "dbce.archive.records", "from . import cdx\nfrom .cdx import Line", 0),
        (layers, "dbce.archive.records", "from warcio.archiveiterator import ArchiveIterator", 0),
        (layers, "dbce.thesis.annotation", "from lxml.html.diff import SequenceMatcher", 0),
        (layers, "dbce.output.run", "from dbce import __version__, config", 0),
        (layers, "dbce.cli", "from dbce.engine.spark.session import open_session", 0),
        (layers, "jobs.annotate", "from dbce.engine.spark.session import run\nimport pyspark", 0),
        (layers, "dbce.pipeline", "import pysparkling", 0),
        (climbs, "dbce.archive.records.head", "import dbce.archive.inputs", 1),
        (climbs, "dbce.boilerplate.cross", "import dbce.boilerplate.diff", 1),
        (climbs, "dbce.boilerplate.diff", "import dbce.boilerplate.compare", 1),
        (climbs, "dbce.visual.evaluate.headings.scores", "import dbce.visual.evaluate.blocks", 1),
        (climbs, "dbce.visual.evaluate.headings.scores", "import dbce.visual.evaluate.results", 0),
        (climbs, "dbce.archive.outputs.write", "import dbce.archive.records", 0),
        (climbs, "dbce.boilerplate.judge", "import dbce.boilerplate.decide", 0),
        (climbs, "dbce.engine.spark.tasks", "import dbce.engine.workers", 0),
        (climbs, "dbce.view.app", "import dbce.annotate.content", 0),
        (past_fronts, "dbce.run.job", "from dbce.archive.inputs.files import size", 1),
        (past_fronts, "dbce.run.job", "from dbce.archive.inputs import files", 1),
        (past_fronts, "dbce.run.job", "import dbce.boilerplate.compare", 1),
        (past_fronts, "dbce.run.job", "from dbce.boilerplate.classify import chances", 0),
        (past_fronts, "dbce.run.job", "from dbce.run.one_file import Stores", 0),
        (past_fronts, "dbce.run.job", "from dbce.view.app import app", 0),
        (wing, "dbce.cli", "from dbce.visual import Rect", 1),
        (wing, "dbce.cli", "def late():\n    import dbce.visual.render", 1),
        (wing, "dbce.visual.view.layers", "from dbce import visual", 0),
        (late, "dbce", 'lazily(__name__, {"begun": ("begin", "begun"), "job": ("Job",)})', 3),
        (late, "dbce", "if TYPE_CHECKING:\n from x import Job\n__getattr__ = lazily(__name__)", 1),
        (removals, "dbce.cli", "folder.fs.rm(path)", 1),
        (removals, "dbce.cli", "os.replace(a, b)", 1),
        (removals, "dbce.cli", "Path(x).unlink()", 1),
        (removals, "dbce.cli", "folder.remove(name); rows.rename(columns=names); os.readlink", 0),
        (journal_writers, "dbce.cli", "from dbce.annotate.core.store import Journal", 1),
        (journal_writers, "dbce.cli", "from dbce.annotate.core import store", 1),
        (journal_writers, "dbce.cli", "open(f'{gold}.journal', 'a')", 1),
        (journal_writers, "dbce.cli", "from dbce.annotate.core.store import AnnotationStore", 0),
        (journal_writers, "dbce.cli", "'''The journal is beside it.'''", 0),
        (without_zeros, "dbce.cli", 'f"{page.timestamp:%Y-%m-%d}"', 1),
        (without_zeros, "dbce.cli", 'f"{datetime.now(UTC):%Y%m%d}"', 0),
        (without_zeros, "dbce.cli", "SELECT strftime(fetch_time, '%Y-%m') AS month", 0),
        (nameless, "dbce.cli", "class Listed: ...\ndef _of(): ...\nasync def seen(): ...", 3),
        (nameless, "dbce.cli", "class IsListed: ...\ndef seen_by(): ...\ndef seed(): ...", 0),
    ],
)
def test_a_breach_is_found_and_nothing_else(
    rule: Callable[[Source], list[str]], place: str, text: str, count: int
) -> None:
    assert len(rule(Source(place, place.rpartition(".")[0], text))) == count
