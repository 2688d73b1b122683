"""Notes on how the files of a model on a dataset were read."""
