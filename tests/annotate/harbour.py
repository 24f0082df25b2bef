"""Builders: a page to label, and how our own pages send a change."""

import json

from flask.testing import FlaskClient

from tests.site import article, page

HIDDEN = "Nobody sees this text about cookies"
REMARK = "I saw the very same thing from my window!"

OWN = {"Origin": "http://localhost", "X-Dbce-Token": "secret"}
"""The headers of a request that one of our own pages sends."""


def labelled_page(topic: str, year: int):
    html = article(topic).replace(
        '<div class="foot">',
        f'<p class="remark">{REMARK}</p><div style="display:none"><p>{HIDDEN}</p></div>'
        '<div class="foot">',
    )
    return page(topic, f"{year}0101000000", html)


NONSENSE = ("[1]", "{", "", '{"by": "\\ud800"}', "[" * 100_000, f'{{"by": {"[" * 100_000}')
"""Bodies of requests that are no JSON object, or one that no journal can hold."""


def refuses_nonsense(client: FlaskClient, **given: object) -> int:
    """Every way to change something answers 400 to what makes no sense; the number of ways.

    `given` is what a change has beside the name of who makes it.
    """
    rules = [rule for rule in client.application.url_map.iter_rules() if "POST" in rule.methods]
    bodies = [*NONSENSE, *(json.dumps({**given, "by": by}) for by in (["Anna"], {}, 5, None))]
    for rule in rules:
        for body in bodies:
            answer = client.post(rule.rule, data=body, content_type="application/json", headers=OWN)
            assert answer.status_code == 400, (rule.rule, body[:40])
            assert answer.json["message"]
    return len(rules)
