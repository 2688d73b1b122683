"""How difficult questions are, fitted to their counts."""
