"""How good a set of candidates is, and what a signal gains by picking one of them."""
