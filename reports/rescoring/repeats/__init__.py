"""Repeats of a question that a tool drew and scored together: which of them are right."""
