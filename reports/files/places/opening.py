"""What lies at a place, as a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics.data.words import Text
from reports.files.errors import LoadError

if TYPE_CHECKING:
    from reports.files.addresses import Address
    from reports.files.tree import Tree


def open_place(address: Address) -> Tree:
    """Open a place.

    Raises
    ------
    LoadError
        If it cannot be read.
    """
    raise LoadError(
        address.shown,
        Text("is a place that kofn does not read yet"),
        Text("Copy it to this machine."),
    )
