"""What to do with each run."""
