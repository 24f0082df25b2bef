"""Formulas of features, declared once for all pages, and what evaluates them on lines, elements and pages at once.

A formula is written with numbers and other formulas as an expression is; nothing is computed by that. Those
that features are stored by become a program, a list of steps, which compiled code takes over all lines of a page: for a
page of a hundred lines, a step that numpy would take costs twenty times its work to call. All is computed in
double precision, which gives the last bit that single precision gives where that is rounded to (`single`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum, auto
from functools import cache
from operator import attrgetter
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dbce.kernel import compiled


class Axis(IntEnum):
    """The things that a formula has a number for each of; with ONE its number is the same for all."""

    ONE = 0
    PAGES = auto()
    LINES = auto()
    ELEMENTS = auto()
    PATHS = auto()


class Operation(IntEnum):
    """Steps of a program, numbered as in dbce/kernel/formulas.pxi."""

    LOAD, NUMBER, STORE, PICK = range(4)
    ADD, SUBTRACT, MULTIPLY, DIVIDE, LEAST, GREATEST, LESS, AT_MOST, EQUAL = range(4, 13)
    CHOOSE, ROUND, SINGLE, BIT = range(13, 17)
    TAKE, TOTAL, HIGHEST, TOTAL_BEFORE = range(17, 21)
    BELOW, CLIMB, MARK, INHERIT = range(21, 25)
    RUN, RISE, FALL, SHIFT, MEAN_BEFORE, MEAN_BEHIND = range(25, 31)


def _operator(
    operation: Operation, *, swapped: bool = False
) -> Callable[[Formula, Operand], Formula]:
    """A function of two operands: formulas along one axis, one of which may be a number."""

    def apply(operand: Formula, other: Operand) -> Formula:
        a, b = (_formula_of(other), operand) if swapped else (operand, _formula_of(other))
        axis = max(a.axis, b.axis)
        if {a.axis, b.axis} - {Axis.ONE, axis}:
            raise TypeError(f"{a.axis.name} and {b.axis.name} have no common places")
        return formula(operation, axis, a, b)

    return apply


@dataclass(frozen=True, slots=True, eq=False)
class Formula:
    """An operation on formulas, or on a row of an array (a name of one that is given, or one that is the same for all pages).

    The same operation on the same formulas is the same formula (`formula`). Conditions are 1 where they hold, else 0.
    """

    operation: Operation
    axis: Axis
    of: tuple[Formula, ...] = ()
    array: Any = None
    row: int = 0

    __add__ = _operator(Operation.ADD)
    __sub__ = _operator(Operation.SUBTRACT)
    __rsub__ = _operator(Operation.SUBTRACT, swapped=True)
    __mul__ = __rmul__ = __and__ = _operator(Operation.MULTIPLY)
    __truediv__ = _operator(Operation.DIVIDE)
    __or__ = _operator(Operation.GREATEST)
    __lt__ = _operator(Operation.LESS)
    __gt__ = _operator(Operation.LESS, swapped=True)
    __le__ = _operator(Operation.AT_MOST)
    __ge__ = _operator(Operation.AT_MOST, swapped=True)
    equals = _operator(Operation.EQUAL)

    def __invert__(self) -> Formula:
        return 1 - self

    @property
    def is_number(self) -> Formula:
        """True but of NaN."""
        return self.equals(self)

    @property
    def single(self) -> Formula:
        return formula(Operation.SINGLE, self.axis, self)

    @property
    def integer(self) -> Formula:
        return formula(Operation.ROUND, self.axis, self)

    def bit(self, place: int) -> Formula:
        return formula(Operation.BIT, self.axis, self, number(place))

    def take(self, places: Formula) -> Formula:
        """The value at each of some places along its axis."""
        return formula(Operation.TAKE, places.axis, self, places)

    def total(self, group: Formula, axis: Axis) -> Formula:
        """Sum over what has the same place on another axis."""
        return formula(Operation.TOTAL, axis, self, group)

    def highest(self, page: Formula) -> Formula:
        """The highest on each page."""
        return formula(Operation.HIGHEST, Axis.PAGES, self, page)

    def total_before(self, group: Formula) -> Formula:
        """Sum over what has the same place and stands before."""
        return formula(Operation.TOTAL_BEFORE, self.axis, self, group)


Operand: TypeAlias = "Formula | float"
Formulas: TypeAlias = dict[str, Formula]
"""Features by name."""


@cache
def formula(
    operation: Operation, axis: Axis, *of: Formula, array: Any = None, row: int = 0
) -> Formula:
    return Formula(operation, axis, of, array, row)


def number(value: float) -> Formula:
    return formula(Operation.NUMBER, Axis.ONE, array=float(value))


def load(name: str, axis: Axis, row: int = 0) -> Formula:
    """Row of an array that is given, or an attribute of lines that has that name."""
    return formula(Operation.LOAD, axis, array=name, row=row)


def pick(array: str | Table, places: Formula, row: int = 0) -> Formula:
    """Values at some places of a row of an array of float32."""
    return formula(Operation.PICK, places.axis, places, array=array, row=row)


class Table:
    """Numbers that are the same for all pages, as an array to pick from; told from others by what it is, not by what it has."""

    def __init__(self, values: Iterable[float]) -> None:
        self.numbers = np.array([*values], np.float32)


def _formula_of(operand: Operand) -> Formula:
    return operand if isinstance(operand, Formula) else number(operand)


minimum, maximum = _operator(Operation.LEAST), _operator(Operation.GREATEST)
"""The lower and the higher of two, neither of which is NaN."""


def where(condition: Formula, a: Operand, b: Operand = np.nan) -> Formula:
    a, b = _formula_of(a), _formula_of(b)
    if {a.axis, b.axis} - {Axis.ONE, condition.axis}:
        raise TypeError(f"a choice for each of {condition.axis.name}")
    return formula(Operation.CHOOSE, condition.axis, condition, a, b)


class Source(Protocol):
    """Lines, of which formulas load other attributes, too."""

    @property
    def page(self) -> NDArray[np.int64]: ...

    @property
    def sizes(self) -> tuple[int, ...]: ...


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """Steps that write some columns, in order; `axes` has that of each register, `arrays` what they load."""

    columns: tuple[str, ...]
    steps: NDArray[np.int32]
    numbers: NDArray[np.float64]
    axes: NDArray[np.int32]
    arrays: tuple[tuple[str, Callable[[Any], Any]], ...]

    def rows(self, lines: Source, arrays: Mapping[str, Any]) -> NDArray[np.float32]:
        """The columns as rows of an array, float32, shape (columns, lines); other arrays than the given ones are of the lines."""
        values = np.empty((len(self.columns), len(lines.page)), np.float32)
        each = [arrays[name] if name in arrays else get(lines) for name, get in self.arrays]
        compiled.evaluate(self.steps, self.numbers, self.axes, np.array(lines.sizes), each, values)
        return values


def program(columns: Formulas) -> Program:
    """Program that has each formula once, and its register only as long as it is needed."""
    order = _in_order_of_use(columns.values())
    stored: dict[Formula, list[int]] = {}
    for place, of in enumerate(columns.values()):
        stored.setdefault(of, []).append(place)
    uses = dict.fromkeys(order, 0)
    for each in order:
        for of in each.of:
            uses[of] += 1
    steps: list[tuple[int, ...]] = []
    registers: dict[Formula, int] = {}
    axes: list[Axis] = []
    free: dict[Axis, list[int]] = {axis: [] for axis in Axis}
    numbers: list[float] = []
    arrays: dict[Any, int] = {}
    for each in order:
        if free[each.axis]:
            into = free[each.axis].pop()
        else:
            into = len(axes)
            axes.append(each.axis)
        registers[each] = into
        operands = [registers[of] for of in each.of]
        if each.operation is Operation.NUMBER:
            operands = [len(numbers)]
            numbers.append(each.array)
        elif each.array is not None:
            operands = [arrays.setdefault(each.array, len(arrays)), each.row, *operands]
        steps.append((each.operation, into, *operands, *[0] * (3 - len(operands))))
        steps += ((Operation.STORE, place, into, 0, 0) for place in stored.get(each, ()))
        for of in dict.fromkeys((*each.of, each)):
            uses[of] -= each.of.count(of)
            if not uses[of]:
                free[of.axis].append(registers[of])
    return Program(
        tuple(columns),
        np.array(steps, np.int32),
        np.array([*numbers, 0.0]),
        np.array(axes, np.int32),
        tuple(map(_array, arrays)),
    )


def _array(of: str | Table) -> tuple[str, Callable[[Any], Any]]:
    """Name of an array, and what gets it where no other is given."""
    return (of, attrgetter(of)) if isinstance(of, str) else ("", lambda _: of.numbers)


def _in_order_of_use(columns: Iterable[Formula]) -> list[Formula]:
    """Formulas and all that they are made of, each behind that."""
    order: dict[Formula, None] = {}

    def put(of: Formula) -> None:
        if of not in order:
            for operand in of.of:
                put(operand)
            order[of] = None

    for of in columns:
        put(of)
    return [*order]


# Lines and the elements around them as formulas.

PAGE, HOLDER = load("page", Axis.LINES), load("holder", Axis.LINES)
WORDS, LINKED = load("words", Axis.LINES), load("linked", Axis.LINES)
PARENTS, DEPTH = load("forest.parents", Axis.ELEMENTS), load("forest.depth", Axis.ELEMENTS)
PATH, KIND = load("forest.path", Axis.ELEMENTS), load("forest.kind", Axis.ELEMENTS)
OF_ELEMENT = load("forest.page", Axis.ELEMENTS)  # its page
TAG, ABOVE = load("forest.tag", Axis.PATHS), load("forest.paths.above", Axis.PATHS)
FIRST_LINES, FIRST_ELEMENTS = load("starts", Axis.PAGES), load("forest.starts", Axis.PAGES)

ONES, ONES_OF_ELEMENTS = (of.equals(of) for of in (PAGE, OF_ELEMENT))
ROOT = FIRST_ELEMENTS.take(PAGE)
PLACE = ONES.total_before(PAGE)  # of the line on its page
LINE = PLACE + FIRST_LINES.take(PAGE)
ELEMENT = ONES_OF_ELEMENTS.total_before(OF_ELEMENT) + FIRST_ELEMENTS.take(OF_ELEMENT)
LINES_OF_PAGE = ONES.total(PAGE, Axis.PAGES)
ELEMENTS_OF_PAGE = ONES_OF_ELEMENTS.total(OF_ELEMENT, Axis.PAGES)


def by_tag(values: Table, places: Formula = PATH) -> Formula:
    """Value of the tag of each element, or of the paths at some places; values are those of `tag_table`."""
    return pick(values, TAG).take(places)


def sum_below(values: Formula) -> Formula:
    """Sum of a value of lines or of elements over each element and all below it."""
    if values.axis is Axis.LINES:
        values = values.total(HOLDER, Axis.ELEMENTS)
    return formula(Operation.BELOW, Axis.ELEMENTS, values, PARENTS)


def flags_above(flags: Formula) -> Formula:
    """Flags of each path and of all paths above it, for each line, as the bits of a number."""
    of_paths = formula(Operation.INHERIT, Axis.PATHS, flags, ABOVE)
    return of_paths.take(PATH.take(HOLDER))


def nearest(wanted: Formula) -> Formula:
    """The nearest wanted element from that of each line on, itself or above it, else the root."""
    return formula(Operation.CLIMB, Axis.LINES, wanted, PARENTS, HOLDER)


def with_all_above(elements: Formula) -> Formula:
    """True of one element a page and of all above it."""
    return formula(Operation.MARK, Axis.ELEMENTS, elements, PARENTS)


def ancestors(levels: Iterable[int]) -> Iterator[tuple[int, Formula]]:
    """Yield (level, the element so many levels up from that of each line); a root stays itself."""
    element, climbed = HOLDER, 0
    for level in levels:
        for _ in range(level - climbed):
            element = PARENTS.take(element)
        climbed = level
        yield level, element


def page_total(values: Formula) -> Formula:
    """Total of a value over the page of each line."""
    return values.total(PAGE, Axis.PAGES).take(PAGE)


def running_sum(values: Formula) -> Formula:
    """Sum of a value of lines over their page up to each line, itself included."""
    return formula(Operation.RUN, values.axis, values, PAGE)


def last_chosen(chosen: Formula) -> Formula:
    """The last chosen line of the page up to each line, -1 where there is none."""
    return formula(Operation.RISE, Axis.LINES, where(chosen, LINE, -1), PAGE)


def next_chosen(chosen: Formula) -> Formula:
    """The first chosen line of the page from each line on, infinity where there is none."""
    return formula(Operation.FALL, Axis.LINES, where(chosen, LINE, np.inf), PAGE)


def first_on_page(chosen: Formula) -> Formula:
    """Number of the first chosen line or element of each page, infinity where there is none."""
    numbers, page = (LINE, PAGE) if chosen.axis is Axis.LINES else (ELEMENT, OF_ELEMENT)
    return 0 - where(chosen, 0 - numbers, -np.inf).highest(page)


def shift(values: Formula, offset: int) -> Formula:
    """The value so many lines on, NaN beyond the page."""
    return formula(Operation.SHIFT, Axis.LINES, values, PAGE, number(offset))


def window(columns: Formulas, names: Iterable[str], reach: int) -> Formulas:
    """Columns of the lines before and after: `words@-1` is the words of the line before; NaN beyond the page."""
    offsets = [offset for offset in range(-reach, reach + 1) if offset]
    return {
        f"{name}@{offset:+d}": shift(columns[name], offset) for name in names for offset in offsets
    }


def running_means(columns: Formulas, decay: float) -> Formulas:
    """Exponential running means of all lines before, and of all after, the line left out; in single precision."""
    ways = {"-": Operation.MEAN_BEFORE, "+": Operation.MEAN_BEHIND}
    return {
        f"{name}@mean{sign}": formula(way, Axis.LINES, of.single, PAGE, number(decay))
        for sign, way in ways.items()
        for name, of in columns.items()
    }
