"""The final answers that texts state, and whether the verdicts on them can be believed."""
