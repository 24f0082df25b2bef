"""All that is published of a version, built for tests."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from scripts.setup.container_steps import PROJECT as ROOT

if TYPE_CHECKING:
    from pathlib import Path


def release(folder: Path, **settings: str) -> Path:
    """A release in a folder, built with variables of the environment."""
    command = [sys.executable, "scripts/setup/release.py", folder]
    subprocess.run(command, cwd=ROOT, env=os.environ | settings, check=True)
    return folder
