"""Functions that return what a subcommand finds, with data and settings in place of flags."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from kofn.command import SUBCOMMANDS

if TYPE_CHECKING:
    from metrics import MetricName

Answer = TypeVar("Answer", covariant=True)


class Ask(Protocol[Answer]):
    """A function of data and settings that returns what a subcommand finds."""

    def __call__(self, data: Any, /, *, metric: MetricName = ..., **settings: Any) -> Answer:
        """Find it."""


def ask_functions(
    names: Iterable[str], finder: str, does: str, returns: str
) -> Mapping[str, Ask[Any]]:
    """Return a function for each capability.

    names: Of the capabilities, as Python spells them.
    finder: What finds it in `kofn.notebook`, which is imported when a function is called.
    does, returns: For its docstring: what it does, and what it returns.
    """
    return {name: _asking(name, finder, does, returns) for name in names}


def _asking(name: str, finder: str, does: str, returns: str) -> Ask[Any]:
    def ask(data: Any, /, **settings: Any) -> Any:
        from kofn import notebook

        return getattr(notebook, finder)(name, data, settings)

    subcommand = name.replace("_", "-")
    ask.__name__ = ask.__qualname__ = name
    ask.__doc__ = (
        f"{does} what ``kofn {subcommand}`` finds: {SUBCOMMANDS[subcommand].summary}.\n\n"
        "Parameters\n----------\n"
        "data : Report, Run, several of them, a table, or a matrix of 0 and 1\n"
        f"**settings\n    The flags of ``kofn help {subcommand}``, with ``_`` for ``-``.\n\n"
        f"Returns\n-------\n{returns}\n"
    )
    return ask
