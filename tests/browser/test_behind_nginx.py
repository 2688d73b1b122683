"""Servers on the loopback address with nginx before them: who may name any path, who goes where.

No browser is needed: visitors send what one would send, and less.
"""

import re
import shutil
import subprocess
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from tests.browser.driving import ROOT, await_health, free_port, running, serving
from tests.pages.visitors import visiting

pytestmark = pytest.mark.browser

SITE, EVIL = "http://kofn.example", "evil.example:8740"
AROUND = """
daemon off;
pid FOLDER/pid;
error_log FOLDER/log;
events {}
http {
    log_format served "$cookie_kofn $upstream_addr";
    access_log FOLDER/served served;
    client_body_temp_path FOLDER;
    proxy_temp_path FOLDER;
    fastcgi_temp_path FOLDER;
    uwsgi_temp_path FOLDER;
    scgi_temp_path FOLDER;
    SITES
}
"""
PLAIN = """
server {
    listen 80;
    location / {
        proxy_pass http://127.0.0.1:8501;
        proxy_http_version 1.1;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection upgrade;
    }
}
"""
TELLING = PLAIN.replace("proxy_pass", "proxy_set_header X-Real-IP $remote_addr; proxy_pass")


@contextmanager
def nginx(folder, sites, *servers):
    """Start the machine's nginx before servers, those at 8501 and after, and yield its address."""
    path = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if path is None:
        raise RuntimeError("There is no nginx: apt-get install nginx-light.")
    port = free_port()
    sites = sites.replace("listen 80;", f"listen 127.0.0.1:{port};")
    for number, server in enumerate(servers, start=8501):
        sites = sites.replace(f"127.0.0.1:{number}", f"127.0.0.1:{server.split(':')[-1]}")
    written = folder / "nginx.conf"
    written.write_text(AROUND.replace("SITES", sites).replace("FOLDER", str(folder)))
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


@pytest.mark.parametrize("told", ["--browser.serverAddress", "--server.allowedHosts"])
def test_a_visitor_from_elsewhere_names_no_path_through_plain_nginx(told, tmp_path):
    with serving(flags=[f"{told}=kofn.example"]) as server:
        assert may_name_any_path(server, server)
        assert not may_name_any_path(server, SITE)
        for sites in (PLAIN, TELLING):
            with nginx(tmp_path, sites, server) as before:
                assert not may_name_any_path(before, SITE)
                assert not may_name_any_path(before, None)
                assert is_refused(before, "http://evil.example")
                assert is_refused(before, before)  # another port of this machine


def is_refused(before, origin, host=""):
    with pytest.raises(InvalidStatus, match="403"), visiting(before, origin, host=host):
        pytest.fail("let in")
    request = urllib.request.Request(before, headers={"Origin": origin, "Host": host or before[7:]})
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(request)
    return True


def cookies_of_each(before, folder, servers):
    """Come anew until each server was come to; return a cookie that leads to each."""
    for _attempt in range(50):
        with urllib.request.urlopen(f"{before}/_stcore/health") as answer:
            cookie = re.search("kofn=[0-9a-f]{32}", "".join(answer.headers.get_all("Set-Cookie")))
        request = urllib.request.Request(f"{before}/_stcore/health", headers={"Cookie": cookie[0]})
        with urllib.request.urlopen(request) as answer:
            assert "kofn=" not in "".join(answer.headers.get_all("Set-Cookie"))
        served = [line.split() for line in Path(folder, "served").read_text().splitlines()]
        led = {place.split(":")[-1]: f"kofn={who}" for who, place in served if who != "-"}
        if len(led) == len(servers):
            return [led[server.split(":")[-1]] for server in servers]
    raise AssertionError("all are led to one")


def test_two_servers_behind_the_documented_nginx_have_their_visitors_each(tmp_path, monkeypatch):
    (sites,) = re.findall("```nginx\n(.*?)```", (ROOT / "docs/dashboard.md").read_text(), re.DOTALL)
    monkeypatch.setenv("KOFN_CACHE", str(tmp_path / "kept"))
    table = b"model,question_id,correct\nalpha,q,1\n"

    def kept():
        return [path for path in (tmp_path / "kept").glob("*/*") if path.is_file()]

    def sees(cookie, link):
        """What a visitor with a cookie sees by a link: the data, or that it is asked for."""
        with visiting(before, cookie=cookie, query=link) as visitor:
            asked = "which is not kept here" in visitor.shown
            assert asked is not ("1 run" in visitor.shown)
            return not asked

    with (
        running() as (one, process),
        serving() as other,
        nginx(tmp_path, sites, one, other) as before,
    ):
        assert is_refused(before, f"http://{EVIL}", EVIL)
        first, second = cookies_of_each(before, tmp_path, (one, other))
        with visiting(before, cookie=first) as visitor:
            visitor.upload("run.csv", table)
            assert "give a path on the server" not in visitor.shown
            link = visitor.query
        assert sees(first, link)
        assert not sees(second, link)
        with visiting(before, cookie=second) as visitor:
            visitor.upload("run.csv", table)
            assert len({path.parent for path in kept()}) == 2
        process.terminate()
        process.wait(60)
        assert len(kept()) == 1
        assert not sees(first, link)
