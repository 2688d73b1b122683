"""Tables that stay in their engine, which reduces their rows to counts."""

from reports.engines.reading import read

__all__ = ["read"]
