"""Turn samples into runs, one after the other, for the readers of all tools."""
