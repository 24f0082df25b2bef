"""The one part of dbce that is compiled (docs/adr/0017-one-compiled-part.md).

All else that an installation needs to know is in pyproject.toml.
"""

import os
import shlex
import shutil
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup

# What is compiled against the stable ABI of Python 3.11 runs on every later one: one wheel a system. Pythons
# without a global lock have no such ABI yet.
STABLE = not sysconfig.get_config_var("Py_GIL_DISABLED")

ZIG = "ziglang==0.17.1"
"""A C compiler as a wheel, for machines without one."""


HEADERS = Path(".headers/usr/include")
"""The headers of Pythons that are installed without them (scripts/setup/headers.sh)."""


def compiler_to_install() -> list[str]:
    """Has setuptools compile with what there is; the requirement of the build where there is nothing.

    Windows has its own way of looking for a compiler.
    """
    usual = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    compiler = next((name for name in (usual, "cc", "gcc", "clang") if shutil.which(name)), None)
    if os.name != "posix" or compiler == usual:
        return []
    os.environ["CC"] = compiler or f"{shlex.quote(sys.executable)} -m ziglang cc"
    return [] if compiler else [ZIG]


setup(
    setup_requires=compiler_to_install(),
    ext_modules=[
        Extension(
            "dbce.kernel.compiled",
            ["dbce/kernel/compiled.pyx"],
            depends=[str(part) for part in sorted(Path("dbce/kernel").glob("*.pxi"))],
            # No multiplication and addition in one, which rounds otherwise on processors that have it.
            extra_compile_args=["-ffp-contract=off"] if os.name == "posix" else [],
            define_macros=[("Py_LIMITED_API", "0x030B0000")] if STABLE else [],
            py_limited_api=STABLE,
            include_dirs=[str(path) for path in (HEADERS, *HEADERS.glob("python3.*"))],
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if STABLE else {},
)
