"""Zips, gzip and zstandard: read as the files in them, and never inflated beyond measure."""
