"""One piece of work in its own process: one request, one answer."""

from __future__ import annotations

import os
import pickle
import socket
import traceback
from pathlib import Path
from threading import Lock
from typing import Any

from kofn.workers import calls, wire
from kofn.workers.wire import Tag
from metrics.data.words import MetricError
from reports.files import upload_store
from reports.files.errors import LoadError

NICE = 5
"""By how much jobs let pages go first."""


def work(server: socket.socket) -> None:
    """Do what the server asks for, and send what comes of it."""
    os.nice(NICE)
    calls.stay()
    lock, turn = Lock(), Lock()
    orders = filter(None, wire.frames(server))

    def send(tag: Tag, *parts: Any) -> None:
        with lock:  # formats may be read by several threads
            wire.send(server, tag, parts)

    def tell(done: int, total: int) -> None:
        send(Tag.PROGRESS, wire.PAIR.pack(done, total))

    def keep(path: Path) -> None:
        with turn:  # until the server has noted it, the last other owner could take the file along
            send(Tag.KEEPS, path.name.encode())
            next(orders)

    send(Tag.STARTED, wire.NUMBER.pack(os.getpid()))
    asked = next(orders)
    server.settimeout(None)
    folder, *parts = asked.parts
    upload_store.work_in(Path(os.fsdecode(bytes(folder))), keep)
    function, arguments = pickle.loads(parts[0], buffers=parts[1:])
    try:
        tag, parts = Tag.DONE, wire.pack(function(*arguments, tell))
    except (LoadError, MetricError) as error:
        tag, parts = Tag.REFUSED, wire.pack(error)
    except MemoryError:
        tag, parts = Tag.FULL, []
    except Exception:
        tag, parts = Tag.FAULT, [traceback.format_exc().encode(errors="replace")]
    send(tag, *parts)
