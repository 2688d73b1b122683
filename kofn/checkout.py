"""In a checkout the folders beside `kofn` go by the names they have when installed, too.

`metrics` and `kofn.metrics` are one module there, and so is every module below them, whichever name
it was first imported by. What is installed has the folders under `kofn`, and not this module.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

FOLDERS = ("metrics", "reports", "charts", "pages")


class _Folders(MetaPathFinder, Loader):
    """Finds the modules of `FOLDERS` by their installed names."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, module = name.partition(".")
        ours = package == __package__ and module.partition(".")[0] in FOLDERS
        return ModuleSpec(name, self) if ours else None

    def exec_module(self, module: ModuleType) -> None:
        """Put the module of the folder in the place of the new one, as importing allows."""
        sys.modules[module.__name__] = import_module(module.__name__.partition(".")[2])


sys.meta_path.insert(0, _Folders())
