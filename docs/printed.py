"""Renew what the documents show below commands: ``uv run python docs/printed.py``.

A block of the language ``console`` has a command behind ``$`` and what it prints on standard
output, on a terminal of 100 letters in the folder of the checkout. Where its last line is ``…`` it
is cut there, as long as it was.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
from functools import cache
from pathlib import Path
from unittest.mock import patch

from kofn.command import main

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "README.zh.md", *sorted((ROOT / "docs").glob("*.md"))]
WIDTH = "100"
CUT = "…"
BLOCK = re.compile(r"^```console\n\$ (?P<command>.+)\n(?P<shown>(?:.*\n)*?)```$", re.MULTILINE)


def renewed(page: str) -> str:
    """Return a page with what its commands print now."""
    return BLOCK.sub(_block, page)


def _block(found: re.Match[str]) -> str:
    lines = printed(found["command"]).splitlines()
    shown = found["shown"].splitlines()
    if shown and shown[-1] == CUT:
        lines = [*lines[: len(shown) - 1], CUT]
    return "\n".join(("```console", f"$ {found['command']}", *lines, "```"))


@cache
def printed(command: str) -> str:
    """Return what a command prints on standard output."""
    words = shlex.split(command)
    given = words[words.index("kofn") + 1 :]
    out = io.StringIO()
    with (
        contextlib.chdir(ROOT),
        patch.dict(os.environ, {"COLUMNS": WIDTH, "NO_COLOR": "1"}),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        main(given)
    return out.getvalue().strip("\n")


if __name__ == "__main__":
    for path in DOCUMENTS:
        path.write_text(renewed(path.read_text()))
