"""The texts of a table, which are read when someone looks."""
