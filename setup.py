"""The one part of dbce that is compiled, where there is a compiler (docs/adr/0017-one-compiled-part.md).

All else that an installation needs to know is in pyproject.toml. With DBCE_PURE set nothing is compiled,
and the wheel is for every system.
"""

from __future__ import annotations

import os
import sysconfig

from setuptools import Extension, setup

PURE = bool(os.environ.get("DBCE_PURE"))

# What is compiled against the stable ABI of Python 3.11 runs on every later one: one wheel a system. Pythons
# without a global lock have no such ABI yet.
STABLE = not sysconfig.get_config_var("Py_GIL_DISABLED")

KERNEL = Extension(
    "dbce.kernel.compiled",
    ["dbce/kernel/compiled.pyx"],
    depends=[f"dbce/kernel/{part}.pxi" for part in ("hashes", "scan", "sketch", "tokens", "walk")],
    define_macros=[("Py_LIMITED_API", "0x030B0000")] if STABLE else [],
    py_limited_api=STABLE,
    optional=True,  # without it dbce does the same, more slowly
)

setup(
    ext_modules=[] if PURE else [KERNEL],
    options={} if PURE or not STABLE else {"bdist_wheel": {"py_limited_api": "cp311"}},
)
