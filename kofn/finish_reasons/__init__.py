"""How the samples of runs ended."""
