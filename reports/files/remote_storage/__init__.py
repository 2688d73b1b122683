"""Places on a network: files that are read by ranges of their bytes."""
