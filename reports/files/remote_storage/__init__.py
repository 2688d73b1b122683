"""Remote storage, whose files are read by byte ranges."""
