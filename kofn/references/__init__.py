"""Questions whose reference may be wrong, according to several models."""
