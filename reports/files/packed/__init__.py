"""Zips, gzip and zstandard, unpacked within limits."""
