"""What `kofn serve` hands to the server; that it serves is seen in a browser."""

import socket
import sys
from types import SimpleNamespace

import pytest

from kofn.command import main
from kofn.terminal import serve
from pages.shared.loading import server_paths
from reports.files.addresses import Address


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

    def started(*arguments, server=None, environment=dict):
        server = server or Server()
        module = SimpleNamespace(app=server, __file__="/here/app.py", environment=environment)
        monkeypatch.setattr(serve, "import_module", {serve.APP: module}.get)
        return main(["serve", *arguments]), server.started

    return started


def test_settings_are_those_of_the_app_unless_said(start):
    assert start() == (0, [(["/here/app.py"], {})])
    names = ["kofn.example", "*.team.example"]
    flags = ["--port", "28600", "--address", "0.0.0.0"]
    ((_, settings),) = start(*flags, *(f"--allowed-host={name}" for name in names))[1]
    assert settings == {
        "server.port": 28600,
        "server.address": "0.0.0.0",
        "server.allowedHosts": names,
    }


def test_settings_of_the_environment_hold_unless_a_flag_says_otherwise(start, capsys):
    ((_, settings),) = start("--port", "28600", environment=lambda: {"server.port": 1, "x": 2})[1]
    assert settings == {"server.port": 28600, "x": 2}

    def refuse():
        raise ValueError("'many' is no integer.")

    assert start(environment=refuse) == (2, [])
    assert capsys.readouterr().err == "error: 'many' is no integer.\n"


def test_what_is_given_is_what_every_visitor_finds(start, tmp_path):
    assert server_paths.sources_of_reports() == []
    start("a.csv", ".", "--reports", "..")
    assert server_paths.sources_to_load() == [
        Address("path", str(tmp_path / "a.csv")),
        Address("path", str(tmp_path)),
    ]
    assert server_paths.sources_of_reports() == [Address("path", str(tmp_path.parent))]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["a.csv", "b.csv"], "b.csv: does not exist. Check the path."),
        (["--reports", "b"], "b: does not exist. Check the path."),
        (["-"], "-: does not exist. Check the path."),
        (["b*.csv"], "b*.csv: does not exist. Check the path."),
        (["--reports", "http://evals.example/a"], "http://evals.example/a: is not encrypted, "),
        (["--address", "256.0.0.1"], "kofn cannot listen on 256.0.0.1: "),
    ],
)
def test_what_cannot_be_is_one_line_before_the_server_starts(arguments, line, start, capsys):
    status, started = start(*arguments)
    assert (status, started) == (2, [])
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith(f"error: {line}")


def test_a_time_to_keep_uploads_that_is_no_number_is_said(start, capsys, monkeypatch):
    monkeypatch.setenv("KOFN_KEEP", "an hour")
    assert start() == (2, [])
    line = "error: KOFN_KEEP must be a number of 0 or more, such as 60; got 'an hour'.\n"
    assert capsys.readouterr().err == line


def test_a_port_that_is_taken_is_said(start, capsys):
    with socket.create_server(("localhost", 0)) as other:
        port = other.getsockname()[1]
        assert start("--port", str(port)) == (2, [])
    assert f"error: kofn cannot listen on localhost:{port}: " in capsys.readouterr().err
    assert start("--port", str(port))[0] == 0


@pytest.mark.parametrize("port", ["0", "65536", "http", "-1", "²"])
def test_a_port_is_a_number(port, start, capsys):
    with pytest.raises(SystemExit) as stopped:
        start("--port", port)
    assert stopped.value.code == 2
    assert "error: --port: " in capsys.readouterr().err


@pytest.mark.parametrize("name", ["", "*", "http://kofn.example", "kofn.example:80", "a b", "ⅿ"])
def test_an_allowed_host_is_a_name(name, start, capsys):
    with pytest.raises(SystemExit) as stopped:
        start("--allowed-host", name)
    assert stopped.value.code == 2
    assert "give one such as kofn.example" in capsys.readouterr().err


def test_it_is_ended_in_order_by_a_key(start):
    server = Server(KeyboardInterrupt())
    assert start(server=server)[0] == 0
    assert server.started
