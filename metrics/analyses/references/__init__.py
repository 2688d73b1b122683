"""Questions whose reference may be wrong."""
