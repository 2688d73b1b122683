"""The questions of a run: which to read, and what is known about each."""
