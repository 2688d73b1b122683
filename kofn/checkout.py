"""In a checkout, the folders beside `kofn` can be imported by their installed names too.

`metrics` and `kofn.metrics` are one module there, and so is every module below them, whichever name
it was first imported by. What is installed has it all under `kofn`, and not this module.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

BESIDE = ("metrics", "reports", "charts", "pages", "app")


class _Beside:
    """Finds what lies beside `kofn` by the installed names.

    It has what `importlib.abc` asks for, which takes longer to import than all else here.
    """

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, module = name.partition(".")
        ours = package == __package__ and module.partition(".")[0] in BESIDE
        return ModuleSpec(name, self) if ours else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """Have a module made as others are."""

    def exec_module(self, module: ModuleType) -> None:
        """Put the module that lies there in the place of the new one, as importing allows."""
        sys.modules[module.__name__] = import_module(module.__name__.partition(".")[2])


sys.meta_path.insert(0, _Beside())
