"""Decide what the columns of a table mean, wherever its rows are."""
