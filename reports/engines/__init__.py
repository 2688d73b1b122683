"""Tables where they are: an engine reduces their rows to counts."""

from reports.engines.reading import read

__all__ = ["read"]
