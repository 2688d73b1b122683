"""AISBench or OpenCompass, whose files AISBench inherited: the differences between them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from metrics.data.words import Text
from reports.evaluations.files.layout import Folder
from reports.files.errors import LoadError
from reports.files.tree import Tree


@dataclass(frozen=True, slots=True)
class Tool:
    """How a tool repeats and groups questions."""

    name: str
    mixes: bool  # Whether it is known to mix the samples of different questions.


AISBENCH = Tool("AISBench", mixes=True)
OPENCOMPASS = Tool("OpenCompass", mixes=False)

AGAIN = Text("Evaluate again with --mode eval --reuse, the run's id and --dump-eval-details.")
"""What to do where results do not say which samples were right."""

_HEAD = 1 << 20
_TYPES = re.compile(rb"\b(ais_bench|opencompass)\.")
_KEYS = re.compile(rb'"(?:[^"/]*/)?m?G-Pass@|"(?:avg|cons)@\d')


def tool_of(tree: Tree, folder: Folder) -> Tool:
    """Tell which tool wrote a run, by what its files hold.

    The types in its configurations tell; without them the names of metrics in its results; without
    such names, as for one sample a question, whether its predictions are of the form that only
    OpenCompass still writes.
    """
    for path in folder.configs:
        if found := _TYPES.search(_head(tree, path)):
            return AISBENCH if found[1] == b"ais_bench" else OPENCOMPASS
    for pair in folder.pairs:
        if pair.results and (found := _KEYS.search(_head(tree, pair.results))):
            return OPENCOMPASS if b"G-Pass" in found[0] else AISBENCH
    predictions = [path for pair in folder.pairs for path in pair.predictions]
    older = bool(predictions) and all(path.endswith(".json") for path in predictions)
    return OPENCOMPASS if older else AISBENCH


def _head(tree: Tree, path: str) -> bytes:
    try:
        with tree.open(path) as stream:
            return stream.read(_HEAD)
    except LoadError:
        return b""
