"""Which repeats of a question are right, where a tool drew and scored them together."""
