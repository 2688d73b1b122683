"""How good a model is that may try n times, how sure we are, and how many tries are worth it.

`kofn.metrics` computes, `kofn.reports` reads, `kofn.tables` and `kofn.figures` give what the
command and the pages show; each is loaded when asked for. The rest is what these share.

Matrices here are small: threads of linear algebra would wait for each other longer than they work,
and several visitors share a machine.
"""

import os
from importlib import import_module

from kofn.version import VERSION

TYPE_CHECKING = False  # typing takes longer to import than all else here
if TYPE_CHECKING:
    from types import ModuleType

    import metrics as metrics
    import reports as reports
    from kofn import figures as figures
    from kofn import tables as tables

__version__ = VERSION
__all__ = ["figures", "metrics", "reports", "tables"]

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

if os.path.exists(f"{__path__[0]}/checkout.py"):
    import_module("kofn.checkout")


def __getattr__(name: str) -> "ModuleType":
    if name in __all__:
        if name != "metrics":
            import_module("kofn.extras").require("reports")
        return import_module(f"kofn.{name}")
    raise AttributeError(f"module 'kofn' has no attribute {name!r}")
