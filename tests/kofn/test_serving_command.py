"""What `kofn serve` hands to the server; that it serves is seen in a browser."""

import sys
from types import SimpleNamespace

import pytest

from kofn.command import main
from kofn.terminal import serve
from pages.widgets.inventory import server_paths


class Server:
    """Notes what it is started with."""

    def __init__(self, ends_by=None):
        self.started, self.ends_by = [], ends_by

    def run(self, config):
        self.started.append((sys.argv, config))
        if self.ends_by:
            raise self.ends_by


@pytest.fixture
def start(monkeypatch, tmp_path):
    """Run the command with a server that ends at once, in a folder with a file."""
    monkeypatch.setattr("sys.argv", sys.argv)
    monkeypatch.delenv("KOFN_REPORTS", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").touch()

    def started(*arguments, server=None):
        server = server or Server()
        module = SimpleNamespace(app=server, __file__="/here/app.py")
        monkeypatch.setattr(serve, "import_module", {serve.APP: module}.get)
        return main(["serve", *arguments]), server.started

    return started


def test_settings_are_those_of_the_app_unless_said(start):
    assert start() == (0, [(["/here/app.py"], {})])
    flags = ["--port", "8600", "--address", "0.0.0.0"]
    ((_, settings),) = start(*flags)[1]
    assert settings == {"server.port": 8600, "server.address": "0.0.0.0"}


def test_what_is_given_is_what_every_visitor_finds(start, tmp_path):
    assert server_paths.reports_folder() is None
    start("a.csv", ".", "--reports", "..")
    assert server_paths.paths_to_load() == [tmp_path / "a.csv", tmp_path]
    assert server_paths.reports_folder() == tmp_path.parent


def test_a_path_that_is_not_there_is_one_line_before_the_server_starts(start, capsys):
    status, started = start("a.csv", "b.csv")
    assert (status, started) == (2, [])
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("b.csv: does not exist. Check the path.")


def test_it_is_ended_in_order_by_a_key(start):
    server = Server(KeyboardInterrupt())
    assert start(server=server)[0] == 0
    assert server.started
