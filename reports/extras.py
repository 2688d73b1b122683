"""How to install optional extras, as long as kofn is on no package index."""

from __future__ import annotations

from metrics.data.words import Text


def installing(extra: str) -> Text:
    """Say how an extra is installed, from a checkout.

    Examples
    --------
    >>> "uv sync --inexact --extra spark" in str(installing("spark"))
    True
    """
    return Text(
        "In a checkout of kofn, run uv sync --inexact --extra {extra}, or uv tool install "
        '".[{extra}]" if kofn was installed that way.',
        extra=extra,
    )
