"""The ranks that each of several runs may have."""
