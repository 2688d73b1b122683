"""How runs are named: one rule for all tools, whatever their files say about the model."""

from __future__ import annotations

from pathlib import PurePath, PurePosixPath
from typing import Any, NamedTuple

from metrics.data.words import Text
from reports.files.notes import Note
from reports.files.tree import Tree

UNKNOWN = "unknown model"
_PACKED = (".zip", ".gz", ".zst", ".zstd", ".eval")


class Named(NamedTuple):
    """The name of a model, and what to say of it."""

    model: str
    notes: tuple[Note, ...] = ()


def root_of(tree: Tree) -> str:
    """Return the name of the folder that was given; "" of a file or an archive.

    Examples
    --------
    >>> from reports.files.archive import open_tree
    >>> root_of(open_tree(("x.json", b"{}")))
    ''
    """
    given = PurePath(tree.name)
    is_folder = given.name not in tree.files and given.suffix.lower() not in _PACKED
    return given.name if is_folder else ""


def folder_of(tree: Tree, path: str) -> str:
    """Return the name of the folder that a file lies in, the one that was given included."""
    return PurePosixPath(path).parent.name or root_of(tree)


def model_of(place: str, *, stated: Any = None, folder: str = "", file: str = "") -> Named:
    """Return what a model is called, by the first of these that there is.

    folder: The folder that the tool calls by the model.
    file: The name of the file without what the tool adds, where it is left to the user.

    Examples
    --------
    >>> model_of("m/x.json", stated="org/m", folder="m").model, model_of("x.json").model
    ('org/m', 'unknown model')
    >>> named = model_of("m_samples.jsonl", file="m")
    >>> named.model, str(named.notes[0].what)
    ('m', "The model is known only from the file's name.")
    """
    if isinstance(stated, str) and stated:
        return Named(stated)
    if folder:
        return Named(folder)
    if file:
        return Named(file, (Note(Text("The model is known only from the file's name."), place),))
    what = Text("The file does not name the model; the whole folder of the run may.")
    return Named(UNKNOWN, (Note(what, place),))
