"""What is said of how a model on a dataset was read."""
