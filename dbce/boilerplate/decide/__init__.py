"""Decisions: judged lines become content or boilerplate, by the structures that they stand in."""

from dbce.boilerplate.decide.tree import line_values
from dbce.boilerplate.decide.words import Structures, labels_by_structures, with_dial
