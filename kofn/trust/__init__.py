"""Whether the verdicts of runs can be trusted: their final answers read again."""
