"""Match paths with ``*``, ``?`` or ``[…]``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from fnmatch import translate
from glob import iglob
from pathlib import Path

from metrics.data.words import Text, some_of
from reports.files.errors import LoadError

_SHOWN = 5
"""The most names of zips that an error has."""
MAGIC = re.compile(r"[*?[]")


def fixed(pattern: str) -> Path:
    """Return the folder that all matches lie in.

    Examples
    --------
    >>> fixed("/data/runs-*/a.csv").as_posix(), fixed("*.csv").as_posix()
    ('/data', '.')
    """
    path = Path(pattern)
    return next(folder for folder in path.parents if not MAGIC.search(str(folder)))


def matches(pattern: str) -> Iterator[Path]:
    """Find what a pattern matches, links followed; what they lead to elsewhere is no match."""
    root = fixed(pattern).resolve()
    for found in iglob(pattern, recursive=True):
        path = Path(found).resolve()
        if path.is_relative_to(root):
            yield path


def matching(pattern: str, paths: Iterable[str]) -> set[str]:
    """Return the paths that a pattern matches, and all below those that it matches.

    Examples
    --------
    >>> sorted(matching("*/*.csv", ["a/x.csv", "a/b/y.csv", "z.csv", "a/w.csv/0"]))
    ['a/w.csv/0', 'a/x.csv']
    >>> sorted(matching("**/[x-y].csv", ["a/x.csv", "a/b/y.csv", "z.csv"]))
    ['a/b/y.csv', 'a/x.csv']
    """
    parts = [None if part == "**" else translate(part) for part in pattern.strip("/").split("/")]
    return {path for path in paths if _fits(path.split("/"), parts)}


def _fits(names: Sequence[str], parts: Iterable[str | None]) -> bool:
    """Whether some names, or the first of them, are as the parts of a pattern; None is any."""
    ends = {0}
    for part in parts:
        if part is None:
            ends = {*range(min(ends, default=len(names) + 1), len(names) + 1)}
        else:
            ends = {end + 1 for end in ends if end < len(names) and re.match(part, names[end])}
    return bool(ends)


def require_some(pattern: str, names: Collection[str]) -> None:
    """Refuse a pattern that matches nothing, or zips among other files."""
    if not names:
        fix = Text("Check the pattern: * stands for any letters, and ** for any folders.")
        raise LoadError(pattern, Text("matches no file"), fix)
    if len(names) > 1 and (zips := sorted(n for n in names if n.lower().endswith(".zip"))):
        problem = Text("matches {zips} among other files", zips=some_of(zips, _SHOWN))
        raise LoadError(pattern, problem, Text("Give each zip by its own path."))
