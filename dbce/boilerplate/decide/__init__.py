"""Decisions: judged lines become content or boilerplate, by the structures that they stand in."""

from dbce.boilerplate.decide.asides import NEITHER, aside_lines
from dbce.boilerplate.decide.structures import Decision, decide
from dbce.boilerplate.decide.tree import APART, LineValues, line_values
from dbce.boilerplate.decide.words import Structures, decided, dialled
