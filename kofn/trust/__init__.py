"""Whether the verdicts of runs can be believed: their final answers read again."""
