"""A server on this machine that sends ranges of files, or does it wrong."""

from collections.abc import Callable
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


class Files:
    """What a server has, and what was asked of it.

    Attributes
    ----------
    held : dict of str to bytes
        By path.
    tags : dict of str to str
        ETags other than the length of a file.
    odd : dict of str to callable
        What answers for a path in another way, given the request.
    asked : list of (str, str, int)
        Path, range and bytes sent.
    """

    def __init__(self):
        self.held: dict[str, bytes] = {}
        self.tags: dict[str, str] = {}
        self.odd: dict[str, Callable] = {}
        self.asked: list[tuple[str, str, int]] = []
        self.url = ""

    @property
    def sent(self):
        return sum(size for _, _, size in self.asked)


def respond(request, status, body=b"", **headers):
    request.send_response(status)
    for name, value in {"Content_Length": len(body), **headers}.items():
        request.send_header(name.replace("_", "-"), str(value))
    request.end_headers()
    request.wfile.write(body)


def send_range(request, files):
    data, wanted = files.held.get(request.path), request.headers.get("Range", "")
    files.asked.append((request.path, wanted, 0))
    if data is None:
        respond(request, 404)
        return
    first, _, last = wanted.removeprefix("bytes=").partition("-")
    body = data[int(first) : int(last) + 1]
    if not body:
        respond(request, 416, Content_Range=f"bytes */{len(data)}")
        return
    files.asked[-1] = (request.path, wanted, len(body))
    held = f"bytes {first}-{int(first) + len(body) - 1}/{len(data)}"
    tag = files.tags.get(request.path, f'"{len(data)}"')
    respond(request, 206, body, Content_Range=held, ETag=tag)


@contextmanager
def serving():
    """Serve files until the end of the block."""
    files = Files()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            odd = files.odd.get(self.path)
            if odd is None:
                send_range(self, files)
            else:
                files.asked.append((self.path, self.headers.get("Range", ""), 0))
                odd(self)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    files.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield files
    finally:
        server.shutdown()
        server.server_close()
