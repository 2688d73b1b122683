"""What a minimal installation of kofn lacks, and the extra that adds it."""

from __future__ import annotations

from importlib.util import find_spec

EXTRAS = {
    "dashboard": ("streamlit",),
    "reports": (
        *("babel", "duckdb", "msgspec", "pandas", "plotly", "pyarrow"),
        *("requests", "rich", "shtab", "yaml"),
    ),
}


def require(extra: str) -> None:
    """Raise `ModuleNotFoundError` with the way to install an extra, unless all of it is there."""
    for module in EXTRAS[extra]:
        if find_spec(module) is None:
            raise ModuleNotFoundError(how_to_install(module), name=module)


def how_to_install(missing: str | None) -> str | None:
    """Say which extra has a module that is not installed; None of others.

    Examples
    --------
    >>> print(how_to_install("streamlit"))
    The dashboard extra of kofn is needed, for streamlit: pip install "kofn[dashboard]".
    >>> how_to_install("metrics"), how_to_install(None)
    (None, None)
    """
    for extra, modules in EXTRAS.items():
        if (missing or "").partition(".")[0] in modules:
            return (
                f'The {extra} extra of kofn is needed, for {missing}: pip install "kofn[{extra}]".'
            )
    return None
