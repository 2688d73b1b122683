"""A list of questions and the one that is open."""
