# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""All that is compiled, as one extension; each part says whose work it does."""

cimport cython
from libc.math cimport NAN
from libc.stdlib cimport calloc
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

include "columns.pxi"
include "elements.pxi"
include "forest.pxi"
include "formulas.pxi"
include "hashes.pxi"
include "kinds.pxi"
include "lines.pxi"
include "scan.pxi"
include "siblings.pxi"
include "sketch.pxi"
include "spans.pxi"
include "structures.pxi"
include "support.pxi"
include "tokens.pxi"
include "walk.pxi"
