"""What a column can be in some file, whichever reader that has."""

from __future__ import annotations

from reports.files.errors import LoadError
from reports.tables.schema.names import ALIASES, no_role
from reports.told import SEVERAL, TABLE, VERDICTS, Told

ROLES = tuple(dict.fromkeys((*ALIASES, *SEVERAL, *VERDICTS)))


def require_roles(columns: Told, file: str) -> None:
    """Raise `LoadError` where a column is told to be what none can be."""
    for role in columns:
        if role not in (*ROLES, TABLE):
            raise LoadError(file, *no_role(role, ROLES))
