"""A desk on which the texts of the harbour are labelled."""

from collections.abc import Callable, Iterator

import pytest
from flask.testing import FlaskClient

from dbce.annotate.content.desk import LabelDesk
from dbce.annotate.content.history import NODE_GOLD
from dbce.annotate.content.routes import add_labelling
from dbce.annotate.core.queue import sample
from dbce.annotate.core.store import AnnotationStore
from dbce.view.app import create_app
from dbce.view.guard import Guard
from tests.annotate.harbour import OWN
from tests.view.visitor import let_in


@pytest.fixture
def store(tmp_path) -> Iterator[AnnotationStore]:
    store = AnnotationStore(tmp_path / "gold.jsonl", NODE_GOLD)
    yield store
    store.close()


@pytest.fixture
def desk(run, store) -> LabelDesk:
    return LabelDesk(run, store, sample(run, "random", 3))


@pytest.fixture
def client(desk) -> FlaskClient:
    """What asks the application without a network; an error in it is an error of the test."""
    guard = Guard(token="secret")
    app = create_app(desk.run, guard)
    add_labelling(app, desk)
    return let_in(app)


@pytest.fixture
def post(client) -> Callable:
    """Sends a change as our own pages do; the answer."""

    def send(path: str, **given: object):
        return client.post(path, json=given, headers=OWN)

    return send
