"""Files that become visible only when they are complete."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a file to write in place of another, which it replaces unless an error is raised."""
    whole = Path(path).resolve()
    part = whole.with_name(f"{whole.name}.{token_hex(4)}.part")
    try:
        yield part
        part.replace(whole)
    finally:
        part.unlink(missing_ok=True)
