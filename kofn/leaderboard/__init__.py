"""Who leads a dataset, with one try and with many, and which run overtakes which."""
