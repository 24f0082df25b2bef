"""The one part of dbce that is compiled, where there is a compiler (docs/adr/0017-one-compiled-part.md).

All else that an installation needs to know is in pyproject.toml. With DBCE_PURE set nothing is compiled,
and the wheel is for every system.
"""

from __future__ import annotations

import os

from setuptools import Extension, setup

WALK = Extension(
    "dbce.boilerplate.classify.walk",
    ["dbce/boilerplate/classify/walk.pyx"],
    optional=True,  # without it dbce does the same, more slowly
)

setup(ext_modules=[] if os.environ.get("DBCE_PURE") else [WALK])
