"""Who leads a dataset, on one try and on many, and which run passes which."""
