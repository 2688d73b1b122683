"""Scripts and styles are sent packed, each packed once, and nothing else is."""

import asyncio
import gzip

import pytest

from pages.shared.internals import SCRIPTS, draw_once
from pages.shared.server.in_browsers import InBrowsers
from pages.shared.server.packed import LEAST, Packed

BODY = b"const a = 1;\n" * LEAST
SCRIPT = "/kofn/static/js/Slider.abc.js"


class Files:
    """An application with one file under every path."""

    def __init__(self, status=200, body=BODY):
        self.asked, self.status, self.body = [], status, body

    async def __call__(self, scope, receive, send):
        self.asked.append(scope["path"])
        headers = [(b"content-type", b"text/javascript"), (b"etag", b'"x"')]
        length = (b"content-length", str(len(self.body)).encode())
        await send(
            {"type": "http.response.start", "status": self.status, "headers": [*headers, length]}
        )
        half = len(self.body) // 2
        await send({"type": "http.response.body", "body": self.body[:half], "more_body": True})
        await send({"type": "http.response.body", "body": self.body[half:]})


def get(app, path=SCRIPT, method="GET", **headers):
    """Return status, headers and body of an answer."""
    sent = []

    async def send(message):
        sent.append(message)

    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "path": path, "headers": named}
    asyncio.run(app(scope, None, send))
    start, *bodies = sent
    found = {name.decode(): value.decode() for name, value in start["headers"]}
    return start["status"], found, b"".join(each.get("body", b"") for each in bodies)


def test_a_script_is_packed_once_and_is_the_same_unpacked():
    files = Files()
    app = Packed(files)
    for _ in range(3):
        status, headers, body = get(app, accept_encoding="gzip, deflate, br")
        assert (status, headers["content-encoding"]) == (200, "gzip")
        assert headers["content-length"] == str(len(body))
        assert "accept-encoding" in headers["vary"]
        assert (headers["content-type"], headers["etag"]) == ("text/javascript", '"x"')
        assert len(body) < len(BODY) / 10
        assert gzip.decompress(body) == BODY
    assert files.asked == [SCRIPT]


@pytest.mark.parametrize(
    ("files", "asked"),
    [
        (Files(), {}),
        (Files(), {"accept_encoding": "br"}),
        (Files(), {"accept_encoding": "gzip", "range": "bytes=0-9"}),
        (Files(), {"accept_encoding": "gzip", "if_none_match": '"x"'}),
        (Files(), {"accept_encoding": "gzip", "path": "/media/report.js"}),
        (Files(), {"accept_encoding": "gzip", "path": "/static/font.woff2"}),
        (Files(), {"accept_encoding": "gzip", "method": "HEAD"}),
        (Files(404), {"accept_encoding": "gzip"}),
        (Files(body=b"x" * (LEAST - 1)), {"accept_encoding": "gzip"}),
    ],
)
def test_what_is_not_to_be_packed_comes_as_it_is(files, asked):
    app = Packed(files)
    for _ in range(2):
        status, headers, body = get(app, **asked)
        assert (status, body) == (files.status, files.body)
        assert "content-encoding" not in headers
    assert len(files.asked) == 2


@pytest.mark.parametrize("body", [None, b"another version"])
@pytest.mark.parametrize("name", [*SCRIPTS, "Slider"])
def test_scripts_that_draw_often_alone_are_changed_packed_or_not(name, body):
    path, changes = f"/kofn/static/js/{name}.abc.js", SCRIPTS.get(name, ())
    before = body or b"".join(each for each, _ in changes) or BODY
    for asked in ({}, {"accept_encoding": "gzip"}, {"if_none_match": '"x"'}):
        status, headers, found = get(Packed(InBrowsers(Files(body=before))), path=path, **asked)
        found = gzip.decompress(found) if "content-encoding" in headers else found
        assert (status, found) == (200, draw_once(path, before))
        assert (found != before) == (name in SCRIPTS and body is None)
        assert ("etag" in headers) == (name not in SCRIPTS)
