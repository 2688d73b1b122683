"""Bytes in, a safe tree of files out: folders, zips, gzip, and what is kept to be read later."""
