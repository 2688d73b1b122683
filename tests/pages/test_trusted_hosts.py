"""Which Host and Origin a request may have; that nothing comes past it, with real connections."""

from contextlib import closing
from http.client import HTTPConnection
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidStatus

from pages.shared.server import trusted_hosts
from tests.browser.driving import kofn_serving, serving
from tests.pages.visitors import visiting

EVIL, SITE = "evil.example:8740", "kofn.example"
OWN = "localhost:8501"
LOOPBACK = ["localhost", OWN, "LocalHost.:80", "127.0.0.1:8501", "127.8.9.1", "[::1]:8501"]
REBOUND = [
    *(EVIL, "localhost.evil.example", "127.0.0.1.evil.example", "evil.example[::1]", "0.0.0.0"),
    *("localhost@evil.example", "evil.example\\@localhost", "localhost, evil.example", "192.0.2.1"),
    *("localhost/evil.example", "localhost#evil.example", "localhost:evil", "loc\talhost", "[::1"),
    *("", ":8501", "[localhost]", "kofn.example.", "localhost evil.example", "\u217fofn.example"),
]


@pytest.fixture
def is_let_in(monkeypatch):
    """Ask whether a request is let in by a server with some settings."""

    def asked(hosts, origins=(), address="127.0.0.1", names=(), known_as="localhost"):
        options = {
            "server.address": address,
            "server.allowedHosts": list(names),
            "browser.serverAddress": known_as,
        }
        monkeypatch.setattr(trusted_hosts, "st", SimpleNamespace(get_option=options.get))
        hosts = [hosts] if isinstance(hosts, str) else hosts
        return not trusted_hosts.refusal(hosts, list(origins))

    return asked


def test_a_server_answers_to_the_loopback_address_and_to_no_other_name(is_let_in):
    assert [host for host in LOOPBACK if not is_let_in(host)] == []
    assert [host for host in REBOUND if is_let_in(host)] == []
    assert not is_let_in([])
    assert not is_let_in([OWN, EVIL])
    assert not is_let_in([OWN, OWN])


@pytest.mark.parametrize(
    ("address", "asked", "others"),
    [
        ("192.0.2.1", "192.0.2.1:8501", ["192.0.2.2", SITE]),
        ("2001:DB8:0::1", "[2001:db8::1]:8501", ["[2001:db8::2]", "192.0.2.1"]),
        ("GPU-box", "gpu-box:8501", [SITE, "gpu-box.evil.example"]),
        ("0.0.0.0", "192.0.2.1:8501", [SITE, "gpu-box", EVIL]),
        ("::", "[2001:db8::1]:8501", [SITE, "gpu-box", EVIL]),
        (None, "192.0.2.1", [SITE, EVIL]),
    ],
)
def test_a_server_answers_to_its_address_and_on_all_of_them_to_numbers(
    address, asked, others, is_let_in
):
    assert is_let_in(asked, address=address)
    assert is_let_in(OWN, address=address)
    assert not any(is_let_in(host, address=address) for host in others)


def test_a_server_answers_to_the_names_it_was_told(is_let_in):
    for address in ("127.0.0.1", "0.0.0.0"):
        told = {"address": address, "names": [" Kofn.example. ", "*.team.example"]}
        for host in (SITE, "KOFN.example.:80", "a.team.example", "a.b.team.example:8501"):
            assert is_let_in(host, **told)
            assert not is_let_in(host, address=address)
        for host in ("a.kofn.example", "team.example", "evilteam.example", EVIL):
            assert not is_let_in(host, **told)
    assert is_let_in(SITE, known_as=SITE)
    assert is_let_in(EVIL, names=["*"])


@pytest.mark.parametrize("host", [OWN, "127.0.0.1:8501", "[::1]:8501"])
def test_a_page_must_be_of_the_host_that_it_asks(host, is_let_in):
    assert is_let_in(host, [f"http://{host}"])
    assert is_let_in(host, [f"https://{host}"])
    others = [
        *("null", "", "http://localhost:3000", "http://evil.example", f"http://{EVIL}", host),
        *(f"http://{host}/", f"http://{host}.evil.example", f"http://evil.example@{host}"),
        *(
            "http://localhost",
            "http://127.0.0.1",
            "https://[::1]",
            "file://",
            "chrome-extension://a",
        ),
    ]
    assert [each for each in others if is_let_in(host, [each])] == []
    assert not is_let_in(host, [f"http://{host}", "http://evil.example"])


def test_a_port_that_a_scheme_implies_may_be_left_out(is_let_in):
    for host, origin, may in (
        ("localhost", "http://localhost:80", True),
        ("localhost:443", "https://localhost", True),
        ("localhost:443", "http://localhost", False),
        ("localhost", "https://localhost:8501", False),
    ):
        assert is_let_in(host, [origin]) is may


def test_a_page_may_be_of_a_name_that_was_told_whatever_a_proxy_asks_for(is_let_in):
    for told in ({"names": [SITE]}, {"known_as": SITE}):
        for origin in ("http://kofn.example", "https://Kofn.example:8443"):
            assert is_let_in("127.0.0.1:8501", [origin], **told)
            assert not is_let_in("127.0.0.1:8501", [origin])
        assert not is_let_in("127.0.0.1:8501", ["http://localhost:3000"], **told)
        assert not is_let_in("127.0.0.1:8501", ["null"], **told)
    assert is_let_in("127.0.0.1:8501", ["http://localhost:3000"], names=["localhost"])
    assert not is_let_in(SITE, [f"http://{EVIL}"], names=["*"])
    assert not is_let_in("192.0.2.1", ["http://192.0.2.1:3000"], address="0.0.0.0")


PLACES = [
    *(("GET", ""), ("GET", "scorecard?k=2"), ("HEAD", ""), ("GET", "favicon.png")),
    *(("GET", "static/"), ("GET", "media/x.csv"), ("GET", "component/x/y"), ("OPTIONS", "")),
    *(("GET", "_stcore/health"), ("GET", "_stcore/host-config"), ("GET", "_stcore/metrics")),
    *(("PUT", "_stcore/upload_file/session/file"), ("DELETE", "_stcore/upload_file/session/file")),
    *(("GET", "no/such/page"), ("POST", "_stcore/stream")),
]


def answer(address, method, place, host, origin=None):
    """Ask a server by some Host; return status and text."""
    there = urlsplit(address)
    with closing(HTTPConnection(there.hostname, there.port, timeout=60)) as connection:
        connection.putrequest(method, f"/{place}", skip_host=True)
        headers = {"Accept": "text/html", "Content-Length": "0", "Host": host, "Origin": origin}
        for name, text in headers.items():
            if text is not None:
                connection.putheader(name, text)
        connection.endheaders()
        with connection.getresponse() as came:
            return came.status, came.read()


def refuses(address, host, origin):
    """Whether a server refuses all requests with a Host and an Origin, and nobody learns of it."""
    answers = [(method, *answer(address, method, place, host, origin)) for method, place in PLACES]
    assert {status for _, status, _ in answers} == {403}, answers
    assert all(b"--server.allowedHosts" in text or method == "HEAD" for method, _, text in answers)
    with pytest.raises(InvalidStatus, match="403"), visiting(address, origin, host=host):
        pytest.fail("let in")
    return True


def lets_in(address, host, origin):
    """Whether a server shows a page, what it consists of, and takes an upload."""
    assert answer(address, "GET", "", host, origin)[0] == 200
    assert answer(address, "GET", "favicon.png", host)[0] == 200
    with visiting(address, origin, host=host) as visitor:
        visitor.upload("run.csv", b"question_id,correct\nq,1\n")
        return "1 run" in visitor.shown


def by_streamlit():
    return serving(flags=["--server.allowedHosts", SITE, "--server.allowedHosts", "*.team.example"])


def by_kofn():
    return kofn_serving("--allowed-host", SITE, "--allowed-host", "*.team.example")


@pytest.mark.browser
@pytest.mark.parametrize("start", [by_streamlit, by_kofn])
def test_no_page_file_upload_or_connection_under_the_name_of_another_site(start):
    """As a browser asks whose page has its own name lead here: Host and Origin agree."""
    with start() as address:
        own = urlsplit(address).netloc
        assert refuses(address, EVIL, f"http://{EVIL}")
        assert refuses(address, own, f"http://{EVIL}")
        assert refuses(address, own, "http://localhost:3000")
        assert answer(address, "GET", "", EVIL)[0] == 403
        assert lets_in(address, own, address)
        assert lets_in(address, "a.team.example:8501", f"https://{SITE}")
        assert lets_in(address, "127.0.0.1:8501", f"http://{SITE}")
