"""How good a set of candidates is, and what a signal gains that picks one of them."""
