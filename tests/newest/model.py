"""A model that adds two numbers: it gives the sum or one more, by a rule that the truth knows."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import ClassVar

QUESTIONS = tuple((3 * row + 11, 7 * row + 5) for row in range(12))
"""The numbers to be added, question by question."""
SAMPLES = 4
"""Answers to each question."""
SHARE = {"alpha-7b": 0.5, "beta-14b": 0.75}
"""Of right answers, by model."""
_ASKED = re.compile(r"(\d+) \+ (\d+)")


def question(a: int, b: int) -> str:
    """Return what is asked."""
    return f"What is {a} + {b}?"


def is_right(model: str, a: int, b: int, nth: int) -> bool:
    """Say whether the n-th answer of a model to a question is right."""
    drawn = sha256(f"{model}|{a}+{b}|{nth}".encode()).digest()[0] / 256
    return drawn < SHARE[model]


def truth(model: str, samples: int = SAMPLES) -> list[list[bool]]:
    """Return which answers of a model are right, a row for each question."""
    return [[is_right(model, a, b, nth) for nth in range(samples)] for a, b in QUESTIONS]


def answer(model: str, a: int, b: int, nth: int) -> str:
    """Return the n-th answer."""
    return str(a + b + (not is_right(model, a, b, nth)))


class _Handler(BaseHTTPRequestHandler):
    """Answers as the interface of OpenAI does, and counts what it was asked."""

    protocol_version = "HTTP/1.1"
    asked: ClassVar[Counter[tuple[str, int, int]]]
    lock: ClassVar[Lock]

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """List the models."""
        self._send({"object": "list", "data": [{"id": name, "object": "model"} for name in SHARE]})

    def do_POST(self) -> None:
        """Answer the last question of a prompt or of messages."""
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = json.dumps(sent.get("messages", sent.get("prompt")))
        a, b = map(int, _ASKED.findall(said)[-1])
        model = sent["model"].rpartition("/")[2]
        with self.lock:
            first = self.asked[model, a, b]
            self.asked[model, a, b] += (n := int(sent.get("n") or 1))
        texts = [answer(model, a, b, first + i) for i in range(n)]
        chat, streamed = "messages" in sent, bool(sent.get("stream"))
        said = "delta" if streamed else "message"
        content = {
            "id": f"{model}-{a}-{b}-{first}",
            "object": ("chat.completion" if chat else "text_completion") + ".chunk" * streamed,
            "created": 0,
            "model": sent["model"],
            "choices": [
                {"index": i, "finish_reason": "stop"}
                | ({said: {"role": "assistant", "content": text}} if chat else {"text": text})
                for i, text in enumerate(texts)
            ],
            "usage": {"prompt_tokens": 9, "completion_tokens": n, "total_tokens": 9 + n},
        }
        if streamed:
            self._write(f"data: {json.dumps(content)}\n\ndata: [DONE]\n\n", "text/event-stream")
        else:
            self._send(content)

    def _send(self, content: object) -> None:
        self._write(json.dumps(content), "application/json")

    def _write(self, text: str, kind: str) -> None:
        data = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def served() -> Iterator[str]:
    """Serve the model on a free port of this machine, and give the address of its interface."""
    handler = type("Counting", (_Handler,), {"asked": Counter(), "lock": Lock()})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
