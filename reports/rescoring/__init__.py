"""Score texts and boxes, where an evaluator did not write its scores down."""
