"""Renew what library.md says of each public name: ``uv run python docs/public_names.py``.

What the names are for, and so their order, is written by hand; where each is defined and what it
does comes from the code. Constants and types of arguments have no docstring: they are left alone.
"""

import inspect
import re
import sys
from pathlib import Path

from kofn import metrics, reports

LIBRARY = Path(__file__).parent / "library.md"
PACKAGES = {"metrics": metrics, "reports": reports}
ROW = re.compile(r"^\| \[`(?P<name>\w+)`\]\(\.\./(?P<package>\w+)/\S*\) \| (?P<text>.*) \|$")


def renewed(page: str) -> str:
    """Return the page with the rows of its tables as the code has them."""
    return "\n".join(map(_renewed, page.split("\n")))


def _renewed(line: str) -> str:
    row = ROW.match(line)
    if not row:
        return line
    described = getattr(PACKAGES[row["package"]], row["name"])
    if not (inspect.isclass(described) or inspect.isfunction(described)):
        return line
    home = Path(sys.modules[described.__module__].__file__ or "")
    summary = (described.__doc__ or "").partition("\n")[0]
    place = home.relative_to(LIBRARY.parents[1]).as_posix()
    return f"| [`{row['name']}`](../{place}) | {summary} |"


if __name__ == "__main__":
    LIBRARY.write_text(renewed(LIBRARY.read_text()))
