"""Rules for who may ask the server, and for what browsers may do with an answer.

Every account of this machine can open a port of it, and any web page can make a browser ask it. So nothing is answered
without the token of the printed address, which a browser keeps as a cookie. A request must name this server by a name that
only it has (a name that somebody else's DNS points here is refused), nothing is changed unless the request itself carries the
token, as those of our own pages do, and no other site may frame an answer or use it as its own.
"""

import hmac
import ipaddress
import secrets
import socket
from dataclasses import dataclass, field
from functools import partial
from urllib.parse import urlencode

from flask import Response, abort, redirect, request
from werkzeug.wrappers import Response as AnyResponse

HEADER = "X-Dbce-Token"
FIELD = "token"
"""Where a request may carry the token to change something: a header or a form's field.

FIELD is also its name in the printed address.
"""

OWN_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""What our own pages may do: use our files, and nothing from anywhere else."""

_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-DNS-Prefetch-Control": "off",
    "Cache-Control": "no-store",
}
_READING = frozenset({"GET", "HEAD"})
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def cookie(host: str) -> str:
    """Return the cookie with the token to read: one for each port, since browsers send theirs to all ports of a host."""
    port = host.rpartition(":")[2]
    return f"dbce-token-{port if port.isdecimal() else 80}"


@dataclass(frozen=True, slots=True)
class Guard:
    """Rules of a server bound to `host`: whoever opens the address with the token gets a cookie, and nobody else sees a thing."""

    host: str = "127.0.0.1"
    token: str = field(default_factory=partial(secrets.token_urlsafe, 24))

    def check(self) -> AnyResponse | None:
        """Ends a request that may not be answered; a redirect where one brings the token."""
        if not self._is_named(request.host):
            abort(403, "This server does not answer to that name.")
        if request.method not in _READING:
            self._check_change()
        if self._is_token(request.args.get(FIELD, "")):
            return self._welcome()
        if not self._is_token(request.cookies.get(cookie(request.host), "")):
            # Not "open": after a click on another site, no browser sends a strict cookie along.
            abort(403, "Paste the address that dbce printed, with its token, into the address bar.")
        return None

    def _is_named(self, host: str) -> bool:
        name = host.rpartition(":")[0] if host[-1:] != "]" and ":" in host else host
        if is_loopback(self.host):
            return name in _LOOPBACK
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return name in {self.host, socket.gethostname(), socket.getfqdn(), "localhost"}
        return True

    def _check_change(self) -> None:
        token = request.headers.get(HEADER) or request.form.get(FIELD, "")
        if request.headers.get("Origin") != request.host_url.rstrip("/"):
            abort(403, "Changes are taken from our own pages only.")
        if not self._is_token(token):
            abort(403, "The token is missing or old; reload the page.")

    def _is_token(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self.token.encode())

    def _welcome(self) -> AnyResponse:
        """Redirect to this address without the token, so that no history and no log keeps it."""
        rest = [(name, value) for name, value in request.args.items(multi=True) if name != FIELD]
        path = "/" + request.path.lstrip("/")  # two slashes would lead to another host
        answer = redirect(f"{path}?{urlencode(rest)}" if rest else path)
        answer.set_cookie(cookie(request.host), self.token, httponly=True, samesite="Strict")
        return answer


def protect(answer: Response) -> Response:
    """An answer with the headers that keep it among us; one with a policy of its own keeps that."""
    for name, value in _HEADERS.items():
        answer.headers.setdefault(name, value)
    answer.headers.setdefault("Content-Security-Policy", OWN_POLICY)
    return answer
