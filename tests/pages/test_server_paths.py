"""Which paths of the server a visitor may open."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.runtime.context import StreamlitHeaders

from pages.shared.loading import server_paths
from reports.files.addresses import Address
from reports.files.errors import LoadError

OWN = {"Host": "localhost:8501", "Origin": "http://localhost:8501"}
NGINX = {"Host": "127.0.0.1:8501", "Origin": "http://kofn.example"}
"""As its plain proxy_pass asks: for the address it was given, on behalf of the visitor's page."""

FORWARDING = [
    *("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"),
    *("x-forwarded-port", "X-Real-Ip", "X-Original-Host", "X-Client-IP", "CF-Connecting-IP"),
]


def at(path):
    return Address("path", str(path))


@pytest.fixture
def server(monkeypatch, tmp_path):
    """Pretend to be a server with a folder of reports."""
    (tmp_path / "reports" / "run").mkdir(parents=True)
    (tmp_path / "secret").mkdir()

    def start(address="127.0.0.1", headers=OWN, folder=None, visitor=None):
        context = SimpleNamespace(headers=StreamlitHeaders(headers.items()), ip_address=visitor)
        streamlit = SimpleNamespace(context=context, get_option=lambda option: address)
        monkeypatch.setattr(server_paths, "st", streamlit)
        folders = folder if isinstance(folder, list) else [folder] if folder else []
        flags = [word for each in folders for word in ("--reports", str(each))]
        monkeypatch.setattr("sys.argv", ["app.py", *flags])
        monkeypatch.delenv("KOFN_REPORTS", raising=False)
        return tmp_path

    return start


@pytest.mark.parametrize(
    ("address", "headers"),
    [
        ("127.0.0.1", OWN),
        ("localhost", {"Host": "127.0.0.1:8501", "Origin": "http://127.0.0.1:8501"}),
        ("::1", {"Host": "[::1]:8501", "Origin": "http://[::1]:8501"}),
    ],
)
def test_any_path_opens_on_ones_own_machine(server, address, headers):
    root = server(address, headers)
    assert server_paths.find(str(root / "secret")) == at(root / "secret")


@pytest.mark.parametrize(
    ("address", "headers"),
    [
        ("0.0.0.0", OWN),
        (None, OWN),
        ("kofn.example", OWN),
        ("127.0.0.1", {}),
        ("127.0.0.1", {"Host": OWN["Host"]}),
        ("127.0.0.1", {"Origin": OWN["Origin"]}),
        ("127.0.0.1", OWN | {"Host": "kofn.example"}),
        ("127.0.0.1", OWN | {"Host": "127.0.0.1.kofn.example"}),
        ("127.0.0.1", OWN | {"Origin": "null"}),
        ("127.0.0.1", OWN | {"Origin": "http://localhost.kofn.example"}),
        ("127.0.0.1", OWN | {"Origin": "http://localhost@kofn.example"}),
        ("127.0.0.1", OWN | {"Origin": "http://[kofn.example"}),
        ("127.0.0.1", OWN | {"Origin": "http://localhost, http://kofn.example"}),
        ("127.0.0.1", NGINX),
        *(("127.0.0.1", OWN | {name: "192.0.2.1"}) for name in FORWARDING),
    ],
)
def test_only_the_folder_of_reports_opens_on_a_server_that_others_reach(server, address, headers):
    root = server(address, headers)
    server(address, headers, root / "reports")
    assert server_paths.find("run") == at(root / "reports" / "run")
    assert server_paths.find(str(root / "reports" / "run")) == at(root / "reports" / "run")
    for outside in ("../secret", str(root / "secret"), str(root / "missing"), "/etc", "~", "\0"):
        with pytest.raises(LoadError, match=r"outside the folder of reports|is not a path"):
            server_paths.find(outside)


@pytest.mark.parametrize(
    "headers",
    [
        [("Host", "localhost"), ("Origin", "http://localhost"), ("Origin", "http://kofn.example")],
        [("Host", "localhost"), ("Host", "kofn.example"), ("Origin", "http://localhost")],
    ],
)
def test_every_header_must_name_the_machine(server, headers):
    server()
    server_paths.st.context.headers = StreamlitHeaders(headers)
    assert not server_paths.is_own_machine()


def test_a_visitor_from_elsewhere_is_not_on_this_machine_whatever_they_say(server):
    """Whoever starts the server by other means may bind it to more than its setting says."""
    server(visitor="192.0.2.1")
    assert not server_paths.is_own_machine()


def test_a_link_does_not_lead_out_of_the_folder_of_reports(server):
    root = server()
    server("0.0.0.0", OWN, root / "reports")
    (root / "reports" / "link").symlink_to(root / "secret")
    with pytest.raises(LoadError, match="outside"):
        server_paths.find("link")


def test_no_path_opens_where_others_reach_a_server_without_a_folder_of_reports(server):
    server("0.0.0.0")
    with pytest.raises(LoadError, match="outside"):
        server_paths.find(str(Path.cwd()))


def test_the_folder_of_reports_may_come_from_the_environment(server, monkeypatch):
    root = server()
    monkeypatch.setenv("KOFN_REPORTS", str(root / "reports"))
    assert server_paths.sources_of_reports() == [at(root / "reports")]


def test_names_are_looked_up_in_each_folder_and_spelled_so_that_they_are_found(server):
    root = server()
    (root / "secret" / "other").mkdir()
    (root / "secret" / "run").mkdir()
    server("0.0.0.0", OWN, [root / "reports", root / "secret"])
    assert server_paths.find("other") == at(root / "secret" / "other")
    for inside in ("reports/run", "secret/other", "secret/run"):
        assert server_paths.find(server_paths.spell(at(root / inside))) == at(root / inside)
    assert server_paths.find("*") == Address("glob", str(root / "reports" / "*"))
    with pytest.raises(LoadError, match="outside"):
        server_paths.find("../*")


ELSEWHERE = [
    *("https://evals.example.net/runs/a", "https://evals.example/other/a", "s3://other/runs/a"),
    *("https://evals.example/runs/a?to=https://evil.example", "spark+sc://evil:15002/a"),
    *("https://evals.example@evil.example/runs/a", "https://evals.example/runs/../a"),
    *("http://127.0.0.1/runs/a", "http://169.254.169.254/latest", "file:///etc/passwd"),
]


@pytest.mark.parametrize("address", ["0.0.0.0", "127.0.0.1"])
def test_no_place_or_engine_opens_but_those_given_not_even_on_ones_own_machine(server, address):
    server(address, folder=["https://evals.example/runs/", "s3://evals/runs", "sc://host:1/;t=1"])
    for inside in (
        "https://EVALS.example/runs/a.zip",
        "https://evals.example/runs/",
        "sc://host:1/",
    ):
        found = server_paths.find(inside)
        assert server_paths.find(server_paths.spell(found)) == found
    assert server_paths.find("sc://host:1/").text == "sc://host:1/;t=1"
    for outside in ELSEWHERE:
        with pytest.raises(LoadError):
            server_paths.find(outside)


def test_an_entry_that_is_no_address_is_said_and_the_others_open(server, monkeypatch):
    root = server()
    monkeypatch.setenv("KOFN_REPORTS", f"s3://me:secret@evals/;{root / 'reports'}")
    assert server_paths.sources_of_reports() == [at(root / "reports")]
    (problem,) = server_paths.problems()
    assert "password" in str(problem)
    assert "secret" not in str(problem)
