"""Nothing leaves the machine, nor reaches a listener on it, whatever a page tries."""

import select
import socket
from contextlib import contextmanager

import pytest

from dbce.model import Rendering
from tests.gate import first
from tests.visual.render.build import got, html, laid_out, rendered

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("_browser")]

SCRIPTS = Rendering(scripts=True, seconds=60)


@contextmanager
def listener():
    """A port of this machine, TCP and UDP, and what tells what came there: the system takes it for us."""
    tcp, udp = (socket.socket(socket.AF_INET, k) for k in (socket.SOCK_STREAM, socket.SOCK_DGRAM))
    with tcp, udp:
        tcp.bind(("127.0.0.1", 0))
        tcp.listen()
        port = tcp.getsockname()[1]
        udp.bind(("127.0.0.1", port))

        def heard():
            waiting, _, _ = select.select([tcp, udp], [], [], 0.1)
            return [b"tcp" if end is tcp else b"udp " + udp.recv(100) for end in waiting]

        yield port, heard


def test_the_listener_hears_who_speaks_to_it():
    with listener() as (port, heard):
        assert heard() == []
        with socket.create_connection(("127.0.0.1", port)):
            assert heard() == [b"tcp"]
    with listener() as (port, heard):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
            end.sendto(b"x", ("127.0.0.1", port))
        assert heard() == [b"udp x"]


HEAD = """
<link rel=icon href={0}/icon.png><link rel=stylesheet href={0}/sheet.css>
<link rel=dns-prefetch href={0}><link rel=preconnect href={0}><link rel=preload as=image href={0}/1>
<link rel=prefetch href={0}/2><link rel=prerender href={0}/3><link rel=modulepreload href={0}/4>
<link rel=manifest href={0}/5><meta http-equiv=refresh content="0;url={0}/6">
<meta http-equiv=Content-Security-Policy-Report-Only content="img-src 'none'; report-uri {0}/7">
<style>@import url({0}/8); @font-face{{font-family:f;src:url({0}/9)}} body{{font-family:f}}
p{{background:url({0}/10)}}</style>
"""
BODY = """
<p>text<img src={0}/11><iframe src={0}/12></iframe><object data={0}/13></object><embed src={0}/14>
<video src={0}/15 autoplay poster={0}/16></video><audio src={0}/17 autoplay></audio>
<input type=image src={0}/18><svg><image href={0}/19 /><use href={0}/20#a /></svg>
<a href={0}/21 ping={0}/22 download>x</a><form action={0}/23><button>x</button></form>
<iframe srcdoc="<img src={0}/24>"></iframe><img srcset="{0}/25 2x" src="//127.0.0.1:{1}/26">
"""
SCRIPT = """
<script>
const at = "{0}", port = {1};
const tried = [];
const attempt = (what) => {{ try {{ what(); }} catch (e) {{ tried.push(String(e)); }} }};
attempt(() => fetch(at + "/30").catch(() => 0));
attempt(() => {{ const x = new XMLHttpRequest(); x.open("GET", at + "/31"); x.send(); }});
attempt(() => new WebSocket("ws://127.0.0.1:" + port + "/32"));
attempt(() => new EventSource(at + "/33"));
attempt(() => navigator.sendBeacon(at + "/34", "x"));
attempt(() => navigator.serviceWorker.register("/sw.js").catch(() => 0));
attempt(() => new Worker(URL.createObjectURL(new Blob(["fetch('" + at + "/35')"]))));
attempt(() => new SharedWorker(URL.createObjectURL(new Blob(["fetch('" + at + "/36')"]))));
attempt(() => window.open(at + "/37"));
attempt(() => {{
  const c = new RTCPeerConnection({{ iceServers: [{{ urls: "stun:127.0.0.1:" + port }}] }});
  c.createDataChannel("x"); c.createOffer().then((o) => c.setLocalDescription(o));
}});
attempt(() => new WebTransport("https://127.0.0.1:" + port + "/38"));
attempt(() => {{ new Image().src = at + "/39"; }});
setTimeout(() => {{ document.getElementById("done").textContent = "tried it all"; }}, 50);
setTimeout(() => {{ location = at + "/40"; }}, 100);
</script><p id=done>not yet
"""


@pytest.mark.parametrize("config", first([SCRIPTS, Rendering()]), ids=["scripts", "plain"])
def test_nothing_that_a_page_asks_for_comes_to_a_listener(config):
    with listener() as (port, heard):
        for host in ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]"):
            at = f"http://{host}:{port}"
            head, body = HEAD.format(at), BODY.format(at, port) + SCRIPT.format(at, port)
            page = laid_out(html(body, head), config=config)
            texts = [text.text.strip() for text in page.page.texts]
            assert ("tried it all" in texts) == config.scripts
            assert page.laid_out.found == 0
            assert page.laid_out.requests > 10
        assert heard() == []


def test_no_name_is_looked_up():
    """Not even that of this machine: a page that refers to names is laid out without them."""
    head = "<link rel=dns-prefetch href=//localhost><link rel=stylesheet href=//localhost/a.css>"
    page = laid_out(html("<img src=http://gone.invalid/a.png>text", head))
    assert (page.laid_out.requests, page.laid_out.found) == (2, 0)


def test_a_page_cannot_lead_away_from_itself():
    head = "<meta http-equiv=refresh content='0;url=/other'>"
    pages = rendered(got("/", html("the page itself", head)), got("/other", html("another page")))
    shown = [text.text for one in pages for text in one.page.texts]
    assert shown == ["the page itself", "another page"]


def test_scripts_run_only_where_they_are_let():
    body = html("<p id=a>as written</p><script>a.textContent = 'as scripted'</script>")
    assert [t.text for t in laid_out(body).page.texts] == ["as written"]
    (text,) = laid_out(body, config=SCRIPTS).page.texts
    assert (text.text, text.node) == ("as scripted", -1)


def test_what_scripts_change_of_the_page_does_not_change_how_it_is_read():
    tricks = (
        "Element.prototype.getBoundingClientRect = () => ({}); JSON.stringify = () => 'no';"
        "window.getComputedStyle = null; Array.prototype.map = null; console.error('told');"
        "document.createTreeWalker = null; throw new Error('thrown')"
    )
    page = laid_out(html(f"<p id=a>text</p><script>{tricks}</script>"), config=SCRIPTS)
    assert [t.text for t in page.page.texts] == ["text"]
    assert page.laid_out.console_errors >= 1


def test_a_redirect_is_followed_within_the_archive_and_what_is_relative_to_its_end_is_found():
    page = html("<link rel=stylesheet href=/old.css><p id=a>x")
    moved = got("/old.css", b"", status="301 Moved", Location="http://new.example/css/a.css")
    sheet = got("http://new.example/css/a.css", b"@import 'b.css'; p{width:50px}", "text/css")
    other = got("http://new.example/css/b.css", b"p{height:30px}", "text/css")
    found = laid_out(page, moved, sheet, other)
    assert tuple(found.page.elements[-1].rect)[2:] == (50, 30)
    assert (found.laid_out.requests, found.laid_out.found) == (3, 3)
