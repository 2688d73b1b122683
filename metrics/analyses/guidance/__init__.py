"""What to do with a run, by the decision matrix and the targets of a scenario."""
