"""Whether a run reproduces a number that was expected."""
