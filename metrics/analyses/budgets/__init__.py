"""Tokens as the budget: answers cut at a length, several short ones or a long one, and time."""
