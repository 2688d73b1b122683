"""Write the newest versions that fit into pyproject.toml: ``uv run python .ci/renew.py``.

They are those of a fresh `uv.lock`, which is not kept since it names the index it was made from.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
_LIST = re.compile(r"(?<=^constraint-dependencies = \[\n).*?(?=^\]$)", re.MULTILINE | re.DOTALL)
_EXPORT = "--frozen --all-groups --all-extras --no-emit-project --no-hashes --no-annotate"


def constrained(project: str, constraints: list[str]) -> str:
    """Return pyproject.toml with these constraints in place of its own."""
    lines = "".join(f'    "{each}",\n' for each in constraints)
    return _LIST.sub(lambda _: lines, project, count=1)


def uv(*arguments: str) -> str:
    """Run uv on the project; return what it prints."""
    command = ["uv", *arguments]
    return subprocess.run(
        command, cwd=PROJECT.parent, check=True, text=True, stdout=subprocess.PIPE
    ).stdout


if __name__ == "__main__":
    PROJECT.write_text(constrained(PROJECT.read_text(), []))
    uv("lock", "--upgrade")
    newest = uv("export", "--no-header", *_EXPORT.split()).splitlines()
    PROJECT.write_text(constrained(PROJECT.read_text(), newest))
