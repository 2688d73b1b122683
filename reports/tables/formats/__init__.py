"""Read a file of any format as batches of columns."""
