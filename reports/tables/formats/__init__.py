"""One file of each format as batches of columns."""
