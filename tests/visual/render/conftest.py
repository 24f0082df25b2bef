"""Nothing here can be tested without a browser but what is marked otherwise."""

import pytest

from tests.browser import NONE, chromium
from tests.visual.render.build import RENDERERS


@pytest.fixture(scope="module")
def _browser():
    if chromium() is None:
        pytest.skip(NONE)
    yield
    while RENDERERS:
        RENDERERS.popitem()[1].close()
