"""Scorecards: which metrics of which runs, as a table, a figure, and one run in detail."""
