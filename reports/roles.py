"""The roles that a column can have, for all readers."""

from __future__ import annotations

from metrics.data.words import Enumerated, Text
from reports.column_mapping import JUDGE, SEVERAL, TABLE, VERDICTS, ColumnMapping, columns_in_role
from reports.files.errors import LoadError
from reports.readings.judging import RULES
from reports.tables.schema.names import ALIASES, no_role

ROLES = tuple(dict.fromkeys((*ALIASES, *SEVERAL, *VERDICTS)))


def require_roles(columns: ColumnMapping, file: str) -> None:
    """Raise `LoadError` where a column is told to be what none can be."""
    for role in columns:
        if role not in (*ROLES, TABLE, JUDGE):
            raise LoadError(file, *no_role(role, ROLES))
    for rule in columns_in_role(columns, JUDGE):
        if rule not in RULES:
            raise LoadError(
                file,
                Text("cannot be judged by {rule}", rule=f"{rule:.40}"),
                Text("The rules are {known}.", known=Enumerated(RULES)),
            )
