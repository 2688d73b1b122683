"""Build the wheel: the folders beside `kofn` go under it, with the imports of their modules.

So one name is installed. What is installed with it lies where it does here, seen from the pages:
the settings beside `app.py`, the sample beside them.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MOVED = ("metrics", "reports", "charts", "pages")
ASIDE = (".streamlit/config.toml", "sample_data/*.zip", "sample_data/*.parquet")
CHECKOUT = Path("kofn/checkout.py")

_ONE = rf"(?:{'|'.join(MOVED)})"
_BELOW = rf"{_ONE}(?:\.\w+)*"
_EXAMPLE = r"(?m)^([ ]*(?:>>> |\.\.\. )?)"
_RULES = (
    (rf"{_EXAMPLE}from ({_BELOW}) import ", r"\1from kofn.\2 import "),
    (rf"{_EXAMPLE}import ({_BELOW}) as ", r"\1import kofn.\2 as "),
    (rf"{_EXAMPLE}import ({_ONE}(?:, {_ONE})*)$", r"\1from kofn import \2"),
    (rf"(?m)^( +)({_ONE}(?:\.\w+)+: )", r"\1kofn.\2"),  # the error that an example shows
)


def installed(source: str, name: str) -> str:
    """Return the source of a module with its imports as they are when it is installed.

    Raises
    ------
    ValueError
        If an import is written in a way that is not known here.
    """
    for written, instead in _RULES:
        source = re.sub(written, instead, source)
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import():
                imported = [each.name for each in node.names]
            case ast.ImportFrom():
                imported = [node.module or ""]
            case _:
                continue
        if any(each.partition(".")[0] in MOVED for each in imported):
            raise ValueError(f"{name}, line {node.lineno}: import {imported} as others do.")
    return source


class Wheel(BuildHookInterface):
    """Fills the wheel of a release; that of an editable checkout has nothing to move."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name every file of the wheel, with its place there."""
        if version == "editable":
            return
        root = Path(self.root)
        self._written = TemporaryDirectory()
        files = [path for folder in (*MOVED, "kofn") for path in (root / folder).rglob("*")]
        files += [root / "app.py", *(path for each in ASIDE for path in root.glob(each))]
        for path in sorted(files):
            place = path.relative_to(root)
            if not path.is_file() or "__pycache__" in place.parts or place == CHECKOUT:
                continue
            target = place if place.parts[0] == "kofn" else "kofn" / place
            if path.suffix == ".py":
                path = Path(self._written.name, target)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(installed((root / place).read_text(), str(place)))
            build_data["force_include"][str(path)] = str(target)

    def finalize(self, version: str, build_data: dict[str, Any], artifact: str) -> None:
        """Remove what was written for the wheel."""
        if version != "editable":
            self._written.cleanup()
