"""Bytes in, a safe tree of files out: folders, zips, gzip, zstd, and what is kept for later."""
