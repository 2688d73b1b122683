"""Which paths of the server a visitor may open."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from pages.widgets import server_paths
from reports.errors import LoadError

OWN = {"Host": "localhost:8501"}


@pytest.fixture
def server(monkeypatch, tmp_path):
    """Pretend to be a server with a folder of reports."""
    (tmp_path / "reports" / "run").mkdir(parents=True)
    (tmp_path / "secret").mkdir()

    def start(address="127.0.0.1", headers=OWN, folder=None):
        context = SimpleNamespace(headers=headers)
        streamlit = SimpleNamespace(context=context, get_option=lambda option: address)
        monkeypatch.setattr(server_paths, "st", streamlit)
        flags = ["--reports", str(folder)] if folder else []
        monkeypatch.setattr("sys.argv", ["app.py", *flags])
        monkeypatch.delenv("KOFN_REPORTS", raising=False)
        return tmp_path

    return start


def test_any_path_opens_on_ones_own_machine(server):
    root = server()
    assert server_paths.find(str(root / "secret")) == root / "secret"


@pytest.mark.parametrize(
    ("address", "headers"),
    [
        ("0.0.0.0", OWN),
        (None, OWN),
        ("kofn.example", OWN),
        ("127.0.0.1", {"Host": "kofn.example"}),
        ("127.0.0.1", {"Host": "127.0.0.1.kofn.example"}),
        ("127.0.0.1", OWN | {"X-Forwarded-For": "192.0.2.1"}),
    ],
)
def test_only_the_folder_of_reports_opens_on_a_server_that_others_reach(server, address, headers):
    root = server(address, headers)
    server(address, headers, root / "reports")
    assert server_paths.find("run") == root / "reports" / "run"
    assert server_paths.find(str(root / "reports" / "run")) == root / "reports" / "run"
    for outside in ("../secret", str(root / "secret"), str(root / "missing"), "/etc", "~", "\0"):
        with pytest.raises(LoadError, match=r"outside the folder of reports|is not a path"):
            server_paths.find(outside)


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
    assert server_paths.reports_folder() == root / "reports"
