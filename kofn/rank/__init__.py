"""Which places each of several runs may have."""
