"""A crawl for commands that are ended while they work on it."""

from pathlib import Path

import pytest

from scripts.experiments import large


@pytest.fixture(scope="session")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two archives, enough for some seconds."""
    folder = tmp_path_factory.mktemp("crawl")
    large.main([str(folder), "--captures", "200", "--files", "2"])
    return folder
