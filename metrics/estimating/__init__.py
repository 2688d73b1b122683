"""Scores and intervals together: a metric of a run, or of several datasets, for one k or all."""
