"""One file with the conclusions of the pages, to keep, send and review."""
