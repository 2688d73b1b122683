"""The texts of a table, which are read on demand."""
