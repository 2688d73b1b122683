"""Who may name any path of a server on the loopback address, with nginx before it.

No browser is needed: visitors send what one would send, and less.
"""

import shutil
import subprocess
from contextlib import contextmanager

import pytest

from tests.browser.driving import await_health, free_port, serving
from tests.pages.visitors import visiting

pytestmark = pytest.mark.browser

SITE = "http://kofn.example"
PLAIN = """
daemon off;
pid {folder}/pid;
error_log {folder}/log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder};
    proxy_temp_path {folder};
    fastcgi_temp_path {folder};
    uwsgi_temp_path {folder};
    scgi_temp_path {folder};
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass {server};
            proxy_http_version 1.1;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection upgrade;
        }}
    }}
}}
"""
TELLING = PLAIN.replace("proxy_pass", "proxy_set_header X-Real-IP $remote_addr; proxy_pass")


@contextmanager
def nginx(folder, configuration, server):
    """Start the machine's nginx before a server, and yield its address."""
    path = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if path is None:
        raise RuntimeError("There is no nginx: apt-get install nginx-light.")
    port = free_port()
    written = folder / "nginx.conf"
    server = server.replace("localhost", "127.0.0.1")
    written.write_text(configuration.format(folder=folder, port=port, server=server))
    started = subprocess.Popen([path, "-e", folder / "log", "-c", written])
    try:
        await_health(started, f"http://localhost:{port}")
        yield f"http://localhost:{port}"
    finally:
        started.terminate()
        started.wait(10)


def may_name_any_path(address, origin):
    with visiting(address, origin) as visitor:
        assert "Upload files" in visitor.shown
        return "give a path on the server" in visitor.shown


def test_a_visitor_from_elsewhere_names_no_path_through_plain_nginx(tmp_path):
    with serving(flags=["--browser.serverAddress=kofn.example"]) as server:
        assert may_name_any_path(server, server)
        assert not may_name_any_path(server, SITE)
        with nginx(tmp_path, PLAIN, server) as before:
            assert not may_name_any_path(before, SITE)
            assert not may_name_any_path(before, None)
        with nginx(tmp_path, TELLING, server) as before:
            assert not may_name_any_path(before, SITE)
            assert not may_name_any_path(before, before)
